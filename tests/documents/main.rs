//! What the documents say is true: links lead somewhere, commands do what is shown, data is what it says to be, and
//! figures and pictures are those that were measured and seen.
//!
//! `tests::documents` says how documents show commands. Some are run here, some by the suites with real components.

#![expect(clippy::expect_used, reason = "a test that cannot go on fails")]

mod blocks;
mod commands;
mod defaults;
mod figures;
mod help;
mod links;
mod make;
mod mentions;
mod metrics;
mod mirror;
mod peers;
mod picture;
mod rights;
mod symptoms;

/// Panics with what is wrong, a line each.
#[track_caller]
fn none_wrong(wrong: &[String]) {
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
