//! Parsing: from text to a syntax tree.

pub(crate) mod ast;
pub(crate) mod draft;
pub(crate) mod lex;
pub(crate) mod macros;
pub(crate) mod parse;

/// The two sorts of expressions: device selectors and rules. Some macros and functions are only for device selectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    Device,
    Rule,
}
