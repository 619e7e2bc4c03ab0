//! The host: adapters that connect composition modules to Crossplane, to admission webhooks and to the command line.
//!
//! The host knows the contract in `wit/` and the formats of its adapters. It knows no kind.

pub mod admission;
mod allocator;
mod causes;
pub mod cli;
pub mod engine;
mod foreign;
pub mod function;
mod limits;
mod logging;
pub mod metrics;
mod modules;
pub mod preview;
mod problem;
mod read;
pub mod serving;
mod traces;
pub mod wit;
