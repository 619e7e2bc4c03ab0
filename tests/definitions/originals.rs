//! Objects that an original's definition accepts, and what ours make of them.
//!
//! Those definitions are not part of the project: they are read from the folder in `SAILPLANE_CRDS`, or from `../shared/crds`.

use std::{env, fs};

use contract::types::Problem;
use native::random::Random;
use serde_json::{Value, json};
use toolbox::kind::Kind;
use toolbox::validation::Validator;

/// How many objects of each kind are compared.
pub(crate) const OBJECTS: usize = 5_000;

/// How objects are generated.
pub(crate) struct Generator {
    /// Texts for fields of all patterns: the first one fits most of them.
    pub(crate) texts: &'static [&'static str],
    /// Integers for fields without bounds.
    pub(crate) integers: &'static [i64],
}

/// What was compared.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Compared {
    /// How many objects were generated until enough of them were accepted by the original.
    pub(crate) generated: usize,
    /// How many of the accepted ones ours refuse, as a table of differences says.
    pub(crate) refused: usize,
}

/// The text of an original, below the folder of originals. Without it, prints that `what` is skipped, and fails in CI.
pub(crate) fn read(file: &str, what: &str) -> Option<String> {
    let file = native::files::schemas().join(file);
    let text = fs::read_to_string(&file).ok();
    if text.is_none() {
        assert!(env::var_os("CI").is_none(), "{} is missing", file.display());
        println!("skipped {what}: there is no {}", file.display());
    }
    text
}

/// Compares what `theirs`, the schema of the original's `spec`, and our definition make of objects: those that the original accepts are
/// accepted, with the same defaults, but for problems that are `known` in an object.
pub(crate) fn compare(
    kind: &Kind,
    theirs: &Value,
    generator: &Generator,
    start: u64,
    known: impl Fn(&Value, &Problem) -> bool,
) -> Compared {
    let mut document = (kind.definition)().document().clone();
    let schema = json!({"type": "object", "required": ["spec"], "properties": {"spec": theirs}});
    document["spec"]["versions"][0]["schema"]["openAPIV3Schema"] = schema;
    let original = Validator::read(&document.to_string());
    let mut numbers = Random::new(start);
    let (mut compared, mut accepted) = (Compared::default(), 0);
    while accepted < OBJECTS {
        compared.generated += 1;
        assert!(compared.generated < 100 * OBJECTS, "{}: the original accepts {accepted} objects only", kind.kind);
        let object = json!({
            "apiVersion": kind.api_version, "kind": kind.kind, "metadata": {"name": "a", "namespace": "ml"},
            "spec": generator.value(theirs, &mut numbers),
        });
        let Ok(stored) = original.stored(&object) else { continue };
        accepted += 1;
        match (kind.definition)().stored(&object) {
            Ok(ours) => assert_eq!(ours, stored, "{}: {object}", kind.kind),
            Err(problems) => {
                let new = problems.iter().find(|problem| !known(&stored, problem));
                assert!(new.is_none(), "{}: {new:?} of {object}", kind.kind);
                compared.refused += 1;
            }
        }
    }
    compared
}

impl Generator {
    /// A value for a schema: mostly a valid one.
    pub(crate) fn value(&self, schema: &Value, numbers: &mut Random) -> Value {
        if numbers.below(400) == 0 {
            return numbers.pick(&[Value::Null, json!(1), json!("a"), json!([]), json!({}), json!(true)]).clone();
        }
        if schema["x-kubernetes-int-or-string"] == true || schema["anyOf"].is_array() {
            return numbers.pick(&[json!("5Gi"), json!(2), json!("100m"), json!("1.5"), json!("2")]).clone();
        }
        if let Some(all) = schema["enum"].as_array() {
            return numbers.pick(all).clone();
        }
        match schema["type"].as_str() {
            Some("object") => {
                let mut object = serde_json::Map::new();
                for (name, field) in schema["properties"].as_object().into_iter().flatten() {
                    let is_required = schema["required"].as_array().is_some_and(|all| all.iter().any(|it| it == name));
                    if numbers.below(400) < if is_required { 399 } else { 260 } {
                        object.insert(name.clone(), self.value(field, numbers));
                    }
                }
                if schema["additionalProperties"].is_object() && numbers.below(2) == 0 {
                    let key = *numbers.pick(&["cpu", "example.org/a", "b"]);
                    object.insert(key.to_owned(), self.value(&schema["additionalProperties"], numbers));
                }
                object.into()
            }
            Some("array") => (0..numbers.below(3)).map(|_| self.value(&schema["items"], numbers)).collect(),
            Some("integer") if schema["minimum"].is_null() && schema["maximum"].is_null() => {
                (*numbers.pick(self.integers)).into()
            }
            Some("integer") => {
                let least = schema["minimum"].as_i64().unwrap_or(-1);
                let most = schema["maximum"].as_i64().unwrap_or(i64::from(i32::MAX));
                numbers.pick(&[least, least + 1, 8, most]).to_owned().min(most).into()
            }
            Some("boolean") => (numbers.below(2) == 0).into(),
            _ => {
                // A few texts do not fit: where there is a bound, or a pattern.
                let fitting = if numbers.below(60) == 0 { self.texts } else { &self.texts[..1] };
                let is_free = schema["pattern"].is_null() && schema["minLength"].is_null();
                json!(numbers.pick(if is_free { self.texts } else { fitting }))
            }
        }
    }
}
