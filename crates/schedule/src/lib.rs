//! Places the replicas of a model on a fleet of GPU clusters, as the fleet scheduler of Modelplane v0.3.1 does.
//!
//! [`schedule`] is a pure function. It knows no Kubernetes object: who calls it reads clusters, pools and replicas, and
//! says which selectors hold on which device ([`Fit`]). Pools are full when their nodes are taken: a pod that claims one
//! GPU of a node takes the node. With [`Accounting::Devices`] pods share nodes.
//!
//! It keeps the replicas that still fit their pools, drops the surplus, and then places what is missing: each replica on
//! the cluster with the fewest of them, and of equals on the first by name. Every engine of a replica gets one pool of
//! that cluster.
//!
//! The choices are greedy: a request takes the first device that suits it, and an engine the first pool. So a replica may
//! find no place although there is one. With [`Strategy::Complete`] such a replica is placed by a search. What the greedy
//! choice places is placed the same.
//!
//! [`plan`] asks what would become of a fleet and all its deployments.

mod demand;
mod fill;
mod fit;
mod fleet;
mod ledger;
mod matching;
mod overcommit;
mod packing;
mod placement;
pub mod plan;
mod refusal;
mod retain;
mod scheduler;
mod search;
mod situation;
mod taint;

pub use demand::{Demand, Engine, Member, Request, Role};
pub use fit::Fit;
pub use fleet::{Claim, Cluster, Device, Fleet, Pool, Replica, ReplicaEngine, ReplicaMember};
pub use matching::entries;
pub use overcommit::Overcommitted;
pub use placement::{EnginePlacement, MemberPlacement, Placement};
pub use refusal::{Refusal, Refused};
pub use scheduler::{Outcome, schedule};
pub use situation::{Accounting, Situation, Strategy};
pub use taint::{Effect, Taint, Toleration};
