//! `LLMInference`: one model, served by vLLM, on one target cluster.
//!
//! A user names a model, a number of GPUs and a cluster; [`derive`] states everything that follows.
//! provider-kubernetes applies it there, and the vLLM Production Stack operator makes a Deployment and a
//! Service of it. Follows crossplane-inference PRD 1 (2026-02-18), with what crossplane-inference 0.1.6 added
//! as options.

use contract::catalog::Example;
use contract::compose::{ComposeRequest, ComposeResponse};
use contract::preview::Derivation;
use contract::types::Fault;
use toolbox::composed::Composed;
use toolbox::kind::{Column, Kind};
use toolbox::names;
use toolbox::rule::Plan;

use self::read::{COMPOSITES, definition, read};
use self::status::Observed;

mod admit;
pub mod advice;
pub mod derive;
pub mod memory;
pub mod options;
pub mod profile;
mod read;
mod render;
pub mod spec;
mod status;
pub mod weights;

/// The kind's row.
pub(crate) const KIND: Kind = Kind {
    api_version: COMPOSITES.api_version,
    kind: COMPOSITES.kind,
    plural: COMPOSITES.plural,
    api: "llm-inference",
    scope: COMPOSITES.scope,
    columns: &[
        Column { name: "model", column_type: "string", path: ".spec.model" },
        Column { name: "gpu", column_type: "integer", path: ".spec.gpu" },
    ],
    definition,
    composes: &[names::OBJECT],
    looks_up: &[],
    examples: EXAMPLES,
    rules: derive::tables,
    statements: advice::STATEMENTS,
    compose,
    explain,
    admit: admit::admit,
    admission: admit::ADMISSION,
    #[cfg(feature = "generate")]
    schema,
};

macro_rules! example {
    ($name:literal, $title:literal) => {
        Example {
            name: $name,
            title: $title,
            text: include_str!(concat!("../../../examples/llm-inference/", $name, ".yaml")),
        }
    };
}

const EXAMPLES: &[Example] = &[
    example!("llm-qwen", "a small chat model on one GPU"),
    example!("llm-embedding", "an embedding model"),
    example!("llm-internal", "a model that is only reachable inside its cluster"),
    example!("llm-kimi", "a large gated model on eight GPUs"),
    example!("llm-target-namespace", "another namespace on the target cluster"),
    example!("llm-cluster-api", "a cluster of the Cluster API"),
];

#[cfg(feature = "generate")]
fn schema() -> serde_json::Value {
    use spec::{Spec, Status};
    use toolbox::definition::schema_of;

    serde_json::json!({
        "type": "object",
        "required": ["spec"],
        "properties": {"spec": schema_of::<Spec>(), "status": schema_of::<Status>()},
    })
}

/// Composes the VLLMRuntime, and an Ingress when there is a host.
fn compose(request: &ComposeRequest) -> Result<ComposeResponse, Fault> {
    let observed = Observed::of(request)?;
    let inputs = read(request, &observed)?;
    let resources = render::resources(&inputs, &observed.runtime_keys());
    Ok(status::respond(request, &observed, &inputs, resources))
}

/// Says of the same resources, and of the status, why they are what they are.
fn explain(request: &ComposeRequest) -> Result<Vec<Derivation>, Fault> {
    let observed = Observed::of(request)?;
    let inputs = read(request, &observed)?;
    let resources = render::resources(&inputs, &observed.runtime_keys());
    let status = Plan::of(derive::STATUS, &inputs);
    Ok(resources.iter().flat_map(Composed::derivations).chain(status.derivations("", "status")).collect())
}
