//! The domain of Sailplane: what should exist for a composite, and why.
//!
//! The doors are pure functions of their request: [`compose()`], [`admit()`], [`preview()`] with [`check()`], and
//! [`evaluate()`]; [`catalog()`] says which kinds there are. The types in this crate mirror the
//! contract in `wit/`, where the meaning of every field is documented; JSON text has become
//! [`serde_json::Value`] here.

pub mod admit;
pub mod catalog;
pub mod compose;
pub mod conditions;
#[cfg(feature = "generate")]
pub mod definition;
pub mod duration;
pub mod expressions;
pub mod kinds;
pub mod names;
pub mod object;
pub mod options;
pub mod path;
pub mod policy;
pub mod preview;
pub mod problem;
pub mod rule;
pub mod validation;
mod words;

pub use admit::admit;
pub use catalog::catalog;
pub use compose::compose;
pub use expressions::evaluate;
pub use preview::{check, preview};
