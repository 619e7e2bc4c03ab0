//! The instances of a module that have no call.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::instance::Instance;

/// How long an instance stays idle before its memory is given back.
pub(super) const KEPT_FOR: Duration = Duration::from_secs(60);

/// Idle instances, which may serve another call. The one that was used last is the first to be used again, so the others
/// become old.
pub(super) struct Idle {
    most: usize,
    instances: Mutex<Vec<(Instance, Instant)>>,
}

impl Idle {
    /// Keeps no more instances than `most`.
    pub(super) fn new(most: usize) -> Self {
        Self { most, instances: Mutex::default() }
    }

    /// An idle instance.
    pub(super) fn take(&self) -> Option<Instance> {
        self.instances.lock().unwrap_or_else(PoisonError::into_inner).pop().map(|(instance, _)| instance)
    }

    /// Keeps an instance, when there are not too many.
    pub(super) fn keep(&self, instance: Instance) {
        let mut instances = self.instances.lock().unwrap_or_else(PoisonError::into_inner);
        if instances.len() < self.most {
            instances.push((instance, Instant::now()));
        }
    }

    /// The number of idle instances.
    pub(super) fn count(&self) -> usize {
        self.instances.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Drops the instances that have been idle for [`KEPT_FOR`] at the time `now`. Returns when the next one will have been.
    pub(super) fn give_back(&self, now: Instant) -> Option<Instant> {
        let (old, next) = {
            let mut instances = self.instances.lock().unwrap_or_else(PoisonError::into_inner);
            let old = instances.iter().take_while(|(_, since)| now.duration_since(*since) >= KEPT_FOR).count();
            let old: Vec<_> = instances.drain(..old).collect();
            (old, instances.first().map(|(_, since)| *since + KEPT_FOR))
        };
        drop(old); // without the lock
        next
    }
}
