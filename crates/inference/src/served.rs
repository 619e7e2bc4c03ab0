//! The composite of a call.

use contract::compose::ComposeRequest;
use contract::types::{Cause, Code, Fault, Problem};
use serde::de::DeserializeOwned;
use serde_json::Value;
use toolbox::names::LONGEST_LABEL;
use toolbox::path;
use toolbox::validation::Validator;

/// A namespaced composite with a `spec` of type `S`.
#[derive(Clone, Debug, PartialEq)]
pub struct Served<S> {
    /// Its name.
    pub name: String,
    /// Its namespace.
    pub namespace: String,
    /// Its generation. `None` before the API server has stored it.
    pub generation: Option<i64>,
    /// Its `spec`, with defaults.
    pub spec: S,
}

impl<S: DeserializeOwned> Served<S> {
    /// Reads it from a request.
    ///
    /// # Errors
    /// A [`Fault`] when the composite is invalid.
    pub fn read(request: &ComposeRequest, definition: &Validator) -> Result<Self, Fault> {
        let composite = request.composite()?;
        let text = |path| path::get(composite, path).and_then(Value::as_str).unwrap_or_default().to_owned();
        let (name, namespace) = (text("metadata.name"), text("metadata.namespace"));
        let mut problems = Vec::new();
        if name.is_empty() {
            let message = "missing: what the composite becomes is named after it";
            problems.push(Problem::new("metadata.name", Code::Required, message));
        }
        if name.chars().count() > LONGEST_LABEL {
            let message = "the name is longer than 63 characters, and it is the value of a label; choose a shorter one";
            problems.push(Problem::new("metadata.name", Code::TooLong, message));
        }
        if namespace.is_empty() {
            let message = "missing: the composite lives in a namespace, and so does what it becomes";
            problems.push(Problem::new("metadata.namespace", Code::Required, message));
        }
        match (definition.spec(composite), problems.is_empty()) {
            (Ok(spec), true) => {
                let generation = path::get(composite, "metadata.generation").and_then(Value::as_i64);
                Ok(Self { name, namespace, generation, spec })
            }
            (read, _) => {
                problems.extend(read.err().unwrap_or_default());
                Err(Fault::many(Cause::Composite, problems))
            }
        }
    }
}
