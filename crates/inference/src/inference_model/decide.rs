//! Decides what becomes of a model: whether it runs, what it holds of its pool, and why.

use std::sync::Arc;

use budget::activity::{self, LAST_REQUEST, Stamp, is_expired, sleeps_at, written};
use budget::model::Reservation;
use budget::pass::{self, Moves, Pass, Passed, Pods, Reserved};
use budget::pool::{Limits, Total};
use budget::pool_models::{PoolModels, Wait};
use budget::reserve::RIPE;
use budget::siblings::{ReadModelConditions, Sibling};
use budget::walk::{self, Turn};
use quantity::{Duration, Time};
use serde_json::Value;
use toolbox::fields;
use toolbox::path;

use super::deployed::DeployedModel;
use super::read::ModelRead;

/// The longest time that a response holds, in milliseconds.
const LONGEST: u64 = 60_000;
/// The shortest one.
const SHORTEST: u64 = 1_000;

/// What becomes of a model.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ModelDecision {
    /// Its situation.
    pub(super) situation: Situation,
    /// Whether it has a Deployment.
    pub(super) exists: bool,
    /// The pods that there should be.
    pub(super) replicas: i64,
    /// What it holds from now on.
    pub(super) reserved: Option<Reserved>,
    /// Whether its pods stay on the nodes where they are, because they have no memory on those that it wants.
    pub(super) stays: bool,
    /// What became of its wish for another pool.
    pub(super) moves: Moves,
    /// The stamp that its Deployment gets.
    pub(super) stamp: Option<String>,
    /// The mark of its reservation that its Deployment gets, while pods are desired.
    pub(super) mark: Option<String>,
    /// When it falls asleep, unless somebody asks for it.
    pub(super) sleeps_at: Option<Time>,
    /// How long the response holds, in milliseconds. `None` leaves it to the caller.
    pub(super) ttl: Option<u64>,
    /// What it found when it waited for memory.
    pub(super) turn: Option<Turn>,
    /// The models that it sees.
    pub(super) models: PoolModels,
    /// What its own pool, and all pools together, have confirmed over their totals: used and total.
    pub(super) over: Option<Over>,
    /// Values that were passed over, and why.
    pub(super) ignored: Vec<String>,
    /// The dependency that was lost while it runs.
    pub(super) lost: Option<String>,
    /// What it was before, by the reason of its condition.
    pub(super) before: String,
    /// Whether it runs already, made by another controller: its Deployment is not observed yet.
    pub(super) taken_over: bool,
}

/// How a model is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Situation {
    /// It is being deleted.
    Terminating,
    /// It cannot run, for this reason.
    Failed(String),
    /// Nobody has looked for what decides about it.
    Unknown,
    /// Something else runs it.
    External,
    /// It never runs, or nobody has asked for it.
    Asleep(Asleep),
    /// It waits for something else than memory.
    Waiting(String),
    /// There is no memory for it.
    Refused,
    /// It runs.
    Running,
}

/// How a model sleeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Asleep {
    /// Whether it never runs.
    pub(super) pinned: bool,
    /// Whether its pods are still there.
    pub(super) going: bool,
    /// Whether it falls asleep in this pass.
    pub(super) falls: bool,
}

/// Confirmed reservations over a total.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Over {
    /// Whether it is the total of all pools.
    pub(super) all: bool,
    /// What is confirmed, in bytes.
    pub(super) confirmed: i128,
    /// The total, in bytes.
    pub(super) total: i128,
}

/// What its status says a model was before.
struct StatusBefore<'a> {
    reason: &'a str,
    replicas: i64,
    reserved: Option<Reserved>,
}

