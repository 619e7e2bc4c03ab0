//! Helpers for objects that many kinds compose: plans to start with, paths for rules, values, and functions that read
//! observed objects. They decide no value: values come from rules, so that `explain` has a reason for each.

pub mod helm;
pub mod managed;
pub mod remote;
pub mod selectors;
pub mod usage;
