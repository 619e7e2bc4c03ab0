//! Compositions: which of their steps run our function, and with which input.

use std::collections::BTreeMap;

use anyhow::{Result, ensure};
use serde_json::Value;

use super::cluster::{Secrets, text};
use super::files::File;
use crate::foreign::visible;
use crate::wit::preview::{self, Pipeline, Step, StepInput};
use crate::wit::types::KindRef;

/// The end of our Function's package name and of the names that refer to it.
const FUNCTION: &str = "function-sailplane";

/// The API group of our step input.
const INPUT_GROUP: &str = "sailplane.fn.crossplane.io";

/// A Composition and its place in a file.
#[derive(Clone, Debug)]
pub(super) struct Composition<'a> {
    pub(super) file: &'a File,
    /// The index of its document in the file.
    pub(super) document: u32,
    /// The path of the object in the document. Empty when it is the document.
    pub(super) path: String,
    pub(super) object: Value,
}

impl Composition<'_> {
    /// Its name.
    pub(super) fn name(&self) -> &str {
        text(&self.object, "/metadata/name")
    }

    /// The kind that it composes.
    pub(super) fn kind(&self) -> KindRef {
        KindRef {
            api_version: text(&self.object, "/spec/compositeTypeRef/apiVersion").to_owned(),
            kind: text(&self.object, "/spec/compositeTypeRef/kind").to_owned(),
        }
    }

    /// The bytes of the inputs of all steps, each of which has the whole text of the file.
    pub(super) fn input_bytes(&self) -> usize {
        let steps = self.object.pointer("/spec/pipeline").and_then(Value::as_array).into_iter().flatten();
        let inputs = steps.filter(|step| step.get("input").is_some_and(|input| !input.is_null()));
        inputs.count().saturating_mul(self.file.text.len())
    }

    /// The steps that run our function. Steps may refer to the Functions in `functions`. A step that runs another
    /// function is an error, unless `skip_foreign`: then a warning says that the step is left out.
    pub(super) fn pipeline(&self, functions: &[Value], secrets: &Secrets, skip_foreign: bool) -> Result<Pipeline> {
        let (file, name) = (&self.file.name, self.name());
        let mode = text(&self.object, "/spec/mode");
        ensure!(mode == "Pipeline", "{file}: Composition `{name}` must have `spec.mode: Pipeline`, not `{mode}`");
        let steps =
            self.object.pointer("/spec/pipeline").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let (ours, foreign): (Vec<_>, Vec<_>) =
            steps.iter().enumerate().partition(|(_, step)| is_ours(step, functions));
        let foreign: Vec<_> = foreign
            .iter()
            .map(|(_, step)| format!("step `{}` runs `{}`", text(step, "/step"), text(step, "/functionRef/name")))
            .collect();
        ensure!(
            foreign.is_empty() || skip_foreign,
            "{file}: Composition `{name}` has steps of other functions, which cannot run here: {}; --skip-foreign-steps passes over them",
            foreign.join(", ")
        );
        for step in &foreign {
            eprintln!("warning: {}, which is passed over", visible(&format!("{file}: {step}")));
        }
        ensure!(!ours.is_empty(), "{file}: Composition `{name}` has no step that runs {FUNCTION}");
        let steps = ours.into_iter().map(|(index, step)| {
            let input = step.get("input").filter(|input| !input.is_null()).map(|_| StepInput {
                name: self.file.name.clone(),
                text: self.file.text.clone(),
                document: self.document,
                path: format!(
                    "{}{}spec.pipeline[{index}].input",
                    self.path,
                    if self.path.is_empty() { "" } else { "." }
                ),
            });
            Ok(Step { name: text(step, "/step").to_owned(), input, credentials: secrets.credentials(step)? })
        });
        let composition = preview::Composition { name: self.name().to_owned(), labels: self.labels() };
        Ok(Pipeline { kind: self.kind(), composition: Some(composition), steps: steps.collect::<Result<_>>()? })
    }

    /// The platform's options in it: the input of the first step that runs our function with one.
    pub(super) fn options(&self, functions: &[Value]) -> Option<String> {
        let mut steps = self.object.pointer("/spec/pipeline")?.as_array()?.iter();
        steps
            .find_map(|step| step.get("input").filter(|input| !input.is_null() && is_ours(step, functions)))
            .map(Value::to_string)
    }

    /// Its labels, sorted.
    fn labels(&self) -> Vec<(String, String)> {
        let labels = self.object.pointer("/metadata/labels").and_then(Value::as_object).into_iter().flatten();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        labels.map(|(label, value)| (label.clone(), text(value))).collect::<BTreeMap<_, _>>().into_iter().collect()
    }
}

/// Whether a step runs our function: by the package of its Function, by the Function's name, or by the group of its
/// input.
fn is_ours(step: &Value, functions: &[Value]) -> bool {
    let name = text(step, "/functionRef/name");
    match functions.iter().find(|function| text(function, "/metadata/name") == name) {
        Some(function) if is_named(text(function, "/spec/package")) => true,
        _ => name.ends_with(FUNCTION) || text(step, "/input/apiVersion").split('/').next() == Some(INPUT_GROUP),
    }
}

/// Whether a package reference, without tag and digest, is our function's.
fn is_named(package: &str) -> bool {
    let package = package.split('@').next().unwrap_or_default();
    let repository = package.rsplit('/').next().unwrap_or_default();
    repository.split(':').next() == Some(FUNCTION)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn steps() {
        #[track_caller]
        fn check(name: &str, package: &str, input: &str, ours: bool) {
            let functions = [json!({ "metadata": { "name": "f" }, "spec": { "package": package } })];
            let step = json!({ "functionRef": { "name": name }, "input": { "apiVersion": input } });
            assert_eq!(is_ours(&step, &functions), ours, "{name} {package} {input}");
        }

        //    functionRef             package of Function f                            input                                  ours
        check("f", "xpkg.example.org/acme/function-sailplane:v0.1.0", "", true);
        check("f", "xpkg.example.org:5000/acme/function-sailplane@sha256:00", "", true);
        check("f", "xpkg.example.org/acme/function-sailplane", "", true);
        check("f", "xpkg.example.org/acme/function-auto-ready:v1", "", false);
        check("f", "xpkg.example.org/function-sailplane/other", "", false);
        check("f", "", "sailplane.fn.crossplane.io/v1alpha1", true);
        check("g", "xpkg.example.org/acme/function-sailplane:v0.1.0", "", false);
        check("acme-function-sailplane", "", "", true);
        check("function-auto-ready", "", "gotemplating.fn.crossplane.io/v1beta1", false);
    }
}
