//! What a preview and a check are asked and what they answer (`wit/preview.wit`).

use std::collections::BTreeMap;

use serde_json::Value;

use crate::types::{ConnectionDetails, KindRef, Outcome, Problem, Selector};

/// Everything a preview may depend on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PreviewRequest {
    /// The texts, in the order they were given.
    pub sources: Vec<Source>,
    /// How kinds are composed; a kind without a pipeline has one step, without input.
    pub pipelines: Vec<Pipeline>,
    /// The context that every pipeline starts with.
    pub context: BTreeMap<String, Value>,
    /// Whether composed composites are composed too.
    pub cascade: bool,
    /// Seconds since the Unix epoch; absent when the time should not matter.
    pub now: Option<u64>,
    /// Kinds that other modules compose, even if this one has them too.
    pub foreign_kinds: Vec<KindRef>,
    /// What composites of other modules compose, and those composites as they would be stored.
    pub foreign_objects: Vec<Value>,
}

impl PreviewRequest {
    /// A request about the composites in one text, and nothing else.
    pub fn about(name: impl Into<String>, text: impl Into<String>) -> Self {
        let source = Source { name: name.into(), role: Role::Subject, text: text.into() };
        Self { sources: vec![source], ..Self::default() }
    }
}

/// A text as somebody wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// What to call it.
    pub name: String,
    /// What it holds.
    pub role: Role,
    /// YAML documents.
    pub text: String,
}

/// What a text holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// What the preview is about.
    Subject,
    /// Composed resources as observed.
    Observed,
    /// Objects that lookups may find.
    Available,
    /// OpenAPI v3 documents that answer schema lookups.
    Schema,
}

/// The steps that compose a kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Pipeline {
    /// The kind.
    pub kind: KindRef,
    /// The steps, in order.
    pub steps: Vec<Step>,
}

/// A step of a pipeline.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// Its name, which results carry.
    pub name: String,
    /// Where its input stands.
    pub input: Option<StepInput>,
    /// Its credentials.
    pub credentials: BTreeMap<String, ConnectionDetails>,
}

/// Where a step's input stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepInput {
    /// What to call the text.
    pub name: String,
    /// The text.
    pub text: String,
    /// Which of its documents, from 0.
    pub document: u32,
    /// Where in the document the input is; empty for all of it.
    pub path: String,
}

/// A place in a text. Lines and columns count from 1, columns in Unicode characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location {
    /// Index of the text: in the sources, then the steps' inputs; in a check then the options.
    pub text: u32,
    /// Which of its documents, from 0.
    pub document: u32,
    /// First line.
    pub line: u32,
    /// First column.
    pub column: u32,
    /// Last line.
    pub end_line: u32,
    /// Column after the last character.
    pub end_column: u32,
}

/// How much a diagnostic matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gravity {
    /// Nothing is composed because of it.
    Error,
    /// It may still work.
    Warning,
}

/// Something about a text that should be looked at.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// How much it matters.
    pub gravity: Gravity,
    /// What it is.
    pub problem: Problem,
    /// Where.
    pub location: Option<Location>,
}

/// One derived value and the rule that gave it.
#[derive(Clone, Debug, PartialEq)]
pub struct Derivation {
    /// Composition resource name of the resource it is in; empty for the composite.
    pub resource: String,
    /// Where it is in that resource.
    pub path: String,
    /// The value.
    pub value: Value,
    /// The rule, for people.
    pub because: String,
    /// The fields of the composite, or of the input, that it depends on.
    pub causes: Vec<String>,
}

/// A composed resource as it would be applied.
#[derive(Clone, Debug, PartialEq)]
pub struct RenderedResource {
    /// Its composition resource name.
    pub name: String,
    /// The object, with the metadata that Crossplane gives it.
    pub object: Value,
    /// Whether the composition counts it as ready.
    pub ready: bool,
    /// Index of the composite it is, when it was composed too.
    pub composite: Option<u32>,
}

/// A result and the step it came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepResult {
    /// The step; empty for what Crossplane itself says.
    pub step: String,
    /// What it said.
    pub outcome: Outcome,
}

/// A composite and all that would exist because of it.
#[derive(Clone, Debug, PartialEq)]
pub struct RenderedComposite {
    /// Where it was written; absent when another composite composed it.
    pub origin: Option<Location>,
    /// Index among the foreign objects of the request, when it is one of them.
    pub foreign_object: Option<u32>,
    /// The composite as it would be stored.
    pub object: Value,
    /// Its resources, sorted by name.
    pub resources: Vec<RenderedResource>,
    /// What the pipeline said, in order.
    pub results: Vec<StepResult>,
    /// The context after the last step.
    pub context: BTreeMap<String, Value>,
    /// Why each value is what it is.
    pub derivations: Vec<Derivation>,
    /// What the module needed to know.
    pub lookups: BTreeMap<String, Selector>,
    /// Schemas it needed to know.
    pub schemas: BTreeMap<String, KindRef>,
}

/// An object that was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// Where it is.
    pub location: Location,
    /// Its kind.
    pub kind: KindRef,
    /// Its name; empty when it has none.
    pub name: String,
    /// Whether a schema for its kind was there.
    pub known: bool,
}

/// What is wrong with texts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Findings {
    /// What should be looked at, in the order of the texts.
    pub diagnostics: Vec<Diagnostic>,
    /// The objects of the subjects, in the order of the texts.
    pub objects: Vec<Checked>,
}

/// What would exist.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PreviewResponse {
    /// Composites in the order of the texts, then those among the foreign objects, each followed by those it composes.
    pub composites: Vec<RenderedComposite>,
    /// What should be looked at, in the order of the texts.
    pub diagnostics: Vec<Diagnostic>,
}