impl<'a> StatusBefore<'a> {
    fn of(read: &'_ ModelRead<'a>) -> Self {
        let status = path::get(read.composite, "status");
        let text = |field: &str| status.and_then(|it| it.get(field)?.as_str()).filter(|text| !text.is_empty());
        let owned = |field: &str| text(field).map(str::to_owned);
        let conditions = status.and_then(|it| it.get("conditions"));
        let conditions: ReadModelConditions<'a> = conditions.and_then(|it| fields::items(it).ok()).unwrap_or_default();
        let reserved = text("reservedMemory").map(|_| Reserved {
            pool: owned("reservedPool").unwrap_or_else(|| read.pool.clone()),
            reservation: match text("reservation") {
                Some("Confirmed") => Reservation::Confirmed,
                Some("Withdrawn") => Reservation::Withdrawn,
                _ => Reservation::Claimed,
            },
            claimed_at: owned("claimedAt").unwrap_or_default(),
            claimed_pool: owned("claimedPool"),
            leaving_pool: owned("leavingPool"),
        });
        let replicas = status.and_then(|it| it.get("replicas")?.as_i64()).unwrap_or_default();
        Self { reason: conditions.reason(), replicas, reserved }
    }

    /// What the model holds.
    fn held(&self, read: &ModelRead<'_>) -> Option<Reserved> {
        let runs = self.replicas > 0 || matches!(self.reason, "Deploying" | "Deployed");
        let (pods, mark, pool) = match &read.deployed {
            Some(it) if it.desired > 0 => (Pods::Desired, it.mark, it.pool()),
            Some(it) if it.replicas > 0 => (Pods::Going, it.mark, it.pool()),
            None if runs => (Pods::Desired, None, None),
            _ => (Pods::None, None, None),
        };
        Reserved::found(self.reserved.as_ref(), pods, mark, pool.as_deref().unwrap_or(&read.pool))
    }
}

/// What somebody's wish for a model is.
struct Wish {
    /// Whether it should run.
    runs: bool,
    /// The newest time that somebody asked for it.
    last: Option<Time>,
    /// Whether it has never run.
    is_new: bool,
    /// When it falls asleep.
    sleeps_at: Option<Time>,
}

/// Decides about a model beside its siblings, which are `None` while nobody has looked for them.
pub(super) fn decide(read: &ModelRead<'_>, siblings: Option<Vec<Sibling>>) -> ModelDecision {
    let before = StatusBefore::of(read);
    let held = before.held(read);
    let mut ignored = Vec::new();
    let wish = wish(read, &before, held.as_ref(), &mut ignored);
    let mut decision = ModelDecision {
        situation: Situation::Unknown,
        exists: read.deployed.is_some(),
        replicas: read.deployed.as_ref().map_or(0, |it| it.desired),
        stays: held.as_ref().is_some_and(|it| it.pool != read.pool),
        moves: Moves::No,
        stamp: wish.last.map(written),
        mark: read.deployed.as_ref().filter(|it| it.desired > 0).and_then(|it| it.mark).map(str::to_owned),
        sleeps_at: None,
        ttl: Some(LONGEST),
        turn: None,
        models: PoolModels::default(),
        over: None,
        lost: None,
        before: before.reason.to_owned(),
        taken_over: held.is_some() && before.reserved.is_none() && read.deployed.is_none(),
        reserved: held.clone(),
        ignored,
    };
    if path::get(read.composite, "metadata.deletionTimestamp").is_some_and(Value::is_string) {
        decision.situation = Situation::Terminating;
        return decision;
    }
    let mut failure = read.memory.is_none().then(|| format!("spec.memory: {}", budget::memory::UNDECLARED));
    if let Some(why) = &failure {
        decision.situation = Situation::Failed(why.clone());
    }
    if read.model.spec.is_external() {
        return if failure.is_some() { decision } else { external(read, decision) };
    }
    let (Some(limits), Some(mut siblings)) = (&read.totals.limits, siblings) else { return decision };
    let mut own = Sibling::of_value(read.composite, read.now).unwrap_or_default();
    own.holds = held.as_ref().map(Reserved::holds).unwrap_or_default();
    own.wants = wish.runs && read.model.spec.max_replicas > 0;
    own.memory = read.memory.or(own.memory);
    if !read.options.dependencies {
        siblings.iter_mut().chain([&mut own]).for_each(|it| it.dependencies.clear());
    }
    own.starts = true;
    let seen = siblings.iter().find(|it| it.namespace == own.namespace && it.name == own.name);
    let seen = seen.map(|it| (Arc::clone(&it.claimed_at), Arc::clone(&it.claimed_pool)));
    decision.models = PoolModels::of(siblings, own);
    decision.over = held.as_ref().and_then(|held| over(&decision.models, held, limits));
    if let Some(cycle) = &decision.models.cycle {
        failure = failure.or_else(|| Some(format!("dependency cycle: {cycle}")));
    }
    settle(read, decision, wish, held, Surroundings { seen, limits, failure })
}

