//! What suites share that need no host: the golden corpus, and files with expected texts.

pub mod files;
pub mod golden;
