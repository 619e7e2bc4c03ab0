//! The providers that packages depend on. A control plane has each from one repository: a second one never becomes healthy.

use toolbox::published::Dependency;

/// provider-kubernetes, since it has namespaced Objects as they are composed here.
pub const KUBERNETES: Dependency = Dependency {
    kind: "Provider",
    package: "xpkg.crossplane.io/crossplane-contrib/provider-kubernetes",
    version: ">=v1.2.0",
};
