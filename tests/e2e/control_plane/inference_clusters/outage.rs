//! The function is dead for a moment in which all clusters live, and comes back.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::{Result, ensure};

use crate::function::Function;

/// Where the clusters wait for one another, and what the last one does to the function then.
pub(super) struct DeadFunction<'a> {
    function: &'a Function,
    clusters: usize,
    limit: Duration,
    meeting: Mutex<Meeting>,
    changed: Condvar,
}

#[derive(Default)]
struct Meeting {
    /// How many clusters have come.
    here: usize,
    /// How often all had come.
    times: usize,
    /// Whether one will never come.
    is_off: bool,
    is_dead: bool,
}

impl<'a> DeadFunction<'a> {
    /// For so many clusters, which come in this time.
    pub(super) fn new(function: &'a Function, clusters: usize, limit: Duration) -> Self {
        Self { function, clusters, limit, meeting: Mutex::default(), changed: Condvar::new() }
    }

    /// Tells the others that a cluster has failed, and will not come.
    pub(super) fn call_off(&self) {
        self.meeting().is_off = true;
        self.changed.notify_all();
    }

    /// Kills the function once all clusters are here, and sees that Crossplane misses it.
    pub(super) fn begins(&self) -> Result<()> {
        self.once_all_are_here(|meeting| {
            self.function.take()?.kill();
            meeting.is_dead = true;
            self.function.missed()
        })
    }

    /// Starts it again once all clusters are here.
    pub(super) fn ends(&self) -> Result<()> {
        self.once_all_are_here(|meeting| {
            self.function.restart()?;
            meeting.is_dead = false;
            Ok(())
        })
    }

    fn once_all_are_here(&self, act: impl FnOnce(&mut Meeting) -> Result<()>) -> Result<()> {
        let mut meeting = self.meeting();
        meeting.here += 1;
        if meeting.here < self.clusters {
            let before = meeting.times;
            let waits = |meeting: &mut Meeting| meeting.times == before && !meeting.is_off;
            let waited = self.changed.wait_timeout_while(meeting, self.limit, waits);
            let (meeting, _) = waited.unwrap_or_else(PoisonError::into_inner);
            ensure!(meeting.times > before, "another cluster has failed");
            return Ok(());
        }
        let done = act(&mut meeting);
        meeting.here = 0;
        match done {
            Ok(()) => meeting.times += 1,
            Err(_) => meeting.is_off = true,
        }
        self.changed.notify_all();
        done
    }

    fn meeting(&self) -> MutexGuard<'_, Meeting> {
        self.meeting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for DeadFunction<'_> {
    /// A failure must not take the function from other scenarios.
    fn drop(&mut self) {
        if self.meeting().is_dead {
            let _ = self.function.restart();
        }
    }
}
