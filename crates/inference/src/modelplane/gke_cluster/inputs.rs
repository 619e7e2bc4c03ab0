//! What the rules read.

use std::collections::BTreeMap;

use toolbox::rows::Named;

use super::spec::{GkeClusterSpec, GkeNetworking};
use crate::modelplane::platform::credentials::Credentials;
use crate::modelplane::platform::names;
use crate::modelplane::platform::secrets::{ClusterSecret, GOOGLE, SERVICE_ACCOUNT_KEY};
use crate::modelplane::platform::tables::CloudCluster;
use crate::modelplane::subject::Subject;

/// The inputs of the rules.
#[derive(Clone, Debug, PartialEq)]
pub struct GkeInputs {
    /// The composite.
    pub cluster: Subject<GkeClusterSpec>,
    /// The credentials for Google Cloud.
    pub credentials: Credentials,
    /// The ranges of addresses.
    pub networking: GkeNetworking,
    /// The project of the cluster.
    pub project: GkeProject,
    /// The address of the service account of the cluster. `None` until the provider has observed it.
    pub email: Option<String>,
    /// The name of the network at Google. `None` until the provider has observed it.
    pub network: Option<String>,
    /// How many nodes each pool that exists has begun with, by composition resource name.
    pub begun: BTreeMap<String, u64>,
}

/// The project of a cluster, and what says it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GkeProject {
    /// The composite.
    Stated(String),
    /// The provider configuration.
    Configured(String),
    /// The cluster, which has it already: the provider configuration is missing, or has none.
    Kept(String),
    /// Nothing. What exists stays, and nothing is created.
    Unknown,
}

impl GkeProject {
    /// Its name.
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Stated(name) | Self::Configured(name) | Self::Kept(name) => Some(name),
            Self::Unknown => None,
        }
    }
}

impl Named for GkeInputs {
    fn name(&self) -> &str {
        &self.cluster.name
    }
}

impl CloudCluster for GkeInputs {
    fn namespace(&self) -> &str {
        &self.cluster.namespace
    }

    fn credentials(&self) -> &Credentials {
        &self.credentials
    }

    fn identity(&self) -> Option<ClusterSecret> {
        Some(ClusterSecret::new(GOOGLE, names::service_account_key(self.name()), SERVICE_ACCOUNT_KEY))
    }
}
