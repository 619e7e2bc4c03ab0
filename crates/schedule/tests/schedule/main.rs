//! The scheduler by its public items.
#![expect(clippy::expect_used, reason = "a test that cannot go on fails")]

mod fleets;
mod plans;
mod properties;
mod refusals;
mod sharing;
mod vectors;
