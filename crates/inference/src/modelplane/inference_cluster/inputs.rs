//! What the rules read.

use std::collections::BTreeMap;

use serde_json::Value;
use toolbox::rows::Named;
use toolbox::rule::Element;

use super::sources::{CloudFields, CloudSource};
use super::spec::{ClusterSpec, NodePool};
use crate::modelplane::platform::secrets::{ClusterSecret, KUBECONFIG};
use crate::modelplane::subject::Subject;

/// The inputs of the rules.
#[derive(Clone, Debug, PartialEq)]
pub struct FleetInputs {
    /// The cluster.
    pub cluster: Subject<ClusterSpec>,
    /// The cloud that makes it. `None` for one that exists.
    pub cloud: Option<&'static CloudSource>,
    /// What it says of its cloud.
    pub fields: CloudFields,
    /// Its pools, with their classes.
    pub pools: Vec<FleetPool>,
    /// What stands in the way of composing it. `None` when nothing does.
    pub stop: Option<Stop>,
    /// What is odd about it, and stays as it runs.
    pub oddities: Vec<String>,
    /// What was observed.
    pub seen: SeenCluster,
}

/// What stands in the way of composing a cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Classes that nobody has looked up yet, or that do not exist, sorted.
    Classes {
        /// Their names.
        missing: Vec<String>,
        /// Whether all of them were looked up.
        is_known: bool,
    },
    /// The block of the source is missing.
    NoBlock,
    /// A pool cannot be made: where it says so, and why.
    Pool {
        /// The field.
        path: String,
        /// Why.
        message: String,
    },
}

/// What was observed of a cluster.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeenCluster {
    /// Whether the cloud's cluster is ready. One that exists counts as ready.
    pub is_ready: bool,
    /// What it says while it is not.
    pub waits_for: String,
    /// What the ServingStack says while it is not ready.
    pub stack_waits_for: String,
    /// The Secrets that lead to it.
    pub secrets: Vec<ClusterSecret>,
    /// The identity that the ClusterProviderConfig has beside the kubeconfig.
    pub identity: Option<ClusterSecret>,
    /// The storage class for caches.
    pub storage_class: Option<String>,
    /// Whether the ServingStack is observed.
    pub has_stack: bool,
    /// Whether it is ready.
    pub is_stack_ready: bool,
    /// The Secrets that it has.
    pub stack_secrets: Vec<ClusterSecret>,
    /// The address of its gateway.
    pub address: Option<String>,
    /// The pools that the cloud's cluster has, by name.
    pub live_pools: BTreeMap<String, LivePool>,
    /// Whether replicas are on the cluster.
    pub has_replicas: bool,
    /// Whether caches are on the cluster.
    pub has_caches: bool,
    /// Whether it is kept for caches so far.
    pub is_kept_for_caches: bool,
    /// What has held a deletion that was tried, by namespace. Empty when none was tried, and when nothing holds it.
    pub holders: String,
}

impl Named for FleetInputs {
    fn name(&self) -> &str {
        &self.cluster.name
    }
}

impl FleetInputs {
    /// The Secrets that lead to the cluster, while it is ready. Those of a cluster that exists are its author's.
    pub fn secrets(&self) -> Vec<ClusterSecret> {
        if let Some(cloud) = self.cloud {
            let mut secrets = if self.seen.is_ready { self.seen.secrets.clone() } else { Vec::new() };
            // An identity that goes missing for a while stays with what uses it.
            if let Some(identity) =
                cloud.identity.filter(|it| !secrets.is_empty() && ClusterSecret::first(&secrets, it).is_none())
            {
                let mut known = self.seen.stack_secrets.iter().chain(&self.seen.identity);
                secrets.extend(known.find(|secret| secret.secret_type == identity).cloned());
            }
            return secrets;
        }
        let Some(existing) = &self.cluster.spec.cluster.existing else { return Vec::new() };
        let key = |key: &Option<String>| key.clone().unwrap_or_default();
        let kubeconfig =
            ClusterSecret::new(KUBECONFIG, existing.secret_ref.name.as_str(), &key(&existing.secret_ref.key));
        let identity = existing.identity_secret_ref.as_ref().map(|it| {
            ClusterSecret::new(it.identity_type.as_deref().unwrap_or_default(), it.name.as_str(), &key(&it.key))
        });
        [Some(kubeconfig), identity].into_iter().flatten().collect()
    }

    /// The kubeconfig, while the cluster is ready.
    pub fn kubeconfig(&self) -> Option<ClusterSecret> {
        ClusterSecret::first(&self.secrets(), KUBECONFIG).cloned()
    }

    /// The identity beside the kubeconfig, where that has none.
    pub fn identity(&self) -> Option<ClusterSecret> {
        let secrets = self.secrets();
        match self.cloud {
            Some(cloud) => ClusterSecret::first(&secrets, cloud.identity?).cloned(),
            None => secrets.into_iter().find(|secret| secret.secret_type != KUBECONFIG),
        }
    }

    /// The Secrets for the ServingStack. While the cluster is not ready, those that it has.
    pub fn stack_secrets(&self) -> Vec<ClusterSecret> {
        let secrets = self.secrets();
        if secrets.is_empty() { self.seen.stack_secrets.clone() } else { secrets }
    }

    /// Whether the stack exists, or shall exist.
    pub fn wants_stack(&self) -> bool {
        self.seen.has_stack || !self.stack_secrets().is_empty()
    }

    /// The scheduler that is installed too.
    pub fn scheduler(&self) -> Option<&str> {
        let scheduler = self.cluster.spec.scheduler.as_ref()?.scheduler_type.as_deref()?;
        scheduler.starts_with("managed-").then_some(scheduler)
    }
}

/// A pool with its class.
#[derive(Clone, Debug, PartialEq)]
pub struct FleetPool {
    /// The pool.
    pub pool: NodePool,
    /// Its place in the list.
    pub index: [usize; 1],
    /// The cloud that makes it.
    pub cloud: Option<&'static CloudSource>,
    /// Its class, in the shape of v0.3.1.
    pub class: Value,
    /// Whether the class was written in an earlier shape.
    pub is_earlier: bool,
    /// The numbers of nodes that it has where it runs. `None` where it does not run yet.
    pub live: Option<LivePool>,
}

/// The numbers of nodes of a pool that runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LivePool {
    /// The number that it began with.
    pub count: Option<u64>,
    /// The smallest.
    pub least: Option<u64>,
    /// The largest.
    pub most: Option<u64>,
}

impl LivePool {
    /// Whether it was made of fixed size: then it never has more nodes than it began with. Another pool may have equal bounds too, of
    /// another number, e.g. one whose stated minimum is the largest number by default.
    pub(super) fn is_of_fixed_size(self) -> bool {
        self.least == self.count && self.most == self.count.map(|all| all.max(1))
    }
}

impl Element for FleetPool {
    const WORD: &'static str = "pool";

    fn name(&self) -> &str {
        &self.pool.name
    }

    fn indexes(&self) -> &[usize] {
        &self.index
    }
}
