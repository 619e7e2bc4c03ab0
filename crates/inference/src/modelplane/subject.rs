//! The composite of a call, with the platform's options.

use contract::compose::ComposeRequest;
use contract::types::{Cause, Code, Fault, Problem};
use serde::de::DeserializeOwned;
use toolbox::path;
use toolbox::validation::Validator;

use crate::options::Options;

/// A namespaced composite with a `spec` of type `S`.
#[derive(Clone, Debug, PartialEq)]
pub struct Subject<S> {
    /// Its name.
    pub name: String,
    /// Its namespace.
    pub namespace: String,
    /// Its `spec`, with defaults.
    pub spec: S,
    /// The platform's options.
    pub options: Options,
}

impl<S: DeserializeOwned> Subject<S> {
    /// Reads it from a request.
    ///
    /// # Errors
    /// A [`Fault`] when the step input or the composite is invalid.
    pub fn read(request: &ComposeRequest, definition: &Validator) -> Result<Self, Fault> {
        let options = Options::read(request.input.as_ref())?;
        let composite = request.composite()?;
        let text = |path| path::get(composite, path).and_then(|it| it.as_str()).unwrap_or_default().to_owned();
        let (name, namespace) = (text("metadata.name"), text("metadata.namespace"));
        let mut problems = Vec::new();
        if name.is_empty() {
            let message = "missing: what the composite becomes is named after it";
            problems.push(Problem::new("metadata.name", Code::Required, message));
        }
        if namespace.is_empty() {
            let message = "missing: the composite lives in a namespace, and so does what it becomes";
            problems.push(Problem::new("metadata.namespace", Code::Required, message));
        }
        match (definition.spec(composite), problems.is_empty()) {
            (Ok(spec), true) => Ok(Self { name, namespace, spec, options }),
            (read, _) => {
                problems.extend(read.err().unwrap_or_default());
                Err(Fault::many(Cause::Composite, problems))
            }
        }
    }
}
