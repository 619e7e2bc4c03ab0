//! Engines: what each replica of a model runs.
//!
//! A deployment says which devices each member of an engine needs ([`WantedEngine`]). A replica says on which pool each
//! member runs, and which devices it claims there ([`PlacedEngine`]). All else of an engine is the same for both: it is
//! copied from one to the other.

mod arguments;
mod engine;
pub mod judge;
mod members;
#[cfg(feature = "generate")]
pub(crate) mod rules;
mod template;

pub use arguments::{first_of, integer, position_of_model};
pub use engine::{
    CacheRef, Engine, PORT_BEHIND_SIDECAR, Phase, PlacedEngine, SERVING_PORT, Serving, ServingMode, WantedEngine,
};
pub use members::{
    DeviceRequest, DeviceSelector, NodeSelector, PlacedMember, Role, WantedDevice, WantedMember, Worker,
};
pub use template::{Container, PodTemplate};
