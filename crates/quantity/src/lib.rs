//! Kubernetes quantities and semantic versions.

mod quantity;

pub use quantity::{ParseError, Quantity};
