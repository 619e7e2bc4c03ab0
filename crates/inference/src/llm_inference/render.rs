//! Spells the plans as Kubernetes objects. No value is computed here.

use serde_json::{Value, json};

use super::derive::{INGRESS, Inputs, OBJECT, READINESS, RUNTIME};
use contract::preview::Derivation;
use toolbox::names;
use toolbox::rule::Plan;

/// Where an Object holds the object that it wraps.
pub(super) const MANIFEST: &str = "spec.forProvider.manifest";

/// An object on the target cluster, and the Object that wraps it.
pub(super) struct Wrapped {
    /// Its composition resource name.
    pub key: &'static str,
    api_version: &'static str,
    kind: &'static str,
    manifest: Plan,
    object: Vec<Plan>,
}

/// Key of the Ingress's Object.
pub(super) const INGRESS_KEY: &str = "ingress";

/// Everything on the target cluster: the VLLMRuntime under each of `runtime_keys`, and an Ingress when there is a
/// host.
pub(super) fn plans(inputs: &Inputs, runtime_keys: &[&'static str]) -> Vec<Wrapped> {
    let runtime = |key| Wrapped {
        key,
        api_version: "production-stack.vllm.ai/v1alpha1",
        kind: "VLLMRuntime",
        manifest: Plan::of(RUNTIME, inputs),
        object: vec![Plan::of(OBJECT, inputs), Plan::of(READINESS, inputs)],
    };
    let ingress = inputs.host().map(|_| Wrapped {
        key: INGRESS_KEY,
        api_version: "networking.k8s.io/v1",
        kind: "Ingress",
        manifest: Plan::of(INGRESS, inputs),
        object: vec![Plan::of(OBJECT, inputs)],
    });
    runtime_keys.iter().copied().map(runtime).chain(ingress).collect()
}

impl Wrapped {
    /// The Object. It gets no name and no namespace: Crossplane gives it both.
    pub(super) fn object(&self) -> Value {
        let mut manifest = self.manifest.to_value();
        manifest["apiVersion"] = json!(self.api_version);
        manifest["kind"] = json!(self.kind);
        let (api_version, kind) = names::OBJECT;
        let mut object = json!({"apiVersion": api_version, "kind": kind});
        self.object.iter().for_each(|plan| plan.write(&mut object));
        object["spec"]["forProvider"]["manifest"] = manifest;
        object
    }

    /// Why each of its values is what it is.
    pub(super) fn derivations(&self) -> impl Iterator<Item = Derivation> {
        let object = self.object.iter().flat_map(|plan| plan.derivations(self.key, ""));
        object.chain(self.manifest.derivations(self.key, MANIFEST))
    }
}
