//! Makes Kubernetes objects from the tables of rules. It computes no value.

use super::derive::{INGRESS, Inputs, OBJECT, READINESS, RUNTIME};
use toolbox::builders::remote;
use toolbox::composed::Composed;
use toolbox::rule::Plan;

const VLLM_RUNTIME: (&str, &str) = ("production-stack.vllm.ai/v1alpha1", "VLLMRuntime");

/// Composition resource name of the Object with the Ingress.
pub(super) const INGRESS_KEY: &str = "ingress";

/// The Objects: one with the VLLMRuntime for each of `runtime_keys`, and one with an Ingress if there is a host. They have
/// no name and no namespace, because Crossplane sets both.
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
