//! What would become of a fleet: which replicas move when it changes, and how many more fit.
//!
//! Several deployments share the fleet. They are placed one after another in the order in which they are given, each seeing what
//! those before took; that is repeated until nothing changes, as it would be on a control plane.

mod headroom;
mod what_if;
mod world;

pub use headroom::{Headroom, Scarce, headroom};
pub use what_if::{Difference, Edit, Move, difference, edited};
pub use world::{Deployed, Settled, Stock, World, settle, stock};
