//! The types of `google.protobuf` that Crossplane's protocol uses, in the place of the crate `pbjson-types`.
//!
//! The messages of `function-sdk-rust` use the types of that crate, and cargo's `[patch]` replaces them with these. A
//! Kubernetes object is a [`Struct`] in this protocol: a map of values, which can be maps again. The replaced crate decodes
//! it to a tree of hash maps. A second walk over the tree then writes the JSON text that modules read, and responses take
//! the same way back. That was the largest part of the cost of a call. Here a `Struct` keeps the bytes of its entries:
//!
//! - An object that is only passed on is never decoded. It is sent as it was received, byte for byte.
//! - [`Struct::to_json`] writes JSON text from the bytes, and [`Struct::from_json`] writes bytes from the text. There is no
//!   tree between them.
//! - [`Struct::fields`] is still a map. It is decoded when it is first used, one level deep.
//!
//! The crate has the types and functions that the SDK and the function adapter use, and no others.

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
