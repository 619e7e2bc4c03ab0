//! Says who has the memory of a pool, and who waits for it: in numbers for events, and one by one for people who ask.

use std::collections::BTreeMap;

use budget::activity::written;
use budget::memory::{canonical, in_mebibytes};
use budget::model::Reservation;
use budget::pass::Moves;
use budget::pool::{Limits, Total};
use budget::pool_models::PoolModels;
use budget::walk::Turn;
use contract::compose::{Amount, Choice, CrowdedPlace, Decision as Explained, NearMiss, PassedOver, Share};
use quantity::Time;
use quantity::order::sorted;

use super::decide::{Asleep, ModelDecision, Situation, idle};
use super::read::ModelRead;

/// So many models are named. In an explanation, so many of each share.
const NAMED: usize = 10;

/// The numbers of a refusal: `requested 60Gi, available 48Gi, blocking model-a 80Gi idle 2m0s`. `None` when the model was not
/// refused by the walk.
pub(super) fn numbers(read: &ModelRead<'_>, decision: &ModelDecision) -> Option<String> {
    let (turn, requested) = (decision.turn.as_ref()?, read.memory?);
    let models = &decision.models;
    let of_all = turn.free_of_all.filter(|all| turn.free.is_none_or(|free| *all < free));
    let available = match (of_all, turn.free) {
        (Some(free), _) => format!("{} of all pools", canonical(free.max(0))),
        (None, Some(free)) => canonical(free.max(0)),
        (None, None) => "unknown".to_owned(),
    };
    let mut text = format!("requested {}, available {available}", canonical(requested));
    let blocks = |index: &usize| {
        let held = models.models.get(*index).filter(|_| *index != models.own);
        held.is_some_and(|it| if of_all.is_some() { !it.holds.is_empty() } else { it.holds_in(&read.pool).is_some() })
    };
    let blocking: Vec<_> = (0..models.models.len()).filter(blocks).collect();
    for (what, list) in [("blocking", &blocking), ("waiting before it", &turn.before)] {
        let named = list.iter().take(NAMED).map(|index| entry(read, decision, *index)).collect::<Vec<_>>().join(", ");
        if !named.is_empty() {
            text.push_str(&format!(", {what} {named}"));
        }
        if let more @ 1.. = list.len().saturating_sub(NAMED) {
            text.push_str(&format!(" and {more} more"));
        }
    }
    Some(text)
}

/// A model with its memory, and how long nobody has asked for it, where that is known.
fn entry(read: &ModelRead<'_>, decision: &ModelDecision, index: usize) -> String {
    let models = &decision.models;
    let memory = canonical(models.models.get(index).map_or(0, |model| model.memory));
    let idle = idle(read.now, models.last_requests.get(index).copied().flatten());
    let idle = idle.map_or(String::new(), |idle| format!(" idle {idle}"));
    format!("{} {memory}{idle}", models.name(index))
}

/// The decision about the memory of a model, for people who ask. None while nobody knows the limits, and for models without any.
pub(super) fn decisions(read: &ModelRead<'_>, decision: &ModelDecision) -> Vec<Explained> {
    let (Some(limits), Some(memory)) = (&read.totals.limits, read.memory) else { return Vec::new() };
    if matches!(decision.situation, Situation::External | Situation::Terminating | Situation::Unknown) {
        return Vec::new();
    }
    let pool = decision.reserved.as_ref().map_or(&read.pool, |reserved| &reserved.pool);
    let chosen = decision.reserved.as_ref().map(|reserved| Choice {
        resource: super::read::DEPLOYMENT.to_owned(),
        shares: vec![Share { place: vec![pool.clone()], part: String::new(), takes: Some(bytes(memory)) }],
        because: chosen_because(read, decision, reserved.reservation, &reserved.claimed_at),
    });
    let refused = decision.situation == Situation::Refused;
    let near = decision.turn.as_ref().filter(|_| decision.reserved.is_none());
    let overcommitted = crowded(read, decision, limits, pool);
    let own = Explained { overcommitted, ..about_pool(read, decision, limits, pool, chosen, near.filter(|_| refused)) };
    // It stays where it is, and this is why.
    let wanted = decision.turn.as_ref().filter(|_| decision.moves == Moves::Refused);
    let wanted = wanted.map(|turn| about_pool(read, decision, limits, &read.pool, None, Some(turn)));
    [Some(own), wanted].into_iter().flatten().collect()
}

