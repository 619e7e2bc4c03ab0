//! What kinds are made with. Nothing here knows a kind, and nothing decides a value.
//!
//! A kind states its values as tables of [`rule`]s, what it says as [`conditions`], and itself as a row ([`kind`]).
//! [`validation`] holds objects against the kind's definition, which [`definition`] builds out of its types.

pub mod conditions;
#[cfg(feature = "generate")]
pub mod definition;
pub mod duration;
pub mod kind;
pub mod names;
pub mod path;
pub mod policy;
#[cfg(feature = "generate")]
pub mod published;
pub mod resources;
pub mod rule;
#[cfg(feature = "generate")]
pub mod structural;
pub mod validation;
pub mod words;
