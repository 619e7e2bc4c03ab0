//! What the test suites share.

pub mod artifacts;
pub mod function;
