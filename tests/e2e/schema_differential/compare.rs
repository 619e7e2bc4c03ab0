//! Compares an answer of the API server with ours.

use std::collections::BTreeSet;
use std::fmt;

use schema::metadata::Scope;
use schema::{FieldError, Kind, Options};
use serde_json::Value;

use crate::definitions::{Definition, without_metadata};
use crate::values::Case;

/// The verdict on an object.
#[derive(Debug, PartialEq)]
enum Verdict {
    /// It is accepted, and stored like this.
    Stored(Value),
    /// It is refused while it is decoded: for its unknown fields, or because a value has the wrong type.
    Undecoded(Option<BTreeSet<String>>),
    /// It is refused for these causes: reason, field and message.
    Refused(BTreeSet<(String, String, String)>),
    /// The answer is no verdict at all.
    Strange(String),
}

/// Both verdicts, when they differ. None when the API server cannot read the stored object: the lax schema, by which it
/// was stored, also accepts embedded metadata that is malformed.
pub(crate) fn compare(
    definition: &Definition,
    case: &Case,
    old: Option<&Value>,
    (status, answer): (u16, &Value),
) -> Option<Outcome> {
    if status == 500 && old.is_some() {
        return None;
    }
    let (theirs, ours) = (theirs(status, answer), ours(definition, case, old));
    let accepted = matches!(theirs, Verdict::Stored(_));
    let difference = (theirs != ours).then(|| format!("the API server: {theirs:?}\n    sailplane: {ours:?}"));
    Some(Outcome { accepted, difference })
}

/// Both verdicts on one case.
pub(crate) struct Outcome {
    accepted: bool,
    pub(crate) difference: Option<String>,
}

fn theirs(status: u16, answer: &Value) -> Verdict {
    let message = answer["message"].as_str().unwrap_or_default();
    match status {
        200 | 201 => Verdict::Stored(plain(&without_metadata(answer).into())),
        400 => Verdict::Undecoded(
            message
                .split_once("strict decoding error: ")
                .map(|(_, unknown)| unknown.split(", ").map(str::to_owned).collect()),
        ),
        422 => {
            let causes = answer["details"]["causes"].as_array().cloned().unwrap_or_default();
            let text = |cause: &Value, name: &str| cause[name].as_str().unwrap_or_default().to_owned();
            let cause = |cause: &Value| (text(cause, "reason"), text(cause, "field"), stable(&text(cause, "message")));
            Verdict::Refused(causes.iter().map(cause).collect())
        }
        _ => Verdict::Strange(format!("{status} {message}")),
    }
}

fn ours(definition: &Definition, case: &Case, old: Option<&Value>) -> Verdict {
    // The API server decodes the stored object by the current schema.
    let old = old.map(|old| definition.schema.stored(old));
    let mut object = case.object.clone();
    if let Some(old) = &old {
        // The object is sent with these values.
        object["metadata"]["name"] = old["metadata"]["name"].clone();
    }
    let options = Options {
        old: old.as_ref(),
        scope: Some(Scope::Namespaced),
        status: definition.status,
        scale: definition.scale.as_ref(),
        ..Options::default()
    };
    match definition.schema.admit(&object, &options) {
        Ok(admitted) => Verdict::Stored(plain(&without_metadata(&admitted.object).into())),
        Err(errors) if errors.iter().any(|error| error.kind == Kind::Malformed) => Verdict::Undecoded(None),
        Err(errors) if errors.iter().any(|error| error.kind == Kind::UnknownField) => {
            let unknown = errors.iter().filter(|error| error.kind == Kind::UnknownField);
            Verdict::Undecoded(Some(unknown.map(FieldError::message).collect()))
        }
        Err(errors) => Verdict::Refused(
            errors
                .iter()
                .map(|error| (error.kind.reason().to_owned(), error.field.clone(), stable(&error.message())))
                .collect(),
        ),
    }
}

/// The value with every number written in the same way.
fn plain(value: &Value) -> Value {
    match value {
        Value::Number(number) if !number.is_i64() => number.as_f64().map_or(Value::Null, Value::from),
        Value::Array(items) => items.iter().map(plain).collect(),
        Value::Object(fields) => fields.iter().map(|(name, value)| (name.clone(), plain(value))).collect(),
        value => value.clone(),
    }
}

/// The number of cases by their outcome.
#[derive(Clone, Default)]
pub(crate) struct Tally {
    cases: usize,
    accepted: usize,
    updates: usize,
    samples: Vec<String>,
}

