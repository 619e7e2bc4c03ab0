//! The layers of the house: which crate may use which, which file of a crate which other file, and
//! what kinds share.

mod circles;
mod edges;
mod files;
mod rooms;
mod rust;
mod typescript;
