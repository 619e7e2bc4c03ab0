//! Names, versions and times that all of it shares.

use std::path::PathBuf;
use std::time::Duration;

use tests::files::workspace;

/// The Composition that the Configuration of LLMInference brings.
pub(crate) const OUR_COMPOSITION: &str = "llm-inference";
/// The name that every provider configuration of these tests has. They all lead to the API server itself.
pub(crate) const PROVIDER_CONFIG: &str = "incluster";
/// The Function that composes as dot-inference 0.1.6 does.
pub(crate) const LEGACY_FUNCTION: &str = "function-dot-inference";
/// How long anything may take that is only waiting for Crossplane.
pub(crate) const SOON: Duration = Duration::from_secs(90);
/// The Configuration of LLMInference in another repository, which to Crossplane is another package.
pub(crate) const SUCCESSOR: &str = "sailplane/successor";
/// The version of our packages.
pub(crate) const TAG: &str = concat!("v", env!("CARGO_PKG_VERSION"));

/// A file or folder among the fixtures of these tests.
pub(crate) fn fixture(name: &str) -> PathBuf {
    workspace().join("tests/e2e/fixtures").join(name)
}
