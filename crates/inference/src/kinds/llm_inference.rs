//! `LLMInference`: one model, served by vLLM, on one target cluster.
//!
//! A user names a model, a number of GPUs and a cluster; [`derive`] states everything that follows.
//! provider-kubernetes applies it there, and the vLLM Production Stack operator makes a Deployment and a
//! Service of it. Follows crossplane-inference PRD 1 (2026-02-18), with what crossplane-inference 0.1.6 added
//! as options.

use std::sync::LazyLock;

use serde_json::Value;

use self::derive::Inputs;
use self::spec::Spec;
use self::status::Observed;
use super::{Column, Kind};
use crate::catalog::{Example, Readable, Scope};
use crate::compose::{Request, Response};
use crate::names;
use crate::options::Options;
use crate::path;
use crate::preview::Derivation;
use crate::problem::{Cause, Code, Fault, Problem};
use crate::rule::Plan;
use crate::validation::Validator;

mod admit;
pub mod advice;
pub mod derive;
pub mod memory;
pub mod profile;
mod render;
pub mod spec;
mod status;
pub mod weights;

/// The kind's row.
pub(super) const KIND: Kind = Kind {
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

/// The kind as one that verdicts look up.
const COMPOSITES: Readable = Readable {
    api_version: "inference.devopstoolkit.ai/v1alpha1",
    kind: "LLMInference",
    plural: "llminferences",
    scope: Scope::Namespaced,
};

macro_rules! example {
    ($name:literal, $title:literal) => {
        Example {
            name: $name,
            title: $title,
            text: include_str!(concat!("../../../../examples/llm-inference/", $name, ".yaml")),
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

fn definition() -> &'static Validator {
    static DEFINITION: LazyLock<Validator> =
        LazyLock::new(|| Validator::read(include_str!("llm_inference/definition.json")));
    &DEFINITION
}

#[cfg(feature = "generate")]
fn schema() -> Value {
    use crate::definition::schema_of;
    serde_json::json!({
        "type": "object",
        "required": ["spec"],
        "properties": {"spec": schema_of::<Spec>(), "status": schema_of::<spec::Status>()},
    })
}

/// Composes the VLLMRuntime, and an Ingress when there is a host.
fn compose(request: &Request) -> Result<Response, Fault> {
    let observed = Observed::of(request)?;
    let inputs = read(request, &observed)?;
    let resources = render::plans(&inputs, &observed.runtime_keys());
    Ok(status::respond(request, &observed, &inputs, &resources))
}

/// Says of the same resources, and of the status, why they are what they are.
fn explain(request: &Request) -> Result<Vec<Derivation>, Fault> {
    let observed = Observed::of(request)?;
    let inputs = read(request, &observed)?;
    let resources = render::plans(&inputs, &observed.runtime_keys());
    let status = Plan::of(derive::STATUS, &inputs);
    Ok(resources.iter().flat_map(|resource| resource.derivations()).chain(status.derivations("", "status")).collect())
}

/// What the rules read, out of a request.
fn read(request: &Request, observed: &Observed<'_>) -> Result<Inputs, Fault> {
    let options = Options::read(request.input.as_ref())?;
    inputs(request.composite()?, options, observed.model_status())
}

/// What the rules read, out of its parts.
fn inputs(composite: &Value, options: Options, model_status: Option<String>) -> Result<Inputs, Fault> {
    let text = |path| path::get(composite, path).and_then(Value::as_str).unwrap_or_default().to_owned();
    let (name, namespace) = (text("metadata.name"), text("metadata.namespace"));
    let mut problems = Vec::new();
    if name.is_empty() {
        problems.push(Problem::new(
            "metadata.name",
            Code::Required,
            "missing: everything on the target cluster is named so",
        ));
    }
    if namespace.is_empty() && text("spec.targetNamespace").is_empty() {
        let message = "missing: an LLMInference lives in a namespace, and so does what it composes";
        problems.push(Problem::new("metadata.namespace", Code::Required, message));
    }
    match (definition().spec::<Spec>(composite), problems.is_empty()) {
        (Ok(spec), true) => Ok(Inputs { name, namespace, spec, options, model_status }),
        (read, _) => {
            problems.extend(read.err().unwrap_or_default());
            Err(Fault::many(Cause::Composite, problems))
        }
    }
}
