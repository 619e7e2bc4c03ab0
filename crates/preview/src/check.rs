//! Checks: the errors that an API server would give for objects.

use std::collections::BTreeMap;

use schema::sources::{self, Source};
use schema::{Options, Schema};
use serde_json::Value;

use super::cluster::Cluster;
use super::fields::text;
use super::source::locate;
use super::texts::{self, Document};
use contract::admit::{AdmitRequest, LookupAnswers, Operation, Verdict};
use contract::preview::{self, Checked, Diagnostic, Findings, Gravity, Role};
use contract::types::{Code, Fault, KindRef, ObservedObject, Problem, Selector};
use toolbox::kind::{Kind, Kinds};
use toolbox::path;
use toolbox::validation;

/// The most calls of admission for an object, because of its lookups.
const MAX_ROUNDS: usize = 5;

/// Checks each object in the subjects. Objects of kinds in the table are validated by their definitions, and judged as
/// admission judges new objects. Objects of other kinds are validated by the schemas among the sources.
///
/// `input` is the text of the platform's options. If they are invalid, only the mistakes in them are reported.
pub fn check(sources: &[preview::Source], input: Option<&str>, kinds: &Kinds) -> Findings {
    let number = u32::try_from(sources.len()).unwrap_or(u32::MAX);
    let input = match input.map(|text| read_options(number, text, kinds)).transpose() {
        Ok(input) => input,
        Err(diagnostics) => return Findings { diagnostics, objects: Vec::new() },
    };
    let input = input.as_ref();
    let mut diagnostics = Vec::new();
    let documents = texts::read(sources, &mut diagnostics);
    let available = documents.iter().filter(|document| document.role == Role::Available);
    let cluster = Cluster::of(available, kinds);
    let mut schemas = Schemas::of(sources, &documents);
    let mut objects = Vec::new();
    for document in documents.iter().filter(|document| document.role == Role::Subject) {
        let mut problems = Vec::new();
        for (path, object) in items(&document.object) {
            let kind = KindRef::of(object);
            let (known, found) = match kinds.find(&kind) {
                Some(kind) => (true, judge(object, kind, input, &cluster)),
                None => match schemas.judge(object, &kind, &mut diagnostics) {
                    Some(found) => (true, found),
                    None => (false, Vec::new()),
                },
            };
            problems.extend(found.into_iter().map(|(gravity, problem)| {
                let path = path::join(&path, &problem.path);
                (gravity, Problem { path, ..problem })
            }));
            let name = text(object, &["metadata", "name"]).to_owned();
            let location = document.locate(&path, Code::Invalid);
            objects.push(Checked { location, kind, name, known });
        }
        diagnostics.extend(first(problems).into_iter().map(|(gravity, problem)| document.diagnose(gravity, problem)));
    }
    Findings { diagnostics: texts::in_order(diagnostics), objects }
}

/// The first problems of a document, and how many more there are. An object has one more than the limit when there is a
/// problem that says how many more.
fn first(mut problems: Vec<(Gravity, Problem)>) -> Vec<(Gravity, Problem)> {
    const LISTED: usize = validation::MAX_PROBLEMS + 1;
    if problems.len() > LISTED {
        let left_out = problems.split_off(LISTED - 1);
        let is_error = left_out.iter().any(|(gravity, _)| *gravity == Gravity::Error);
        let gravity = if is_error { Gravity::Error } else { Gravity::Warning };
        problems.extend(left_out.first().map(|(_, next)| (gravity, validation::more(next, left_out.len()))));
    }
    problems
}

/// The object of a document, or the objects in a `List`, as `kubectl get` prints several; each with its path.
fn items(object: &Value) -> Vec<(String, &Value)> {
    match (object["apiVersion"].as_str(), object["kind"].as_str(), object["items"].as_array()) {
        (Some("v1"), Some("List"), Some(items)) => {
            items.iter().enumerate().map(|(index, item)| (path::index("items", index), item)).collect()
        }
        _ => vec![(String::new(), object)],
    }
}

