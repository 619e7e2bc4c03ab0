//! Reads models as others see them. A pool may have thousands, so few fields are read, from the text, and nothing is validated: a
//! field of the wrong type counts as absent, and one that is absent has the default of the definition.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use contract::types::ObservedObject;
use quantity::Time;
use serde::Deserialize;
use serde_json::Value;
use toolbox::fields::{self, Items, field, items, list, map, optional};

use crate::activity::{LAST_REQUEST, Stamp, cooldown, is_expired};
use crate::memory;
use crate::model::{Hold, Reservation};
use crate::pool;

/// The annotation by which Crossplane leaves a composite alone.
const PAUSED: &str = "crossplane.io/paused";
/// The reasons of models whose pods are told to go, while some may still be ready: what needs one of them waits for the next pod.
const GOING: [&str; 2] = ["ScaledToZero", "InsufficientMemory"];

/// A model, as others see it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sibling {
    /// Its namespace.
    pub namespace: Arc<str>,
    /// Its name.
    pub name: Arc<str>,
    /// When it was created. Empty when it is not stored yet.
    pub created: Arc<str>,
    /// The name by which clients ask for it.
    pub model_name: Arc<str>,
    /// What it depends on.
    pub dependencies: Vec<Arc<str>>,
    /// The pool that it wants.
    pub pool: Arc<str>,
    /// The memory that counts, in bytes. `None` when it is no amount that a model can have.
    pub memory: Option<i128>,
    /// What it holds.
    pub holds: Arc<[Hold]>,
    /// Whether a pod is ready, and stays so: it is not being deleted, nor told to go.
    pub ready: bool,
    /// Whether it wants to run by itself, whatever others need.
    pub wants: bool,
    /// Whether pods and a Service are composed for it, and not something else serves it.
    pub composed: bool,
    /// Whether it starts as soon as there is memory for it: it is composed, by Crossplane, and is no external backend.
    pub starts: bool,
    /// When somebody last asked for it, as far as others know.
    pub last_request: Option<Time>,
    /// When its memory was claimed. Empty when it was not.
    pub claimed_at: Arc<str>,
    /// The pool that it is about to move to.
    pub claimed_pool: Arc<str>,
}

impl Sibling {
    /// Reads a model, once for all that look at the same object at the same time. `None` when it has no name.
    pub fn read(object: &ObservedObject, now: Option<Time>) -> Option<Self> {
        let read = || Self::of(fields::read(object).ok()?, now);
        let (at, known) = object.read_once(|| (now, read()));
        if at == now { known } else { read() }
    }

    /// Reads a model that is parsed already.
    pub fn of_value(object: &Value, now: Option<Time>) -> Option<Self> {
        Self::of(fields::read_value(object), now)
    }

    /// Who comes first: the oldest, as with [`Model::order`](crate::model::Model::order).
    pub fn order(&self, other: &Self) -> Ordering {
        self.place().cmp(&other.place())
    }

    fn place(&self) -> (bool, &str, &str, &str) {
        (self.created.is_empty(), &self.created, &self.namespace, &self.name)
    }

    fn of(read: ReadModel<'_>, now: Option<Time>) -> Option<Self> {
        let ReadModel { metadata, spec, status } = read;
        if metadata.name.is_empty() {
            return None;
        }
        let pool: Arc<str> = spec.pool().into();
        let is_deleted = metadata.deletion_timestamp.is_some();
        let is_pinned = spec.max_replicas == Some(0);
        let is_external = spec.container_image.is_empty();
        let is_paused = metadata.annotations.get(PAUSED) == Some(&"true");
        let reason = status.conditions.reason();
        let stamp = metadata.annotations.get(LAST_REQUEST).map(|text| Stamp::read(text, now));
        let last_request = stamp.and_then(Stamp::time);
        let mut holds = if is_deleted { Vec::new() } else { status.holds(&pool, reason) };
        if is_external && !is_deleted && !is_pinned {
            holds = vec![Hold { pool: Arc::clone(&pool), reservation: Reservation::Confirmed }];
        }
        if is_paused {
            // Its own pass cannot come.
            let claims = holds.iter_mut().filter(|hold| hold.reservation == Reservation::Claimed);
            claims.for_each(|hold| hold.reservation = Reservation::Confirmed);
        }
        let is_asked = || {
            let cooldown = cooldown(spec.cooldown_period.unwrap_or("10m")).unwrap_or_else(|fallback| fallback);
            last_request.zip(now).is_some_and(|(last, now)| !is_expired(now, last, cooldown))
        };
        let wants = !is_deleted && !is_pinned && !is_external && (reason != "ScaledToZero" || is_asked());
        // What it holds counts, also when nobody can read what it declares by now.
        let reserved = || memory::bytes(status.reserved_memory).filter(|bytes| *bytes > 0 && !holds.is_empty());
        Some(Self {
            namespace: metadata.namespace.into(),
            name: metadata.name.into(),
            created: metadata.creation_timestamp.into(),
            model_name: spec.model_name.into(),
            dependencies: spec.dependencies.into_iter().map(Arc::from).collect(),
            memory: memory::declared(spec.memory).or_else(reserved),
            ready: status.ready && !is_deleted && !GOING.contains(&reason),
            composed: !is_external,
            starts: !is_paused && !is_external,
            claimed_at: status.claimed_at.into(),
            claimed_pool: status.claimed_pool.into(),
            pool,
            holds: holds.into(),
            wants,
            last_request,
        })
    }
}