/// What is known beside the request.
struct Surroundings<'l> {
    /// What the list shows of the model's own claim: its time, and the pool that it is about to move to.
    seen: Option<(Arc<str>, Arc<str>)>,
    /// The memory that there is.
    limits: &'l Limits,
    /// Why the model cannot start. What runs stays, and what goes releases its memory.
    failure: Option<String>,
}

/// Decides about a model whose siblings and limits are known.
fn settle(
    read: &ModelRead<'_>,
    mut decision: ModelDecision,
    wish: Wish,
    held: Option<Reserved>,
    Surroundings { seen, limits, failure }: Surroundings<'_>,
) -> ModelDecision {
    let pinned = read.model.spec.max_replicas == 0;
    let desired = read.deployed.as_ref().map_or(0, |it| it.desired);
    let wants = !pinned && if failure.is_some() { desired > 0 } else { wish.runs || decision.models.wanted };
    let waits = decision.models.waits.as_ref().filter(|_| !pinned).map(Wait::words);
    let pass = Pass {
        held: held.as_ref(),
        wanted: &read.pool,
        wants,
        waits: waits.is_some(),
        observed: read.deployed.is_some(),
        mark: read.deployed.as_ref().and_then(|it| it.mark),
        gone: is_gone(read),
        rolled_out: read.deployed.as_ref().is_some_and(DeployedModel::is_rolled_out),
        models: &decision.models.models,
        own: decision.models.own,
        seen: seen.as_ref().map(|(at, pool)| (&**at, &**pool)),
        now: read.now,
        limits,
    };
    let Passed { reserved, runs, moves, strays, turn } = pass.run();
    let is_failed = failure.is_some();
    decision.situation = match (&reserved, runs) {
        _ if is_failed => Situation::Failed(failure.unwrap_or_default()),
        (_, true) => Situation::Running,
        _ if !wants => Situation::Asleep(Asleep { pinned, going: reserved.is_some(), falls: !pinned && desired > 0 }),
        _ if strays => {
            let pool = held.as_ref().map_or("", |held| held.pool.as_str());
            Situation::Waiting(format!("waits for its pods to leave pool `{pool}`"))
        }
        (None, _) if held.is_none() && waits.is_some() => Situation::Waiting(waits.clone().unwrap_or_default()),
        _ => Situation::Refused,
    };
    let sleeps = matches!(decision.situation, Situation::Asleep(_));
    decision.exists |= runs || sleeps && is_composed_asleep(read, &decision.before);
    decision.replicas = match runs {
        true if is_failed => desired,
        true => read.model.spec.max_replicas.into(),
        false => 0,
    };
    decision.mark = reserved.as_ref().filter(|_| runs).map(Reserved::mark);
    decision.stays = reserved.as_ref().is_some_and(|it| it.pool != read.pool);
    decision.stamp = stamp(read, &wish, held.as_ref(), reserved.as_ref(), runs);
    // What others need does not sleep, nor what cannot start again.
    decision.sleeps_at = wish.sleeps_at.filter(|_| runs && !is_failed && !decision.models.wanted);
    decision.lost = waits.filter(|_| runs && !is_failed);
    decision.reserved = reserved;
    decision.moves = moves;
    decision.turn = turn;
    let released = held.is_some() && decision.reserved.is_none();
    decision.ttl = ttl(read, &decision, wish.sleeps_at, released);
    decision
}

