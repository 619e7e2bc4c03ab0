//! What is known of a tree once it is checked.

use crate::libraries::signature::Function;
use crate::types::Type;

/// What the checker found out about each node.
pub(crate) struct Checked {
    pub(crate) types: Vec<Type>,
    pub(crate) references: Vec<Reference>,
}

/// What a node refers to.
#[derive(Clone, Default)]
pub(crate) enum Reference {
    #[default]
    None,
    /// A variable, by its name without a leading dot.
    Variable(String),
    /// A type, used as a value.
    Type(Type),
    /// A type that only the checker knows, by its name.
    Unplanned(String),
    Call(Callee),
}

/// The function of a call, and its overloads that the types of the arguments allow for.
#[derive(Clone)]
pub(crate) struct Callee {
    pub(crate) function: &'static Function,
    pub(crate) candidates: Vec<usize>,
    /// Whether what looks like a receiver is part of the name (`sets.contains`).
    pub(crate) namespaced: bool,
    /// Whether only evaluation tells the type of an argument.
    pub(crate) dynamic: bool,
}
