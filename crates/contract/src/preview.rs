//! Requests and answers of interface `preview`, for previews and for checks (`wit/preview.wit`).

use std::collections::BTreeMap;

use serde_json::Value;

use crate::compose::{Amount, ComposeRequest, ComposeResponse, Decision, Derivation};
use crate::types::{ConnectionDetails, Fault, KindRef, ObservedObject, Outcome, Problem, Selector};

/// Everything a preview may depend on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PreviewRequest {
    /// The texts, in the order they were given.
    pub sources: Vec<Source>,
    /// The namespace of composites in the texts that state none. `None` means `default`, and a warning says so.
    pub namespace: Option<String>,
    /// How kinds are composed. A kind without a pipeline has one step without input.
    pub pipelines: Vec<Pipeline>,
    /// The context at the start of every pipeline.
    pub context: BTreeMap<String, Value>,
    /// Whether composites that are composed are composed in turn, until no composite is left.
    pub cascade: bool,
    /// Whether to show what will be once everything is up: what is composed is taken as observed and ready, with examples of what
    /// providers would report, and composed again, until nothing changes. Only with a cascade.
    pub settled: bool,
    /// Whether the response should explain its values.
    pub explain: bool,
    /// The time to compose at, in seconds since the Unix epoch. `None` when compositions should not know the time.
    pub now: Option<u64>,
    /// Kinds that other modules compose, even if this module has them too.
    pub foreign_kinds: Vec<KindRef>,
    /// Composites of other modules as they would be stored, and the objects that these compose. Lookups find them.
    pub foreign_objects: Vec<Value>,
    /// Kinds of step input for which other modules compose, whatever the kind of the composite.
    pub foreign_inputs: Vec<KindRef>,
    /// Answers to the foreign steps of earlier calls, by name.
    pub foreign_steps: BTreeMap<String, Result<ComposeResponse, Fault>>,
}

/// A step that another module must run.
#[derive(Clone, Debug, PartialEq)]
pub struct ForeignStep {
    /// The kind of the step input, which is one of the request's foreign inputs.
    pub input: KindRef,
    /// The request to compose. It asks to explain the values when the preview does.
    pub request: ComposeRequest,
}

impl PreviewRequest {
    /// A request to explain the composites in one text, with defaults for everything else.
    pub fn about(name: impl Into<String>, text: impl Into<String>) -> Self {
        let source = Source { name: name.into(), role: Role::Subject, text: text.into() };
        Self { sources: vec![source], explain: true, ..Self::default() }
    }
}

/// A text from a person: a file, or the contents of an editor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// A name for messages, e.g. a file name.
    pub name: String,
    /// What it holds.
    pub role: Role,
    /// YAML 1.2 documents, which may be JSON.
    pub text: String,
}

/// What a text holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The documents to preview or to check. Lookups find all of them.
    Subject,
    /// Composed resources as observed, each with its composition resource name in the annotation
    /// `crossplane.io/composition-resource-name`.
    Observed,
    /// Objects for lookups to find.
    Available,
    /// In a preview: OpenAPI v3 documents that answer schema lookups. In a check: schemas of further kinds.
    Schema,
}

/// The name and labels of a Composition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Composition {
    /// Its name.
    pub name: String,
    /// Its labels.
    pub labels: BTreeMap<String, String>,
}

/// The steps that compose a kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Pipeline {
    /// The kind.
    pub kind: KindRef,
    /// The Composition with the steps. `None` when they are not those of a Composition.
    pub composition: Option<Composition>,
    /// The steps, in order.
    pub steps: Vec<Step>,
}

/// A step of a pipeline.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// Its name. Results name it.
    pub name: String,
    /// Its input. `None` when it has none.
    pub input: Option<StepInput>,
    /// Its credentials.
    pub credentials: BTreeMap<String, ConnectionDetails>,
}

/// A step input, and the text that it is in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepInput {
    /// A name for messages, e.g. a file name.
    pub name: String,
    /// The text.
    pub text: String,
    /// Index of its document in the text, from 0.
    pub document: u32,
    /// Where the input is in the document, e.g. `spec.pipeline[0].input`. Empty when the input is the document.
    pub path: String,
}

/// A place in a text. Lines and columns count from 1, columns in Unicode characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location {
    /// Index of the text. The texts are the sources, and after them the step inputs in the order of the pipelines. In a
    /// check they are the sources, and after them the platform's options.
    pub text: u32,
    /// Index of the document in the text, from 0.
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

/// How serious a diagnostic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gravity {
    /// The object would be refused. It is not composed.
    Error,
    /// The object may work.
    Warning,
}

/// A problem with a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// How serious it is.
    pub gravity: Gravity,
    /// What is wrong.
    pub problem: Problem,
    /// Where it is. `None` when it has no place.
    pub location: Option<Location>,
}

