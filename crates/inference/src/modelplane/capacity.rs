//! What the scheduler of a cluster can admit, as `status.capacity` of an InferenceCluster says it: [`kueue`] and [`kai`] make a
//! [`snapshot`] of what these schedulers publish. They are pure functions; who runs in the cluster feeds them.
//!
//! A snapshot lowers what counts as free in a pool, and never raises it. So what nobody can say of a pool is left out.

pub mod kai;
pub mod kueue;
pub mod snapshot;
