//! Reads a request into the inputs of the rules, by the definition of the kind.

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

/// The kind, with its path in the API.
pub(super) const COMPOSITES: ApiResource = ApiResource {
    api_version: "inference.devopstoolkit.ai/v1alpha1",
    kind: "LLMInference",
    plural: "llminferences",
    scope: Scope::Namespaced,
};

/// The definition of the kind, which validates composites.
pub(super) fn definition() -> &'static Validator {
    static DEFINITION: LazyLock<Validator> = LazyLock::new(|| Validator::read(include_str!("definition.json")));
    &DEFINITION
}

/// Reads the inputs of the rules from a request.
pub(super) fn read(request: &ComposeRequest, observed: &Observed<'_>) -> Result<Inputs, Fault> {
    let options = Options::read(request.input.as_ref())?;
    inputs(request.composite()?, options, observed.model_status())
}

/// Reads the inputs of the rules from a composite, options and observed state.
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
