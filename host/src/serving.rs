//! What the servers share. Each port is a [listener](Listener), whose connections have the same [bounds](clients): how many
//! there are, how long clients may be silent, how fast they must be. Requests are read within a [budget] of bytes.

mod address;
mod body;
mod budget;
mod clients;
mod listener;
mod memory;
mod metrics;
mod probes;
mod seats;
mod side;
mod socket;
mod stop;
mod threads;
mod tls;

pub(crate) use address::address;
pub use address::{Listen, Monitoring};
pub(crate) use body::{Reading, Unread};
pub(crate) use budget::{Budget, Held};
pub use clients::Clients;
pub(crate) use listener::{Endless, Listener, Transport};
pub use memory::memory;
pub(crate) use metrics::serve_metrics;
pub(crate) use probes::{Readiness, probes};
pub(crate) use stop::stop_signal;
pub(crate) use threads::{Threads, runtime, runtime_of};
pub(crate) use tls::{Tls, certificates, private_key};
