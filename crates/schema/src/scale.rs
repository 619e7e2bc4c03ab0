//! The subresource `scale`: the API server reads numbers and a selector of the object for it, which must have their types.

use serde_json::{Value, json};

use crate::error::{FieldError, Kind};
use crate::go;
use crate::path::Segment;

/// Where the subresource `scale` of a kind reads, as in `subresources.scale` of its definition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scale {
    /// The path of the wanted replicas, e.g. `.spec.replicas`.
    pub spec_replicas: String,
    /// The path of the existing replicas.
    pub status_replicas: String,
    /// The path of the selector of their pods.
    pub label_selector: Option<String>,
}

impl Scale {
    /// The subresource of a version of a definition. `None` when it has none.
    pub fn of_version(version: &Value) -> Option<Self> {
        let scale = version["subresources"]["scale"].as_object()?;
        let path = |key: &str| scale.get(key).and_then(Value::as_str).map(str::to_owned);
        Some(Self {
            spec_replicas: path("specReplicasPath").unwrap_or_default(),
            status_replicas: path("statusReplicasPath").unwrap_or_default(),
            label_selector: path("labelSelectorPath"),
        })
    }
}

/// The errors of an object.
pub(crate) fn check(object: &Value, scale: &Scale) -> Vec<FieldError> {
    let numbers = [&scale.spec_replicas, &scale.status_replicas];
    let numbers = numbers.into_iter().filter_map(|path| replicas(object, path));
    numbers.chain(scale.label_selector.iter().filter_map(|path| selector(object, path))).collect()
}

fn replicas(object: &Value, path: &str) -> Option<FieldError> {
    let number = match find(object, path) {
        Ok(None) => return None,
        Ok(Some(value)) => value.as_i64().ok_or_else(|| mistyped(&steps(path), value, "int64")),
        Err(why) => Err(why),
    };
    match number {
        Err(why) => Some(error(path, json!(0), why)),
        Ok(number) if number < 0 => Some(error(path, json!(number), "should be a non-negative integer".to_owned())),
        Ok(number) if number > i64::from(i32::MAX) => {
            Some(error(path, json!(number), format!("should be less than or equal to {}", i32::MAX)))
        }
        Ok(_) => None,
    }
}

fn selector(object: &Value, path: &str) -> Option<FieldError> {
    let why = match find(object, path) {
        Ok(None | Some(Value::String(_))) => return None,
        Ok(Some(value)) => mistyped(&steps(path), value, "string"),
        Err(why) => why,
    };
    Some(error(path, json!(""), why))
}

/// The value at a path. `None` when there is none.
fn find<'v>(object: &'v Value, path: &str) -> Result<Option<&'v Value>, String> {
    let steps = steps(path);
    let mut value = object;
    for (index, step) in steps.iter().enumerate() {
        value = match value {
            Value::Null => return Ok(None),
            Value::Object(fields) => match fields.get(*step) {
                Some(value) => value,
                None => return Ok(None),
            },
            other => {
                let above = steps.get(..=index).unwrap_or_default();
                return Err(mistyped(above, other, "map[string]interface{}"));
            }
        };
    }
    Ok(Some(value))
}

fn steps(path: &str) -> Vec<&str> {
    path.strip_prefix('.').unwrap_or(path).split('.').collect()
}

/// What Kubernetes says of a value with another type than `wanted` (apimachinery `unstructured.NestedInt64`).
fn mistyped(steps: &[&str], value: &Value, wanted: &str) -> String {
    let is = match value {
        Value::Null => "<nil>",
        Value::Bool(_) => "bool",
        Value::Number(number) if go::float(number).is_some() => "float64",
        Value::Number(_) => "int64",
        Value::String(_) => "string",
        Value::Array(_) => "[]interface {}",
        Value::Object(_) => "map[string]interface {}",
    };
    format!(".{} accessor error: {} is of the type {is}, expected {wanted}", steps.join("."), go::plain(value))
}

/// An error, whose path the API server prints as the definition has it.
fn error(path: &str, value: Value, detail: String) -> FieldError {
    let steps = steps(path).into_iter().map(|step| Segment::Key(step.to_owned())).collect();
    FieldError { path: steps, field: path.to_owned(), kind: Kind::Invalid, value: Some(value), detail, hint: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The messages are those of Kubernetes 1.35.
    #[test]
    fn values_of_the_subresource() {
        let version = json!({"subresources": {"scale": {
            "specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.replicas.total", "labelSelectorPath": ".status.selector",
        }}});
        let scale = Scale::of_version(&version).unwrap();
        let check = |object: Value, want: &[&str]| {
            let errors: Vec<_> = super::check(&object, &scale).iter().map(FieldError::to_string).collect();
            assert_eq!(errors, want, "{object}");
        };
        let spec = |replicas: Value| json!({"spec": {"replicas": replicas}});
        check(json!({}), &[]);
        check(json!({"spec": null}), &[]);
        check(spec(json!(2)), &[]);
        check(spec(json!(-1)), &[".spec.replicas: Invalid value: -1: should be a non-negative integer"]);
        let most = ".spec.replicas: Invalid value: 2147483648: should be less than or equal to 2147483647";
        check(spec(json!(2_147_483_648_u64)), &[most]);
        let text =
            ".spec.replicas: Invalid value: 0: .spec.replicas accessor error: 4 is of the type string, expected int64";
        check(spec(json!("4")), &[text]);
        let null = ".spec.replicas: Invalid value: 0: .spec.replicas accessor error: <nil> is of the type <nil>, expected int64";
        check(spec(json!(null)), &[null]);
        let float = ".spec.replicas: Invalid value: 0: .spec.replicas accessor error: 1.5 is of the type float64, expected int64";
        check(spec(json!(1.5)), &[float]);
        let above = ".spec.replicas: Invalid value: 0: .spec.replicas accessor error: [1] is of the type []interface {}, \
                     expected map[string]interface{}";
        check(json!({"spec": [1]}), &[above]);
        let selector = ".status.selector: Invalid value: \"\": .status.selector accessor error: map[a:1] is of the type \
                        map[string]interface {}, expected string";
        check(json!({"status": {"selector": {"a": 1}, "replicas": {"total": 0}}}), &[selector]);
    }
}
