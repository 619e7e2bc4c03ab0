//! What the servers share: addresses, probes, threads for computation, the memory that there is, and the signal to stop.

mod address;
mod memory;
mod probes;
mod stop;
mod threads;

pub(crate) use address::address;
pub use address::{Listen, Monitoring};
pub use memory::memory;
pub(crate) use probes::{Readiness, probes};
pub(crate) use stop::stop_signal;
pub(crate) use threads::{Threads, runtime};
