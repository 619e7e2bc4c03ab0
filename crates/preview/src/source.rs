//! Where to point: the nodes and spans of a document that field paths lead to.

use yaml::{Data, Node, Span};

use contract::types::Code;
use toolbox::path::{Segment, segments};

/// The node at a field path of a document.
pub(super) fn find<'a>(root: &'a Node, path: &str) -> Option<&'a Node> {
    let found = follow(root, path);
    found.whole.then_some(found.node)
}

/// Where to point for a problem of sort `code` at a field path of a document: at the key for what is about the
/// field, at the value for what is about the value, at the nearest parent for what is missing.
pub(super) fn locate(root: &Node, path: &str, code: Code) -> Span {
    let Found { node, key, whole } = follow(root, path);
    let about_key = matches!(code, Code::UnknownField | Code::Forbidden | Code::Duplicate | Code::Required);
    match (&node.data, key) {
        (Data::Scalar(value), _) if whole && !about_key && !value.is_null() => node.span,
        (_, Some(key)) => key,
        (_, None) => first_line(node),
    }
}

/// How far a path led.
struct Found<'a> {
    node: &'a Node,
    /// The key of the node, when it has one.
    key: Option<Span>,
    /// Whether the whole path led there.
    whole: bool,
}

fn follow<'a>(root: &'a Node, path: &str) -> Found<'a> {
    let mut found = Found { node: root, key: None, whole: true };
    for segment in segments(path) {
        let next = match segment {
            Segment::Key(key) => found.node.get(key).map(|entry| (&entry.value, entry.key_span)),
            Segment::Index(index) => found.node.item(index).map(|item| (item, first_line(item))),
        };
        match next {
            Some((node, key)) => found = Found { node, key: Some(key), whole: true },
            None => return Found { whole: false, ..found },
        }
    }
    found
}

/// Where to point at a whole document or an item of a list: at its first key when it is a mapping.
fn first_line(node: &Node) -> Span {
    match &node.data {
        Data::Mapping(entries) => entries.first().map_or(node.span, |entry| entry.key_span),
        Data::Scalar(_) | Data::Sequence(_) => node.span,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    const TEXT: &str = "\
metadata:
  name: qwen
  annotations:
    example.org/key: 'ü'
spec:
  gpu: 4
  rules:
  - host: a.example.org
  - {host: b}
";

    fn root() -> Node {
        yaml::documents(TEXT).remove(0).unwrap()
    }

    /// What is marked for a problem at `path`.
    #[track_caller]
    fn check(path: &str, code: Code, marked: &str) {
        let Span { start, end } = locate(&root(), path, code);
        let line = TEXT.lines().nth(start.line as usize - 1).unwrap();
        assert_eq!(start.line, end.line, "{path}");
        let text: String =
            line.chars().skip(start.column as usize - 1).take((end.column - start.column) as usize).collect();
        assert_eq!(text, marked, "{path}");
    }

    #[test]
    fn places() {
        check("metadata.name", Code::Invalid, "qwen");
        check("metadata.name", Code::Duplicate, "name");
        check("metadata.annotations[example.org/key]", Code::Invalid, "'ü'");
        check("spec.gpu", Code::UnknownField, "gpu");
        check("spec.rules[0].host", Code::Invalid, "a.example.org");
        check("spec.rules[0]", Code::Invalid, "host");
        check("spec.rules[1].host", Code::Invalid, "b");
        check("spec.rules", Code::TooMany, "rules");
        check("spec.model", Code::Required, "spec");
        check("spec.rules[7].host", Code::Required, "rules");
        check("", Code::Required, "metadata");
        check("status.ready", Code::Required, "metadata");
    }

    #[test]
    fn values() {
        let value = |path: &str| find(&root(), path).map(Node::to_value);
        assert_eq!(value("spec.rules[1].host"), Some(Value::from("b")));
        assert_eq!(value(""), Some(root().to_value()));
        assert_eq!(value("spec.rules[2]"), None);
        assert_eq!(value("spec.gpu.more"), None);
    }
}
