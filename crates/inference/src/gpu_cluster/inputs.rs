//! What the rules read, and the facts that follow for one cluster.

use std::borrow::Cow;
use std::collections::BTreeSet;

use contract::catalog::{ApiResource, Scope};
use toolbox::duration::Duration;

use super::options::{ClusterOptions, DriverSource, GpuSizes, UsagePolicy};
use super::sizes::{self, GpuNodes};
use super::spec::{ClusterParameters, GpuPool};
use crate::clouds::accelerators::GpuModel;
use crate::clouds::machines::Machine;
use crate::clouds::{Cloud, zones};

/// The kind, with its path in the API.
pub const CLUSTERS: ApiResource = ApiResource {
    api_version: "devopstoolkitseries.com/v2",
    kind: "Cluster",
    plural: "clusters",
    scope: Scope::Namespaced,
};

/// The same in the group of dot-kubernetes 2.0.21, where live clusters are.
pub const RENAMED: &str = "devopstoolkit.ai/v2";

/// The inputs of the rules.
#[derive(Clone, Debug, PartialEq)]
pub struct ClusterInputs {
    /// Name of the composite, and of the cluster.
    pub name: String,
    /// Namespace of the composite.
    pub namespace: String,
    /// The cloud.
    pub provider: Cloud,
    /// What chose the cloud.
    pub chosen_by: ChosenBy,
    /// The parameters of the composite.
    pub parameters: ClusterParameters,
    /// The platform's options for this kind.
    pub options: ClusterOptions,
    /// How long the caller may keep a response when everything is ready.
    pub ttl: Duration,
    /// How long the caller may keep a response while something is not ready yet.
    pub ttl_waiting: Duration,
    /// What was observed.
    pub seen: Seen,
}

/// What chose the cloud.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChosenBy {
    /// The platform's options.
    Options,
    /// The label `provider` that the composite selects.
    Selector,
    /// The label `cluster` that the composite selects.
    Service,
    /// The name of the Composition.
    Composition,
    /// Nothing.
    Nothing,
}

/// What was observed of the cluster. What is not observed at the moment is as the status of the composite has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// State of the control plane.
    pub control_plane: Option<String>,
    /// State of the general nodes.
    pub node_pool: Option<String>,
    /// State of the nodes with GPUs.
    pub gpu_pool: Option<String>,
    /// The range of the addresses of pods, on Google Cloud.
    pub pod_range: Option<String>,
    /// Whether the general nodes are observed.
    pub has_nodes: bool,
}

/// The nodes with GPUs, as a machine of the tables, or as a name that they do not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GpuMachine {
    /// The machine type.
    pub name: String,
    /// The accelerator, in Google's API by name, and how many there are. `None` when the machine type is not known.
    pub known: Option<(GpuModel, u8)>,
}

/// The most nodes of a pool, unless its least number is larger.
const MOST_NODES: u32 = 10;

impl ClusterInputs {
    /// Region of the cluster.
    pub fn region(&self) -> &str {
        self.parameters.region.as_deref().unwrap_or(zones::region(self.provider))
    }

    /// Zones of the nodes, each once. Empty where the cloud chooses.
    pub fn zones(&self) -> Vec<Cow<'_, str>> {
        match &self.parameters.zones {
            Some(zones) => {
                let mut seen = BTreeSet::new();
                let once = zones.iter().filter(|zone| seen.insert(zone.as_str()));
                once.map(|zone| Cow::Borrowed(zone.as_str())).collect()
            }
            // Which zones another region of Google has is not known, and GKE takes three of them.
            None if self.provider == Cloud::Google && self.region() != zones::region(self.provider) => Vec::new(),
            None => {
                let zone = |letter: &&str| format!("{}{letter}", self.region()).into();
                zones::letters(self.provider).iter().map(zone).collect()
            }
        }
    }

    /// The pool of nodes with GPUs, if it exists.
    pub fn gpu(&self) -> Option<&GpuPool> {
        self.parameters.gpu.as_ref().filter(|pool| pool.enabled)
    }

    /// The nodes of a size, by the table that the platform has chosen.
    pub fn gpu_nodes(&self, pool: &GpuPool) -> &'static GpuNodes {
        let by_count = self.options.gpu_sizes == GpuSizes::ByCount;
        sizes::gpu_nodes(self.provider, pool.node_size, by_count)
    }

    /// The machines of the nodes with GPUs. `None` when the cloud has none with the accelerator.
    pub fn gpu_machine(&self, pool: &GpuPool) -> Option<GpuMachine> {
        let known = |it: &Machine| GpuMachine { name: it.name.to_owned(), known: Some((it.accelerator, it.gpus)) };
        match (&pool.machine_type, pool.accelerator) {
            (Some(name), _) => {
                let unknown = || GpuMachine { name: name.clone(), known: None };
                Some(Machine::named(self.provider, name).map_or_else(unknown, known))
            }
            (None, Some(accelerator)) => Machine::with(self.provider, accelerator.as_str()).map(known),
            (None, None) => {
                let nodes = self.gpu_nodes(pool);
                Some(GpuMachine { name: nodes.machine.to_owned(), known: Some((nodes.accelerator, nodes.gpus)) })
            }
        }
    }

    /// Zones of the nodes with GPUs: those that have the accelerator, as far as that is known.
    pub fn gpu_zones(&self, pool: &GpuPool) -> Vec<Cow<'_, str>> {
        let machine = self.gpu_machine(pool);
        let known = machine.and_then(|it| zones::with_accelerator(self.region(), &it.known?.0));
        match (known, &self.parameters.zones) {
            (Some(known), None) => known.iter().take(1).map(|&zone| zone.into()).collect(),
            (Some(known), Some(_)) => {
                let mut zones = self.zones();
                let has: Vec<_> = zones.iter().filter(|zone| known.contains(&zone.as_ref())).cloned().collect();
                if !has.is_empty() {
                    zones = has;
                }
                zones
            }
            (None, _) => self.zones(),
        }
    }

    /// The least number of general nodes. The general pool of Azure cannot be empty.
    pub fn least_nodes(&self) -> u32 {
        let written = self.parameters.min_node_count;
        if self.provider == Cloud::Azure { written.max(1) } else { written }
    }

    /// The largest number of general nodes.
    pub fn most_nodes(&self) -> u32 {
        self.least_nodes().max(MOST_NODES)
    }

    /// Whether Usages keep the cluster until everything in it is deleted.
    pub fn has_usages(&self) -> bool {
        self.parameters.usage.enabled || self.options.usages == UsagePolicy::Always
    }

    /// Whether the GPU Operator installs the driver.
    pub fn drivers_by_operator(&self) -> bool {
        self.options.drivers == DriverSource::Operator
    }
}
