//! InferenceModels: they get memory of pools, sleep and wake, wait for one another, are told how much memory is enough, and are taken
//! over from the Inference Budget Controller.

pub(crate) mod contention;
mod cron_jobs;
pub(crate) mod dependencies;
pub(crate) mod life;
pub(crate) mod lost;
pub(crate) mod moved;
mod namespaces;
mod order;
pub(crate) mod samples;
pub(crate) mod shown;
pub(crate) mod totals;
mod watched;
