//! Reads a composite by the kind's definition: what the rules read of it.

use std::sync::LazyLock;

use contract::catalog::{ApiResource, Scope};
use contract::compose::ComposeRequest;
use contract::types::{Cause, Code, Fault, Problem};
use serde_json::Value;
use toolbox::path;
use toolbox::validation::Validator;

use super::derive::Inputs;
use super::spec::Spec;
use super::status::Observed;
use crate::options::Options;

/// The kind as one that verdicts look up.
pub(super) const COMPOSITES: ApiResource = ApiResource {
    api_version: "inference.devopstoolkit.ai/v1alpha1",
    kind: "LLMInference",
    plural: "llminferences",
    scope: Scope::Namespaced,
};

/// What the definition says of composites.
pub(super) fn definition() -> &'static Validator {
    static DEFINITION: LazyLock<Validator> = LazyLock::new(|| Validator::read(include_str!("definition.json")));
    &DEFINITION
}

/// What the rules read, out of a request.
pub(super) fn read(request: &ComposeRequest, observed: &Observed<'_>) -> Result<Inputs, Fault> {
    let options = Options::read(request.input.as_ref())?;
    inputs(request.composite()?, options, observed.model_status())
}

/// What the rules read, out of its parts.
pub(super) fn inputs(composite: &Value, options: Options, model_status: Option<String>) -> Result<Inputs, Fault> {
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
        (Ok(spec), true) => Ok(Inputs {
            name,
            namespace,
            spec,
            options: options.llm_inference,
            ttl: options.ttl,
            ttl_waiting: options.ttl_waiting,
            model_status,
        }),
        (read, _) => {
            problems.extend(read.err().unwrap_or_default());
            Err(Fault::many(Cause::Composite, problems))
        }
    }
}
