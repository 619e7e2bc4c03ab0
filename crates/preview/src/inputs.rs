//! The inputs of pipeline steps, read from the texts they stand in.

use std::collections::BTreeMap;

use serde_json::Value;
use yaml::Node;

use super::source::find;
use super::texts;
use contract::preview::{Diagnostic, Gravity, Pipeline, PreviewRequest, StepInput};
use contract::types::{Code, Problem};
use contract::types::{ConnectionDetails, KindRef};
use toolbox::kind::Kind;

/// The step of a kind without a pipeline.
const ONLY_STEP: &str = "sailplane";

static NO_CREDENTIALS: BTreeMap<String, ConnectionDetails> = BTreeMap::new();

/// The pipelines of a request, their inputs read.
pub(super) struct Inputs<'a> {
    pipelines: Vec<(&'a Pipeline, Vec<Option<Text<'a>>>)>,
}

/// A document that holds an input.
struct Text<'a> {
    root: Node,
    path: &'a str,
    text: u32,
    document: u32,
}

/// Where an input stands.
#[derive(Clone, Copy)]
pub(super) struct At<'a> {
    pub(super) root: &'a Node,
    pub(super) path: &'a str,
    pub(super) text: u32,
    pub(super) document: u32,
}

/// One step, its input read.
pub(super) struct Step<'a> {
    pub(super) name: &'a str,
    pub(super) input: Option<Value>,
    /// Where the input stands.
    pub(super) source: Option<At<'a>>,
    pub(super) credentials: &'a BTreeMap<String, ConnectionDetails>,
}

impl<'a> Inputs<'a> {
    /// Reads the inputs of a request. None when one cannot be read.
    pub(super) fn read(request: &'a PreviewRequest, diagnostics: &mut Vec<Diagnostic>) -> Option<Self> {
        let mut text = u32::try_from(request.sources.len()).unwrap_or(u32::MAX);
        let mut sound = true;
        let mut read = |input: &'a StepInput| {
            let number = text;
            text += 1;
            let root =
                texts::read_one(number, &input.text, input.document).and_then(|root| match find(&root, &input.path) {
                    Some(_) => Ok(root),
                    None => Err(Box::new(Diagnostic {
                        gravity: Gravity::Error,
                        problem: Problem::new(
                            &input.path,
                            Code::NotFound,
                            format!("{} has no step input here", input.name),
                        ),
                        location: None,
                    })),
                });
            match root {
                Ok(root) => Some(Text { root, path: &input.path, text: number, document: input.document }),
                Err(diagnostic) => {
                    diagnostics.push(*diagnostic);
                    sound = false;
                    None
                }
            }
        };
        let pipelines = request
            .pipelines
            .iter()
            .map(|pipeline| {
                (pipeline, pipeline.steps.iter().map(|step| step.input.as_ref().and_then(&mut read)).collect())
            })
            .collect();
        sound.then_some(Self { pipelines })
    }

    /// The steps that compose a kind.
    pub(super) fn steps(&self, kind: &Kind) -> Vec<Step<'_>> {
        let wanted = KindRef { api_version: kind.api_version.to_owned(), kind: kind.kind.to_owned() };
        let Some((pipeline, texts)) = self.pipelines.iter().find(|(pipeline, _)| pipeline.kind == wanted) else {
            return vec![Step { name: ONLY_STEP, source: None, input: None, credentials: &NO_CREDENTIALS }];
        };
        let steps = pipeline.steps.iter().zip(texts).map(|(step, text)| {
            let source = text.as_ref().map(|text| At {
                root: &text.root,
                path: text.path,
                text: text.text,
                document: text.document,
            });
            Step {
                name: &step.name,
                source,
                input: source.and_then(|at| Some(find(at.root, at.path)?.to_value())),
                credentials: &step.credentials,
            }
        });
        steps.collect()
    }
}
