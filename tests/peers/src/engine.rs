//! What every engine is asked.

use serde_json::Value as Json;

/// An engine that evaluates CEL.
pub trait Engine {
    /// Its name and version.
    const NAME: &'static str;
    /// An expression that was read.
    type Program;
    /// What expressions are about, with the functions they may call.
    type Subject;

    /// Prepares what expressions are about.
    fn subject(subject: &Subject) -> Self::Subject;
    /// Reads an expression; `None` if it is refused.
    fn compile(subject: &Self::Subject, text: &str) -> Option<Self::Program>;
    /// Evaluates.
    fn run(program: &Self::Program, subject: &Self::Subject) -> Outcome;
    /// What an evaluation has cost, and may cost at most; `None` for engines that do not count.
    fn costs(_program: &Self::Program, _subject: &Self::Subject) -> Option<Costs> {
        None
    }
}

/// What expressions are about.
pub enum Subject {
    /// `device`, of `resource.k8s.io`.
    Device(Json),
    /// `self` and `oldSelf`, of a schema.
    Rule { schema: Json, this: Json, old: Json },
}

/// What an evaluation gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Bool(bool),
    /// A value that is not boolean: an error for Kubernetes.
    Other,
    Error,
    /// An error, since there is no such function.
    NoFunction,
}

/// Costs as Kubernetes counts them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Costs {
    pub cost: u64,
    pub worst: u64,
}
