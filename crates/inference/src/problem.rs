//! What is wrong with an input, where, and what would be right.

use serde_json::Value;

use crate::compose::Condition;

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// Where, as the API server spells field paths; empty for the whole object.
    pub path: String,
    /// What sort of mistake it is.
    pub code: Code,
    /// What is wrong and what would be right: lower case, no final period, one line.
    pub message: String,
    /// A change that would solve it.
    pub fix: Option<Edit>,
    /// What would be right, for people, where neither the message nor the change says it.
    pub hint: Option<String>,
}

impl Problem {
    /// A problem without an obvious fix.
    pub fn new(path: impl Into<String>, code: Code, message: impl Into<String>) -> Self {
        Self { path: path.into(), code, message: message.into(), fix: None, hint: None }
    }

    /// The same problem with words on what would be right.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The same problem with a change that would solve it.
    #[must_use]
    pub fn with_fix(mut self, fix: Edit) -> Self {
        self.fix = Some(fix);
        self
    }
}

/// What sort of mistake a problem is, in the vocabulary of the API server's field errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// A required value is missing.
    Required,
    /// A value has the wrong type.
    TypeInvalid,
    /// A value is malformed or out of its bounds.
    Invalid,
    /// A value is not one of the allowed ones.
    NotSupported,
    /// A value occurs twice where it must be unique.
    Duplicate,
    /// A value is longer than it may be.
    TooLong,
    /// A list or map has more items than it may have.
    TooMany,
    /// A value is sound by itself but may not be set here.
    Forbidden,
    /// A value refers to something that does not exist.
    NotFound,
    /// A field is not part of the type.
    UnknownField,
    /// A text is not well-formed, or exceeds a limit on texts.
    Syntax,
}

/// A change that would solve a problem.
#[derive(Clone, Debug, PartialEq)]
pub enum Edit {
    /// Put this value at the problem's path.
    Replace(Value),
    /// Rename the last key of the problem's path.
    Rename(String),
    /// Remove what is at the problem's path.
    Remove,
}

/// Why a call has no answer. Nothing is changed on account of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// What it is about.
    pub cause: Cause,
    /// Everything that is wrong; never empty.
    pub problems: Vec<Problem>,
    /// Conditions that hold all the same.
    pub conditions: Vec<Condition>,
}

impl Fault {
    /// A fault of one problem.
    pub fn new(cause: Cause, problem: Problem) -> Self {
        Self::many(cause, vec![problem])
    }

    /// A fault of a request in which `what` is not the JSON text that it should be.
    pub fn not_json(what: &str, error: &serde_json::Error) -> Self {
        Self::new(Cause::Request, Problem::new(what, Code::Syntax, format!("not JSON text: {error}")))
    }

    /// A fault of several problems.
    pub fn many(cause: Cause, problems: Vec<Problem>) -> Self {
        Self { cause, problems, conditions: Vec::new() }
    }
}

/// What a fault is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The call itself.
    Request,
    /// The composite's type is not in the catalog.
    UnknownKind,
    /// The composite is invalid.
    Composite,
    /// The step's input is invalid.
    Input,
    /// Something observed or looked up is unusable.
    State,
    /// The call would take too much work.
    Budget,
}
