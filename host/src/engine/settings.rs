//! How modules are run.

use std::thread::available_parallelism;
use std::time::Duration;

/// How modules are run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The largest memory of an instance, in bytes.
    pub memory: usize,
    /// The deadline of a call.
    pub deadline: Duration,
    /// Whether an instance serves many calls. This changes the speed and nothing else.
    pub reuse: bool,
    /// The number of calls of each module at once.
    pub calls: usize,
    /// The largest memory of all instances of a module together, in bytes.
    pub memory_of_all: usize,
    /// The largest size of the requests of a module together whose calls run, in bytes.
    pub requests: usize,
    /// The largest memory that the process may have while a component is compiled, in bytes.
    pub compile_memory: u64,
    /// Whether the process does nothing else while it loads modules. All memory that it gets meanwhile is the compiler's then,
    /// and is bounded by the size of the component too.
    pub alone: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            memory: 1 << 30,
            deadline: Duration::from_secs(10),
            reuse: true,
            calls: calls_at_once(),
            memory_of_all: usize::MAX,
            requests: usize::MAX,
            compile_memory: 1 << 30,
            alone: false,
        }
    }
}

/// The number of calls of a module at once: more than there are processors, so that some that take long do not delay the
/// others.
fn calls_at_once() -> usize {
    processors().saturating_mul(4).clamp(16, 128)
}

/// The number of processors.
pub(crate) fn processors() -> usize {
    available_parallelism().map_or(1, usize::from)
}
