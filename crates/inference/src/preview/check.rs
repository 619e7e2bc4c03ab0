//! The door `check`: what an API server would have against objects.

use std::collections::BTreeMap;

use schema::sources::{self, Source};
use schema::{Options, Schema};
use serde_json::Value;

use super::fields::text;
use super::texts::{self, Document};
use super::{Checked, Diagnostic, Findings, Gravity, Role, in_order};
use crate::admit::{self, Operation};
use crate::kinds::{self, Kind};
use crate::object::KindRef;
use crate::problem::{Code, Problem};
use crate::validation;

/// Says of each object among the subjects what is wrong with it. Kinds of the table are judged as admission
/// judges new objects; others by the schemas among the sources.
pub fn check(sources: &[super::Source]) -> Findings {
    let mut diagnostics = Vec::new();
    let documents = texts::read(sources, &mut diagnostics);
    let mut schemas = Schemas::of(sources, &documents);
    let mut objects = Vec::new();
    for document in documents.iter().filter(|document| document.role == Role::Subject) {
        let kind = KindRef::of(&document.object);
        let known = match kinds::find(&kind) {
            Some(kind) => {
                diagnostics.extend(judge(document, kind));
                true
            }
            None => schemas.judge(document, &kind, &mut diagnostics),
        };
        let name = text(&document.object, &["metadata", "name"]).to_owned();
        objects.push(Checked { location: document.location(), kind, name, known });
    }
    Findings { diagnostics: in_order(diagnostics), objects }
}

/// What admission says of a new object of a kind of ours.
fn judge(document: &Document, kind: &Kind) -> Vec<Diagnostic> {
    let operation = Operation::Create(document.object.clone());
    let request = admit::Request { operation, input: None, lookups: BTreeMap::new() };
    let (denials, warnings) = match (kind.admit)(&request) {
        Ok(verdict) => (verdict.denials, verdict.warnings),
        Err(fault) => (fault.problems, Vec::new()),
    };
    let denials = denials.into_iter().map(|problem| document.diagnose(Gravity::Error, problem));
    let warnings = warnings.into_iter().map(|words| warning(document, words));
    denials.chain(warnings).collect()
}

fn warning(document: &Document, words: String) -> Diagnostic {
    document.diagnose(Gravity::Warning, Problem::new("", Code::Invalid, words))
}

/// The schemas of other kinds, each compiled when the first object needs it.
struct Schemas<'a> {
    found: Vec<(&'a Document, Source)>,
    compiled: BTreeMap<usize, Option<Schema>>,
}

impl<'a> Schemas<'a> {
    fn of(sources: &[super::Source], documents: &'a [Document]) -> Self {
        let given = documents.iter().filter(|document| document.role == Role::Schema);
        let found = given.flat_map(|document| {
            let name = document.source(sources).map_or("", |source| source.name.as_str());
            sources::find(name, &document.object).into_iter().map(move |source| (document, source))
        });
        Self { found: found.collect(), compiled: BTreeMap::new() }
    }

    /// Judges an object by its schema, and says whether there was one. The later of several counts.
    fn judge(&mut self, document: &Document, kind: &KindRef, diagnostics: &mut Vec<Diagnostic>) -> bool {
        let describes = |(_, source): &(_, Source)| source.describes(&kind.api_version, &kind.kind);
        let Some(index) = self.found.iter().rposition(describes) else { return false };
        let (origin, source) = &self.found[index];
        let compiled = self.compiled.entry(index).or_insert_with(|| match Schema::read(&source.schema) {
            Ok(schema) => Some(schema),
            Err(errors) => {
                diagnostics.extend(errors.iter().map(|error| unusable(origin, source, error)));
                None
            }
        });
        let Some(schema) = compiled else { return false };
        let options = Options { scope: source.scope, ..Options::default() };
        match schema.admit(&without_status(&document.object, source.status), &options) {
            Ok(admitted) => diagnostics.extend(admitted.warnings.into_iter().map(|words| warning(document, words))),
            Err(errors) => {
                let problems = validation::problems(errors).into_iter();
                diagnostics.extend(problems.map(|problem| document.diagnose(Gravity::Error, problem)));
            }
        }
        true
    }
}

/// The API server passes over the status of a new object whose kind has it as a subresource.
fn without_status(object: &Value, subresource: bool) -> Value {
    let mut object = object.clone();
    if let (true, Some(fields)) = (subresource, object.as_object_mut()) {
        fields.remove("status");
    }
    object
}

fn unusable(document: &Document, source: &Source, error: &schema::FieldError) -> Diagnostic {
    let message = format!("the schema of {} {} is unusable: {error}", source.version, source.kind);
    document.diagnose(Gravity::Error, Problem::new("", Code::Invalid, message))
}
