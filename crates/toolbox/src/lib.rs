//! The library that kinds are written with. It knows no kind, and it decides no value.
//!
//! A kind is a row ([`kind`]) with tables: [`rule`]s give its values, and [`conditions`] list what it reports.
//! [`builders`] help to write objects that many kinds compose. [`composed`] holds desired resources, [`observed`] the
//! observed ones. [`fields`] reads some fields of many objects, and [`index`] finds objects by theirs. [`validation`]
//! checks objects against the definition of their kind, which `definition` generates from the kind's types.

pub mod asked;
pub mod builders;
pub mod composed;
pub mod conditions;
pub mod data;
#[cfg(feature = "generate")]
pub mod definition;
pub mod duration;
pub mod entries;
pub mod fields;
pub mod hashed;
pub mod held;
pub mod index;
pub mod kind;
pub mod names;
pub mod observed;
pub mod packed;
pub mod path;
pub mod policy;
#[cfg(feature = "generate")]
pub mod published;
pub mod ready;
pub mod reasons;
pub mod resources;
pub mod rows;
pub mod rule;
pub mod shapes;
#[cfg(feature = "generate")]
pub mod structural;
pub mod template;
pub mod typed;
pub mod validation;
