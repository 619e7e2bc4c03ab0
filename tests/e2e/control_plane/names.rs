//! Names, versions and times that the scenarios share.

use std::path::PathBuf;
use std::time::Duration;

use tests::files::workspace;

/// The namespace that Crossplane runs in.
pub(crate) const NAMESPACE: &str = "crossplane-system";
/// The name of every provider configuration in these tests. Their target is the control plane's own API server.
pub(crate) const PROVIDER_CONFIG: &str = "incluster";
/// The time limit for everything that waits for Crossplane only.
pub(crate) const SOON: Duration = Duration::from_secs(240);
/// The version of our packages.
pub(crate) const TAG: &str = concat!("v", env!("CARGO_PKG_VERSION"));

/// The path of a file or folder in the fixtures.
pub(crate) fn fixture(name: &str) -> PathBuf {
    workspace().join("tests/e2e/fixtures").join(name)
}
