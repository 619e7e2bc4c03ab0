//! The layers of the house: which crate may use which, which file of a crate which other file,
//! what kinds share, which names are unique, and where each test goes.

mod circles;
mod edges;
mod files;
mod names;
mod places;
mod rooms;
mod rust;
mod typescript;
