//! Type checking: from a syntax tree to the types of its nodes.

pub(crate) mod checked;
pub(crate) mod checker;
pub(crate) mod messages;
pub(crate) mod scope;
pub(crate) mod unify;
pub(crate) mod validate;