impl Tally {
    pub(crate) fn add(&mut self, definition: &Definition, case: &Case, outcome: Outcome) {
        self.cases += 1;
        self.accepted += usize::from(outcome.accepted);
        self.updates += usize::from(case.old.is_some());
        if let Some(difference) = outcome.difference {
            let old = case.old.as_ref().map(|old| format!("\n    old: {}", Value::from(without_metadata(old))));
            let object = Value::from(without_metadata(&case.object));
            self.samples.push(format!("{}: {object}{}\n    {difference}", definition.kind, old.unwrap_or_default()));
        }
    }

    /// Compares what both sides report for each field of the `spec` of a schema. Returns the places of all mistakes.
    pub(crate) fn add_schema(&mut self, schema: &Value, answer: &Value, ours: &[FieldError]) -> Vec<String> {
        let causes = answer["details"]["causes"].as_array().cloned().unwrap_or_default();
        let text = |cause: &Value, name: &str| cause[name].as_str().unwrap_or_default().to_owned();
        let theirs: BTreeSet<_> = causes
            .iter()
            .filter(|cause| !is_by_chance(&text(cause, "message")))
            .map(|cause| {
                let field = text(cause, "field");
                let field = field.split_once("openAPIV3Schema").map_or("", |(_, rest)| rest.trim_start_matches('.'));
                (text(cause, "reason"), field.to_owned(), stable(&text(cause, "message")))
            })
            .collect();
        let ours: BTreeSet<_> = ours
            .iter()
            .filter(|error| !is_by_chance(&error.detail))
            .map(|error| {
                let field = if error.field == "<nil>" { "" } else { &error.field };
                (error.kind.reason().to_owned(), field.to_owned(), stable(&error.message()))
            })
            .collect();
        let fields = schema["properties"]["spec"]["properties"].as_object().cloned().unwrap_or_default();
        for (name, field) in fields {
            let at = format!("properties[spec].properties[{name}]");
            let here = |all: &BTreeSet<(String, String, String)>| -> BTreeSet<_> {
                let inside =
                    |place: &str| place.strip_prefix(&at).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
                all.iter().filter(|(_, place, _)| inside(place)).cloned().collect()
            };
            let (theirs, ours) = (here(&theirs), here(&ours));
            self.cases += 1;
            self.accepted += usize::from(theirs.is_empty());
            if theirs != ours {
                self.samples.push(format!("{field}\n    the API server: {theirs:#?}\n    sailplane: {ours:#?}"));
            }
        }
        theirs.into_iter().chain(ours).map(|(_, field, _)| field).collect()
    }

    pub(crate) fn disagreements(&self) -> usize {
        self.samples.len()
    }

    /// Some of the cases where the two sides disagree.
    pub(crate) fn samples(&self) -> impl Iterator<Item = &String> {
        const SHOWN: usize = 25;
        let step = self.samples.len().div_ceil(SHOWN).max(1);
        self.samples.iter().step_by(step)
    }

    /// The numbers that were added since `before`.
    pub(crate) fn since(&self, before: &Self) -> Self {
        Self {
            cases: self.cases - before.cases,
            accepted: self.accepted - before.accepted,
            updates: self.updates - before.updates,
            samples: self.samples[before.samples.len()..].to_vec(),
        }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { cases, accepted, updates, samples } = self;
        let disagreements = samples.len();
        write!(f, "{cases} cases, {updates} of them updates; {accepted} accepted; {disagreements} disagreements")
    }
}

/// The message without the parts that differ between runs or parsers: the generated name of a type, which contains the
/// time; the path of the schema in its definition; the first wrong value of a map, whose order is random; and Go's
/// reason why it cannot parse a time.
fn stable(message: &str) -> String {
    let mut parts = message.split("selfType");
    let first = parts.next().unwrap_or_default().to_owned();
    let named =
        parts.fold(first, |text, part| text + "selfType" + part.trim_start_matches(|c: char| c.is_ascii_digit()));
    let placed = named.replace("spec.validation.openAPIV3Schema.", "");
    let why = [": parsing time ", ", got "].iter().filter_map(|why| placed.find(why)).min();
    match (why, placed.rfind(" evaluating rule: ")) {
        (Some(why), Some(rule)) if why < rule => format!("{}{}", &placed[..why], &placed[rule..]),
        _ => placed,
    }
}

/// Whether the message names the most expensive rules. When rules cost the same, the API server chooses among them at
/// random.
fn is_by_chance(message: &str) -> bool {
    message.contains("contributed to estimated rule cost total")
}
