//! The types of `google.protobuf` that Crossplane's protocol uses, in the place of the crate `pbjson-types`.
//!
//! `function-sdk-rust` names that crate's types in its messages, and cargo's `[patch]` gives it these instead. A
//! Kubernetes object is a [`Struct`] in this protocol: a map of values, which are maps again. The crate that this one
//! replaces decodes it to a tree of hash maps, which is then walked to make the text that modules read, and the other
//! way round for what they answer. That cost most of a call. Here a `Struct` holds the bytes that came:
//!
//! - What passes through is never decoded, and leaves as it came, byte for byte.
//! - [`Struct::to_json`] makes JSON text of the bytes, and [`Struct::from_json`] bytes of the text, without a tree
//!   between them.
//! - Who looks into [`Struct::fields`] finds a map all the same. It is decoded then, one level deep.
//!
//! There is what the SDK uses, and what the function adapter needs; no more.

mod duration;
mod entries;
mod lazy;
mod read;
#[cfg(test)]
mod tests;
pub mod value;
mod write;

pub use duration::Duration;
pub use lazy::Lazy;
pub use value::{ListValue, NullValue, Struct, Value};
pub use write::NotJson;
