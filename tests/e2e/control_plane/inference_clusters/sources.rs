//! Where clusters of the fleet come from.

use std::fs;

use anyhow::{Context as _, Result};
use serde_json::Value;
use tests::files::workspace;
use tests::golden::documents;

/// The cluster of Crossplane itself, which gets the gateway.
pub(super) const HERE: &str = "control-plane";

/// The label with the name of a cluster.
pub(super) const LABEL: &str = "tests.sailplane/cluster";

/// A source of clusters: its example, and the class of its pool.
pub(crate) struct Source {
    pub(crate) name: &'static str,
    pub(crate) example: &'static str,
    pub(crate) class: &'static str,
    /// The kind of the control plane in its cloud. Empty for one that exists.
    pub(crate) control_plane: &'static str,
    /// Whether pods run there.
    pub(crate) has_pods: bool,
}

impl Source {
    /// The same, where pods run.
    pub(crate) const fn with_pods(self) -> Self {
        Self { has_pods: true, ..self }
    }

    /// The manifest of its example, with its name, a class that there is, and a label of its own.
    pub(crate) fn manifest(&self) -> Result<Value> {
        let text = fs::read_to_string(workspace().join(format!("examples/modelplane/{}.yaml", self.example)))?;
        let mut cluster = documents(&text)?.into_iter().next().context("a cluster")?;
        cluster["spec"]["nodePools"][0]["className"] = self.class.into();
        cluster["metadata"]["name"] = self.name.into();
        cluster["metadata"]["labels"][LABEL] = self.name.into();
        Ok(cluster)
    }
}

/// A source.
pub(crate) const fn source(
    name: &'static str,
    example: &'static str,
    class: &'static str,
    control_plane: &'static str,
) -> Source {
    Source { name, example, class, control_plane, has_pods: false }
}

/// One of each.
#[rustfmt::skip]
pub(super) const SOURCES: &[Source] = &[
    source("aks-eu", "cluster-aks", "aks-h100-8x-ib", "KubernetesCluster"),
    source("eks-west", "cluster-eks", "eks-h200-8x-efa", "Cluster"),
    source("gke-eu", "cluster-gke", "gke-l4-1x-g2", "Cluster"),
    source("lab", "cluster-existing", "l4-1x", ""),
    source("nebius-eu", "cluster-nebius", "nebius-h100-8x-ib", "Cluster"),
    source("vultr-us", "cluster-vultr", "vultr-l40s-1x", "Kubernetes"),
];

/// The provider configurations that somebody reads, as documents show them.
pub(crate) fn provided() -> Result<Vec<Value>> {
    let mut provided = Vec::new();
    for cloud in ["google", "nebius"] {
        let file = workspace().join(format!("package/install/provider-config-{cloud}.yaml"));
        provided.extend(documents(&fs::read_to_string(file)?)?);
    }
    Ok(provided)
}
