//! Where the replicas of a deployment go: read from clusters and replicas, and asked of [`schedule`].
//!
//! Composing a deployment schedules its replicas. Admission asks the same code what an edit of a deployment, a cluster or a
//! class would move, so both give one answer.

pub mod claimed;
pub mod classes;
pub mod keys;
pub mod moves;
pub mod neighbours;
pub mod place;
