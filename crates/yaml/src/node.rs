//! Trees of values that know where they stand.

use saphyr_parser::Marker;
use serde_json::Value;

/// A value and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// What it is.
    pub data: Data,
    /// Where it stands. What an alias refers to stands where the alias is.
    pub span: Span,
}

/// What a [`Node`] is.
#[derive(Clone, Debug, PartialEq)]
pub enum Data {
    /// Neither a list nor a mapping.
    Scalar(Value),
    /// A list.
    Sequence(Vec<Node>),
    /// A mapping, in the order of the text, and then what it merges. No key stands twice.
    Mapping(Vec<Entry>),
}

/// One entry of a mapping.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Its key.
    pub key: String,
    /// Where the key stands.
    pub key_span: Span,
    /// Its value.
    pub value: Node,
}

/// A part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// Its first character.
    pub start: Position,
    /// After its last character.
    pub end: Position,
}

/// A point in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

impl Node {
    /// The entry of `key`, when this is a mapping that has it.
    pub fn get(&self, key: &str) -> Option<&Entry> {
        match &self.data {
            Data::Mapping(entries) => entries.iter().find(|entry| entry.key == key),
            Data::Scalar(_) | Data::Sequence(_) => None,
        }
    }

    /// The item at `index`, counted from 0, when this is a list that has it.
    pub fn item(&self, index: usize) -> Option<&Self> {
        match &self.data {
            Data::Sequence(items) => items.get(index),
            Data::Scalar(_) | Data::Mapping(_) => None,
        }
    }

    /// The value without its positions.
    pub fn to_value(&self) -> Value {
        match &self.data {
            Data::Scalar(value) => value.clone(),
            Data::Sequence(items) => items.iter().map(Self::to_value).collect(),
            Data::Mapping(entries) => {
                Value::Object(entries.iter().map(|entry| (entry.key.clone(), entry.value.to_value())).collect())
            }
        }
    }

    /// The value without its positions, from a tree that is not needed any more.
    pub fn into_value(self) -> Value {
        match self.data {
            Data::Scalar(value) => value,
            Data::Sequence(items) => items.into_iter().map(Self::into_value).collect(),
            Data::Mapping(entries) => {
                Value::Object(entries.into_iter().map(|entry| (entry.key, entry.value.into_value())).collect())
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
}

impl Span {
    /// The start of a text: where to point when no part of it is to blame.
    pub const START: Self = Self { start: Position::START, end: Position::START };
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
