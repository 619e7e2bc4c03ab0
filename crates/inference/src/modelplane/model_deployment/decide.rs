//! Decides which replicas there are: where the scheduler puts them, or those that exist while it cannot be asked.

use schedule::{EnginePlacement, Placement};
use serde_json::Value;
use toolbox::conditions::holds;

use super::read::{CacheState, Conflict, DeploymentRead};
use crate::modelplane::crowded::{CrowdedPool, crowded};
use crate::modelplane::options::Backend;
use crate::modelplane::refusals::{self, NamedCluster, RefusalRow};
use crate::modelplane::scheduling::keys;
use crate::modelplane::scheduling::neighbours::{FleetCluster, Malformed, Neighbour, Neighbours};
use crate::modelplane::scheduling::place::{Asked, BadSelector, Placed, Wanted, hold};

/// The replicas of a deployment, and why they are these.
pub(super) struct Decision<'n> {
    /// The replicas, sorted by cluster and index.
    pub(super) candidates: Vec<Candidate<'n>>,
    /// Why.
    pub(super) why: Why,
    /// Whether everything that is composed stays, also what no replica has.
    pub(super) holds_all: bool,
    /// How many clusters were considered.
    pub(super) clusters: usize,
    /// Where somebody is told, if replicas that should be placed have no place: why the clusters get no further one.
    pub(super) refusals: Vec<RefusalRow<'n>>,
    /// With full answers: the pools of its replicas of which more is taken than there is. `None` while that is not known.
    pub(super) crowded: Option<Vec<CrowdedPool>>,
    /// Neighbours that cannot be read.
    pub(super) malformed: Vec<Malformed>,
    /// Replicas that are called as those of other deployments on the same cluster.
    pub(super) collisions: Vec<Collision>,
}

/// Why the replicas are these.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Why {
    /// The scheduler placed them, or nothing new is placed now.
    Scheduled,
    /// It is not known which clusters or replicas there are.
    Waiting,
    /// There is no cluster that the deployment may use, or nobody has looked yet.
    NoClusters,
    /// The deployment is of several shapes.
    Mixture,
    /// A selector cannot be used.
    Selector(BadSelector),
    /// No cluster has the labels that deployment and cache select.
    Conflict(Conflict),
}

/// A replica with its place.
pub(super) struct Candidate<'n> {
    /// The name of its cluster.
    pub(super) cluster: &'n str,
    /// Its index on that cluster.
    pub(super) index: i64,
    /// The address of the cluster's gateway. Empty when it has none, and `None` when the cluster is not known.
    pub(super) gateway: Option<&'n str>,
    /// What it is.
    pub(super) body: Body<'n>,
    /// Whether it is observed as composed.
    pub(super) observed: bool,
    /// Whether it is ready.
    pub(super) ready: bool,
    /// What serves it.
    pub(super) backend: Backend,
}

/// What a replica is.
pub(super) enum Body<'n> {
    /// As the deployment says, with these places for its engines.
    Placed(Vec<EnginePlacement<'n>>),
    /// As it is observed.
    Held(&'n Value),
}

/// A replica that is called as one of another deployment on the same cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Collision {
    /// The name of both.
    pub(super) name: String,
    /// Their cluster.
    pub(super) cluster: String,
    /// The namespace of the other one.
    pub(super) namespace: String,
}

/// Decides.
pub(super) fn decide<'n>(read: &'n DeploymentRead<'_>, neighbours: &'n Neighbours<'n>) -> Decision<'n> {
    let deployment = &read.deployment;
    if !deployment.mixture.is_empty() {
        return all_held(read, neighbours, Why::Mixture);
    }
    if read.clusters.all().is_empty() {
        return all_held(read, neighbours, Why::NoClusters);
    }
    let asked = read.asked();
    let wanted = match Wanted::read(&asked) {
        Ok(wanted) => wanted,
        Err(bad) => return all_held(read, neighbours, Why::Selector(bad)),
    };
    if !read.replicas.is_resolved() || read.classes.as_ref().is_some_and(|classes| !classes.is_resolved()) {
        return all_held(read, neighbours, Why::Waiting);
    }
    let most = deployment.spec.replicas as usize;
    if let Some(conflict) = read.conflict() {
        return decision(read, neighbours, hold(&neighbours.replicas, most), Why::Conflict(conflict));
    }
    if matches!(read.cache, CacheState::Unresolved | CacheState::Absent) {
        return decision(read, neighbours, hold(&neighbours.replicas, most), Why::Scheduled);
    }
    match wanted.place(&asked, neighbours) {
        Ok(placed) => {
            let refusals = if read.tells { refusals(&placed, neighbours, &asked) } else { Vec::new() };
            let crowded = if read.tells { crowded(&placed.outcome, neighbours) } else { Vec::new() };
            Decision {
                refusals,
                crowded: Some(crowded),
                ..decision(read, neighbours, placed.outcome.placements, Why::Scheduled)
            }
        }
        Err(bad) => all_held(read, neighbours, Why::Selector(bad)),
    }
}

