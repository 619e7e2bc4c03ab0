//! What a module may use of the process. Each module has a share of its own, so modules do not compete.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The share of a module.
#[derive(Debug)]
pub(super) struct Share {
    instances: Bounded,
    memory: Bounded,
}

impl Share {
    /// A share of so many instances, which have so many bytes of memory together.
    pub(super) fn new(instances: usize, memory: usize) -> Arc<Self> {
        Arc::new(Self { instances: Bounded::new(instances), memory: Bounded::new(memory) })
    }

    /// A place for one more instance. `None` when there are as many as there may be.
    pub(super) fn place(self: &Arc<Self>) -> Option<Place> {
        self.instances.take(1).then(|| Place { share: Arc::clone(self), memory: 0 })
    }

    /// The number of instances.
    pub(super) fn instances(&self) -> usize {
        self.instances.used.load(Ordering::Relaxed)
    }

    /// The memory of all instances, in bytes.
    pub(super) fn memory(&self) -> usize {
        self.memory.used.load(Ordering::Relaxed)
    }
}

/// The place of an instance in the share of its module. It is given back when it is dropped.
#[derive(Debug)]
pub(super) struct Place {
    share: Arc<Share>,
    memory: usize,
}

impl Place {
    /// The memory of the instance, in bytes.
    pub(super) fn memory(&self) -> usize {
        self.memory
    }

    /// Takes more memory. Returns whether the share has as much.
    pub(super) fn grow(&mut self, bytes: usize) -> bool {
        let fits = self.share.memory.take(bytes);
        if fits {
            self.memory += bytes;
        }
        fits
    }

    /// The largest memory of all instances of the module, in bytes.
    pub(super) fn most(&self) -> usize {
        self.share.memory.most
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.share.memory.give_back(self.memory);
        self.share.instances.give_back(1);
    }
}

/// A number that does not exceed a bound.
#[derive(Debug)]
struct Bounded {
    most: usize,
    used: AtomicUsize,
}

impl Bounded {
    fn new(most: usize) -> Self {
        Self { most, used: AtomicUsize::new(0) }
    }

    fn take(&self, count: usize) -> bool {
        let more = |used: usize| used.checked_add(count).filter(|used| *used <= self.most);
        self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).is_ok()
    }

    fn give_back(&self, count: usize) {
        self.used.fetch_sub(count, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_given_back() {
        let share = Share::new(2, 100);
        let mut first = share.place().unwrap();
        let second = share.place().unwrap();
        assert!(share.place().is_none());
        assert!(first.grow(60) && !first.grow(41) && first.grow(40));
        assert_eq!((share.instances(), share.memory(), first.memory()), (2, 100, 100));
        drop((first, second));
        assert_eq!((share.instances(), share.memory()), (0, 0));
    }
}
