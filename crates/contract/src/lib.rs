//! The contract of a composition module as Rust types: one file for each interface in `wit/`, and no logic.
//!
//! `wit/` has the full documentation of every field, including what empty and absent mean. What crosses as JSON text is
//! a [`serde_json::Value`] here. The text of an observed object is parsed only when a module asks for the object
//! ([`types::ObservedObject`]).

pub mod admit;
pub mod catalog;
pub mod compose;
pub mod expressions;
pub mod plan;
pub mod preview;
pub mod types;
