//! Errors of reading, with their places.

use std::fmt;

use crate::node::Span;

/// Why a document cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The part of the text that is wrong.
    pub span: Span,
    /// The path to the value that was being read. Empty when the error belongs to no field.
    pub path: Vec<Step>,
    /// The category of the error.
    pub category: Category,
    /// What is wrong.
    pub message: String,
}

/// Categories of errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Category {
    /// The text is not well-formed, or exceeds a limit.
    Syntax,
    /// JSON cannot represent a key or a value.
    Invalid,
    /// A mapping has the same key twice.
    Duplicate,
}

/// One step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// The value of a key in a mapping.
    Key(String),
    /// An item of a list, counted from 0.
    Index(usize),
}

impl Error {
    pub(crate) fn syntax(span: Span, message: impl Into<String>) -> Self {
        Self::new(span, Category::Syntax, message)
    }

    pub(crate) fn invalid(span: Span, message: impl Into<String>) -> Self {
        Self::new(span, Category::Invalid, message)
    }

    pub(crate) fn duplicate(span: Span, message: impl Into<String>) -> Self {
        Self::new(span, Category::Duplicate, message)
    }

    fn new(span: Span, category: Category, message: impl Into<String>) -> Self {
        Self { span, path: Vec::new(), category, message: message.into() }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let start = self.span.start;
        write!(f, "line {}, column {}: {}", start.line, start.column, self.message)
    }
}

impl std::error::Error for Error {}

/// How many characters of the text a message quotes.
const LONGEST: usize = 64;

/// A part of the text as messages quote it: on one line, and cut when it is long.
pub(crate) fn shown(text: &str) -> String {
    let start: String = text.chars().take(LONGEST + 1).collect();
    let spelled = start.escape_debug().to_string();
    match spelled.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("`{}…`", &spelled[..end]),
        None => format!("`{spelled}`"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows() {
        assert_eq!(shown("a\nb"), "`a\\nb`");
        assert_eq!(shown(&"ü".repeat(64)), format!("`{}`", "ü".repeat(64)));
        assert_eq!(shown(&"ü".repeat(65)), format!("`{}…`", "ü".repeat(64)));
    }
}
