//! Names and versions of packages.

use inference::providers::KUBERNETES;
use toolbox::published::Package;

/// Where packages are published.
pub(crate) const REGISTRY: &str = "xpkg.crossplane.io";
/// The Configuration that brings those of all APIs, in its repository.
pub(crate) const CONFIGURATION: &str = "sailplane/sailplane";
/// The Function, in its repository.
pub(crate) const FUNCTION: &str = "sailplane/function-sailplane";
/// The oldest Crossplane that has namespaced composites.
pub(crate) const CROSSPLANE: &str = ">=v2.0.0";
/// The tag of this version of all packages.
pub(crate) const TAG: &str = concat!("v", env!("CARGO_PKG_VERSION"));

/// A repository with its registry.
pub(crate) fn reference(repository: &str) -> String {
    format!("{REGISTRY}/{repository}")
}

/// The repository of an API's Configuration.
pub(crate) fn repository(package: &Package) -> String {
    format!("sailplane/{}", package.name)
}

/// The name of an API's Configuration in clusters: the one that Crossplane gives it as a dependency, so that installing it
/// before or after `sailplane` is the same.
pub(crate) fn configuration(package: &Package) -> String {
    of_dependency(&reference(&repository(package)))
}

/// The name of the last segment of a repository, which is the package's own name.
pub(crate) fn package(repository: &str) -> &str {
    repository.rsplit('/').next().unwrap_or(repository)
}

/// The name that Crossplane's dependency manager gives the package at `reference`.
pub(crate) fn of_dependency(reference: &str) -> String {
    let (_registry, repository) = reference.split_once('/').expect("a reference has a registry");
    repository.replace('/', "-")
}

/// The release of provider-kubernetes that the end-to-end tests run.
pub(crate) fn provider_tag() -> &'static str {
    let go_mod = include_str!("../e2e/tools/provider-kubernetes/go.mod");
    let (_registry, repository) = KUBERNETES.package.split_once('/').expect("a reference has a registry");
    let line = go_mod.lines().find(|line| line.contains(&format!("{repository} v"))).expect("go.mod requires it");
    line.split_whitespace().find(|word| word.starts_with('v')).expect("a version")
}