/// Who has the memory of a pool. `turn` is what a model that is refused there has found.
fn about_pool(
    read: &ModelRead<'_>,
    decision: &ModelDecision,
    limits: &Limits,
    pool: &String,
    chosen: Option<Choice>,
    turn: Option<&Turn>,
) -> Explained {
    let models = &decision.models;
    let in_pool = |index: &usize| {
        let model = models.models.get(*index);
        model.is_some_and(|it| it.holds_in(pool).is_some() || it.waits_for.as_deref() == Some(pool.as_str()))
    };
    let others: Vec<usize> = (0..models.models.len()).filter(|index| *index != models.own).filter(in_pool).collect();
    let nearest = turn.and_then(|turn| {
        let found = turn.free_of_all.into_iter().chain(turn.free).min()?;
        let because = if turn.before.is_empty() { String::new() } else { "others wait before it".to_owned() };
        Some(NearMiss { place: vec![pool.clone()], needed: bytes(read.memory?), found: bytes(found), because })
    });
    let candidates = u32::try_from(others.len() + 1).unwrap_or(u32::MAX);
    let mut by_share: BTreeMap<Sharing, Vec<usize>> = BTreeMap::new();
    let mut named = Vec::new();
    for index in others {
        let share = Sharing::of(decision, pool, index);
        let alike = by_share.entry(share).or_default();
        if alike.len() < NAMED {
            named.push((share, index));
        }
        alike.push(index);
    }
    let row = |share: Sharing, because, candidates| PassedOver {
        reason: share.reason().to_owned(),
        because,
        candidates,
        nearest: None,
        cause: turn.map(|_| "spec.memory".to_owned()),
    };
    let one_by_one = named
        .into_iter()
        .map(|(share, index)| row(share, share.because_of_one(models, index), vec![models.name(index)]));
    let mut passed_over: Vec<_> = one_by_one.collect();
    passed_over.extend(by_share.into_iter().filter_map(|(share, alike)| {
        let rest = alike.get(NAMED..).filter(|rest| !rest.is_empty())?;
        let candidates = sorted(rest.iter().map(|index| models.name(*index)).collect(), Ord::cmp);
        Some(row(share, share.because_of_all(models, rest), candidates))
    }));
    if let Some(first) = passed_over.first_mut() {
        first.nearest = nearest;
    }
    Explained {
        about: format!("memory of pool `{pool}`{}", of(pool, limits)),
        wanted: u32::from(!matches!(decision.situation, Situation::Asleep(_))),
        candidates,
        chosen: chosen.into_iter().collect(),
        passed_over,
        overcommitted: Vec::new(),
    }
}

/// What another model has of a pool, or wants of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Sharing {
    Confirmed,
    Claimed,
    Withdrawn,
    Before,
    Waiting,
}

impl Sharing {
    fn of(decision: &ModelDecision, pool: &str, index: usize) -> Self {
        let is_before = || decision.turn.as_ref().is_some_and(|turn| turn.before.contains(&index));
        match decision.models.models.get(index).and_then(|model| model.holds_in(pool)) {
            Some(Reservation::Confirmed) => Self::Confirmed,
            Some(Reservation::Claimed) => Self::Claimed,
            Some(Reservation::Withdrawn) => Self::Withdrawn,
            None if is_before() => Self::Before,
            None => Self::Waiting,
        }
    }

