//! What a list has twice.

use std::collections::BTreeSet;

use contract::types::{Code, Problem};

/// A text that a list has twice.
pub(super) fn twice<'t>(path: &str, texts: impl Iterator<Item = &'t String>) -> Option<Problem> {
    let mut seen = BTreeSet::new();
    let mut texts = texts;
    let again = texts.find(|text| !seen.insert(text.as_str()))?;
    Some(Problem::new(path, Code::Duplicate, format!("`{again}` is there twice")))
}
