//! Names and versions of packages.

use inference::providers::KUBERNETES;
use toolbox::published::Package;

/// The registry of all packages.
pub(crate) const REGISTRY: &str = "xpkg.crossplane.io";
/// The repository of the Configuration for all APIs.
pub(crate) const CONFIGURATION: &str = "sailplane/sailplane";
/// The repository of the Function.
pub(crate) const FUNCTION: &str = "sailplane/function-sailplane";
/// The versions of Crossplane with namespaced composites.
pub(crate) const CROSSPLANE: &str = ">=v2.0.0";
/// The tag of all packages of this version.
pub(crate) const TAG: &str = concat!("v", env!("CARGO_PKG_VERSION"));

/// The versions of our packages that go with this one: itself and later ones, up to the next one that may break
/// (`docs/versions.md`).
pub(crate) fn compatible() -> String {
    let number = |text: &str| text.parse::<u64>().expect("a number");
    let (major, minor) = (number(env!("CARGO_PKG_VERSION_MAJOR")), number(env!("CARGO_PKG_VERSION_MINOR")));
    let breaks = if major == 0 { format!("v0.{}.0", minor + 1) } else { format!("v{}.0.0", major + 1) };
    format!(">={TAG}, <{breaks}")
}

/// A repository with the registry.
pub(crate) fn reference(repository: &str) -> String {
    format!("{REGISTRY}/{repository}")
}

/// The repository of the Configuration of an API.
pub(crate) fn repository(package: &Package) -> String {
    format!("sailplane/{}", package.name)
}

/// The name of an API's Configuration in clusters. It is the name that Crossplane gives a dependency, so that it does not
/// matter whether it is installed before or after `sailplane`.
pub(crate) fn configuration(package: &Package) -> String {
    of_dependency(&reference(&repository(package)))
}

/// The last segment of a repository, which is the name of the package.
pub(crate) fn package(repository: &str) -> &str {
    repository.rsplit('/').next().unwrap_or(repository)
}

/// The name that Crossplane's dependency manager gives the package at `reference`.
pub(crate) fn of_dependency(reference: &str) -> String {
    let (_registry, repository) = reference.split_once('/').expect("a reference has a registry");
    repository.replace('/', "-")
}

/// The release of provider-kubernetes in the end-to-end tests.
pub(crate) fn provider_tag() -> &'static str {
    let go_mod = include_str!("../e2e/tools/provider-kubernetes/go.mod");
    let (_registry, repository) = KUBERNETES.package.split_once('/').expect("a reference has a registry");
    let line = go_mod.lines().find(|line| line.contains(&format!("{repository} v"))).expect("go.mod requires it");
    line.split_whitespace().find(|word| word.starts_with('v')).expect("a version")
}
