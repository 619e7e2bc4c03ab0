//! The contract of a composition module in Rust: `wit/`, a file per interface. Types, no logic.
//!
//! `wit/` documents what every field means. What crosses as JSON text is a [`serde_json::Value`] here, and an observed
//! object is read at the first look.

pub mod admit;
pub mod catalog;
pub mod compose;
pub mod expressions;
pub mod preview;
pub mod types;
