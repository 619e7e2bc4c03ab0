//! The fields that a user may write, and those of the status.

use std::collections::BTreeMap;

use serde::Deserialize;

/// One address for the endpoints of one or several deployments.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct ModelServiceSpec {
    /// Where requests go. Each entry selects ModelEndpoints by labels, and gets a share of the requests by its weight. Within
    /// an entry, its endpoints get equal shares.
    #[cfg_attr(feature = "generate", schemars(length(min = 1)))]
    pub endpoints: Vec<ServiceEntry>,
}

/// ModelEndpoints with a share of the requests.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct ServiceEntry {
    /// Share of the requests, relative to the other entries: an entry with weight 2 gets twice as many as one with weight 1.
    /// The share of an entry without endpoints goes to the others.
    #[serde(default = "one")]
    #[cfg_attr(feature = "generate", schemars(range(min = 1, max = 1_000_000)))]
    pub weight: u32,

    /// Which ModelEndpoints of the namespace. When several entries select one, it belongs to the first.
    pub selector: EndpointSelector,
}

/// ModelEndpoints by labels.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub struct EndpointSelector {
    /// The labels that they have, e.g. `modelplane.ai/deployment: qwen`. Without labels, all ModelEndpoints of the namespace
    /// are selected.
    pub match_labels: BTreeMap<String, String>,
}

fn one() -> u32 {
    1
}

/// The observed state of a service.
#[cfg(feature = "generate")]
#[derive(schemars::JsonSchema)]
#[expect(dead_code, reason = "only its schema is needed: rules give the values")]
pub(super) struct ModelServiceStatus {
    /// Base URL of the service, on the gateway of the control plane.
    address: Option<String>,

    /// What is known about the service, for people and programs.
    conditions: Option<Vec<crate::modelplane::package::StatusCondition>>,
}
