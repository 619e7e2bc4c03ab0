//! Regular expressions, in the dialect of Go's `regexp` (RE2).

mod dialect;

use std::sync::Arc;

use regex_automata::Input;
use regex_automata::meta;
use regex_automata::util::syntax;

use crate::error::RunError;
use crate::fuel::Fuel;

/// The most bytes of a compiled pattern.
const MOST_BYTES: usize = 1 << 20;

/// A compiled regular expression in the dialect of Go's `regexp` (RE2). Cheap to clone.
#[derive(Clone, Debug)]
pub struct Pattern(Arc<Regex>);

impl Pattern {
    /// Compiles a pattern.
    ///
    /// # Errors
    /// The message for a malformed pattern, in Go's words.
    pub fn new(pattern: &str) -> Result<Self, String> {
        Regex::compile(pattern).map(|regex| Self(Arc::new(regex))).map_err(|error| error.message)
    }

    /// Whether the pattern matches a part of `text`. Takes linear time.
    pub fn is_match(&self, text: &str) -> bool {
        self.0.occurs_in(text)
    }
}

/// A compiled regular expression. Matching takes linear time.
#[derive(Debug)]
pub(crate) struct Regex {
    engine: meta::Regex,
    /// What sixteen bytes of text take, in units of fuel.
    weight: usize,
}

/// The text is not a pattern.
#[derive(Debug)]
pub(crate) struct PatternError {
    /// The message.
    pub(crate) message: String,
    /// The work of finding out, in units of fuel.
    work: usize,
}

impl Regex {
    /// # Errors
    /// When the pattern is malformed, or when there is not enough fuel to compile it.
    pub(crate) fn with_fuel(pattern: &str, fuel: &mut Fuel) -> Result<Self, RunError> {
        let compiled = Self::compile(pattern);
        let work = match &compiled {
            Ok(regex) => regex.engine.memory_usage() / 8,
            Err(error) => error.work,
        };
        fuel.spend(1_000 + 32 * pattern.len() + work)?;
        compiled.map_err(|error| RunError::failed(error.message))
    }

    /// # Errors
    /// When the pattern is malformed.
    pub(crate) fn compile(pattern: &str) -> Result<Self, PatternError> {
        let refused = |error| PatternError { message: format!("error parsing regexp: {error}"), work: 0 };
        let translated = dialect::translate(pattern).map_err(refused)?;
        let limits = meta::Config::new()
            .nfa_size_limit(Some(MOST_BYTES))
            .hybrid_cache_capacity(4 * MOST_BYTES)
            .which_captures(regex_automata::nfa::thompson::WhichCaptures::Implicit);
        let syntax = syntax::Config::new().nest_limit(2 * dialect::MOST_DEPTH);
        let engine = meta::Builder::new().configure(limits).syntax(syntax).build(&translated);
        let engine = engine.map_err(|_| PatternError {
            message: format!("error parsing regexp: unsupported or too large: `{pattern}`"),
            work: MOST_BYTES / 8,
        })?;
        let weight = 1 + engine.memory_usage() / 4096;
        Ok(Self { engine, weight })
    }

    /// Whether it matches a part of a text, without a limit on the work.
    pub(crate) fn occurs_in(&self, text: &str) -> bool {
        self.engine.is_match(text)
    }

    pub(crate) fn is_match(&self, text: &str, fuel: &mut Fuel) -> Result<bool, RunError> {
        fuel.spend(text.len().saturating_mul(self.weight) / 16)?;
        Ok(self.engine.is_match(text))
    }

    /// The first `count` matches.
    pub(crate) fn find<'t>(&self, text: &'t str, count: usize, fuel: &mut Fuel) -> Result<Vec<&'t str>, RunError> {
        fuel.spend(text.len().saturating_mul(self.weight) / 16)?;
        let mut found: Vec<&str> = Vec::new();
        let (mut from, mut last) = (0, None);
        while found.len() < count && from <= text.len() {
            let Some(next) = self.engine.search(&Input::new(text).range(from..)) else { break };
            let (start, end) = (next.start(), next.end());
            // As in Go, an empty match directly after another match does not count.
            if start < end || last != Some(start) {
                found.push(&text[start..end]);
            }
            last = Some(end);
            from = if end > start { end } else { end + text[end..].chars().next().map_or(1, char::len_utf8) };
        }
        Ok(found)
    }
}

/// The constant patterns of one expression. Each is compiled once.
#[derive(Default)]
pub(crate) struct Patterns {
    compiled: Vec<(String, Arc<Regex>)>,
    fuel: Fuel,
}

impl Patterns {
    /// # Errors
    /// When the pattern is malformed, or when all patterns together take too much work.
    pub(crate) fn compile(&mut self, pattern: &str) -> Result<Arc<Regex>, RunError> {
        if let Some((_, regex)) = self.compiled.iter().find(|known| known.0 == pattern) {
            return Ok(regex.clone());
        }
        let regex = Arc::new(Regex::with_fuel(pattern, &mut self.fuel)?);
        self.compiled.push((pattern.to_owned(), regex.clone()));
        Ok(regex)
    }
}
