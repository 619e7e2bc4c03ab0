//! What suites share that need no host: the golden corpus, files with expected texts, the health of objects,
//! numbers for generated input, checks that were skipped, and what dot-kubernetes composes.

pub mod dot_kubernetes;
pub mod files;
pub mod golden;
pub mod health;
pub mod random;
pub mod skipped;
