//! What the servers share: addresses, probes, threads for computation, and the signal to stop.

mod address;
mod probes;
mod stop;
mod threads;

pub(crate) use address::address;
pub use address::{Listen, Monitoring};
pub(crate) use probes::{Readiness, probes};
pub(crate) use stop::stop_signal;
pub(crate) use threads::{Threads, runtime};
