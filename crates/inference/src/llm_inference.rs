//! `LLMInference`: one model, served by vLLM, on one target cluster.
//!
//! A user gives a model, a number of GPUs and a cluster, and [`derive`] gives every other value. provider-kubernetes
//! applies the objects to the target cluster. There the vLLM Production Stack operator creates a Deployment and a Service.
//! The kind follows crossplane-inference PRD 1 (2026-02-18). What crossplane-inference 0.1.6 added is in the options.

use contract::catalog::{ApiResource, Example, Scope};
use contract::compose::{ComposeRequest, ComposeResponse};
use contract::types::Fault;
use toolbox::kind::Kind;
use toolbox::reasons::Reasons;
use toolbox::resources;

use self::read::{COMPOSITES, definition, read};
use self::status::Observed;

mod admit;
pub mod advice;
pub mod derive;
pub mod hub;
pub mod memory;
pub mod options;
pub mod profile;
#[cfg(feature = "generate")]
mod published;
mod read;
mod render;
pub mod spec;
mod status;
pub mod weights;

/// The row of the kind.
pub(crate) const KIND: Kind = Kind {
    api_version: COMPOSITES.api_version,
    kind: COMPOSITES.kind,
    plural: COMPOSITES.plural,
    short_names: &[],
    further_groups: &[],
    api: "llm-inference",
    scope: COMPOSITES.scope,
    definition,
    composes: &[resources::OBJECTS],
    wraps: &[resources::INGRESSES, VLLM_RUNTIMES],
    wraps_on_own: &[],
    looks_up: &[],
    found_by: admit::FOUND_BY,
    areas: None,
    waits_for: |_, _| "",
    examples: EXAMPLES,
    rules: derive::tables,
    conditions: advice::CONDITIONS,
    compose: Some(compose),
    followed_by: None,
    linked: None,
    names: &[],
    assumed: None,
    capacities: None,
    plan: None,
    admit: admit::admit,
    admission: admit::ADMISSION,
    #[cfg(feature = "generate")]
    published: published::PUBLISHED,
};

/// The operator on the target cluster creates a model server for each of these.
const VLLM_RUNTIMES: ApiResource = ApiResource {
    api_version: "production-stack.vllm.ai/v1alpha1",
    kind: "VLLMRuntime",
    plural: "vllmruntimes",
    scope: Scope::Namespaced,
};

const EXAMPLES: &[Example] = &[
    example!("llm-inference", "llm-qwen", "a small chat model on one GPU"),
    example!("llm-inference", "llm-embedding", "an embedding model"),
    example!("llm-inference", "llm-internal", "a model that is only reachable inside its cluster"),
    example!("llm-inference", "llm-kimi", "a large gated model on eight GPUs"),
    example!("llm-inference", "llm-target-namespace", "another namespace on the target cluster"),
    example!("llm-inference", "llm-cluster-api", "a cluster of the Cluster API"),
];

/// Composes the VLLMRuntime, and an Ingress if there is a host.
fn compose(request: &ComposeRequest) -> Result<(ComposeResponse, Reasons), Fault> {
    let observed = Observed::of(request)?;
    let inputs = read(request, &observed)?;
    let resources = render::resources(&inputs, &observed.runtime_keys());
    let reasons = Reasons::of(request, &resources).with_status(derive::STATUS, &inputs);
    Ok((status::respond(request, &observed, &inputs, resources), reasons))
}
