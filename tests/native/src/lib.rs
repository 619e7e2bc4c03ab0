//! What suites share that need no host: the golden corpus, files with expected texts, the health of objects, and
//! checks that were skipped.

pub mod files;
pub mod golden;
pub mod health;
pub mod skipped;
