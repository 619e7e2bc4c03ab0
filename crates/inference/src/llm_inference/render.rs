//! Spells the plans as Kubernetes objects. No value is computed here.

use super::derive::{INGRESS, Inputs, OBJECT, READINESS, RUNTIME};
use toolbox::builders::remote;
use toolbox::composed::Composed;
use toolbox::rule::Plan;

const VLLM_RUNTIME: (&str, &str) = ("production-stack.vllm.ai/v1alpha1", "VLLMRuntime");

/// Key of the Ingress's Object.
pub(super) const INGRESS_KEY: &str = "ingress";

/// Everything on the target cluster: the VLLMRuntime under each of `runtime_keys`, and an Ingress when there is a
/// host. The Objects get no names and no namespaces: Crossplane gives them both.
pub(super) fn resources(inputs: &Inputs, runtime_keys: &[&'static str]) -> Vec<Composed> {
    let runtime = |key: &&str| {
        let manifest = Plan::of_kind(VLLM_RUNTIME).and(RUNTIME, inputs);
        let object = remote::object().and(OBJECT, inputs).and(READINESS, inputs);
        Composed::new(*key, object.embed(remote::MANIFEST, manifest))
    };
    let ingress = inputs.host().map(|_| {
        let manifest = Plan::of_kind(("networking.k8s.io/v1", "Ingress")).and(INGRESS, inputs);
        Composed::new(INGRESS_KEY, remote::object().and(OBJECT, inputs).embed(remote::MANIFEST, manifest))
    });
    runtime_keys.iter().map(runtime).chain(ingress).collect()
}
