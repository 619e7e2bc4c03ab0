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

/// A release of a provider, which mirrors have. The package of each cloud provider depends on one of its family, which has the
/// configurations of that cloud, and is released together with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Release {
    /// The provider, with the versions that packages accept.
    pub provider: Dependency,
    /// Its tag.
    pub tag: &'static str,
    /// The registry and repository of its family.
    pub family: &'static str,
}

/// A release of every cloud provider.
pub const RELEASES: &[Release] = &[AWS_EKS, AWS_IAM, AWS_EC2, AZURE_CONTAINERSERVICE, GCP_CONTAINER];

/// A release of provider-helm, from the same place. No package depends on it: who installs it chooses its identity, which a
/// Configuration cannot bring.
pub const HELM: &str = "xpkg.crossplane.io/crossplane-contrib/provider-helm:v1.1.0";

const AWS_FAMILY: &str = "xpkg.crossplane.io/crossplane-contrib/provider-family-aws";
const AZURE_FAMILY: &str = "xpkg.crossplane.io/crossplane-contrib/provider-family-azure";
const GCP_FAMILY: &str = "xpkg.crossplane.io/crossplane-contrib/provider-family-gcp";

const fn release(package: &'static str, version: &'static str, tag: &'static str, family: &'static str) -> Release {
    Release { provider: Dependency { kind: "Provider", package, version }, tag, family }
}
