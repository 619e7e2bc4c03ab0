//! Checks: the errors that an API server would give for objects.

mod neighbours;
mod schemas;

use std::collections::BTreeMap;

use serde_json::Value;

use super::fields::{get, text};
use super::namespace;
use super::source::locate;
use super::texts::{self, Document, Listed};
use contract::admit::{AdmitRequest, Operation, Verdict};
use contract::preview::{self, Checked, Diagnostic, Findings, Gravity, Role};
use contract::types::{Code, Fault, KindRef, Problem};
use neighbours::Neighbours;
use schemas::Schemas;
use toolbox::kind::{Kind, Kinds};
use toolbox::path;

/// The most calls of admission for an object, because of its lookups.
const MAX_ROUNDS: usize = 5;

/// Checks each object in the subjects. Objects of kinds in the table are validated by their definitions, and judged as
/// admission judges new objects, when the objects before them exist, and wherever they are those that they only name
/// ([`Kind::names`]). Objects of other kinds are validated by the schemas among the sources.
///
/// `input` is the text of the platform's options. If they are invalid, only the mistakes in them are reported.
pub fn check(sources: &[preview::Source], input: Option<&str>, kinds: &Kinds) -> Findings {
    let number = u32::try_from(sources.len()).unwrap_or(u32::MAX);
    let input = match input.map(|text| read_options(number, text, kinds)).transpose() {
        Ok(input) => input,
        Err(diagnostics) => return Findings { diagnostics, objects: Vec::new() },
    };
    let mut diagnostics = Vec::new();
    let documents = texts::read(sources, &mut diagnostics);
    let mut check = Check {
        kinds,
        input: input.as_ref(),
        schemas: Schemas::of(sources, &documents),
        neighbours: Neighbours::of(&documents, kinds),
        diagnostics,
    };
    let mut objects = Vec::new();
    for beside in documents.chunk_by(Document::is_beside) {
        let mut found = Listed::default();
        for document in beside.iter().filter(|document| document.role == Role::Subject) {
            let (known, mut problems) = check.judge(document);
            problems.extend(check.neighbours.add(document, sources).map(|problem| (Gravity::Warning, problem)));
            for (gravity, problem) in problems {
                found.add(document, gravity, problem);
            }
            let [namespace, name] =
                ["namespace", "name"].map(|key| text(&document.object, &["metadata", key]).to_owned());
            let kind = KindRef::of(&document.object);
            objects.push(Checked { location: document.locate("", Code::Invalid), kind, namespace, name, known });
        }
        check.diagnostics.extend(found.finish());
    }
    let incomplete = check.neighbours.incomplete();
    let warning = |problem| Diagnostic { gravity: Gravity::Warning, problem, location: None };
    check.diagnostics.extend(incomplete.map(warning));
    Findings { diagnostics: texts::in_order(check.diagnostics), objects }
}

/// A problem of an object.
type Finding = (Gravity, Problem);

/// What objects are judged by.
struct Check<'a> {
    kinds: &'a Kinds,
    /// The platform's options.
    input: Option<&'a Value>,
    schemas: Schemas<'a>,
    neighbours: Neighbours<'a>,
    diagnostics: Vec<Diagnostic>,
}

