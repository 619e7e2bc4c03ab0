//! Names, versions and times that all of it shares.

use std::path::PathBuf;
use std::time::Duration;

use tests::files::workspace;

/// The namespace that Crossplane runs in.
pub(crate) const NAMESPACE: &str = "crossplane-system";
/// The name that every provider configuration of these tests has. They all lead to the API server itself.
pub(crate) const PROVIDER_CONFIG: &str = "incluster";
/// How long anything may take that is only waiting for Crossplane.
pub(crate) const SOON: Duration = Duration::from_secs(90);
/// The version of our packages.
pub(crate) const TAG: &str = concat!("v", env!("CARGO_PKG_VERSION"));

/// A file or folder among the fixtures of these tests.
pub(crate) fn fixture(name: &str) -> PathBuf {
    workspace().join("tests/e2e/fixtures").join(name)
}
