//! The providers that packages depend on. A control plane must install a provider from one repository only: a second
//! copy of it never becomes healthy.

use toolbox::published::Dependency;

/// provider-kubernetes, from the first version with the namespaced Objects that kinds compose, up to the next one that may
/// break.
pub const KUBERNETES: Dependency = Dependency {
    kind: "Provider",
    package: "xpkg.crossplane.io/crossplane-contrib/provider-kubernetes",
    version: ">=v1.2.0, <v2.0.0",
};
