//! What an API server demands of any object's metadata, and Crossplane of a composite's.

use serde_json::{Map, Value};

use crate::catalog::Scope;
use crate::names::is_subdomain;
use crate::path;
use crate::problem::{Code, Edit, Problem};
use crate::structural::{cut, shown};

/// Longest name of a composite: Crossplane's CustomResourceDefinitions say so, since it becomes a label.
const MAX_NAME: usize = 63;

/// Longest value, and longest name part of a key, of a label.
const MAX_LABEL: usize = 63;

/// Every field of `ObjectMeta`.
const FIELDS: &[&str] = &[
    "annotations",
    "creationTimestamp",
    "deletionGracePeriodSeconds",
    "deletionTimestamp",
    "finalizers",
    "generateName",
    "generation",
    "labels",
    "managedFields",
    "name",
    "namespace",
    "ownerReferences",
    "resourceVersion",
    "selfLink",
    "uid",
];

/// Everything that is wrong with the metadata of a composite of this scope.
pub(super) fn check(object: &Value, scope: Scope) -> Vec<Problem> {
    let metadata = match object.get("metadata") {
        Some(Value::Object(metadata)) => metadata,
        None | Some(Value::Null) => {
            return vec![Problem::new("metadata", Code::Required, "missing; give at least a name")];
        }
        Some(_) => {
            return vec![Problem::new(
                "metadata",
                Code::TypeInvalid,
                "has the wrong type; give a mapping with at least a name",
            )];
        }
    };
    let mut problems = Vec::new();
    for key in metadata.keys().filter(|key| !FIELDS.contains(&key.as_str())) {
        problems.push(Problem::new(
            path::key("metadata", key),
            Code::UnknownField,
            format!("unknown field {}", cut(key)),
        ));
    }
    problems.extend(name(metadata));
    problems.extend(namespace(metadata, scope));
    for field in ["labels", "annotations"] {
        problems.extend(texts(metadata, field));
    }
    problems
}

fn name(metadata: &Map<String, Value>) -> Option<Problem> {
    let problem = |code, message: String| Some(Problem::new("metadata.name", code, message));
    match metadata.get("name") {
        None | Some(Value::Null) if metadata.contains_key("generateName") => problem(
            Code::Required,
            "a name is missing: what `generateName` becomes is only known in a cluster".to_owned(),
        ),
        None | Some(Value::Null) => problem(Code::Required, "a name is missing".to_owned()),
        Some(Value::String(name)) if name.is_empty() => problem(Code::Required, "the name is empty".to_owned()),
        Some(Value::String(name)) if !is_subdomain(name) && name.len() <= 253 => problem(
            Code::Invalid,
            format!(
                "{} must be lower case letters, digits, `-` and `.`, with a letter or digit at both ends",
                cut(name)
            ),
        ),
        Some(Value::String(name)) if name.len() > MAX_NAME => problem(
            Code::TooLong,
            format!("the name has {} characters; at most {MAX_NAME} are allowed", name.chars().count()),
        ),
        Some(Value::String(_)) => None,
        Some(other) => problem(Code::TypeInvalid, format!("the name must be text, not {}", shown(other)))
            .map(|found| quoted(found, other)),
    }
}

fn namespace(metadata: &Map<String, Value>, scope: Scope) -> Option<Problem> {
    let problem = |code, message: String| Some(Problem::new("metadata.namespace", code, message));
    match (metadata.get("namespace"), scope) {
        (None | Some(Value::Null), _) => None,
        (Some(Value::String(name)), _) if name.is_empty() => None,
        (Some(Value::String(_)), Scope::Cluster) => {
            problem(Code::Forbidden, "objects of this kind are in no namespace".to_owned())
                .map(|found| found.with_fix(Edit::Remove))
        }
        (Some(Value::String(name)), Scope::Namespaced)
            if name.len() > MAX_NAME || name.contains('.') || !is_subdomain(name) =>
        {
            problem(
                Code::Invalid,
                format!(
                    "{} must be at most {MAX_NAME} lower case letters, digits and `-`, with a letter or digit at both ends",
                    cut(name)
                ),
            )
        }
        (Some(Value::String(_)), Scope::Namespaced) => None,
        (Some(other), _) => problem(Code::TypeInvalid, format!("the namespace must be text, not {}", shown(other)))
            .map(|found| quoted(found, other)),
    }
}

