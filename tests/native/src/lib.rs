//! What suites share that need no host: the golden corpus, files with expected texts, and the health of objects.

pub mod files;
pub mod golden;
pub mod health;
