//! Field paths, as the API server writes them: `spec.rules[0].host`, `metadata.annotations[example.org/key]`.

use serde_json::{Map, Value};

/// One segment of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Segment<'a> {
    /// A key of an object.
    Key(&'a str),
    /// An index of a list.
    Index(usize),
}

/// The segments of `path`. Brackets contain an index if they contain digits only, and a key otherwise.
pub fn segments(path: &str) -> impl Iterator<Item = Segment<'_>> {
    let mut rest = path;
    std::iter::from_fn(move || {
        rest = rest.strip_prefix('.').unwrap_or(rest);
        if rest.is_empty() {
            return None;
        }
        if let Some((inside, after)) = rest.strip_prefix('[').and_then(|open| open.split_once(']')) {
            rest = after;
            return Some(inside.parse().map_or(Segment::Key(inside), Segment::Index));
        }
        // A `[` without `]` at the start belongs to the key, so that every segment has at least one character.
        let end = rest.bytes().skip(1).position(|byte| matches!(byte, b'.' | b'[')).map_or(rest.len(), |at| at + 1);
        let (key, after) = rest.split_at(end);
        rest = after;
        Some(Segment::Key(key))
    })
}

/// The path of `key` inside the object at `path`.
pub fn key(path: &str, key: &str) -> String {
    let plain = !key.is_empty() && !key.contains(['.', '/', '[', ']']);
    match (plain, path) {
        (true, "") => key.to_owned(),
        (true, _) => format!("{path}.{key}"),
        (false, _) => format!("{path}[{key}]"),
    }
}

/// The path of item `index` of the list at `path`.
pub fn index(path: &str, index: usize) -> String {
    format!("{path}[{index}]")
}

/// The path from the root of the object, when `path` starts at `parent`.
pub fn join(parent: &str, path: &str) -> String {
    match (parent, path) {
        ("", path) => path.to_owned(),
        (parent, "") => parent.to_owned(),
        (parent, path) if path.starts_with('[') => format!("{parent}{path}"),
        (parent, path) => format!("{parent}.{path}"),
    }
}

/// The path as a JSON pointer (RFC 6901).
pub fn pointer(path: &str) -> String {
    let step = |segment| match segment {
        Segment::Key(key) => format!("/{}", key.replace('~', "~0").replace('/', "~1")),
        Segment::Index(index) => format!("/{index}"),
    };
    segments(path).map(step).collect()
}

/// The value at `path`, if there is one.
pub fn get<'v>(value: &'v Value, path: &str) -> Option<&'v Value> {
    segments(path).try_fold(value, |value, segment| match segment {
        Segment::Key(key) => value.get(key),
        Segment::Index(index) => value.get(index),
    })
}

/// Sets the value at `path`. Missing parents are created, and parents of the wrong type are replaced. An index may be
/// at most the length of its list.
pub fn set(value: &mut Value, path: &str, new: Value) {
    if let Some(place) = place(value, path) {
        *place = new;
    }
}

/// The value at `path`. If there is none, `null` is put there, and parents are created as [`set`] does.
pub fn place<'v>(value: &'v mut Value, path: &str) -> Option<&'v mut Value> {
    segments(path).try_fold(value, |value, segment| match segment {
        Segment::Key(key) => {
            if !value.is_object() {
                *value = Value::Object(Map::new());
            }
            let object = value.as_object_mut()?;
            if object.contains_key(key) { object.get_mut(key) } else { Some(object.entry(key).or_insert(Value::Null)) }
        }
        Segment::Index(index) => {
            if !value.is_array() {
                *value = Value::Array(Vec::new());
            }
            let list = value.as_array_mut()?;
            if index >= list.len() {
                list.push(Value::Null);
            }
            let last = list.len() - 1;
            list.get_mut(index.min(last))
        }
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn steps() {
        let check = |path, want: &[Segment<'_>]| assert_eq!(segments(path).collect::<Vec<_>>(), want, "{path}");
        check("", &[]);
        check("spec", &[Segment::Key("spec")]);
        check(
            "spec.rules[0].host",
            &[Segment::Key("spec"), Segment::Key("rules"), Segment::Index(0), Segment::Key("host")],
        );
        check("a[example.org/key].b", &[Segment::Key("a"), Segment::Key("example.org/key"), Segment::Key("b")]);
        check("a[0][1]", &[Segment::Key("a"), Segment::Index(0), Segment::Index(1)]);
        check("[open", &[Segment::Key("[open")]);
        check("a..b", &[Segment::Key("a"), Segment::Key(".b")]);
    }

    #[test]
    fn paths_as_text() {
        assert_eq!(key("", "spec"), "spec");
        assert_eq!(key("spec", "model"), "spec.model");
        assert_eq!(key("metadata.annotations", "example.org/key"), "metadata.annotations[example.org/key]");
        assert_eq!(index("spec.rules", 2), "spec.rules[2]");
        assert_eq!(join("spec.pipeline[0].input", "vllm.image"), "spec.pipeline[0].input.vllm.image");
        assert_eq!(join("a", "[0]"), "a[0]");
        assert_eq!(join("", "a"), "a");
        assert_eq!(join("a", ""), "a");
    }

    #[test]
    fn values_that_are_set_can_be_read() {
        let mut value = Value::Null;
        set(&mut value, "metadata.annotations[example.org/key]", json!("x"));
        set(&mut value, "spec.rules[0].paths[0].path", json!("/"));
        set(&mut value, "spec.rules[0].host", json!("h"));
        let want = json!({
            "metadata": {"annotations": {"example.org/key": "x"}},
            "spec": {"rules": [{"host": "h", "paths": [{"path": "/"}]}]},
        });
        assert_eq!(value, want);
        assert_eq!(get(&value, "spec.rules[0].host"), Some(&json!("h")));
        assert_eq!(get(&value, "spec.rules[1].host"), None);
    }
}