/// Labels or annotations: mappings of text to text.
fn texts(metadata: &Map<String, Value>, field: &str) -> Vec<Problem> {
    let here = format!("metadata.{field}");
    let entries = match metadata.get(field) {
        None | Some(Value::Null) => return Vec::new(),
        Some(Value::Object(entries)) => entries,
        Some(_) => {
            return vec![Problem::new(here, Code::TypeInvalid, format!("`{field}` must be a mapping of text to text"))];
        }
    };
    let wrong = entries.iter().filter_map(|(key, value)| {
        let (code, message) = match value {
            _ if !is_qualified(key) => (Code::Invalid, format!("{} is no key: a name of at most {MAX_LABEL} characters, perhaps after `example.org/`", cut(key))),
            Value::String(text) if field == "labels" && !is_label(text) => {
                (Code::Invalid, format!("{} must be at most {MAX_LABEL} letters, digits, `-`, `_` and `.`, with a letter or digit at both ends", cut(text)))
            }
            Value::String(_) => return None,
            other => {
                let problem = Problem::new(path::key(&here, key), Code::TypeInvalid, format!("must be text, not {}: put it in quotes", shown(other)));
                return Some(quoted(problem, other));
            }
        };
        Some(Problem::new(path::key(&here, key), code, message))
    });
    wrong.collect()
}

/// Offers a scalar in quotes.
fn quoted(problem: Problem, scalar: &Value) -> Problem {
    if scalar.is_number() || scalar.is_boolean() {
        let text = Value::String(scalar.to_string());
        problem.with_fix(Edit::Replace(text))
    } else {
        problem
    }
}

fn is_label(text: &str) -> bool {
    text.is_empty() || is_name(text)
}

fn is_qualified(key: &str) -> bool {
    match key.split_once('/') {
        Some((prefix, name)) => is_subdomain(prefix) && is_name(name),
        None => is_name(key),
    }
}

fn is_name(text: &str) -> bool {
    let ends = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
    text.len() <= MAX_LABEL
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
        && ends(text.chars().next())
        && ends(text.chars().next_back())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(metadata: Value, problems: &[(&str, Code)]) {
        let found = super::check(&json!({ "metadata": metadata }), Scope::Namespaced);
        let found: Vec<_> = found.iter().map(|problem| (problem.path.as_str(), problem.code)).collect();
        assert_eq!(found, problems, "{metadata}");
    }

    #[test]
    fn names() {
        check(json!(null), &[("metadata", Code::Required)]);
        check(json!([]), &[("metadata", Code::TypeInvalid)]);
        check(json!({}), &[("metadata.name", Code::Required)]);
        check(json!({ "name": "" }), &[("metadata.name", Code::Required)]);
        check(json!({ "generateName": "a-" }), &[("metadata.name", Code::Required)]);
        check(json!({ "name": 4 }), &[("metadata.name", Code::TypeInvalid)]);
        check(json!({ "name": "My_LLM" }), &[("metadata.name", Code::Invalid)]);
        check(json!({ "name": "a".repeat(63) }), &[]);
        check(json!({ "name": "a".repeat(64) }), &[("metadata.name", Code::TooLong)]);
        check(json!({ "name": "a".repeat(253) }), &[("metadata.name", Code::TooLong)]);
        check(json!({ "name": "a".repeat(254) }), &[("metadata.name", Code::TooLong)]);
    }

    #[test]
    fn namespaces() {
        check(json!({ "name": "a", "namespace": "team-a" }), &[]);
        check(json!({ "name": "a", "namespace": "a.b" }), &[("metadata.namespace", Code::Invalid)]);
        check(json!({ "name": "a", "namespace": "a".repeat(64) }), &[("metadata.namespace", Code::Invalid)]);
        check(json!({ "name": "a", "namespace": true }), &[("metadata.namespace", Code::TypeInvalid)]);
        let cluster = super::check(&json!({ "metadata": { "name": "a", "namespace": "b" } }), Scope::Cluster);
        assert_eq!(cluster[0].fix, Some(Edit::Remove));
    }

    #[test]
    fn labels() {
        check(json!({ "name": "a", "labels": { "app.kubernetes.io/name": "x", "empty": "" } }), &[]);
        check(json!({ "name": "a", "labels": { "n": 1 } }), &[("metadata.labels.n", Code::TypeInvalid)]);
        check(json!({ "name": "a", "labels": { "n": "a b" } }), &[("metadata.labels.n", Code::Invalid)]);
        check(json!({ "name": "a", "labels": { "a b": "" } }), &[("metadata.labels.a b", Code::Invalid)]);
        check(json!({ "name": "a", "labels": [] }), &[("metadata.labels", Code::TypeInvalid)]);
        check(json!({ "name": "a", "annotations": { "a/b": "any text: at all" } }), &[]);
        check(json!({ "name": "a", "annotation": {} }), &[("metadata.annotation", Code::UnknownField)]);
    }
}