fn refusals<'n>(placed: &Placed<'_, 'n>, neighbours: &'n Neighbours<'n>, asked: &Asked<'_>) -> Vec<RefusalRow<'n>> {
    let refused = &placed.outcome.refused;
    if refused.is_empty() {
        return Vec::new();
    }
    let named = neighbours.clusters.iter().map(|FleetCluster { read, .. }| NamedCluster {
        name: read.name,
        pools: read.pools.iter().map(|pool| pool.name).collect(),
        lacks_weights: asked.lacks_weights(read.ready, read.name),
    });
    refusals::rows(refused, &named.collect::<Vec<_>>(), (asked.engines, asked.accounting), &placed.suitability())
}

/// All replicas that exist, as they are.
fn all_held<'n>(read: &'n DeploymentRead<'_>, neighbours: &'n Neighbours<'n>, why: Why) -> Decision<'n> {
    let placements = hold(&neighbours.replicas, usize::MAX);
    Decision { holds_all: true, ..decision(read, neighbours, placements, why) }
}

fn decision<'n>(
    read: &'n DeploymentRead<'_>,
    neighbours: &'n Neighbours<'n>,
    placements: Vec<Placement<'n>>,
    why: Why,
) -> Decision<'n> {
    let collisions = placements.iter().filter_map(|placement| collision(read, neighbours, placement)).collect();
    let candidates = placements.into_iter().filter_map(|placement| candidate(read, neighbours, placement));
    Decision {
        candidates: candidates.collect(),
        why,
        holds_all: false,
        clusters: neighbours.clusters.len(),
        refusals: Vec::new(),
        crowded: None,
        malformed: neighbours.malformed.clone(),
        collisions,
    }
}

fn candidate<'n>(
    read: &'n DeploymentRead<'_>,
    neighbours: &'n Neighbours<'n>,
    placement: Placement<'n>,
) -> Option<Candidate<'n>> {
    let Placement { cluster, index, engines, retained } = placement;
    let observed = read.observed.get(&keys::of_replica(cluster, index));
    let existing = || observed.or_else(|| looked_up(neighbours, retained?));
    let backend = match existing() {
        Some(replica) => Backend::noted(replica).unwrap_or_default(),
        None => read.deployment.options.modelplane.backend,
    };
    let template = &read.deployment.spec.template.spec;
    let body = if engines.is_empty() && retained.is_some() { Body::Held(existing()?) } else { Body::Placed(engines) };
    // Of several clusters with one name the last one counts.
    let known = neighbours.clusters.iter().rfind(|it| it.read.name == cluster);
    Some(Candidate {
        gateway: known.map(|known| known.read.gateway),
        body,
        observed: observed.is_some(),
        ready: observed.is_some_and(|replica| holds(replica, "Ready")),
        backend: backend.serving(template.serving.unwrap_or_default().mode, template.engines.len()),
        cluster,
        index,
    })
}

/// A replica of the deployment as it was looked up.
fn looked_up<'n>(neighbours: &'n Neighbours<'n>, name: &str) -> Option<&'n Value> {
    let found = neighbours.replicas.iter().find(|replica| replica.ours && replica.name == name)?;
    found.object.object().ok()
}

/// A replica of another namespace with the same name on the same cluster as one of ours that stays.
fn collision(read: &DeploymentRead<'_>, neighbours: &Neighbours<'_>, placement: &Placement<'_>) -> Option<Collision> {
    placement.retained?;
    let name = keys::name(&read.deployment.name, placement.cluster, placement.index);
    let collides = |other: &&Neighbour<'_>| !other.ours && other.cluster == placement.cluster && other.name == name;
    let other = neighbours.replicas.iter().find(collides)?;
    Some(Collision { name, cluster: placement.cluster.to_owned(), namespace: other.namespace.to_owned() })
}
