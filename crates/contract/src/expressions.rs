//! Expressions to try, and what comes of them (`wit/expressions.wit`).

use serde_json::Value;

/// What an expression is about.
#[derive(Clone, Debug, PartialEq)]
pub enum Subject {
    /// A device as a ResourceSlice publishes it, for selectors.
    Device(Value),
    /// A value of a custom resource, for validation rules.
    Value {
        /// The value, `self` in the rule.
        this: Value,
        /// The value before an update, `oldSelf` in the rule.
        before: Option<Value>,
        /// The structural schema of the value.
        schema: Value,
    },
}

/// An expression and what it is tried on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trial {
    /// The expression.
    pub expression: String,
    /// Index of its subject.
    pub subject: u32,
}

/// Expressions to try.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExpressionsRequest {
    /// What they are about.
    pub subjects: Vec<Subject>,
    /// The expressions.
    pub trials: Vec<Trial>,
}

/// Where an evaluation stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The expression does not compile.
    Compile,
    /// Its type is not boolean.
    NotBoolean,
    /// It failed as it was evaluated, or its subject cannot be read.
    Runtime,
    /// It would have cost more than Kubernetes allows.
    Cost,
}

/// A place in an expression; both count from 1, columns in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

/// Why there is no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Where it stopped.
    pub stage: Stage,
    /// What is wrong.
    pub message: String,
    /// Where it is wrong.
    pub place: Option<Place>,
    /// The name that was probably meant.
    pub meant: Option<String>,
}

/// What came of an expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// Its value.
    pub value: Result<Value, Failure>,
    /// What it cost, when it was evaluated.
    pub cost: Option<u64>,
    /// The most that Kubernetes would expect it to cost, when it compiles.
    pub estimate: Option<u64>,
}
