//! The kinds of Sailplane.
//!
//! [`KINDS`] is the only table of kinds. A new kind is a module here and a row in the table.

use toolbox::kind::Kinds;

pub mod llm_inference;
pub mod modelplane;
pub mod options;
#[cfg(feature = "generate")]
pub mod providers;

/// The table of kinds, sorted by API version and kind, with every kind of step input.
pub const KINDS: Kinds = Kinds { rows: &[llm_inference::KIND], inputs: &[options::INPUT] };
