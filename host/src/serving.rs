//! What adapters that serve have in common: addresses, probes, threads to compute on, and how they are told to stop.

mod address;
mod probes;
mod stop;
mod threads;

pub(crate) use address::address;
pub use address::{Listen, Monitoring};
pub(crate) use probes::{Readiness, probes};
pub(crate) use stop::told_to_stop;
pub(crate) use threads::{Threads, runtime};
