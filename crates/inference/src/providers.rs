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

/// Clusters of AWS. The providers for clusters are accepted from the first version with the namespaced kinds, up to the next one
/// that may break. The tags are those that dot-kubernetes 2.0.21 (2026-02-28) installs.
pub const AWS_EKS: Release =
    release("xpkg.crossplane.io/crossplane-contrib/provider-aws-eks", ">=v2.3.0, <v3.0.0", "v2.4.0", AWS_FAMILY);
/// Roles of AWS.
pub const AWS_IAM: Release =
    release("xpkg.crossplane.io/crossplane-contrib/provider-aws-iam", ">=v2.3.0, <v3.0.0", "v2.4.0", AWS_FAMILY);
/// Networks of AWS.
pub const AWS_EC2: Release =
    release("xpkg.crossplane.io/crossplane-contrib/provider-aws-ec2", ">=v2.3.0, <v3.0.0", "v2.4.0", AWS_FAMILY);
/// Clusters of Azure.
pub const AZURE_CONTAINERSERVICE: Release = release(
    "xpkg.crossplane.io/crossplane-contrib/provider-azure-containerservice",
    ">=v2.3.0, <v3.0.0",
    "v2.3.0",
    AZURE_FAMILY,
);
/// Clusters of Google Cloud.
pub const GCP_CONTAINER: Release =
    release("xpkg.crossplane.io/crossplane-contrib/provider-gcp-container", ">=v2.3.0, <v3.0.0", "v2.4.0", GCP_FAMILY);

/// A release of a provider, which mirrors have. The package of many cloud providers depends on one of their family, which has the
/// configurations of that cloud, and is released together with them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Release {
    /// The provider, with the versions that packages accept.
    pub provider: Dependency,
    /// Its tag.
    pub tag: &'static str,
    /// The registry and repository of its family. Empty where it has none, or is one.
    pub family: &'static str,
}

/// A release of every cloud provider for kinds that are not Modelplane's.
pub const RELEASES: &[Release] = &[AWS_EKS, AWS_IAM, AWS_EC2, AZURE_CONTAINERSERVICE, GCP_CONTAINER];

/// The providers that Modelplane v0.3.1 depends on, in its repository. Who moves from it keeps them.
#[rustfmt::skip]
pub const RELEASES_OF_MODELPLANE: [Release; 15] = [
    release("xpkg.upbound.io/upbound/provider-aws-ec2", ">=v2.6.0, <v3.0.0", "v2.6.0", UPBOUND_AWS_FAMILY),
    release("xpkg.upbound.io/upbound/provider-aws-efs", ">=v2.6.0, <v3.0.0", "v2.6.0", UPBOUND_AWS_FAMILY),
    release("xpkg.upbound.io/upbound/provider-aws-eks", ">=v2.6.0, <v3.0.0", "v2.6.0", UPBOUND_AWS_FAMILY),
    release("xpkg.upbound.io/upbound/provider-aws-iam", ">=v2.6.0, <v3.0.0", "v2.6.0", UPBOUND_AWS_FAMILY),
    release("xpkg.upbound.io/upbound/provider-azure-containerservice", ">=v2.6.0, <v3.0.0", "v2.6.0", ""),
    release("xpkg.upbound.io/upbound/provider-azure-network", ">=v2.6.0, <v3.0.0", "v2.6.0", ""),
    release("xpkg.upbound.io/upbound/provider-family-azure", ">=v2.6.0, <v3.0.0", "v2.6.0", ""),
    release("xpkg.upbound.io/upbound/provider-family-gcp", ">=v2.6.0, <v3.0.0", "v2.6.0", ""),
    release("xpkg.upbound.io/upbound/provider-gcp-cloudplatform", ">=v2.6.0, <v3.0.0", "v2.6.0", ""),
    release("xpkg.upbound.io/upbound/provider-gcp-compute", ">=v2.6.0, <v3.0.0", "v2.6.0", ""),
    release("xpkg.upbound.io/upbound/provider-gcp-container", ">=v2.6.0, <v3.0.0", "v2.6.0", ""),
    release("xpkg.upbound.io/upbound/provider-helm", ">=v1.4.0, <v2.0.0", "v1.4.0", ""),
    release("xpkg.upbound.io/upbound/provider-kubernetes", ">=v1.3.0, <v2.0.0", "v1.3.0", ""),
    release("xpkg.upbound.io/upbound/provider-nebius", ">=v1.0.1, <v2.0.0", "v1.0.1", ""),
    release("xpkg.upbound.io/upbound/provider-vultr", ">=v1.0.0, <v2.0.0", "v1.0.0", ""),
];

/// Those as dependencies.
pub const OF_MODELPLANE: [Dependency; RELEASES_OF_MODELPLANE.len()] = {
    let mut all = [RELEASES_OF_MODELPLANE[0].provider; RELEASES_OF_MODELPLANE.len()];
    let mut index = 0;
    while index < all.len() {
        all[index] = RELEASES_OF_MODELPLANE[index].provider;
        index += 1;
    }
    all
};

/// Every release that mirrors have.
pub fn releases() -> impl Iterator<Item = &'static Release> {
    RELEASES.iter().chain(&RELEASES_OF_MODELPLANE)
}

impl Release {
    /// Its packages, each with its tag.
    pub fn packages(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let tag = self.tag;
        [self.provider.package, self.family].into_iter().filter(|name| !name.is_empty()).map(move |name| (name, tag))
    }
}

/// A release of provider-helm, from the same place. No package depends on it: who installs it chooses its identity, which a
/// Configuration cannot bring.
pub const HELM: &str = "xpkg.crossplane.io/crossplane-contrib/provider-helm:v1.1.0";

const AWS_FAMILY: &str = "xpkg.crossplane.io/crossplane-contrib/provider-family-aws";
const UPBOUND_AWS_FAMILY: &str = "xpkg.upbound.io/upbound/provider-family-aws";
const AZURE_FAMILY: &str = "xpkg.crossplane.io/crossplane-contrib/provider-family-azure";
const GCP_FAMILY: &str = "xpkg.crossplane.io/crossplane-contrib/provider-family-gcp";

const fn release(package: &'static str, version: &'static str, tag: &'static str, family: &'static str) -> Release {
    Release { provider: Dependency { kind: "Provider", package, version }, tag, family }
}
