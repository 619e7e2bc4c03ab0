//! What the test suites share.

pub mod artifacts;
pub mod command;
pub mod contract;
pub mod files;
pub mod function;
pub mod golden;
pub mod real;
pub mod workload;