/// A composed resource as it would be applied.
#[derive(Clone, Debug, PartialEq)]
pub struct RenderedResource {
    /// Its composition resource name.
    pub name: String,
    /// The object, with the metadata that Crossplane adds.
    pub object: ObservedObject,
    /// Whether the composition reports it as ready.
    pub ready: bool,
    /// When it is a composite that was composed too: its index in the composites of the response.
    pub composite: Option<u32>,
    /// The area that it belongs to: its index in the areas of the composite. `None` when it belongs to none.
    pub area: Option<u32>,
    /// When it is composed, in a preview of what there is once everything is up.
    pub phase: Option<Phase>,
}

/// When a resource is composed, while what was composed before it becomes ready.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phase {
    /// Its number among the phases of its composite, from 1.
    pub number: u32,
    /// What the resource waits for, as it follows `waits for`. Empty when its kind names nothing.
    pub waits_for: String,
}

/// A result and the step that gave it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepResult {
    /// The name of the step. Empty for results of Crossplane itself.
    pub step: String,
    /// The result.
    pub outcome: Outcome,
}

/// A composite and its composed resources.
#[derive(Clone, Debug, PartialEq)]
pub struct RenderedComposite {
    /// Where it is in the texts. `None` when another composite composed it.
    pub origin: Option<Location>,
    /// Its index in the request's foreign objects. `None` when it is not one of them.
    pub foreign_object: Option<u32>,
    /// The composite as it would be stored: defaults, status and conditions included.
    pub object: ObservedObject,
    /// The name of the Composition with its pipeline. `None` when the pipeline is not that of a Composition.
    pub composition: Option<String>,
    /// The areas that people group its composed resources by, e.g. `network`, in their order. Empty when its kind has none.
    pub areas: Vec<String>,
    /// Its composed resources, sorted by name.
    pub resources: Vec<RenderedResource>,
    /// The results of the pipeline, in order.
    pub results: Vec<StepResult>,
    /// The context after the last step.
    pub context: BTreeMap<String, Value>,
    /// The rule behind each value, in the order of the resources. Empty unless the request asks to explain.
    pub derivations: Vec<Derivation>,
    /// What was chosen among candidates, and why, in the order of the steps.
    pub decisions: Vec<Decision>,
    /// What the module looked up.
    pub lookups: BTreeMap<String, Selector>,
    /// Schemas that the module looked up.
    pub schemas: BTreeMap<String, KindRef>,
}

/// An object in the subjects of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// Where it is.
    pub location: Location,
    /// Its API version and kind. A part that it does not state is empty.
    pub kind: KindRef,
    /// Its namespace. Empty when it states none.
    pub namespace: String,
    /// Its name. Empty when it has none.
    pub name: String,
    /// Whether there is a schema of its kind. Without a schema it is not checked.
    pub known: bool,
}

/// The result of a check.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Findings {
    /// What is wrong, in the order of the texts.
    pub diagnostics: Vec<Diagnostic>,
    /// The objects of the subjects, in the order of the texts. Documents that are not objects are left out.
    pub objects: Vec<Checked>,
}

/// What takes a part of a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taking {
    /// Its kind.
    pub kind: KindRef,
    /// Its namespace. Empty when its kind has none.
    pub namespace: String,
    /// Its name.
    pub name: String,
    /// How much it takes.
    pub takes: Amount,
}

/// A place with room for what is composed, e.g. a pool of nodes, or the memory of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Capacity {
    /// The place, the outermost first.
    pub place: Vec<String>,
    /// What the place is, for people: `cluster`, `pool`, `device`.
    pub what: String,
    /// How much there is of it. `None` when the places inside are counted instead.
    pub size: Option<Amount>,
    /// What takes it, in the unit of the size, sorted by namespace and name.
    pub taken: Vec<Taking>,
    /// What places can be grouped by: the labels of the object, and `class` where it has one.
    pub labels: BTreeMap<String, String>,
}

/// What would exist.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PreviewResponse {
    /// The composites of the texts in their order, and after them those of the foreign objects in their order. After
    /// each come the composites that it composes.
    pub composites: Vec<RenderedComposite>,
    /// What is wrong, in the order of the texts. A composite with an error is not in `composites`.
    pub diagnostics: Vec<Diagnostic>,
    /// In a cascade: the places that what is composed competes for, and what takes them in the end, sorted by place.
    /// Otherwise empty.
    pub capacities: Vec<Capacity>,
    /// Steps without an answer that other modules must run, by the name of the answer. If there are any, the response is
    /// incomplete: a composite that waits for one is not in `composites`.
    pub foreign_steps: BTreeMap<String, ForeignStep>,
}
