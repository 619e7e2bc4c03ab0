//! The memory budget of pools: which pool a model is in, who holds its memory, who gets what is free, and how firm a
//! reservation is. Everything here is pure: it knows models as [`Model`]s, however they were read.

pub mod model;
pub mod pass;
pub mod pool;
pub mod reserve;
pub mod walk;
