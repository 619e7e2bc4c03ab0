//! Errors of compilation and of evaluation.

use std::fmt;

use quantity::order::sorted_by_key;

/// The text is not a valid expression in its environment. It displays like the message of the API server: for each problem
/// a line, the source, and a caret below the place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompileError {
    /// The problems, in the order of their places; never empty.
    pub problems: Vec<Problem>,
    /// The number of further problems: only the first hundred that were found are in `problems`.
    pub omitted: usize,
}

/// One mistake in an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The step of compilation that found it.
    pub stage: Stage,
    /// The message, in the words of `cel-go`.
    pub message: String,
    /// The place in the text, if it has one.
    pub place: Option<Place>,
    /// For an unknown name: the name that was probably meant. Kubernetes makes no such suggestion.
    pub meant: Option<String>,
    /// The line of the source with the place.
    snippet: Option<String>,
}

/// A place in an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The offset in bytes, from 0.
    pub offset: usize,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

/// The steps of compilation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Parsing: it is not an expression, or it is too large.
    Syntax,
    /// Type checking: an unknown name, a wrong type, an invalid literal, an argument that a macro cannot take.
    Check,
    /// Planning: a constant cannot be converted (`int("x")`).
    Plan,
    /// The result does not have the type that is required.
    Result,
}

impl CompileError {
    pub(crate) fn new(problem: Problem) -> Self {
        Self { problems: vec![problem], omitted: 0 }
    }
}

/// The first problems, as many as `cel-go` keeps, and the number of further ones.
#[derive(Default)]
pub(crate) struct Problems {
    kept: Vec<Problem>,
    omitted: usize,
}

impl Problems {
    /// The limit of `cel-go`.
    const MOST: usize = 100;

    pub(crate) fn push(&mut self, problem: Problem) {
        if self.kept.len() < Self::MOST {
            self.kept.push(problem);
        } else {
            self.omitted += 1;
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// Whether a further problem would only be counted.
    pub(crate) fn are_full(&self) -> bool {
        self.kept.len() >= Self::MOST
    }

    /// The error with these problems, of which there must be at least one.
    pub(crate) fn into_error(self) -> CompileError {
        let problems = sorted_by_key(self.kept, |problem| problem.place.map(|place| (place.line, place.column)));
        CompileError { problems, omitted: self.omitted }
    }
}

impl Problem {
    pub(crate) fn new(stage: Stage, source: &str, offset: Option<usize>, message: impl Into<String>) -> Self {
        let place = offset.map(|offset| Place::of(source, offset));
        let snippet = place.and_then(|place| source.split('\n').nth(place.line - 1)).map(str::to_owned);
        Self { stage, message: message.into(), place, meant: None, snippet }
    }
}

impl Place {
    fn of(source: &str, offset: usize) -> Self {
        let before = source.get(..offset).unwrap_or(source);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        Self { offset: before.len(), line, column }
    }
}

impl std::error::Error for CompileError {}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.problems.iter().enumerate() {
            f.write_str(if index > 0 { "\n" } else { "" })?;
            problem.fmt(f)?;
        }
        match self.omitted {
            0 => Ok(()),
            omitted => write!(f, "\n{omitted} more errors were truncated"),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if matches!(self.stage, Stage::Plan | Stage::Result) {
            return f.write_str(&self.message);
        }
        let Some(place) = self.place else { return write!(f, "ERROR: <input>:-1:0: {}", self.message) };
        write!(f, "ERROR: <input>:{}:{}: {}", place.line, place.column, self.message)?;
        let Some(snippet) = self.snippet.as_deref().filter(|snippet| snippet.len() <= 16_384) else { return Ok(()) };
        let mut characters = snippet.chars();
        write!(f, "\n | {}\n | ", snippet.replace('\t', " "))?;
        for character in characters.by_ref().take(place.column - 1) {
            f.write_str(if character.is_ascii() { "." } else { "\u{ff0e}" })?;
        }
        f.write_str(if characters.next().is_none_or(|character| character.is_ascii()) { "^" } else { "\u{ff3e}" })
    }
}

/// An evaluation failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunError {
    /// The reason, for programs.
    pub reason: Reason,
    /// The message, for people. In the words of `cel-go` where it has the same error.
    pub message: String,
}

/// The reason why an evaluation failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// An error in the expression: a missing key, a failed conversion, a value that an operator does not accept.
    Failed,
    /// The cost limit is exceeded.
    CostExceeded,
    /// The value does not have the type that is required.
    WrongType,
}

/// The beginning of the message that `cel-go` makes of a panic.
const INTERNAL: &str = "internal error: ";

impl RunError {
    pub(crate) fn failed(message: impl Into<String>) -> Self {
        Self { reason: Reason::Failed, message: message.into() }
    }

    pub(crate) fn no_overload() -> Self {
        Self::failed("no such overload")
    }

    pub(crate) fn cost_exceeded() -> Self {
        let message = "operation cancelled: actual cost limit exceeded".to_owned();
        Self { reason: Reason::CostExceeded, message }
    }

    /// An error where `cel-go` panics, which ends the whole evaluation.
    pub(crate) fn internal(what: &str) -> Self {
        Self::failed(format!("{INTERNAL}{what}"))
    }

    /// Whether the error ends the whole evaluation. Other errors can be absorbed, e.g. by `||`.
    pub(crate) fn is_final(&self) -> bool {
        self.reason == Reason::CostExceeded || self.message.starts_with(INTERNAL)
    }
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for RunError {}