/// A model that something else runs. Its memory is taken, whether it fits or not, and there is nothing to compose or to start. So
/// neither totals nor other models decide about it (`docs/inference-model-budgets.md`).
fn external(read: &ModelRead<'_>, mut decision: ModelDecision) -> ModelDecision {
    if read.options.dependencies && !read.model.spec.dependencies.is_empty() {
        decision.ignored.push("spec.dependencies: something else runs the model, so it waits for nothing".to_owned());
    }
    let pinned = read.model.spec.max_replicas == 0;
    let claimed_at = decision.reserved.map(|it| it.claimed_at).filter(|at| !at.is_empty());
    let claimed_at = claimed_at.or_else(|| read.now.map(written)).unwrap_or_default();
    ModelDecision {
        situation: Situation::External,
        exists: false,
        replicas: 0,
        stays: false,
        reserved: (!pinned).then(|| Reserved::new(&read.pool, Reservation::Confirmed, claimed_at)),
        ttl: None,
        ..decision
    }
}

/// Whether a model that sleeps has a Deployment that is not observed: one that never runs has one without pods, and one that slept
/// before has that of another controller.
fn is_composed_asleep(read: &ModelRead<'_>, reason: &str) -> bool {
    read.model.spec.max_replicas == 0 || read.deployed.is_none() && reason == "ScaledToZero"
}

/// Whether the Deployment reports that the pods are gone. One that is not observed has those that the status reports.
fn is_gone(read: &ModelRead<'_>) -> bool {
    let reports = path::get(read.composite, "status.replicas").and_then(Value::as_i64).unwrap_or_default();
    read.deployed.as_ref().map_or(reports <= 0, DeployedModel::is_gone)
}

/// Who asked for a model, and when.
fn wish(read: &ModelRead<'_>, before: &StatusBefore<'_>, held: Option<&Reserved>, ignored: &mut Vec<String>) -> Wish {
    let spec = &read.model.spec;
    let own = path::get(read.composite, "metadata.annotations").and_then(|it| it.get(LAST_REQUEST)?.as_str());
    let of_deployment = read.deployed.iter().flat_map(|it| it.stamps.iter().copied());
    let mut last: Option<Time> = None;
    for (whose, text) in
        own.map(|text| ("", text)).into_iter().chain(of_deployment.map(|text| (" of its Deployment", text)))
    {
        match Stamp::read(text, read.now) {
            Stamp::At(at) => last = last.max(Some(at)),
            Stamp::Ahead => {
                ignored.push(format!("annotation `{LAST_REQUEST}`{whose} is more than 5 minutes ahead of the clock"))
            }
            Stamp::Unreadable => ignored
                .push(format!("annotation `{LAST_REQUEST}`{whose} is no time; give one like `2026-01-31T12:00:00Z`")),
        }
    }
    if !read.options.dependencies && !spec.dependencies.is_empty() {
        ignored.push("spec.dependencies: the options leave dependencies out".to_owned());
    }
    let cooldown = activity::cooldown(&spec.cooldown_period).unwrap_or_else(|fallback| {
        ignored.push("spec.cooldownPeriod is no duration over 0, so it is 10 minutes; give one like `10m`".to_owned());
        fallback
    });
    let runs = held.is_some_and(|it| it.reservation != Reservation::Withdrawn);
    let is_new = !runs && before.reason != "ScaledToZero" && (read.deployed.is_none() || last.is_none());
    // The claim is all that is known of a first admission whose Deployment is not observed, or has lost its stamp.
    let claimed = held.and_then(|it| it.claimed_at.parse().ok());
    let last = if read.deployed.is_none() { last.max(claimed) } else { last.or(claimed) };
    // What runs and was never stamped counts as asked for now, or it would never sleep.
    let up = runs && read.deployed.as_ref().is_some_and(|it| it.desired > 0);
    let last = last.or(read.now.filter(|_| up));
    let is_up = match (read.now, last) {
        _ if is_new => true,
        (Some(now), Some(last)) => !is_expired(now, last, cooldown),
        // What runs goes on running while nobody knows how long it has not been asked for.
        _ => runs && !is_told_to_sleep(read, before),
    };
    Wish { runs: is_up, last, is_new, sleeps_at: last.and_then(|last| sleeps_at(last, cooldown)) }
}

/// Whether it was told to sleep before, and nobody has asked since.
fn is_told_to_sleep(read: &ModelRead<'_>, before: &StatusBefore<'_>) -> bool {
    before.reason == "ScaledToZero" && read.deployed.as_ref().is_some_and(|it| it.desired == 0)
}

