//! Planning: from a checked tree to the steps of the evaluation.

pub(crate) mod planner;
pub(crate) mod steps;
