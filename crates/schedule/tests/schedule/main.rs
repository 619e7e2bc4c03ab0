//! The scheduler by its public items.
#![expect(clippy::expect_used, reason = "a test that cannot go on fails")]

mod cases;
mod fleets;
mod plan;
mod properties;
mod reasons;
mod refusals;
mod sharing;
mod speed;
mod vectors;
