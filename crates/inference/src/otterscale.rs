//! The API of OtterScale's model operator: models that are served in the cluster itself, and artifacts with their weights.
//!
//! Nothing is wrapped for another cluster, but for the grant of the endpoint picker, which is cluster-scoped. The kinds follow
//! the operator's releases up to v1.0.1; `docs/differences.md` says what is otherwise, and why.

mod data_keys;
pub mod found_by;
pub mod labels;
pub mod options;
#[cfg(feature = "generate")]
mod package;
pub mod quantities;
pub mod resources;
pub mod shell;

pub mod model_artifact;
pub mod model_service;
