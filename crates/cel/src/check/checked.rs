//! The result of type checking.

use crate::libraries::signature::Function;
use crate::types::Type;

/// The type of each node, and what it refers to, by the node's index.
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
    /// A type that is used as a value.
    Type(Type),
    /// The name of a type that only the checker knows. Kubernetes refuses such an expression after type checking.
    CheckedOnly(String),
    Call(Callee),
}

/// The function of a call.
#[derive(Clone)]
pub(crate) struct Callee {
    pub(crate) function: &'static Function,
    /// The indexes of the overloads that fit the types of the arguments.
    pub(crate) candidates: Vec<usize>,
    /// Whether the receiver is really a part of the function's name (`sets.contains`).
    pub(crate) namespaced: bool,
    /// Whether the type of an argument is only known during evaluation.
    pub(crate) dynamic: bool,
}
