//! Fleets: what a cascade places on them, and what plans say of them.

#![expect(clippy::expect_used, reason = "a test that cannot go on fails")]

mod cascade;
mod plan;
mod texts;
