//! Regular expressions by themselves, as schemas have them.

use std::sync::Arc;

use crate::libraries::regex::Regex;

/// A regular expression in the dialect of Go's `regexp` (RE2), compiled once. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Pattern(Arc<Regex>);

impl Pattern {
    /// Compiles a pattern.
    ///
    /// # Errors
    /// What is wrong with it, in Go's words.
    pub fn new(pattern: &str) -> Result<Self, String> {
        Regex::compile(pattern).map(|regex| Self(Arc::new(regex))).map_err(|error| error.message)
    }

    /// Whether it occurs in `text`, in linear time.
    pub fn is_match(&self, text: &str) -> bool {
        self.0.occurs_in(text)
    }
}
