//! The layers of the workspace: which crates and which files may use each other, what kinds share, which names are unique,
//! and where each test goes.

mod circles;
mod edges;
mod files;
mod names;
mod places;
mod rooms;
mod rust;
mod typescript;