impl Check<'_> {
    /// Whether there is a schema of an object, and its problems.
    fn judge(&mut self, document: &Document) -> (bool, Vec<Finding>) {
        let object = &document.object;
        let kind = KindRef::of(object);
        if let Some(row) = self.kinds.find(&kind) {
            return (true, if is_rendered(object) { Vec::new() } else { self.admit(object, row) });
        }
        if let Some(input) = self.kinds.input(&kind) {
            return (true, errors(input.validate(object).err().unwrap_or_default()).collect());
        }
        if let Some(mut found) = self.schemas.judge(object, &kind, &mut self.diagnostics) {
            found.extend(self.step_inputs(object, &kind));
            return (true, found);
        }
        let mistaken = errors(self.kinds.mistaken(&kind));
        (false, mistaken.chain(self.step_inputs(object, &kind)).collect())
    }

    /// The problems of a new object of a kind in the table: those that the API server finds by the schema, and those that
    /// admission finds besides. Where both find one of the same sort in a field, that of the schema counts.
    fn admit(&self, object: &Value, row: &Kind) -> Vec<Finding> {
        let mut object = object.clone();
        let no_namespace = namespace::complete(&mut object, row, None).map(|problem| (Gravity::Warning, problem));
        let mut problems = row.validate(&object);
        let (denials, warnings) = match self.verdict(object, row) {
            Ok(verdict) => (verdict.denials, verdict.warnings),
            Err(fault) => (fault.problems, Vec::new()),
        };
        let is_known = |it: &Problem| problems.iter().any(|other| (&other.path, other.code) == (&it.path, it.code));
        let beyond: Vec<_> = denials.into_iter().filter(|denial| !is_known(denial)).collect();
        problems.splice(0..0, beyond);
        // What is wrong comes first.
        let warnings = if problems.is_empty() { warnings } else { Vec::new() };
        let warnings = warnings.into_iter().map(|problem| (Gravity::Warning, problem));
        no_namespace.into_iter().chain(errors(problems)).chain(warnings).collect()
    }

    /// The verdict of admission on a new object.
    fn verdict(&self, object: Value, row: &Kind) -> Result<Verdict, Fault> {
        let (operation, input) = (Operation::Create(object), self.input.cloned());
        let mut request = AdmitRequest { operation, input, lookups: BTreeMap::new() };
        let mut verdict = (row.admit)(&request)?;
        let mut asked = BTreeMap::new();
        for _ in 0..MAX_ROUNDS {
            if verdict.lookups == asked {
                break;
            }
            let answers = self.neighbours.answers(row, &verdict.lookups);
            if answers == request.lookups {
                break;
            }
            request.lookups = answers;
            asked = verdict.lookups;
            verdict = (row.admit)(&request)?;
        }
        Ok(verdict)
    }

    /// The problems in the step inputs of a Composition, of those that the module takes or was probably meant to take.
    fn step_inputs(&self, object: &Value, kind: &KindRef) -> Vec<Finding> {
        if (kind.group(), kind.kind.as_str()) != ("apiextensions.crossplane.io", "Composition") {
            return Vec::new();
        }
        let steps = get(object, &["spec", "pipeline"]).and_then(Value::as_array).into_iter().flatten().enumerate();
        let problems = steps.flat_map(|(index, step)| {
            let input = &step["input"];
            let kind = KindRef::of(input);
            let problems = match self.kinds.input(&kind) {
                Some(row) => row.validate(input).err().unwrap_or_default(),
                None if input.is_object() => self.kinds.mistaken(&kind).into_iter().collect(),
                None => Vec::new(),
            };
            let place = path::key(&path::index("spec.pipeline", index), "input");
            let placed = move |problem: Problem| Problem { path: path::join(&place, &problem.path), ..problem };
            problems.into_iter().map(placed)
        });
        errors(problems).collect()
    }
}

fn errors(problems: impl IntoIterator<Item = Problem>) -> impl Iterator<Item = Finding> {
    problems.into_iter().map(|problem| (Gravity::Error, problem))
}

/// Whether this is a composite as `render` prints it: its status, without its spec.
fn is_rendered(object: &Value) -> bool {
    let spec = object["spec"].as_object();
    object["status"].is_object() && spec.is_none_or(|spec| spec.keys().all(|key| key == "crossplane"))
}

/// Reads the platform's options.
pub(super) fn read_options(number: u32, text: &str, kinds: &Kinds) -> Result<Value, Vec<Diagnostic>> {
    let root = texts::read_one(number, text, 0).map_err(|diagnostic| vec![*diagnostic])?;
    let value = root.to_value();
    let kind = KindRef::of(&value);
    // An input of an unknown kind is validated as the first kind, so that a message tells which kind is expected.
    let Some(input) = kinds.input(&kind).or(kinds.inputs.first()) else { return Ok(value) };
    let Err(problems) = input.validate(&value) else { return Ok(value) };
    let diagnostic = |problem: Problem| {
        let location = Some(texts::location(number, 0, locate(&root, &problem.path, problem.code)));
        Diagnostic { gravity: Gravity::Error, problem, location }
    };
    Err(problems.into_iter().map(diagnostic).collect())
}
