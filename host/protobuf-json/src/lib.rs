//! JSON values in protobuf messages: `google.protobuf.Struct` and what it is made of.
//!
//! A Kubernetes object is a [`Struct`] in Crossplane's protocol: a map of values, which can be maps again. Other crates decode
//! it to a tree of maps. A second walk over the tree then writes the JSON text that modules read, and responses take the same
//! way back. That was the largest part of the cost of a call. Here a `Struct` keeps the bytes of its entries:
//!
//! - An object that is only passed on is never decoded. It is sent as it was received, byte for byte.
//! - [`Struct::to_json`] writes JSON text from the bytes, and [`Struct::from_json`] writes bytes from the text. There is no
//!   tree between them.
//! - [`Struct::text`] reads one text where it stands.
//! - [`Struct::fields`] is still a map. It is decoded when it is first used, one level deep.

mod entries;
mod find;
mod lazy;
mod read;
#[cfg(test)]
mod tests;
pub mod value;
mod write;

pub use lazy::Lazy;
pub use value::{ListValue, NullValue, Struct, Value};
pub use write::NotJson;
