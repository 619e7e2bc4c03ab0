//! What a list has twice.

use std::collections::BTreeSet;

use contract::types::{Code, Problem};

/// The first text that is there a second time.
pub(super) fn repeated<'t>(mut texts: impl Iterator<Item = &'t str>) -> Option<&'t str> {
    let mut seen = BTreeSet::new();
    texts.find(|text| !seen.insert(*text))
}

/// The same, as a problem.
pub(super) fn twice<'t>(path: &str, texts: impl Iterator<Item = &'t String>) -> Option<Problem> {
    let again = repeated(texts.map(String::as_str))?;
    Some(Problem::new(path, Code::Duplicate, format!("`{again}` is there twice")))
}