/// The stamp that its Deployment gets: the newest that is known. The first admission counts as a request, once it stands.
fn stamp(
    read: &ModelRead<'_>,
    wish: &Wish,
    held: Option<&Reserved>,
    next: Option<&Reserved>,
    runs: bool,
) -> Option<String> {
    if held.is_none() && runs && wish.is_new {
        return wish.last.max(read.now).map(written);
    }
    let last = wish.last.map(written);
    // A claim that is withdrawn was no request.
    let withdrawn = !runs && next.is_none_or(|it| it.reservation != Reservation::Confirmed);
    let is_first =
        |stamp: &String| held.is_some_and(|it| it.reservation != Reservation::Confirmed && it.claimed_at == *stamp);
    last.filter(|stamp| !(withdrawn && is_first(stamp)))
}

/// The confirmed reservations that exceed a total, where the model is one of them.
fn over(models: &PoolModels, held: &Reserved, limits: &Limits) -> Option<Over> {
    if held.reservation != Reservation::Confirmed {
        return None;
    }
    let confirmed = walk::confirmed(&models.models, &held.pool);
    if let Total::Bytes(total) = limits.of(&held.pool)
        && confirmed > total
    {
        return Some(Over { all: false, confirmed, total });
    }
    let confirmed = walk::confirmed_of_all(&models.models);
    limits.ceiling.filter(|ceiling| confirmed > *ceiling).map(|total| Over { all: true, confirmed, total })
}

/// How long the response holds: until the next moment at which it would be another one, or at which there may be news. Option `ttl`
/// has no part in it: a longer one would let a model sleep late.
/// `expires` is when what somebody asked for is over.
fn ttl(read: &ModelRead<'_>, decision: &ModelDecision, expires: Option<Time>, released: bool) -> Option<u64> {
    let awaits = read.awaits.min(LONGEST);
    let mut ttl = LONGEST;
    let mut at_most = |millis: u64| ttl = ttl.min(millis.max(SHORTEST));
    match &decision.situation {
        Situation::Asleep(Asleep { going: true, .. }) => at_most(awaits),
        Situation::Asleep(Asleep { pinned: true, .. }) => return None,
        // Its pods are gone, or going; then it is its turn again.
        Situation::Refused | Situation::Waiting(_) if decision.reserved.is_some() => at_most(awaits),
        Situation::Refused | Situation::Waiting(_) if released => at_most(SHORTEST),
        Situation::Running => {
            let is_up = read.deployed.as_ref().is_some_and(|it| it.ready > 0);
            if !is_up {
                at_most(awaits);
            }
            if let (Some(now), Some(at)) = (read.now, decision.sleeps_at) {
                at_most(activity::until(now, at, LONGEST));
            }
        }
        Situation::Failed(_) if decision.reserved.is_some() && decision.replicas == 0 => at_most(awaits),
        _ => {}
    }
    if matches!(decision.situation, Situation::Refused | Situation::Waiting(_))
        && let (Some(now), Some(at)) = (read.now, expires)
        && at > now
    {
        at_most(activity::until(now, at, LONGEST));
    }
    let claim = decision
        .reserved
        .as_ref()
        .filter(|it| it.claimed_pool.is_some() || it.reservation == Reservation::Claimed && decision.replicas > 0);
    if let (Some(claim), Some(now)) = (claim, read.now) {
        if pass::is_old(&claim.claimed_at, read.now) {
            at_most(SHORTEST);
        } else {
            let at = claim.claimed_at.parse::<Time>().map_or(now.seconds(), Time::seconds);
            at_most(u64::try_from((at + RIPE - now.seconds()).clamp(1, RIPE)).unwrap_or(1) * 1_000);
        }
    }
    if decision.moves == Moves::Moving {
        at_most(awaits);
    }
    Some(ttl)
}

/// How long nobody has asked for a model, for people.
pub(super) fn idle(now: Option<Time>, last: Option<Time>) -> Option<String> {
    let idle = activity::idle(now?, last?)?;
    (idle >= Duration::default()).then(|| activity::for_people(idle))
}