    fn reason(self) -> &'static str {
        match self {
            Self::Confirmed => "Confirmed",
            Self::Claimed => "Claimed",
            Self::Withdrawn => "Withdrawn",
            Self::Before => "Before",
            Self::Waiting => "Waiting",
        }
    }

    /// Of one model: `holds 60Gi since 2026-01-31T11:00:00Z`.
    fn because_of_one(self, models: &PoolModels, index: usize) -> String {
        let memory = canonical(models.models.get(index).map_or(0, |model| model.memory));
        let since = models.claimed_at.get(index).filter(|at| !at.is_empty());
        let since = since.map_or(String::new(), |at| format!(" since {at}"));
        match self {
            Self::Confirmed => format!("holds {memory}{since}"),
            Self::Claimed => format!("claims {memory}{since}"),
            Self::Withdrawn => format!("gives {memory} back"),
            Self::Before => format!("waits for {memory} before it"),
            Self::Waiting => format!("waits for {memory}"),
        }
    }

    /// Of several, as it follows their number: `more hold 600Gi together`.
    fn because_of_all(self, models: &PoolModels, of: &[usize]) -> String {
        let memory = canonical(of.iter().filter_map(|index| models.models.get(*index)).map(|it| it.memory).sum());
        match self {
            Self::Confirmed => format!("more hold {memory} together"),
            Self::Claimed => format!("more claim {memory} together"),
            Self::Withdrawn => format!("more give {memory} back together"),
            Self::Before => format!("more wait for {memory} together before it"),
            Self::Waiting => format!("more wait for {memory} together"),
        }
    }
}

fn of(pool: &str, limits: &Limits) -> String {
    let total = match limits.of(pool) {
        Total::Bytes(total) => format!(" of {}", canonical(total)),
        Total::Unlimited | Total::Unknown => String::new(),
    };
    let ceiling = limits.ceiling.map_or(String::new(), |it| format!(", {} of all pools", canonical(it)));
    format!("{total}{ceiling}")
}

fn crowded(read: &ModelRead<'_>, decision: &ModelDecision, limits: &Limits, pool: &str) -> Vec<CrowdedPlace> {
    let Some(over) = decision.over.filter(|_| read.memory.is_some()) else { return Vec::new() };
    let models = &decision.models;
    let confirmed = |index: &usize| {
        let held = models.models.get(*index);
        let held = held.and_then(|it| if over.all { it.holds_any() } else { it.holds_in(pool) });
        held == Some(Reservation::Confirmed)
    };
    let by: Vec<String> = (0..models.models.len()).filter(confirmed).map(|index| models.name(index)).collect();
    let place = if over.all { vec!["all pools".to_owned()] } else { vec![pool.to_owned()] };
    let total = limits.ceiling.filter(|_| over.all).unwrap_or(over.total);
    let takers = u32::try_from(by.len()).unwrap_or(u32::MAX);
    let by = by.into_iter().take(NAMED).collect();
    vec![CrowdedPlace { place, size: bytes(total), taken: bytes(over.confirmed), takers, by }]
}

fn chosen_because(
    read: &ModelRead<'_>,
    decision: &ModelDecision,
    reservation: Reservation,
    claimed_at: &str,
) -> String {
    let since = if claimed_at.is_empty() { String::new() } else { format!(" since {claimed_at}") };
    let held = match reservation {
        Reservation::Confirmed => format!("confirmed{since}"),
        Reservation::Claimed => format!("claimed{since}, not confirmed yet"),
        Reservation::Withdrawn => "given back once its pods are gone".to_owned(),
    };
    let then = match &decision.situation {
        Situation::Asleep(Asleep { .. }) => "; free once its pods are gone".to_owned(),
        Situation::Running if decision.models.wanted => "; awake, since other models need it".to_owned(),
        Situation::Running => asleep(read.now, decision.sleeps_at),
        _ => String::new(),
    };
    format!("{held}{then}")
}

/// When a model falls asleep: at a time of the day of `now`, or on another day.
fn asleep(now: Option<Time>, at: Option<Time>) -> String {
    let Some(at) = at.map(written) else { return String::new() };
    let today = now.map(written);
    let day_of = |time: &str| time.split_once('T').map(|(day, _)| day.to_owned());
    let moment = match at.split_once('T') {
        Some((day, clock)) if today.as_deref().and_then(day_of).as_deref() == Some(day) => clock,
        _ => at.as_str(),
    };
    format!("; sleeps at {moment} unless asked")
}

/// Bytes, in MiB where they are whole ones.
fn bytes(bytes: i128) -> Amount {
    let (value, unit) = in_mebibytes(bytes).map_or((bytes, "bytes"), |value| (value, "MiB"));
    Amount { value: i64::try_from(value).unwrap_or(i64::MAX), unit: unit.to_owned() }
}
