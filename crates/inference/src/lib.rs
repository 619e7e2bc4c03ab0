//! The kinds of Sailplane: what should exist for a composite, and why.
//!
//! [`KINDS`] is the one table of kinds: a new kind is a module here and a row in it.

use toolbox::kind::Kinds;

pub mod llm_inference;
pub mod options;
#[cfg(feature = "generate")]
pub mod providers;

/// Every kind, sorted by API version and kind, and every kind of step input.
pub const KINDS: Kinds = Kinds { rows: &[llm_inference::KIND], inputs: &[options::INPUT] };
