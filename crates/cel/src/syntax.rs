//! Parsing: from text to a syntax tree.

pub(crate) mod ast;
pub(crate) mod draft;
pub(crate) mod lex;
pub(crate) mod macros;
pub(crate) mod parse;
pub(crate) mod split;

/// The sorts of expressions. Some macros and functions are only for device selectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    Device,
    /// Device selectors that may also be spelled as Modelplane v0.3.1 spells them (`libraries/tolerant.rs`).
    TolerantDevice,
    Rule,
}
