//! Usages: the cluster is not deleted before what is on it.

use std::collections::BTreeSet;
use std::rc::Rc;

use contract::catalog::ApiResource;
use serde_json::json;
use toolbox::builders::usage;
use toolbox::composed::Composed;
use toolbox::data;
use toolbox::observed::ReadyWhen;
use toolbox::rule::{Element, Plan, Rule, constant, rule};

use super::kinds::{AKS_CLUSTERS, CLUSTER_AUTHS, EKS_CLUSTERS, GKE_CLUSTERS, HELM_CONFIGS, KUBERNETES_CONFIGS, USAGES};
use super::parts::NAME;
use crate::clouds::Cloud;
use crate::gpu_cluster::inputs::ClusterInputs;

/// What the rules about a Usage read.
#[derive(Clone, Debug)]
pub struct NeedsCluster {
    /// The cluster.
    pub of: Rc<ClusterInputs>,
    /// The Usage, without its last part.
    pub base: String,
    /// What must stay.
    pub needed: &'static ApiResource,
    /// What needs it: its kind and its name.
    pub by: (&'static ApiResource, String),
}

impl Element for NeedsCluster {
    const WORD: &'static str = "it";

    fn name(&self) -> &str {
        &self.by.1
    }
}

/// A Usage.
#[rustfmt::skip]
pub const USAGE: &[Rule<NeedsCluster>] = &[
    rule("metadata.name", "the Usage of the cluster by `{it}`", NAME, |u| Some(json!(u.name()))),
    rule("metadata.annotations[crossplane.io/external-name]", "its name", NAME, |u| Some(json!(u.name()))),
    rule(usage::OF, "what leads to the cluster stays", NAME, |u| Some(usage::named((u.needed.api_version, u.needed.kind), &u.of.name))),
    rule(usage::BY, "while `{it}` exists", SWITCH, |u| Some(usage::named((u.by.0.api_version, u.by.0.kind), &u.by.1))),
    constant(usage::REPLAY_DELETION, "always: what was refused is deleted as soon as it may be", data!(true)),
];

const SWITCH: &[&str] = &["spec.parameters.usage.enabled", "input.cluster.usages"];

impl NeedsCluster {
    /// The name of the Usage.
    fn name(&self) -> String {
        format!("{}-usage", self.base)
    }

    /// Its composition resource name: its name, unless an object has that as its own. The Usage of a secret `a` is called as a
    /// secret `a-usage` is. No key of an object has `_`.
    fn key(&self, taken: &BTreeSet<String>) -> String {
        let name = self.name();
        if taken.contains(&name) { format!("{}_usage", self.base) } else { name }
    }

    /// The Usage, beside objects whose keys are `taken`. It is ready when it is desired: it reports no state.
    pub fn composed(&self, taken: &BTreeSet<String>) -> Composed {
        let plan = Plan::of_kind((USAGES.api_version, USAGES.kind)).each(USAGE, self);
        Composed::new(self.key(taken), plan).ready(ReadyWhen::Desired)
    }
}

/// The Usages of the control plane, and on AWS of what makes the kubeconfig, by the provider configurations.
pub fn by_configurations(of: &Rc<ClusterInputs>) -> Vec<NeedsCluster> {
    let configs = [("helm", &HELM_CONFIGS), ("kubernetes", &KUBERNETES_CONFIGS)];
    let auth = (of.provider == Cloud::Aws).then_some(("cluster-auth", &CLUSTER_AUTHS));
    let needed = [("cluster", control_plane(of.provider))].into_iter().chain(auth);
    let needs = needed.flat_map(|(what, needed)| {
        configs.map(|(config, kind)| NeedsCluster {
            of: Rc::clone(of),
            base: format!("{}-{what}-{config}", of.name),
            needed,
            by: (kind, of.name.clone()),
        })
    });
    needs.collect()
}

/// The Usage of the control plane by an object on it.
pub fn by_object(of: &Rc<ClusterInputs>, kind: &'static ApiResource, name: &str) -> NeedsCluster {
    NeedsCluster {
        of: Rc::clone(of),
        base: name.to_owned(),
        needed: control_plane(of.provider),
        by: (kind, name.to_owned()),
    }
}

/// The kind of the control plane.
pub fn control_plane(cloud: Cloud) -> &'static ApiResource {
    match cloud {
        Cloud::Aws => &EKS_CLUSTERS,
        Cloud::Azure => &AKS_CLUSTERS,
        Cloud::Google => &GKE_CLUSTERS,
    }
}
