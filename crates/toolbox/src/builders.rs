//! Shapes of the objects that many kinds compose: starts of plans, paths for rows, values and what can be read back.
//! They spell and compute nothing; what an object says is stated by rows, so that `explain` has a reason for it.

pub mod helm;
pub mod managed;
pub mod remote;
pub mod selectors;
pub mod usage;
