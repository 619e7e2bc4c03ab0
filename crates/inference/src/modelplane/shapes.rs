//! The shapes that earlier versions of the API had, as that of v0.3.1.
//!
//! [`ROWS`] says what becomes of each field. An object is brought into the shape before anything else reads it: nothing but
//! these files knows another one. [`Written`] keeps what the author wrote, because messages name that.

mod as_released;
mod classes;
mod expressions;
#[cfg(feature = "generate")]
pub(crate) mod fields;
mod gateways;
pub mod judge;
mod moves;
mod roles;
mod rows;
mod shaped;

pub use as_released::{as_released, of};
pub use rows::{Becomes, EarlierField, ROWS};
pub use shaped::{ClassTerm, Dropped, Misshapen, Place, Shaped, Written};

#[cfg(test)]
mod tests;
