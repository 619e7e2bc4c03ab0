//! What can go wrong: with a text before it runs, and while it runs.

use std::fmt;

/// A text that is no expression of its environment. It displays as the API server shows it, a line about each
/// problem with the source and a caret below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompileError {
    /// What is wrong, in the order of places; never empty.
    pub problems: Vec<Problem>,
    /// How many mistakes there are beyond those, which are the first hundred that were found.
    pub omitted: usize,
}

/// One mistake in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Which step found it.
    pub stage: Stage,
    /// What is wrong, in the words of `cel-go`.
    pub message: String,
    /// Where, if at a place.
    pub place: Option<Place>,
    /// The name that was probably meant. Kubernetes does not say it.
    pub meant: Option<String>,
    /// The line of the source that the place is in.
    snippet: Option<String>,
}

/// Where a mistake is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// In bytes from the beginning.
    pub offset: usize,
    /// From 1.
    pub line: usize,
    /// In characters, from 1.
    pub column: usize,
}

/// The steps that an expression goes through before it can run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// It is no expression at all, or one too large.
    Syntax,
    /// A name, a type or a literal does not fit.
    Check,
    /// A constant cannot be converted (`int("x")`).
    Plan,
    /// Its result is not of the type that is asked for.
    Result,
}

impl CompileError {
    pub(crate) fn new(problem: Problem) -> Self {
        Self { problems: vec![problem], omitted: 0 }
    }
}

/// As many problems as upstream keeps, and how many more there were.
#[derive(Default)]
pub(crate) struct Problems {
    kept: Vec<Problem>,
    omitted: usize,
}

impl Problems {
    /// As upstream.
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

    /// Whether another one would only be counted.
    pub(crate) fn are_full(&self) -> bool {
        self.kept.len() >= Self::MOST
    }

    /// There is at least one.
    pub(crate) fn into_error(mut self) -> CompileError {
        self.kept.sort_by_key(|problem| problem.place.map(|place| (place.line, place.column)));
        CompileError { problems: self.kept, omitted: self.omitted }
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

/// An evaluation without a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunError {
    /// Why, for programs.
    pub reason: Reason,
    /// Why, for people, in the words of `cel-go` where it has any.
    pub message: String,
}

/// Why an evaluation has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A key is missing, a conversion fails, a value does not fit an operator.
    Failed,
    /// It would cost more than its budget, or than what was left of it.
    CostExceeded,
    /// It has a value, but not of the type that is asked for.
    WrongType,
}

/// How upstream begins the message of a panic.
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

    /// What makes upstream panic, and so ends the whole evaluation.
    pub(crate) fn internal(what: &str) -> Self {
        Self::failed(format!("{INTERNAL}{what}"))
    }

    /// Whether nothing can absorb the error.
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
