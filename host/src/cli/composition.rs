//! Compositions: which of their steps are ours, and what those are told.

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::Value;

use super::cluster::{Secrets, text};
use super::files::File;
use crate::wit::preview::{Pipeline, Step, StepInput};
use crate::wit::types::KindRef;

/// The name that our Function's package and its references end with.
const FUNCTION: &str = "function-sailplane";

/// The group of our steps' input.
const INPUT_GROUP: &str = "sailplane.fn.crossplane.io";

/// A Composition and where it was written.
#[derive(Clone, Debug)]
pub(super) struct Composition<'a> {
    pub(super) file: &'a File,
    /// Which document of the file it is.
    pub(super) document: u32,
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

    /// Its steps that are ours. `functions` are the Functions that its steps may refer to. A step of another
    /// function is an error, or passed over where `skip` is told of it.
    pub(super) fn pipeline(
        &self,
        functions: &[Value],
        secrets: &Secrets,
        skip: Option<&mut dyn FnMut(String)>,
    ) -> Result<Pipeline> {
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
        match (foreign.as_slice(), skip) {
            ([], _) => {}
            (foreign, Some(skip)) => {
                foreign.iter().for_each(|step| skip(format!("{file}: {step}, which is passed over")))
            }
            (foreign, None) => bail!(
                "{file}: Composition `{name}` has steps of other functions, which cannot run here: {}; --skip-foreign-steps passes over them",
                foreign.join(", ")
            ),
        }
        ensure!(!ours.is_empty(), "{file}: Composition `{name}` has no step that runs {FUNCTION}");
        let steps = ours.into_iter().map(|(index, step)| {
            let input = step.get("input").filter(|input| !input.is_null()).map(|_| StepInput {
                name: self.file.name.clone(),
                text: self.file.text.clone(),
                document: self.document,
                path: format!("spec.pipeline[{index}].input"),
            });
            Ok(Step { name: text(step, "/step").to_owned(), input, credentials: secrets.credentials(step)? })
        });
        Ok(Pipeline { kind: self.kind(), steps: steps.collect::<Result<_>>()? })
    }

    /// Checks that the Composition may compose a composite.
    pub(super) fn suits(&self, composite: &Value) -> Result<()> {
        let wanted = composite.pointer("/spec/crossplane/compositionSelector/matchLabels").and_then(Value::as_object);
        for (label, value) in wanted.into_iter().flatten() {
            let has = self.object.pointer("/metadata/labels").and_then(|labels| labels.get(label));
            let composition = self.name();
            let has =
                has.with_context(|| format!("composition `{composition}` is missing required label `{label}`"))?;
            ensure!(
                has == value,
                "composition `{composition}` has label `{label}` {has}, and the composite wants {value}"
            );
        }
        Ok(())
    }
}

/// Whether a step runs our function: its Function's package says so, or else its name or its input's group.
fn is_ours(step: &Value, functions: &[Value]) -> bool {
    let name = text(step, "/functionRef/name");
    match functions.iter().find(|function| text(function, "/metadata/name") == name) {
        Some(function) if is_named(text(function, "/spec/package")) => true,
        _ => name.ends_with(FUNCTION) || text(step, "/input/apiVersion").split('/').next() == Some(INPUT_GROUP),
    }
}

/// Whether a package reference, less its tag and digest, is our function's.
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
