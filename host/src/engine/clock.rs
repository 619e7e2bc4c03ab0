//! The clock of the calls that run, and of other computations. It stands still while there are none, so an idle process sleeps.
//!
//! Its thread also gives back idle instances and free memory, because it is awake when some become idle.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use wasmtime::Engine;

use super::idle::Idle;
use crate::allocator::collect;

/// How often a running call compares its deadline with the time.
pub(super) const TICK: Duration = Duration::from_millis(10);
/// The number of ticks without a call after which the clock stops. To start it again wakes a thread, so it does not stop
/// between the calls of a busy process.
const QUIET_TICKS: u32 = 10;
/// How often idle instances are looked at while calls run.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// How long after the last call free memory is given back. Before, the allocator keeps it for the next call.
const SETTLED_AFTER: Duration = Duration::from_secs(2);

/// The clock of an engine. It ends with the last module.
pub(crate) struct Clock {
    shared: Arc<Shared>,
    thread: Thread,
}

#[derive(Default)]
struct Shared {
    /// The number of calls that run.
    running: AtomicUsize,
    /// Whether the clock stands still, or is about to.
    still: AtomicBool,
    ended: AtomicBool,
    /// The idle instances of each module.
    idle: Mutex<Vec<Arc<Idle>>>,
    /// What else is done at each tick.
    actions: Mutex<Vec<Action>>,
    /// What else is done when free memory is given back.
    when_settled: Mutex<Vec<Action>>,
}

type Action = Box<dyn Fn() + Send>;

impl Clock {
    /// Starts the clock of `engine`.
    pub(super) fn start(engine: &Engine) -> std::io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let thread = thread::Builder::new().name("clock".to_owned()).spawn({
            let (shared, engine) = (Arc::clone(&shared), engine.clone());
            move || run(&shared, &engine)
        })?;
        Ok(Self { shared, thread: thread.thread().clone() })
    }

    /// Also gives back idle instances of a module.
    pub(super) fn look_after(&self, idle: Arc<Idle>) {
        self.shared.idle.lock().unwrap_or_else(PoisonError::into_inner).push(idle);
    }

    /// Does this at each tick too.
    pub(crate) fn at_each_tick(&self, action: impl Fn() + Send + 'static) {
        self.shared.actions.lock().unwrap_or_else(PoisonError::into_inner).push(Box::new(action));
    }

    /// Does this too when free memory is given back.
    pub(crate) fn when_settled(&self, action: impl Fn() + Send + 'static) {
        self.shared.when_settled.lock().unwrap_or_else(PoisonError::into_inner).push(Box::new(action));
    }

    /// Free memory is given back after a while, as after a call.
    pub(crate) fn settle(&self) {
        drop(self.tick());
    }

    /// The clock ticks until the result is dropped.
    pub(crate) fn tick(&self) -> Ticking<'_> {
        self.shared.running.fetch_add(1, Ordering::SeqCst);
        if self.shared.still.swap(false, Ordering::SeqCst) {
            self.thread.unpark();
        }
        Ticking(&self.shared)
    }
}

impl Drop for Clock {
    fn drop(&mut self) {
        self.shared.ended.store(true, Ordering::SeqCst);
        self.thread.unpark();
    }
}

/// The clock ticks while this exists.
pub(crate) struct Ticking<'a>(&'a Shared);

impl Drop for Ticking<'_> {
    fn drop(&mut self) {
        self.0.running.fetch_sub(1, Ordering::SeqCst);
    }
}

fn run(shared: &Shared, engine: &Engine) {
    let (mut quiet, mut looked, mut settled) = (0, Instant::now(), false);
    while !shared.ended.load(Ordering::SeqCst) {
        quiet = if shared.runs() { 0 } else { quiet + 1 };
        if quiet > QUIET_TICKS {
            let soon = (!settled).then(|| Instant::now() + SETTLED_AFTER);
            let until = give_back(shared).into_iter().chain(soon).min();
            stand_still(shared, until);
            settled = until.is_some_and(|until| until <= Instant::now());
            if settled {
                give_back(shared);
                collect();
                all(&shared.when_settled);
            }
            continue;
        }
        if looked.elapsed() > LOOK_EVERY {
            give_back(shared);
            looked = Instant::now();
        }
        thread::sleep(TICK);
        engine.increment_epoch();
        if shared.runs() {
            all(&shared.actions);
        }
    }
}

impl Shared {
    fn runs(&self) -> bool {
        self.running.load(Ordering::SeqCst) > 0
    }
}

/// Gives back instances that have been idle for long. Returns when to look again, when there are others.
fn give_back(shared: &Shared) -> Option<Instant> {
    let idle = shared.idle.lock().unwrap_or_else(PoisonError::into_inner).clone();
    idle.iter().filter_map(|idle| idle.give_back(Instant::now())).min()
}

fn all(actions: &Mutex<Vec<Action>>) {
    actions.lock().unwrap_or_else(PoisonError::into_inner).iter().for_each(|action| action());
}

/// Waits for the next call, until the given time.
fn stand_still(shared: &Shared, until: Option<Instant>) {
    shared.still.store(true, Ordering::SeqCst);
    // A call that began before this store does not wake the thread.
    if !shared.runs() && !shared.ended.load(Ordering::SeqCst) {
        match until {
            Some(until) => thread::park_timeout(until.saturating_duration_since(Instant::now())),
            None => thread::park(),
        }
    }
    shared.still.store(false, Ordering::SeqCst);
}
