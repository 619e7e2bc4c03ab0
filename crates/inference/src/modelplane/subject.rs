//! The composite of a call, with the platform's options.

use contract::compose::ComposeRequest;
use contract::types::{Cause, Code, Fault, Problem};
use serde::de::DeserializeOwned;
use serde_json::Value;
use toolbox::path;
use toolbox::validation::Validator;

use super::shapes::{self, Misshapen, Written};
use crate::options::Options;

/// A composite with a `spec` of type `S`.
#[derive(Clone, Debug, PartialEq)]
pub struct Subject<S> {
    /// Its name.
    pub name: String,
    /// Its namespace. Empty for one that is cluster-scoped.
    pub namespace: String,
    /// Its `spec`, with defaults.
    pub spec: S,
    /// The platform's options.
    pub options: Options,
    /// What its author wrote, in an earlier shape.
    pub written: Written,
    /// What makes it a mixture of shapes. Its `spec` then says nothing.
    pub mixture: Vec<Misshapen>,
}

impl<S: DeserializeOwned> Subject<S> {
    /// Reads it from a request.
    ///
    /// # Errors
    /// A [`Fault`] when the step input or the composite is invalid.
    pub fn read(request: &ComposeRequest, definition: &Validator) -> Result<Self, Fault> {
        Self::read_spec(request, definition, |composite| {
            Ok((definition.spec(composite)?, Written::default(), Vec::new()))
        })
    }

    /// Reads a composite of a kind that may have an earlier shape. What is a mixture of shapes has the spec `of_mixture`.
    ///
    /// # Errors
    /// As for [`read`](Self::read), and when a mixture has no spec.
    pub fn read_shaped(
        kind: &str,
        request: &ComposeRequest,
        definition: &Validator,
        of_mixture: impl FnOnce(&Value) -> Option<S>,
    ) -> Result<Self, Fault> {
        let read = |composite: &Value| match shapes::of(kind, composite) {
            Ok(None) => Ok((definition.spec(composite)?, Written::default(), Vec::new())),
            Ok(Some(shaped)) => {
                // Its own fields have bounds too.
                definition.spec::<Value>(composite)?;
                let spec = definition.spec(&shaped.object).map_err(|problems| shaped.written.renamed(problems))?;
                Ok((spec, shaped.written, Vec::new()))
            }
            Err(wrong) => {
                let mut problems = definition.spec::<Value>(composite).err().unwrap_or_default();
                if problems.is_empty()
                    && wrong.iter().all(Misshapen::is_mixture)
                    && let Some(spec) = of_mixture(composite)
                {
                    return Ok((spec, Written::default(), wrong));
                }
                problems.extend(wrong.iter().map(Misshapen::problem));
                Err(problems)
            }
        };
        Self::read_spec(request, definition, read)
    }

    fn read_spec(
        request: &ComposeRequest,
        definition: &Validator,
        read: impl FnOnce(&Value) -> Result<(S, Written, Vec<Misshapen>), Vec<Problem>>,
    ) -> Result<Self, Fault> {
        let options = Options::read(request.input.as_ref())?;
        let composite = request.composite()?;
        let text = |path| path::get(composite, path).and_then(|it| it.as_str()).unwrap_or_default().to_owned();
        let (name, namespace) = (text("metadata.name"), text("metadata.namespace"));
        let mut problems = Vec::new();
        if name.is_empty() {
            let message = "missing: what the composite becomes is named after it";
            problems.push(Problem::new("metadata.name", Code::Required, message));
        }
        let is_namespaced = definition.document()["spec"]["scope"] != "Cluster";
        if is_namespaced && namespace.is_empty() {
            let message = "missing: the composite lives in a namespace, and so does what it becomes";
            problems.push(Problem::new("metadata.namespace", Code::Required, message));
        }
        match (read(composite), problems.is_empty()) {
            (Ok((spec, written, mixture)), true) => Ok(Self { name, namespace, spec, options, written, mixture }),
            (read, _) => {
                problems.extend(read.err().unwrap_or_default());
                Err(Fault::many(Cause::Composite, problems))
            }
        }
    }
}
