//! Trees of values with their positions.

use saphyr_parser::Marker;
use serde_json::{Map, Value};

/// A value and its place in the text.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The value.
    pub data: Data,
    /// The place in the text. For the value of an alias it is the place of the alias.
    pub span: Span,
}

/// The value of a [`Node`].
#[derive(Clone, Debug, PartialEq)]
pub enum Data {
    /// A scalar: text, number, boolean or null.
    Scalar(Value),
    /// A list.
    Sequence(Vec<Node>),
    /// A mapping: its entries in the order of the text, those that `<<` merges in its place. No key occurs twice: an entry
    /// that wins over an earlier one has the place of that one.
    Mapping(Vec<Entry>),
}

/// One entry of a mapping.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The key.
    pub key: String,
    /// The place of the key.
    pub key_span: Span,
    /// The value.
    pub value: Node,
}

/// A part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The position of the first character.
    pub start: Position,
    /// The position after the last character.
    pub end: Position,
}

/// A position in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
}

impl Node {
    /// Nothing, at the start of a text.
    pub const NULL: Self = Self { data: Data::Scalar(Value::Null), span: Span::START };

    /// The entry with this key, if this is a mapping that has one.
    pub fn get(&self, key: &str) -> Option<&Entry> {
        match &self.data {
            Data::Mapping(entries) => entries.iter().find(|entry| entry.key == key),
            Data::Scalar(_) | Data::Sequence(_) => None,
        }
    }

    /// The value of the entry with this key, if this is a mapping that has one. Consumes the tree.
    pub fn into_entry(self, key: &str) -> Option<Self> {
        match self.data {
            Data::Mapping(entries) => entries.into_iter().find(|entry| entry.key == key).map(|entry| entry.value),
            Data::Scalar(_) | Data::Sequence(_) => None,
        }
    }

    /// The item at `index`, counted from 0, if this is a list that has one.
    pub fn item(&self, index: usize) -> Option<&Self> {
        match &self.data {
            Data::Sequence(items) => items.get(index),
            Data::Scalar(_) | Data::Mapping(_) => None,
        }
    }

    /// The value without positions.
    pub fn to_value(&self) -> Value {
        match &self.data {
            Data::Scalar(value) => value.clone(),
            Data::Sequence(items) => items.iter().map(Self::to_value).collect(),
            Data::Mapping(entries) => {
                let mut fields = Map::new();
                fields.extend(entries.iter().map(|entry| (entry.key.clone(), entry.value.to_value())));
                Value::Object(fields)
            }
        }
    }

    /// The value without positions. Consumes the tree.
    pub fn into_value(self) -> Value {
        match self.data {
            Data::Scalar(value) => value,
            Data::Sequence(items) => items.into_iter().map(Self::into_value).collect(),
            Data::Mapping(entries) => {
                let mut fields = Map::new();
                fields.extend(entries.into_iter().map(|entry| (entry.key, entry.value.into_value())));
                Value::Object(fields)
            }
        }
    }

    /// How deep lists and mappings are nested in this node.
    pub(crate) fn depth(&self) -> usize {
        match &self.data {
            Data::Scalar(_) => 0,
            Data::Sequence(items) => 1 + items.iter().map(Self::depth).max().unwrap_or(0),
            Data::Mapping(entries) => 1 + entries.iter().map(|entry| entry.value.depth()).max().unwrap_or(0),
        }
    }
}

impl Span {
    /// The start of a text: the place of errors that belong to no part of it.
    pub const START: Self = Self { start: Position::START, end: Position::START };

    /// The same so many lines further below.
    pub(crate) fn below(self, lines: u32) -> Self {
        let below = |position: Position| Position { line: position.line.saturating_add(lines), ..position };
        Self { start: below(self.start), end: below(self.end) }
    }
}

impl Position {
    /// The first character of a text.
    pub const START: Self = Self { line: 1, column: 1 };
}

impl From<saphyr_parser::Span> for Span {
    fn from(span: saphyr_parser::Span) -> Self {
        Self { start: Position::from(span.start), end: Position::from(span.end) }
    }
}

impl From<Marker> for Span {
    fn from(marker: Marker) -> Self {
        Self { start: Position::from(marker), end: Position::from(marker) }
    }
}

impl From<Marker> for Position {
    fn from(marker: Marker) -> Self {
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        Self { line: number(marker.line()).max(1), column: number(marker.col()).saturating_add(1) }
    }
}
