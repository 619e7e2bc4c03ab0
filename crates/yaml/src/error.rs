//! Why a document cannot be read, and where.

use std::fmt;

use crate::node::Span;

/// Why a document cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// Where it is in the text.
    pub span: Span,
    /// Where it is in the document: the steps to what was being read. Empty where no field is to blame.
    pub path: Vec<Step>,
    /// What sort of error it is.
    pub category: Category,
    /// What is wrong.
    pub message: String,
}

/// The sorts of errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Category {
    /// The text is not well-formed, or beyond a limit.
    Syntax,
    /// A key or a value is none that JSON can hold.
    Invalid,
    /// A key stands twice in a mapping.
    Duplicate,
}

/// One step from a list or a mapping to what is in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// To the value of a key.
    Key(String),
    /// To an item, counted from 0.
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

/// Characters of a text that a message repeats.
const LONGEST: usize = 64;

/// A part of the text as messages show it: in one line, and cut when it is long.
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
