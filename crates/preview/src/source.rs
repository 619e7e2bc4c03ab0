//! Positions in documents: the nodes and spans at field paths.

use yaml::{Data, Node, Span};

use contract::types::Code;
use toolbox::path::{Segment, segments};

/// The node at a field path of a document, or `None` when there is none.
pub(super) fn find<'a>(root: &'a Node, path: &str) -> Option<&'a Node> {
    let found = follow(root, path);
    found.whole.then_some(found.node)
}

/// The span of a problem at a field path of a document: the key, if the problem is about the field; the value, if it is
/// about the value; the nearest parent, if the field is missing.
pub(super) fn locate(root: &Node, path: &str, code: Code) -> Span {
    let Found { node, key, whole } = follow(root, path);
    let about_key = matches!(code, Code::UnknownField | Code::Forbidden | Code::Duplicate | Code::Required);
    match (&node.data, key) {
        (Data::Scalar(value), _) if whole && !about_key && !value.is_null() => node.span,
        (_, Some(key)) => key,
        (_, None) => first_line(node),
    }
}

/// The last node on a path that exists.
struct Found<'a> {
    node: &'a Node,
    /// The span of the node's key, if it has one.
    key: Option<Span>,
    /// Whether this is the node at the end of the path.
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

/// The span for a whole document or an item of a list: its first key, if it is a mapping.
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

    /// Checks which text is marked for a problem at `path`.
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
