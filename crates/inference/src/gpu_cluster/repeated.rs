//! What a list has twice.

use std::collections::BTreeSet;

/// The first text that is there a second time.
pub(super) fn repeated<'t>(mut texts: impl Iterator<Item = &'t str>) -> Option<&'t str> {
    let mut seen = BTreeSet::new();
    texts.find(|text| !seen.insert(*text))
}
