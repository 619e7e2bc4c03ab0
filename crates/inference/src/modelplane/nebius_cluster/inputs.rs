//! What the rules read.

use toolbox::rows::Named;

use super::spec::{NebiusClusterSpec, NebiusNodePool};
use crate::modelplane::platform::credentials::Credentials;
use crate::modelplane::platform::releases::{ShortNames, WithReleases};
use crate::modelplane::platform::secrets::ClusterSecret;
use crate::modelplane::platform::tables::CloudCluster;
use crate::modelplane::subject::Subject;

/// The inputs of the rules.
#[derive(Clone, Debug, PartialEq)]
pub struct NebiusInputs {
    /// The composite.
    pub cluster: Subject<NebiusClusterSpec>,
    /// The credentials for Nebius.
    pub credentials: Credentials,
    /// What the provider configuration says of its Secret.
    pub config: NebiusConfig,
    /// The Secret with the identity for the cluster. `None` while nothing says it.
    pub secret: Option<ClusterSecret>,
    /// Whether the control plane is observed.
    pub has_cluster: bool,
    /// The names for Helm of Releases whose own would be too long.
    pub shortened: ShortNames,
}

/// What a provider configuration says of the Secret with its credentials.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NebiusConfig {
    /// It is not there, or nobody has looked yet.
    Missing,
    /// Its credentials are in no Secret.
    WithoutSecret,
    /// Its Secret has no namespace.
    WithoutNamespace,
    /// Which one it is.
    Found,
}

impl NebiusInputs {
    /// The node groups of the composite.
    pub fn pools(&self) -> &[NebiusNodePool] {
        &self.cluster.spec.node_pools
    }

    /// The InfiniBand fabrics, each once, in the order of the node groups.
    pub fn fabrics(&self) -> Vec<String> {
        let mut fabrics: Vec<String> = Vec::new();
        for fabric in self.pools().iter().filter_map(NebiusNodePool::infiniband) {
            if !fabrics.iter().any(|known| known == fabric) {
                fabrics.push(fabric.to_owned());
            }
        }
        fabrics
    }
}

impl Named for NebiusInputs {
    fn name(&self) -> &str {
        &self.cluster.name
    }
}

impl CloudCluster for NebiusInputs {
    fn namespace(&self) -> &str {
        &self.cluster.namespace
    }

    fn credentials(&self) -> &Credentials {
        &self.credentials
    }

    fn identity(&self) -> Option<ClusterSecret> {
        self.secret.clone()
    }
}

impl WithReleases for NebiusInputs {
    fn shortened(&self) -> &ShortNames {
        &self.shortened
    }
}
