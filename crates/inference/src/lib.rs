//! The domain of Sailplane: what should exist for a composite, and why.
//!
//! Three doors lead in, all of them pure functions of their request: [`compose()`], [`admit()`] and
//! [`preview()`]; [`catalog()`] says which kinds there are. The types in this crate mirror the
//! contract in `wit/`, where the meaning of every field is documented; JSON text has become
//! [`serde_json::Value`] here.

pub mod admit;
pub mod catalog;
pub mod compose;
pub mod kinds;
pub mod object;
pub mod preview;
pub mod problem;

pub use admit::admit;
pub use catalog::catalog;
pub use compose::compose;
pub use preview::preview;