/// What is read of a model.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ReadModel<'a> {
    #[serde(borrow, deserialize_with = "field")]
    metadata: ReadModelMetadata<'a>,
    #[serde(borrow, deserialize_with = "field")]
    spec: ReadSpec<'a>,
    #[serde(borrow, deserialize_with = "field")]
    status: ReadStatus<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct ReadModelMetadata<'a> {
    #[serde(deserialize_with = "field")]
    name: &'a str,
    #[serde(deserialize_with = "field")]
    namespace: &'a str,
    #[serde(deserialize_with = "field")]
    creation_timestamp: &'a str,
    #[serde(borrow, deserialize_with = "optional")]
    deletion_timestamp: Option<&'a str>,
    #[serde(borrow, deserialize_with = "map")]
    annotations: BTreeMap<&'a str, &'a str>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct ReadSpec<'a> {
    #[serde(deserialize_with = "field")]
    model_name: &'a str,
    #[serde(deserialize_with = "field")]
    memory: &'a str,
    #[serde(borrow, deserialize_with = "optional")]
    node_selector: Option<BTreeMap<&'a str, &'a str>>,
    #[serde(borrow, deserialize_with = "optional")]
    cooldown_period: Option<&'a str>,
    #[serde(deserialize_with = "optional")]
    max_replicas: Option<i64>,
    #[serde(borrow, deserialize_with = "list")]
    dependencies: Vec<&'a str>,
    #[serde(deserialize_with = "field")]
    container_image: &'a str,
}

impl ReadSpec<'_> {
    /// The pool.
    fn pool(&self) -> String {
        pool::key(self.node_selector.iter().flatten().map(|(label, value)| (*label, *value)))
    }
}

/// What is read of the status of a model.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct ReadStatus<'a> {
    #[serde(deserialize_with = "field")]
    ready: bool,
    #[serde(deserialize_with = "field")]
    replicas: i64,
    #[serde(deserialize_with = "field")]
    reserved_memory: &'a str,
    #[serde(deserialize_with = "field")]
    reserved_pool: &'a str,
    #[serde(deserialize_with = "optional")]
    reservation: Option<Reservation>,
    #[serde(deserialize_with = "field")]
    claimed_at: &'a str,
    #[serde(deserialize_with = "field")]
    claimed_pool: &'a str,
    #[serde(deserialize_with = "field")]
    leaving_pool: &'a str,
    #[serde(borrow, deserialize_with = "items")]
    conditions: ReadModelConditions<'a>,
}

impl ReadStatus<'_> {
    /// What it holds. `pool` is the one that it wants.
    fn holds(&self, pool: &Arc<str>, reason: &str) -> Vec<Hold> {
        // Most hold memory of the pool that they want.
        let shared = |name: &str| if *name == **pool { Arc::clone(pool) } else { name.into() };
        let hold = |pool: &str, reservation| Hold { pool: shared(pool), reservation };
        if self.reserved_memory.is_empty() {
            // What ran before Sailplane came is confirmed.
            let runs = self.replicas > 0 || matches!(reason, "Deploying" | "Deployed");
            return runs.then(|| hold(pool, Reservation::Confirmed)).into_iter().collect();
        }
        let main = if self.reserved_pool.is_empty() { &**pool } else { self.reserved_pool };
        let mut holds = vec![hold(main, self.reservation.unwrap_or(Reservation::Claimed))];
        for (pool, reservation) in
            [(self.claimed_pool, Reservation::Claimed), (self.leaving_pool, Reservation::Confirmed)]
        {
            if !pool.is_empty() && pool != main {
                holds.push(hold(pool, reservation));
            }
        }
        holds
    }
}

/// The conditions that say how a model is. Of many, most come after them.
#[derive(Debug, Default)]
pub struct ReadModelConditions<'a> {
    /// The reason of ours.
    own: Option<&'a str>,
    /// The reason of that of the Inference Budget Controller.
    earlier: Option<&'a str>,
}

impl<'a> ReadModelConditions<'a> {
    /// The reason of the condition about a model: ours, or that of the Inference Budget Controller.
    pub fn reason(&self) -> &'a str {
        self.own.or(self.earlier).unwrap_or_default()
    }
}

impl<'a> Items<'a> for ReadModelConditions<'a> {
    type Item = ReadModelCondition<'a>;

    fn take(&mut self, item: Self::Item) -> ControlFlow<()> {
        match item.condition_type {
            "ModelReady" => {
                self.own = Some(item.reason);
                return ControlFlow::Break(());
            }
            "Ready" => self.earlier = self.earlier.or(Some(item.reason)),
            _ => {}
        }
        ControlFlow::Continue(())
    }
}

/// A condition of a model.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct ReadModelCondition<'a> {
    #[serde(rename = "type", deserialize_with = "field")]
    condition_type: &'a str,
    #[serde(deserialize_with = "field")]
    reason: &'a str,
}
