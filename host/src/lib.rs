//! The host: adapts composition modules to Crossplane functions and to the command line.
//!
//! It knows the contract in `wit/` and the formats of its adapters, and nothing of what modules compose.

pub mod cli;
pub mod engine;
pub mod function;
pub mod wit;
pub mod yaml;
