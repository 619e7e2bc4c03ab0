//! Checked tree → steps.

pub(crate) mod planner;
pub(crate) mod steps;