/// The problems of a new object of a kind in the table: those that the API server finds by the schema, and those that
/// admission finds besides. Where both find one of the same sort in a field, that of the schema counts.
fn judge(object: &Value, kind: &Kind, input: Option<&Value>, cluster: &Cluster<'_>) -> Vec<(Gravity, Problem)> {
    let mut problems = kind.validate(object);
    let (denials, warnings) = match admit(object, kind, input, cluster) {
        Ok(verdict) => (verdict.denials, verdict.warnings),
        Err(fault) => (fault.problems, Vec::new()),
    };
    let is_known = |it: &Problem| problems.iter().any(|other| (&other.path, other.code) == (&it.path, it.code));
    let beyond: Vec<_> = denials.into_iter().filter(|denial| !is_known(denial)).collect();
    problems.splice(0..0, beyond);
    // What is wrong comes first.
    let warnings = if problems.is_empty() { warnings } else { Vec::new() };
    problems
        .into_iter()
        .map(|problem| (Gravity::Error, problem))
        .chain(warnings.into_iter().map(|problem| (Gravity::Warning, problem)))
        .collect()
}

/// The verdict of admission on a new object. The cluster may have more objects than are known here, so a lookup that
/// finds nothing has no answer.
fn admit(object: &Value, kind: &Kind, input: Option<&Value>, cluster: &Cluster<'_>) -> Result<Verdict, Fault> {
    let operation = Operation::Create(object.clone());
    let mut request = AdmitRequest { operation, input: input.cloned(), lookups: BTreeMap::new() };
    let mut verdict = (kind.admit)(&request)?;
    for _ in 0..MAX_ROUNDS {
        let answer = |selector: &Selector| -> Vec<ObservedObject> {
            cluster.find(selector).into_iter().cloned().map(Into::into).collect()
        };
        let answers = verdict.lookups.iter().map(|(name, selector)| (name.clone(), answer(selector)));
        let answers: LookupAnswers = answers.filter(|(_, found)| !found.is_empty()).collect();
        if answers == request.lookups {
            break;
        }
        request.lookups = answers;
        verdict = (kind.admit)(&request)?;
    }
    Ok(verdict)
}

/// Reads the platform's options.
fn read_options(number: u32, text: &str, kinds: &Kinds) -> Result<Value, Vec<Diagnostic>> {
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

fn warning(words: String) -> (Gravity, Problem) {
    (Gravity::Warning, Problem::new("", Code::Invalid, words))
}

/// The schemas of other kinds. Each is compiled when the first object needs it.
struct Schemas<'a> {
    found: Vec<(&'a Document, Source)>,
    compiled: BTreeMap<usize, Option<Schema>>,
}

impl<'a> Schemas<'a> {
    fn of(sources: &[preview::Source], documents: &'a [Document]) -> Self {
        let given = documents.iter().filter(|document| document.role == Role::Schema);
        let found = given.flat_map(|document| {
            let name = document.source(sources).map_or("", |source| source.name.as_str());
            sources::find(name, &document.object).into_iter().map(move |source| (document, source))
        });
        Self { found: found.collect(), compiled: BTreeMap::new() }
    }

    /// The problems in an object by the schema of its kind. `None` when there is no schema. The last of several schemas is
    /// used. A schema that cannot be used is reported once.
    fn judge(
        &mut self,
        object: &Value,
        kind: &KindRef,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<Vec<(Gravity, Problem)>> {
        let describes = |(_, source): &(_, Source)| source.describes(&kind.api_version, &kind.kind);
        let index = self.found.iter().rposition(describes)?;
        let (origin, source) = &self.found[index];
        let compiled = self.compiled.entry(index).or_insert_with(|| match Schema::read(&source.schema) {
            Ok(schema) => Some(schema),
            Err(errors) => {
                diagnostics.extend(errors.iter().map(|error| unusable(origin, source, error)));
                None
            }
        });
        let schema = compiled.as_ref()?;
        let options = Options { scope: source.scope, ..Options::default() };
        let judged = if source.status { validation::without_status(object) } else { object.clone() };
        Some(match schema.admit(&judged, &options) {
            Ok(admitted) => admitted.warnings.into_iter().map(warning).collect(),
            Err(errors) => validation::problems(errors).into_iter().map(|it| (Gravity::Error, it)).collect(),
        })
    }
}

fn unusable(document: &Document, source: &Source, error: &schema::FieldError) -> Diagnostic {
    let message = format!("the schema of {} {} is unusable: {error}", source.version, source.kind);
    document.diagnose(Gravity::Error, Problem::new("", Code::Invalid, message))
}
