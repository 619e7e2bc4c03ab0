//! Shares the memory of pools among models (`InferenceModel`): which pool a model is in, who holds its memory, who gets what is free, how
//! firm a reservation is, who needs whom, and who was asked for last.
//!
//! A composite is composed beside all its siblings, of which a pool may have thousands: [`siblings`] reads them, [`pool_models`] makes of
//! them what the others need to know, and everything else is pure and knows no object. So this is a crate of its own: the kinds are
//! optimised for size alone.

pub mod activity;
pub mod dependencies;
pub mod memory;
pub mod model;
pub mod pass;
pub mod pool;
pub mod pool_models;
pub mod reserve;
pub mod siblings;
pub mod walk;
