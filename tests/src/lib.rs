//! What the test suites share.

pub mod artifacts;
pub mod files;
pub mod function;
pub mod golden;
