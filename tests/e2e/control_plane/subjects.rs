//! The kinds in scenarios: what scenarios need in addition to a kind's row in the table of kinds.

use contract::catalog::ApiResource;
use inference::KINDS;
use serde_json::{Value, json};
use toolbox::kind::Kind;

use crate::names::PROVIDER_CONFIG;

/// A kind in scenarios.
#[derive(Debug)]
pub(crate) struct Subject {
    api_version: &'static str,
    kind: &'static str,
    /// The Composition in its Configuration.
    pub(crate) composition: &'static str,
    /// The spec of a composite with this name. Its targets are on the cluster itself.
    pub(crate) spec: fn(name: &str) -> Value,
}

/// One GPU, and an Ingress.
pub(crate) const LLM_INFERENCE: &Subject = &Subject {
    api_version: "inference.devopstoolkit.ai/v1alpha1",
    kind: "LLMInference",
    composition: "llm-inference",
    spec: |name| {
        json!({
            "model": "Qwen/Qwen2.5-1.5B-Instruct",
            "gpu": 1,
            "ingressHost": format!("{name}.127.0.0.1.nip.io"),
            "providerConfigName": PROVIDER_CONFIG,
        })
    },
};

/// An endpoint of somebody else: Crossplane itself composes a Service and an EndpointSlice.
pub(crate) const MODEL_ENDPOINT: &Subject = &Subject {
    api_version: "modelplane.ai/v1alpha1",
    kind: "ModelEndpoint",
    composition: "modelendpoints.modelplane.ai",
    spec: |_| json!({"url": "https://inference.example.org/v1", "rewritePath": "/openai/"}),
};

/// One GPU, behind the gateway of the platform. Crossplane itself composes everything.
pub(crate) const MODEL_SERVICE: &Subject = &Subject {
    api_version: "model.otterscale.io/v1alpha1",
    kind: "ModelService",
    composition: "modelservices.model.otterscale.io",
    spec: |name| {
        json!({
            "model": {"name": "Qwen/Qwen3-0.6B", "image": format!("registry.local/models/{name}:v1")},
            "engine": {},
            "accelerator": {"type": "nvidia"},
            "decode": {},
        })
    },
};

/// An import. Crossplane itself composes a Job and its volume.
pub(crate) const MODEL_ARTIFACT: &Subject = &Subject {
    api_version: "model.otterscale.io/v1alpha1",
    kind: "ModelArtifact",
    composition: "modelartifacts.model.otterscale.io",
    spec: |name| {
        json!({
            "source": {"huggingFace": {"model": format!("acme/{name}")}},
            "target": {"registry": "registry.local", "repository": format!("models/{name}")},
            "storage": {"size": "5Gi"},
        })
    },
};

/// A model that has memory of a pool without a total. Crossplane itself composes a Deployment and a Service.
pub(crate) const INFERENCE_MODEL: &Subject = &Subject {
    api_version: "inference.eh-ops.io/v1alpha1",
    kind: "InferenceModel",
    composition: "inferencemodels.inference.eh-ops.io",
    spec: |name| {
        json!({
            "modelName": name,
            "memory": "10Gi",
            "backendUrl": format!("http://{name}.models.svc:8080"),
            "containerImage": "registry.local/serve:v1",
        })
    },
};

/// The gateway of the control plane. Crossplane itself composes what it consists of, and provider-helm installs it there.
pub(crate) const INFERENCE_GATEWAY: &Subject = &Subject {
    api_version: "modelplane.ai/v1alpha1",
    kind: "InferenceGateway",
    composition: "inferencegateways.modelplane.ai",
    spec: |_| json!({"backend": "Traefik", "traefik": {"version": "40.2.0"}}),
};

impl Subject {
    /// The resources of its composed objects.
    pub(crate) fn composes(&self) -> &'static [ApiResource] {
        self.row().composes
    }

    /// The resource of its composites.
    pub(crate) fn composites(&self) -> ApiResource {
        let Kind { api_version, kind, plural, scope, .. } = *self.row();
        ApiResource { api_version, kind, plural, scope }
    }

    /// The resources of its composites, composed resources and targets.
    pub(crate) fn brings(&self) -> impl Iterator<Item = ApiResource> {
        let row = self.row();
        [self.composites()].into_iter().chain(row.composes.iter().copied()).chain(row.wraps.iter().copied())
    }

    /// The resource of its composed objects with this plural name.
    pub(crate) fn composed(&self, plural: &str) -> &'static ApiResource {
        let found = self.row().composes.iter().find(|it| it.plural == plural);
        found.unwrap_or_else(|| panic!("{} composes no {plural}", self.kind))
    }

    /// The resource of its targets with this plural name.
    pub(crate) fn target(&self, plural: &str) -> &'static ApiResource {
        let found = self.row().wraps.iter().find(|it| it.plural == plural);
        found.unwrap_or_else(|| panic!("{} makes no {plural}", self.kind))
    }

    /// Its name for kubectl, `PLURAL.GROUP`.
    pub(crate) fn name(&self) -> String {
        let group = self.api_version.split('/').next().unwrap_or_default();
        format!("{}.{group}", self.row().plural)
    }

    fn row(&self) -> &'static Kind {
        let found = KINDS.rows.iter().find(|row| (row.api_version, row.kind) == (self.api_version, self.kind));
        found.unwrap_or_else(|| panic!("{} is no kind of ours", self.kind))
    }
}

/// Every kind that all scenarios are about.
pub(crate) const SUBJECTS: &[&Subject] =
    &[LLM_INFERENCE, MODEL_ENDPOINT, MODEL_SERVICE, MODEL_ARTIFACT, INFERENCE_MODEL];
