//! What kinds are made with. Nothing here knows a kind, and nothing decides a value.
//!
//! A kind states its values as tables of [`rule`]s, what it says as [`conditions`], and itself as a row ([`kind`]).
//! [`builders`] know how objects that many kinds compose are spelled, [`composed`] and [`observed`] what is desired and
//! what there is. [`fields`] reads some fields of many objects.
//! [`validation`] holds objects against the kind's definition, which [`definition`] builds out of its types.

pub mod builders;
pub mod composed;
pub mod conditions;
pub mod data;
#[cfg(feature = "generate")]
pub mod definition;
pub mod duration;
pub mod fields;
pub mod hashed;
pub mod kind;
pub mod names;
pub mod observed;
pub mod path;
pub mod policy;
#[cfg(feature = "generate")]
pub mod published;
pub mod resources;
pub mod rule;
pub mod shapes;
#[cfg(feature = "generate")]
pub mod structural;
pub mod validation;
pub mod words;
