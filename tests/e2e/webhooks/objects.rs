//! Objects and paths of requests.

use anyhow::{Context as _, Result};
use contract::catalog::{ApiResource, Scope};
use contract::types::KindRef;
use inference::KINDS;
use serde_json::{Value, json};
pub(crate) use tests::refused::{judged, named, refused, sound, with, within};
use toolbox::kind::Kind;

/// A ClusterProviderConfig.
pub(crate) fn provider_config(name: &str) -> Value {
    json!({
        "apiVersion": "kubernetes.m.crossplane.io/v1alpha1",
        "kind": "ClusterProviderConfig",
        "metadata": {"name": name},
        "spec": {"credentials": {"source": "InjectedIdentity"}},
    })
}

/// The path of a dry run for an object of any of our kinds.
pub(crate) fn dry_run_of(object: &Value, namespace: &str) -> Result<String> {
    let kind = KINDS.find(&KindRef::of(object)).with_context(|| format!("no kind of ours: {object}"))?;
    let place = match kind.scope {
        Scope::Namespaced => format!("namespaces/{namespace}/"),
        Scope::Cluster => String::new(),
    };
    let (api_version, plural) = (kind.api_version, kind.plural);
    Ok(format!("/apis/{api_version}/{place}{plural}?dryRun=All&fieldValidation=Strict"))
}

/// An object in `namespace`, unless its kind is one of ours for a whole cluster.
pub(crate) fn placed(namespace: &str, object: &Value) -> Value {
    match KINDS.find(&KindRef::of(object)) {
        Some(Kind { scope: Scope::Cluster, .. }) => object.clone(),
        _ => within(namespace, object.clone()),
    }
}

/// The resource of a kind.
pub(crate) fn resource(kind: &Kind) -> ApiResource {
    let Kind { api_version, kind, plural, scope, .. } = *kind;
    ApiResource { api_version, kind, plural, scope }
}

/// A ModelService of OtterScale's API with these fields.
pub(crate) fn served(name: &str, fields: &Value) -> Value {
    let mut spec = json!({
        "model": {"name": "a", "image": "reg.example/a:v1"}, "engine": {}, "accelerator": {"type": "cpu"}, "decode": {},
    });
    for (field, value) in fields.as_object().into_iter().flatten() {
        spec[field] = value.clone();
    }
    json!({
        "apiVersion": "model.otterscale.io/v1alpha1", "kind": "ModelService", "metadata": {"name": name}, "spec": spec,
    })
}

/// The path of the LLMInferences in a namespace.
pub(crate) fn collection(namespace: &str) -> String {
    format!("/apis/inference.devopstoolkit.ai/v1alpha1/namespaces/{namespace}/llminferences")
}

/// The path of a dry run for a new LLMInference.
pub(crate) fn dry_run(namespace: &str) -> String {
    format!("{}?dryRun=All&fieldValidation=Strict", collection(namespace))
}
