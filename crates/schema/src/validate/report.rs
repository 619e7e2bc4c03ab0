//! What checks found.

use std::collections::BTreeSet;

use super::failure::Failure;

/// What one check found, and how far it got.
#[derive(Default)]
pub(super) struct Report {
    pub(super) failures: Vec<Failure>,
    /// The texts of the failures: one that is said already is not said again.
    pub(super) said: BTreeSet<String>,
    pub(super) matches: u64,
}

impl Report {
    pub(super) fn add(&mut self, failure: Failure) {
        if self.said.insert(failure.text.clone()) {
            self.failures.push(failure);
        }
    }

    pub(super) fn merge(&mut self, other: Self) {
        self.matches += other.matches;
        other.failures.into_iter().for_each(|failure| self.add(failure));
    }

    pub(super) fn is_valid(&self) -> bool {
        self.failures.is_empty()
    }
}
