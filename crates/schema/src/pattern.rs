//! `pattern`: a regular expression that must match a part of a text.

use std::collections::BTreeMap;

/// A compiled pattern.
#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    text: String,
    compiled: Result<cel::Pattern, String>,
}

impl Pattern {
    pub(crate) fn new(text: &str) -> Self {
        Self { text: text.to_owned(), compiled: cel::Pattern::new(text) }
    }

    /// The pattern as written.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn error(&self) -> Option<&str> {
        self.compiled.as_ref().err().map(String::as_str)
    }

    /// Whether it matches a part of `text`. Always false for a pattern that does not compile.
    pub(crate) fn is_match(&self, text: &str) -> bool {
        self.compiled.as_ref().is_ok_and(|pattern| pattern.is_match(text))
    }
}

/// The most bytes that the patterns of a schema take in memory.
const MOST_BYTES: usize = 16 << 20;

/// The patterns of a schema. Equal ones are compiled once.
#[derive(Default)]
pub(crate) struct Patterns {
    known: BTreeMap<String, Pattern>,
    bytes: usize,
}

impl Patterns {
    /// The pattern with this text. `None` when the patterns take too much memory together.
    pub(crate) fn get(&mut self, text: &str) -> Option<Pattern> {
        if let Some(known) = self.known.get(text) {
            return Some(known.clone());
        }
        if self.bytes > MOST_BYTES {
            return None;
        }
        let pattern = Pattern::new(text);
        self.bytes += pattern.compiled.as_ref().map_or(0, cel::Pattern::bytes);
        self.known.insert(text.to_owned(), pattern.clone());
        Some(pattern)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn syntax_of_go() {
        let check = |pattern: &str, text: &str, want: bool| {
            let pattern = Pattern::new(pattern);
            assert_eq!(pattern.error(), None, "{}", pattern.text());
            assert_eq!(pattern.is_match(text), want, "{} on {text}", pattern.text());
        };
        check("^a{2}$", "aa", true);
        check("^a{b}$", "a{b}", true);
        check("^{", "{", true);
        check("^a{,2}$", "a{,2}", true);
        check("^[a&&b]+$", "a&b", true);
        check("^[[a]+$", "[a", true);
        check("^[]a]+$", "]a", true);
        check("^[^]a]+$", "b", true);
        check("^[^]a]+$", "]", false);
        check("^[[:alpha:]]+$", "abC", true);
        check("^[[:alpha:]-]+$", "a-", true);
        check(r"^\Qa.b\E$", "a.b", true);
        check(r"^\Qa.b\E$", "axb", false);
        check(r"^\<\/\-\_$", "</-_", true);
        check(r"^[\w.\-~]+$", "a_.-~", true);
        check(r"^\d+$", "٣", false);
        check("^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", "a-b", true);
        check(r"^(\d{1,3}\.){3}\d{1,3}$", "10.0.0.1", true);
        check("^[--/]$", ".", true);
        check(r"^\101$", "A", true);
        check("(?i)^abc$", "aBC", true);
        check(r"^\p{L}+$", "é日", true);
        check(r"^\pN$", "٣", true);
        assert!(Pattern::new("(").error().is_some());
        assert!(Pattern::new("(?=a)").error().is_some());
    }
}
