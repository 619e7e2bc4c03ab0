//! Request and answer of interface `expressions`: CEL expressions to evaluate (`wit/expressions.wit`).

use serde_json::Value;

/// The input of an expression. It decides which variables and functions the expression has.
#[derive(Clone, Debug, PartialEq)]
pub enum Subject {
    /// A device as a ResourceSlice publishes it: for the selectors in device classes and resource claims.
    Device(Value),
    /// A value in a custom resource: for `x-kubernetes-validations`.
    Value {
        /// The value, `self` in the rule.
        this: Value,
        /// The value before an update, `oldSelf` in the rule. `None` when there is none.
        before: Option<Value>,
        /// The structural schema of the value (OpenAPI v3).
        schema: Value,
    },
}

/// An expression and its subject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trial {
    /// The expression.
    pub expression: String,
    /// Index of its subject in `subjects`.
    pub subject: u32,
}

/// Expressions to evaluate.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExpressionsRequest {
    /// The subjects.
    pub subjects: Vec<Subject>,
    /// The expressions, each with its subject.
    pub trials: Vec<Trial>,
}

/// Where an evaluation stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The expression does not compile: its syntax, a name that is unknown, or a type error.
    Compile,
    /// It compiles, but its type is not boolean, as selectors and rules must be.
    NotBoolean,
    /// The evaluation failed, or the subject cannot be read.
    Runtime,
    /// The evaluation costs more than Kubernetes allows.
    Cost,
}

/// A place in an expression. Lines and columns count from 1, columns in Unicode characters.
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
    /// Where the evaluation stopped.
    pub stage: Stage,
    /// What is wrong. Where Kubernetes has a message for it, the message of Kubernetes.
    pub message: String,
    /// Where it is wrong. `None` when the mistake has no place.
    pub place: Option<Place>,
    /// The name that was probably meant. `None` when no known name is similar.
    pub meant: Option<String>,
}

/// The result of an expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// Its value, or why it has none.
    pub value: Result<Value, Failure>,
    /// What the evaluation cost, in Kubernetes' units. `None` when it was not evaluated.
    pub cost: Option<u64>,
    /// The highest cost that Kubernetes estimates for it. `None` when it does not compile.
    pub estimate: Option<u64>,
}
