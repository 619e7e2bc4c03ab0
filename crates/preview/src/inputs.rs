//! The inputs of pipeline steps, read from their texts.

use std::collections::BTreeMap;
use std::rc::Rc;

use serde_json::{Value, json};
use yaml::Node;

use super::source::find;
use super::texts;
use contract::preview::{Diagnostic, Gravity, Pipeline, PreviewRequest, StepInput};
use contract::types::{Code, Problem};
use contract::types::{ConnectionDetails, KindRef};
use toolbox::kind::{Input, Kind};

/// Name of the own step of a kind without a pipeline.
const OWN_STEP: &str = "sailplane";

static NO_CREDENTIALS: BTreeMap<String, ConnectionDetails> = BTreeMap::new();

/// The pipelines of a request, with their inputs.
pub(super) struct Inputs<'a> {
    pub(super) pipelines: &'a [Pipeline],
    /// Each different input once.
    texts: Vec<InputText<'a>>,
}

/// A document with an input.
struct InputText<'a> {
    input: &'a StepInput,
    root: Rc<Node>,
    text: u32,
}

/// The position of an input.
#[derive(Clone, Copy)]
pub(super) struct InputPosition<'a> {
    pub(super) root: &'a Node,
    pub(super) path: &'a str,
    pub(super) text: u32,
    pub(super) document: u32,
}

impl InputPosition<'_> {
    /// The input.
    fn value(&self) -> Option<Value> {
        Some(find(self.root, self.path)?.to_value())
    }
}

/// A step, with its input.
pub(super) struct PipelineStep<'a> {
    pub(super) name: &'a str,
    pub(super) input: Option<Value>,
    /// The position of the input.
    pub(super) source: Option<InputPosition<'a>>,
    pub(super) credentials: &'a BTreeMap<String, ConnectionDetails>,
}

impl<'a> Inputs<'a> {
    /// Reads the inputs of a request. `None` when one cannot be read.
    pub(super) fn read(request: &'a PreviewRequest, diagnostics: &mut Vec<Diagnostic>) -> Option<Self> {
        let first = u32::try_from(request.sources.len()).unwrap_or(u32::MAX);
        let steps = request.pipelines.iter().flat_map(|pipeline| &pipeline.steps);
        let mut known: Vec<&StepInput> = Vec::new();
        // The inputs of a Composition are in one document, which is read once.
        let mut last: Option<(&StepInput, Rc<Node>)> = None;
        let (mut texts, mut sound) = (Vec::new(), true);
        for (text, input) in (first..).zip(steps.filter_map(|step| step.input.as_ref())) {
            if known.contains(&input) {
                continue;
            }
            known.push(input);
            let same =
                last.as_ref().filter(|(other, _)| (other.document, &other.text) == (input.document, &input.text));
            match read(text, input, same.map(|(_, root)| Rc::clone(root))) {
                Ok(root) => {
                    last = Some((input, Rc::clone(&root)));
                    texts.push(InputText { input, root, text });
                }
                Err(diagnostic) => {
                    diagnostics.push(*diagnostic);
                    sound = false;
                }
            }
        }
        sound.then_some(Self { pipelines: &request.pipelines, texts })
    }

    /// The steps of one of the pipelines, or those of a kind without a pipeline: its own, and what follows it.
    pub(super) fn steps(&self, kind: &Kind, pipeline: Option<&'a Pipeline>) -> Vec<PipelineStep<'_>> {
        let Some(pipeline) = pipeline else {
            let step = |name, input| PipelineStep { name, source: None, input, credentials: &NO_CREDENTIALS };
            let following = kind.followed_by.map(|step_after| {
                let Input { api_version, kind, .. } = step_after.input;
                step(step_after.name, Some(json!({"apiVersion": api_version, "kind": kind})))
            });
            return std::iter::once(step(OWN_STEP, None)).chain(following).collect();
        };
        let steps = pipeline.steps.iter().map(|step| {
            let source = step.input.as_ref().and_then(|input| self.source(input));
            PipelineStep {
                name: &step.name,
                source,
                input: source.and_then(|at| at.value()),
                credentials: &step.credentials,
            }
        });
        steps.collect()
    }

    /// The inputs of all steps for a kind.
    pub(super) fn of_kind(&self, kind: &KindRef) -> Vec<Value> {
        let steps =
            self.pipelines.iter().filter(|pipeline| pipeline.kind == *kind).flat_map(|pipeline| &pipeline.steps);
        steps.filter_map(|step| self.source(step.input.as_ref()?)?.value()).collect()
    }

    fn source(&self, input: &StepInput) -> Option<InputPosition<'_>> {
        let InputText { input, root, text } = self.texts.iter().find(|text| text.input == input)?;
        Some(InputPosition { root, path: &input.path, text: *text, document: input.document })
    }
}

/// Reads the document with an input, unless it is `known`. `text` is the index of the text for diagnostics.
fn read(text: u32, input: &StepInput, known: Option<Rc<Node>>) -> Result<Rc<Node>, Box<Diagnostic>> {
    let root = match known {
        Some(root) => root,
        None => Rc::new(texts::read_one(text, &input.text, input.document)?),
    };
    if find(&root, &input.path).is_none() {
        let message = format!("{} has no step input here", input.name);
        let problem = Problem::new(&input.path, Code::NotFound, message);
        return Err(Box::new(Diagnostic { gravity: Gravity::Error, problem, location: None }));
    }
    Ok(root)
}
