//! The host: adapts composition modules to Crossplane functions, to admission webhooks and to the command line.
//!
//! It knows the contract in `wit/` and the formats of its adapters, and nothing of what modules compose.

pub mod admission;
pub mod cli;
pub mod engine;
pub mod function;
mod modules;
pub mod preview;
mod problem;
pub mod serving;
pub mod wit;
