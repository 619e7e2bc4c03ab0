//! How modules are run.

use std::time::Duration;

/// How modules are run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Most memory that one instance may use, in bytes.
    pub memory: usize,
    /// Longest that one call may take.
    pub deadline: Duration,
    /// Whether an instance serves many calls. Not observable, except in speed.
    pub reuse: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self { memory: 1 << 30, deadline: Duration::from_secs(10), reuse: true }
    }
}
