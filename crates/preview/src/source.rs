//! Where things stand: trees of values with places.

use saphyr_parser::Marker;
use serde_json::Value;

use contract::types::Code;
use toolbox::path::{Segment, segments};

/// A value and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Node {
    /// What it is.
    pub(crate) data: Data,
    /// Where it stands.
    pub(crate) span: Span,
}

/// What a [`Node`] is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Data {
    /// Neither a list nor a mapping.
    Scalar(Value),
    /// A list.
    Sequence(Vec<Node>),
    /// A mapping, in the order of the text.
    Mapping(Vec<Entry>),
}

/// One entry of a mapping.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entry {
    /// Its key.
    pub(crate) key: String,
    /// Where the key stands.
    pub(crate) key_span: Span,
    /// Its value.
    pub(crate) value: Node,
}

/// A stretch of text. Lines and columns count from 1; both are 0 where no place is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Span {
    /// Its first character.
    pub(crate) start: Place,
    /// After its last character.
    pub(crate) end: Place,
}

/// A point in a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    /// Line, from 1.
    pub(crate) line: u32,
    /// Column in characters, from 1.
    pub(crate) column: u32,
}

impl Node {
    /// The value without its places.
    pub(crate) fn to_value(&self) -> Value {
        match &self.data {
            Data::Scalar(value) => value.clone(),
            Data::Sequence(items) => items.iter().map(Self::to_value).collect(),
            Data::Mapping(entries) => {
                Value::Object(entries.iter().map(|entry| (entry.key.clone(), entry.value.to_value())).collect())
            }
        }
    }

    /// How many lists and mappings lie within one another here.
    pub(crate) fn depth(&self) -> usize {
        match &self.data {
            Data::Scalar(_) => 0,
            Data::Sequence(items) => 1 + items.iter().map(Self::depth).max().unwrap_or(0),
            Data::Mapping(entries) => 1 + entries.iter().map(|entry| entry.value.depth()).max().unwrap_or(0),
        }
    }

    /// The node at a field path.
    pub(crate) fn at(&self, path: &str) -> Option<&Self> {
        let found = self.follow(path);
        found.whole.then_some(found.node)
    }

    /// Where to point for a problem of sort `code` at a field path: at the key for what is about the field,
    /// at the value for what is about the value, at the nearest parent for what is missing.
    pub(crate) fn locate(&self, path: &str, code: Code) -> Span {
        let Found { node, key, whole } = self.follow(path);
        let about_key = matches!(code, Code::UnknownField | Code::Forbidden | Code::Duplicate | Code::Required);
        match (&node.data, key) {
            (Data::Scalar(value), _) if whole && !about_key && !value.is_null() => node.span,
            (_, Some(key)) => key,
            (Data::Mapping(entries), None) => entries.first().map_or(node.span, |entry| entry.key_span),
            (_, None) => node.span,
        }
    }

    fn follow(&self, path: &str) -> Found<'_> {
        let mut found = Found { node: self, key: None, whole: true };
        for segment in segments(path) {
            let next = match (&found.node.data, segment) {
                (Data::Mapping(entries), Segment::Key(key)) => {
                    entries.iter().find(|entry| entry.key == key).map(|entry| (&entry.value, Some(entry.key_span)))
                }
                (Data::Sequence(items), Segment::Index(index)) => {
                    items.get(index).map(|item| (item, Some(item.first_line())))
                }
                _ => None,
            };
            match next {
                Some((node, key)) => found = Found { node, key, whole: true },
                None => return Found { whole: false, ..found },
            }
        }
        found
    }

    /// Where to point at an item of a list: at its first key when it is a mapping.
    fn first_line(&self) -> Span {
        match &self.data {
            Data::Mapping(entries) => entries.first().map_or(self.span, |entry| entry.key_span),
            Data::Scalar(_) | Data::Sequence(_) => self.span,
        }
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

impl From<saphyr_parser::Span> for Span {
    fn from(span: saphyr_parser::Span) -> Self {
        Self { start: Place::from(span.start), end: Place::from(span.end) }
    }
}

impl From<Marker> for Span {
    fn from(marker: Marker) -> Self {
        Self { start: Place::from(marker), end: Place::from(marker) }
    }
}

impl From<Marker> for Place {
    fn from(marker: Marker) -> Self {
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        Self { line: number(marker.line()), column: number(marker.col()).saturating_add(1) }
    }
}

#[cfg(test)]
mod tests {
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
        super::super::yaml::read(TEXT).remove(0).root.unwrap()
    }

    /// What is marked for a problem at `path`.
    #[track_caller]
    fn check(path: &str, code: Code, marked: &str) {
        let Span { start, end } = root().locate(path, code);
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
        let at = |path: &str| root().at(path).map(Node::to_value);
        assert_eq!(at("spec.rules[1].host"), Some(Value::from("b")));
        assert_eq!(at(""), Some(root().to_value()));
        assert_eq!(at("spec.rules[2]"), None);
        assert_eq!(at("spec.gpu.more"), None);
    }
}
