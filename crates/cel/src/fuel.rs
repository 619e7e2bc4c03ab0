//! A limit on the work of an evaluation, beside the limit on its cost.
//!
//! For some calls the cost says little about the work: Kubernetes computes it from the length of a list whose elements are
//! long, or it is always 1 (`size`, `charAt`, `==` of versions), or 0 (constants). There, such an evaluation takes its time.
//! Here it ends with the error that the cost limit is exceeded.
//!
//! Work is counted in units of about a nanosecond of native code. It does not depend on the machine: equal evaluations end
//! at the same place. Each unit of cost pays for some work, so only work far beyond the cost counts.

use std::collections::BTreeMap;

use crate::error::RunError;
use crate::value::text::Text;

/// The work that an evaluation may do beyond its cost, unless the caller has another limit.
pub(crate) const WORK: u64 = 50_000_000;

/// The work that a unit of cost pays for. Most steps take less.
const WORK_OF_COST: u64 = 50;

/// Borrowed text up to this length, in bytes, is counted each time.
const SHORT: usize = 64;

/// The work of a step of an evaluation, without that of its parts.
pub(crate) const STEP: usize = 8;
/// The work of a call, without that of the function.
pub(crate) const CALL: usize = 30;
/// The work of copying an element of a list.
pub(crate) const ELEMENT: usize = 15;
/// The work of an element of a list that is kept. It also limits the memory of all lists.
pub(crate) const KEPT_ELEMENT: usize = 35;
/// The work of comparing two small values.
pub(crate) const COMPARISON: usize = 25;
/// The work of making a small value that needs memory of its own.
pub(crate) const ALLOCATION: usize = 40;
/// The work of making an error.
pub(crate) const ERROR: usize = 150;

/// The limits of an evaluation.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The highest cost.
    pub cost: u64,
    /// The most work beyond the cost, in units of about a nanosecond of native code.
    pub work: u64,
}

/// The work that an evaluation may still do.
pub(crate) struct Fuel {
    left: u64,
    /// All work that it may do, with what the cost so far pays for.
    granted: u64,
    /// The numbers of characters of long borrowed texts, by address and length.
    characters: BTreeMap<(usize, usize), usize>,
}

impl Default for Fuel {
    fn default() -> Self {
        Self::new(WORK)
    }
}

impl Fuel {
    pub(crate) fn new(work: u64) -> Self {
        Self { left: work, granted: work, characters: BTreeMap::new() }
    }

    /// Spends units of work.
    ///
    /// # Errors
    /// When there is not enough left.
    pub(crate) fn spend(&mut self, work: usize) -> Result<(), RunError> {
        match self.left.checked_sub(work as u64) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => {
                self.left = 0;
                Err(RunError::cost_exceeded())
            }
        }
    }

    /// Spends the work of going over bytes in large steps: to copy or to count them.
    ///
    /// # Errors
    /// When there is not enough left.
    pub(crate) fn scan(&mut self, bytes: usize) -> Result<(), RunError> {
        self.spend(bytes / 8)
    }

    /// Spends the work of comparing bytes, which WebAssembly does one by one.
    ///
    /// # Errors
    /// When there is not enough left.
    pub(crate) fn compare(&mut self, bytes: usize) -> Result<(), RunError> {
        self.spend(bytes / 2)
    }

    /// Adds the work that a cost pays for.
    pub(crate) fn pay(&mut self, cost: u64) {
        let work = cost.saturating_mul(WORK_OF_COST);
        self.left = self.left.saturating_add(work);
        self.granted = self.granted.saturating_add(work);
    }

    /// The work that has been spent.
    pub(crate) fn spent(&self) -> u64 {
        self.granted.saturating_sub(self.left)
    }

    /// The number of characters of a text. It is only counted once in an evaluation.
    ///
    /// # Errors
    /// When there is not enough fuel left to count.
    pub(crate) fn characters(&mut self, text: &Text<'_>) -> Result<usize, RunError> {
        if let Some(known) = text.known_characters() {
            return Ok(known);
        }
        if text.len() <= SHORT {
            return Ok(text.chars().count());
        }
        let place = (text.as_ptr().addr(), text.len());
        if let Some(known) = self.characters.get(&place) {
            return Ok(*known);
        }
        self.scan(text.len())?;
        let count = text.chars().count();
        self.characters.insert(place, count);
        Ok(count)
    }
}
