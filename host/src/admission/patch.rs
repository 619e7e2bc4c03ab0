//! Makes a JSON patch (RFC 6902) of defaults.

use serde_json::{Value, json};

use crate::wit::admit::DefaultValue;

/// The operations that add `defaults` to `object`. Existing values stay, so a second patch changes nothing. When a
/// parent is no object, the default is left out.
pub(super) fn patch(object: &str, defaults: &[DefaultValue]) -> Vec<Value> {
    let Ok(mut object) = serde_json::from_str(object) else { return Vec::new() };
    defaults.iter().flat_map(|default| write(&mut object, default).unwrap_or_default()).collect()
}

/// Adds one default to `object`, and returns the operations. `None` when the default cannot or need not be added.
fn write(object: &mut Value, default: &DefaultValue) -> Option<Vec<Value>> {
    let value: Value = serde_json::from_str(&default.value).ok()?;
    let (parents, key) = default.pointer.rsplit_once('/')?;
    let mut at = object;
    let mut path = String::new();
    let mut operations = Vec::new();
    for parent in parents.split('/').skip(1) {
        path.push('/');
        path.push_str(parent);
        let fields = at.as_object_mut()?;
        at = fields.entry(unescaped(parent)).or_insert_with(|| {
            operations.push(json!({"op": "add", "path": path, "value": {}}));
            json!({})
        });
    }
    let fields = at.as_object_mut()?;
    if fields.contains_key(&unescaped(key)) {
        return None;
    }
    operations.push(json!({"op": "add", "path": default.pointer, "value": value}));
    fields.insert(unescaped(key), value);
    Some(operations)
}

/// The key that a part of a JSON pointer (RFC 6901) stands for.
fn unescaped(part: &str) -> String {
    part.replace("~1", "/").replace("~0", "~")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(object: Value, defaults: &[(&str, Value)], expected: Value) {
        let default = |(pointer, value): &(&str, Value)| DefaultValue {
            pointer: (*pointer).to_owned(),
            value: value.to_string(),
            because: String::new(),
        };
        let defaults: Vec<_> = defaults.iter().map(default).collect();
        assert_eq!(Value::Array(patch(&object.to_string(), &defaults)), expected, "{object}");
    }

    fn add(path: &str, value: Value) -> Value {
        json!({"op": "add", "path": path, "value": value})
    }

    #[test]
    fn patches() {
        let a = || ("/spec/a", json!(1));
        check(json!({"spec": {}}), &[a()], json!([add("/spec/a", json!(1))]));
        check(json!({"spec": {"a": 2}}), &[a()], json!([]));
        check(json!({"spec": {"a": null}}), &[a()], json!([]));
        check(json!({}), &[a()], json!([add("/spec", json!({})), add("/spec/a", json!(1))]));
        check(json!({"spec": 1}), &[a()], json!([]));
        check(json!({"spec": []}), &[("/spec/0", json!(1))], json!([]));
        check(json!(1), &[a()], json!([]));
        // A missing parent is added once.
        check(
            json!({}),
            &[("/b/c/d", json!("x")), ("/b/c/e", json!(["y"]))],
            json!([
                add("/b", json!({})),
                add("/b/c", json!({})),
                add("/b/c/d", json!("x")),
                add("/b/c/e", json!(["y"]))
            ]),
        );
        check(json!({"m": {}}), &[("/m/a~1b~0c", json!(1))], json!([add("/m/a~1b~0c", json!(1))]));
        check(json!({"m": {"a/b~c": 0}}), &[("/m/a~1b~0c", json!(1))], json!([]));
        check(json!({}), &[("", json!(1))], json!([]));
    }
}
