//! Code that test suites share.

pub mod admission;
pub mod api_server;
pub mod artifacts;
pub mod base64;
pub mod baseline;
pub mod certificates;
pub mod collector;
pub mod command;
pub mod documents;
pub mod fleet;
pub mod function;
pub mod kubernetes;
pub mod models;
pub mod platform;
pub mod real;
pub mod refused;
pub mod share;
pub mod tree;
pub mod wit;
pub mod workload;

pub use native::{dot_kubernetes, files, golden, health, random, skipped};
