//! The layers of the house: which crate may use which, and which file of a crate which other file.

mod circles;
mod edges;
mod files;
mod rust;
mod typescript;
