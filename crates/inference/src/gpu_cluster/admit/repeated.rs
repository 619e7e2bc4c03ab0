//! What a list has twice, as a problem.

use contract::types::{Code, Problem};

use super::super::repeated::repeated;

/// A text that a list has twice.
pub(super) fn twice<'t>(path: &str, texts: impl Iterator<Item = &'t String>) -> Option<Problem> {
    let again = repeated(texts.map(String::as_str))?;
    Some(Problem::new(path, Code::Duplicate, format!("`{again}` is there twice")))
}
