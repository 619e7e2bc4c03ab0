//! Text → tree.

pub(crate) mod ast;
pub(crate) mod draft;
pub(crate) mod lex;
pub(crate) mod macros;
pub(crate) mod parse;

/// Where an expression stands; some macros and functions are for devices alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    Device,
    Rule,
}
