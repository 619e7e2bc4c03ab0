//! What the rules about the objects of a cluster have in common.

use serde_json::{Value, json};
use toolbox::builders::managed;
use toolbox::data;
use toolbox::data::Data;
use toolbox::rows::{self, Named, Part};
use toolbox::rule::{Rule, constant, rule};

use crate::gpu_cluster::inputs::ClusterInputs;

/// A row: an object of a cluster, or one for each element.
pub type ObjectRow = rows::ObjectRow<ClusterInputs>;
/// What a row has an object for.
pub type Each = rows::Each<ClusterInputs>;
/// What the rules about an object of a cluster read.
pub type ClusterPart = Part<ClusterInputs>;

impl Named for ClusterInputs {
    fn name(&self) -> &str {
        &self.name
    }
}

/// The composite's name, as a cause.
pub const NAME: &[&str] = &["metadata.name"];
/// The region, as a cause.
pub const REGION: &[&str] = &["spec.parameters.region"];

/// A selector: the object of this composite.
pub const SAME: Data = data!({"matchControllerRef": true});

/// What every object has.
#[rustfmt::skip]
pub const NAMED: &[Rule<ClusterPart>] = &[
    rule("metadata.name", "the cluster, and what the object is in it", NAME, |p| Some(json!(p.object))),
    rule(managed::EXTERNAL_NAME, "its name where it really is", NAME, |p| some_text(&p.external)),
];

/// What every object in a cloud has.
#[rustfmt::skip]
pub const IN_CLOUD: &[Rule<ClusterPart>] = &[
    constant(managed::PROVIDER_CONFIG, "always: the platform's credentials", data!({"kind": "ClusterProviderConfig", "name": "default"})),
];

/// What every object on the new cluster has.
#[rustfmt::skip]
pub const ON_CLUSTER: &[Rule<ClusterPart>] = &[
    rule(managed::PROVIDER_CONFIG, "the configuration that leads to the cluster", NAME, |p| Some(managed::provider_config("ProviderConfig", &p.of.name))),
];

/// What objects have that go with their cluster and are not deleted on it.
#[rustfmt::skip]
pub const LEFT_BEHIND: &[Rule<ClusterPart>] = &[
    constant(managed::MANAGEMENT_POLICIES, "always: it goes with the cluster, and could not be deleted after it", data!(["Create", "Update", "Observe"])),
];

/// The Secret with the kubeconfig.
#[rustfmt::skip]
pub const KUBECONFIG: &[Rule<ClusterPart>] = &[
    rule(managed::CONNECTION_SECRET, "the Secret with the kubeconfig", NAME, |p| Some(managed::named(&kubeconfig(&p.of)))),
];

/// Name of the Secret with the kubeconfig.
pub fn kubeconfig(of: &ClusterInputs) -> String {
    format!("{}-cluster", of.name)
}

/// The region of the cluster.
pub fn region(part: &ClusterPart) -> Option<Value> {
    Some(json!(part.of.region()))
}

/// The version of Kubernetes, if the composite has one.
pub fn version(part: &ClusterPart) -> Option<Value> {
    part.of.parameters.version.as_deref().and_then(some_text)
}

/// A text that is not empty.
pub fn some_text(text: &str) -> Option<Value> {
    (!text.is_empty()).then(|| text.into())
}

/// A selector: the object of this composite with a role, by the label that objects of this cluster have.
pub fn with_role(part: &ClusterPart, role: &str) -> Value {
    json!({"matchControllerRef": true, "matchLabels": {"role": format!("{}-{role}", part.of.name)}})
}
