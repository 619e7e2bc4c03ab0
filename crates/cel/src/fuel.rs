//! A bound on work that cost does not count.
//!
//! Kubernetes prices some calls by less than they do: comparing nested lists by the length of the outer one, adding
//! lists and quantities by 1, replacing by the length of what is searched. Its schedulers pay for that in time;
//! here an evaluation that does far more than it pays for ends as if its cost were exceeded.

use crate::error::RunError;

/// What an evaluation may do beyond its cost, in units of about 30 ns natively: the time to compare two elements.
const WORK: u64 = 2_000_000;

/// What is left of it.
pub(crate) struct Fuel(u64);

impl Default for Fuel {
    fn default() -> Self {
        Self(WORK)
    }
}

impl Fuel {
    pub(crate) fn spend(&mut self, work: usize) -> Result<(), RunError> {
        match self.0.checked_sub(work as u64) {
            Some(left) => {
                self.0 = left;
                Ok(())
            }
            None => Err(RunError::cost_exceeded()),
        }
    }
}
