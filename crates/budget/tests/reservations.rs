//! Explores the rule of reservations exhaustively, with the kind's own code: `PoolModels` says who waits for memory, and `Pass` what
//! comes of a pass.
//!
//! Three models in two pools. In any order: a pass reads a list that may be older than what is stored; it writes the Deployment, and
//! later the status, which may get lost in between, once; changes reach the lists one after the other; pods come and go; people wake
//! models, move them to another pool, declare other memory for them, pause and delete them, a few times; cooldowns end. A pass may see an older status of its own model, as old as the
//! lists are, and the Deployment as it is. Five seconds are longer than a pass takes and longer than lists lag: a claim is that old once
//! no pass is under way, and the lists show all that is stored. What happens from then on may again be late.

use std::cell::RefCell;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

use budget::model::Reservation;
use budget::pass::{Pass, Passed, Pods, Reserved};
use budget::pool::{Limits, Total};
use budget::pool_models::PoolModels;
use budget::siblings::Sibling;
use quantity::Time;
use serde_json::{Value, json};

const NAMES: [&str; 3] = ["a", "b", "c"];
const CREATED: [&str; 3] = ["2026-01-01T00:00:01Z", "2026-01-01T00:00:02Z", "2026-01-01T00:00:03Z"];
const POOLS: [&str; 2] = ["inference-pool=p", "inference-pool=q"];
const GI: i128 = 1 << 30;
const NOW: i64 = 1_800_000_000;
/// The most changes that may be stored and not in the lists yet.
const LAG: usize = 2;
/// The number of a claim that is made in a pass, until it gets the least one.
const NEW: u8 = 9;

/// What is stored of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Stored {
    exists: bool,
    wanted: u8,
    held: Option<HeldBy>,
    asleep: bool,
    /// Whether people declared other memory for it.
    edited: bool,
    /// Whether Crossplane leaves it alone.
    paused: bool,
}

/// A reservation in a status. Claims have numbers in place of times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct HeldBy {
    pool: u8,
    reservation: Reservation,
    claim: u8,
    claimed_pool: Option<u8>,
    leaving_pool: Option<u8>,
}

/// A Deployment with its pods.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Workload {
    exists: bool,
    desired: bool,
    up: bool,
    /// Whether it reports about its latest change.
    reported: bool,
    pool: u8,
    /// The claim that it is marked with, and whether that is confirmed.
    mark: Option<(u8, bool)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct One {
    pods: Workload,
    asked: bool,
    /// The number of its last claim, and whether that is younger than 5 s.
    claim: u8,
    young: bool,
    /// A status that is about to be stored.
    writing: Option<(Option<HeldBy>, bool)>,
}

/// Everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    models: [One; 3],
    /// What lists show.
    listed: [Stored; 3],
    /// What is stored and not in the lists yet, the first one first.
    queue: [Option<(u8, Stored)>; LAG],
    /// How often a status may still get lost, and how often people may still act.
    losses: u8,
    acts: u8,
}

/// What may happen in an exploration, and the memory that there is.
struct Setting {
    memory: [i128; 3],
    totals: [Option<i128>; 2],
    ceiling: Option<i128>,
    /// The models that people wake and whose cooldowns end, those that people move, and those that they delete.
    asked: &'static [usize],
    moved: &'static [usize],
    deleted: &'static [usize],
    /// Those for which people declare other memory, and how much that is.
    edited: &'static [usize],
    edited_to: i128,
    /// Those that people pause, and let go on.
    paused: &'static [usize],
    /// So many changes may be stored and not in the lists yet.
    lag: usize,
    /// How often a status gets lost at most, and how often people act.
    losses: u8,
    acts: u8,
    /// Whether claims are confirmed when they are made: the rule without its second step.
    hasty: bool,
    /// What passes gave: one is a function of what it knows.
    passes: RefCell<BTreeMap<Known, Written>>,
}

/// What a pass writes.
type Written = (Workload, (Option<HeldBy>, bool), bool);

/// What a pass depends on: the model, what it sees of itself, its pods, the lists, and who is asked for.
type Known = (usize, Stored, One, [Stored; 3], [(bool, bool); 3]);

/// What went wrong.
#[derive(Debug, PartialEq, Eq)]
enum Wrong {
    OverTotal,
    ConfirmedGaveWay,
    NeverRests,
    LeftOut,
}

impl State {
    fn new(setting: &Setting) -> Self {
        let one = One { pods: Workload::default(), asked: true, claim: 0, young: false, writing: None };
        let stored = Stored { exists: true, wanted: 0, held: None, asleep: false, edited: false, paused: false };
        Self { models: [one; 3], listed: [stored; 3], queue: [None; LAG], losses: setting.losses, acts: setting.acts }
    }

    fn stored(&self, index: usize) -> Stored {
        let queued = self.queue.iter().flatten().rev().find(|(of, _)| usize::from(*of) == index);
        queued.map_or(self.listed[index], |(_, stored)| *stored)
    }

    fn has_room(&self, setting: &Setting) -> bool {
        self.queue[setting.lag - 1].is_none()
    }

    fn store(&mut self, index: usize, stored: Stored) {
        if let Some(place) = self.queue.iter_mut().find(|it| it.is_none()) {
            *place = Some((index as u8, stored));
        }
    }

    /// The next change reaches the lists.
    fn deliver(&mut self) -> bool {
        let Some((index, stored)) = self.queue[0] else { return false };
        self.listed[usize::from(index)] = stored;
        self.queue.rotate_left(1);
        self.queue[LAG - 1] = None;
        true
    }

    /// The time of a claim of a model.
    fn time(&self, index: usize, claim: u8) -> String {
        let is_young = self.models[index].young && self.models[index].claim == claim;
        let age = if is_young { 1 } else { 100 } + i64::from(claim);
        Time::from_seconds(NOW - age).to_string()
    }

    /// The same state with the least numbers for claims: only whether they are the same matters.
    fn normal(mut self) -> Self {
        for index in 0..3 {
            let mut numbers = vec![self.models[index].claim];
            let held = |stored: &Stored| stored.held.map(|held| held.claim);
            let of_queue = self.queue.iter().flatten().rev().filter(|(of, _)| usize::from(*of) == index);
            let writing = self.models[index].writing.and_then(|(held, _)| held).map(|held| held.claim);
            let mark = self.models[index].pods.mark.map(|(claim, _)| claim);
            let used = of_queue.filter_map(|(_, stored)| held(stored)).chain(held(&self.listed[index]));
            let used = used.chain(writing).chain(mark);
            for claim in used.collect::<Vec<_>>() {
                if !numbers.contains(&claim) {
                    numbers.push(claim);
                }
            }
            let least = |claim: &mut u8| *claim = numbers.iter().position(|it| it == claim).unwrap_or_default() as u8;
            let of_model = self.queue.iter_mut().flatten().filter(|(of, _)| usize::from(*of) == index);
            of_model.filter_map(|(_, stored)| stored.held.as_mut()).for_each(|held| least(&mut held.claim));
            if let Some(held) = &mut self.listed[index].held {
                least(&mut held.claim);
            }
            if let Some((Some(held), _)) = &mut self.models[index].writing {
                least(&mut held.claim);
            }
            if let Some((claim, _)) = &mut self.models[index].pods.mark {
                least(claim);
            }
            self.models[index].claim = 0;
        }
        self
    }

    fn reserved(&self, index: usize, held: HeldBy) -> Reserved {
        let pool = |pool: u8| POOLS[usize::from(pool)].to_owned();
        Reserved {
            pool: pool(held.pool),
            reservation: held.reservation,
            claimed_at: self.time(index, held.claim),
            claimed_pool: held.claimed_pool.map(pool),
            leaving_pool: held.leaving_pool.map(pool),
        }
    }
}

impl Setting {
    /// The memory that a model declares.
    fn memory_of(&self, index: usize, stored: Stored) -> i128 {
        if stored.edited { self.edited_to } else { self.memory[index] }
    }

    /// Whether people may have declared more than there is.
    fn is_raised(&self, state: &State) -> bool {
        (0..3).any(|index| self.memory_of(index, state.stored(index)) > self.memory[index])
    }
}

fn limits(setting: &Setting) -> Limits {
    let known = |(pool, total): (&&str, &Option<i128>)| Some(((*pool).to_owned(), Total::Bytes((*total)? * GI)));
    Limits {
        pools: POOLS.iter().zip(&setting.totals).filter_map(known).collect(),
        others_unknown: false,
        ceiling: setting.ceiling.map(|it| it * GI),
    }
}

fn number(pool: &str) -> u8 {
    u8::from(pool == POOLS[1])
}

/// A pass over a model that sees `own` of itself: its Deployment is written, and its status is about to be. `None` when nothing
/// changes.
fn pass(state: &State, index: usize, own: Stored, setting: &Setting) -> Option<State> {
    let known = (index, own, state.models[index], state.listed, state.models.map(|one| (one.asked, one.young)));
    let (pods, writing, claims) = match setting.passes.borrow().get(&known) {
        Some(passed) => *passed,
        None => passed(state, index, own, setting),
    };
    setting.passes.borrow_mut().insert(known, (pods, writing, claims));
    let mut next = *state;
    let one = &mut next.models[index];
    one.pods = pods;
    let stored = state.stored(index);
    one.writing = Some(writing).filter(|it| *it != (stored.held, stored.asleep));
    if claims {
        (one.claim, one.young) = (NEW, true);
    }
    (next != *state).then(|| next.normal())
}

/// What a pass writes: the Deployment, the status, and whether it makes a claim.
fn passed(state: &State, index: usize, own: Stored, setting: &Setting) -> Written {
    let one = state.models[index];
    let in_status = own.held.map(|held| state.reserved(index, held));
    let pods = match one.pods {
        Workload { desired: true, .. } => Pods::Desired,
        Workload { up: true, .. } => Pods::Going,
        _ => Pods::None,
    };
    let reservation = |confirmed| if confirmed { Reservation::Confirmed } else { Reservation::Claimed };
    let mark = one
        .pods
        .mark
        .map(|(claim, confirmed)| Reserved::new("", reservation(confirmed), state.time(index, claim)).mark());
    let held = Reserved::found(in_status.as_ref(), pods, mark.as_deref(), POOLS[usize::from(one.pods.pool)]);
    let times: Vec<String> =
        (0..3).map(|it| state.listed[it].held.map_or(String::new(), |held| state.time(it, held.claim))).collect();
    let objects: Vec<Value> = (0..3).map(|it| object(state, it, setting)).collect();
    let sibling = |it: usize| Sibling::of_value(&objects[it], None).unwrap_or_default();
    let siblings = (0..3).filter(|it| *it != index && state.listed[*it].exists).map(sibling).collect();
    let wanted = POOLS[usize::from(own.wanted)];
    let holds = held.as_ref().map(Reserved::holds).unwrap_or_default();
    let memory = Some(setting.memory_of(index, own) * GI);
    let mine = Sibling { pool: wanted.into(), holds, memory, wants: one.asked, starts: true, ..sibling(index) };
    let models = PoolModels::of(siblings, mine);
    let claimed_pool = state.listed[index].held.and_then(|held| held.claimed_pool);
    let limits = limits(setting);
    let pass = Pass {
        held: held.as_ref(),
        wanted,
        wants: one.asked,
        waits: false,
        observed: one.pods.exists,
        mark: mark.as_deref(),
        gone: !one.pods.exists || one.pods.reported && !one.pods.desired && !one.pods.up,
        rolled_out: one.pods.exists && one.pods.reported,
        models: &models.models,
        own: models.own,
        seen: Some((times[index].as_str(), claimed_pool.map_or("", |pool| POOLS[usize::from(pool)]))),
        now: Some(Time::from_seconds(NOW)),
        limits: &limits,
    };
    let Passed { reserved, runs, .. } = pass.run();
    let now = Time::from_seconds(NOW).to_string();
    let after = reserved.as_ref().map(|it| {
        let (is_new, at) = (it.claimed_at == now, it.claimed_at.clone());
        let known = |it: &u8| state.time(index, *it) == at;
        let before = (0..NEW).find(known).unwrap_or(one.claim);
        let confirms = it.reservation == Reservation::Claimed && setting.hasty;
        HeldBy {
            pool: number(&it.pool),
            reservation: if confirms { Reservation::Confirmed } else { it.reservation },
            claim: if is_new { NEW } else { before },
            claimed_pool: it.claimed_pool.as_deref().map(number),
            leaving_pool: it.leaving_pool.as_deref().map(number),
        }
    });
    let mut pods = one.pods;
    if runs || pods.exists {
        let pool = match &reserved {
            Some(it) if it.pool != wanted => pods.pool,
            _ => own.wanted,
        };
        let changes = !pods.exists || pods.desired != runs || pods.pool != pool;
        let mark = after.filter(|_| runs).map(|it| (it.claim, it.reservation == Reservation::Confirmed));
        pods = Workload { exists: true, desired: runs, pool, mark, reported: pods.reported && !changes, ..pods };
    }
    (pods, (after, !one.asked), after.is_some_and(|it| it.claim == NEW))
}

/// A model, as lists show it. Others do not see the stamps on its Deployment.
fn object(state: &State, index: usize, setting: &Setting) -> Value {
    let stored = state.listed[index];
    let memory = format!("{}Gi", setting.memory_of(index, stored));
    let held = stored.held.map(|held| state.reserved(index, held));
    let of_claim = |pool: fn(&Reserved) -> Option<&String>| held.as_ref().and_then(pool);
    let (label, value) = POOLS[usize::from(stored.wanted)].split_once('=').unwrap_or_default();
    json!({
        "metadata": {
            "namespace": "ml", "name": NAMES[index], "creationTimestamp": CREATED[index],
            "annotations": {"crossplane.io/paused": stored.paused.to_string()},
        },
        "spec": {"modelName": NAMES[index], "memory": memory, "containerImage": "image", "nodeSelector": {label: value}},
        "status": {
            "reservedMemory": held.as_ref().map(|_| &memory),
            "reservedPool": of_claim(|it| Some(&it.pool)),
            "reservation": held.as_ref().map(|it| it.reservation.as_str()),
            "claimedAt": of_claim(|it| Some(&it.claimed_at)),
            "claimedPool": of_claim(|it| it.claimed_pool.as_ref()),
            "leavingPool": of_claim(|it| it.leaving_pool.as_ref()),
            "conditions": [{"type": "ModelReady", "reason": if stored.asleep { "ScaledToZero" } else { "" }}],
        },
    })
}

/// Everything that may happen next, but for people and cooldowns.
fn machine(state: &State, setting: &Setting) -> Vec<State> {
    let mut all = Vec::new();
    let mut delivered = *state;
    if delivered.deliver() {
        all.push(delivered);
    }
    for index in 0..3 {
        let (one, stored) = (state.models[index], state.stored(index));
        if let Some((held, asleep)) = one.writing {
            let mut lost = *state;
            lost.models[index].writing = None;
            if let Some(losses) = state.losses.checked_sub(1) {
                all.push(State { losses, ..lost });
            }
            if state.has_room(setting) {
                lost.store(index, Stored { held, asleep, ..stored });
                all.push(lost);
            }
        } else if stored.exists {
            let listed = state.listed[index];
            let seen = [Some(stored), Some(listed).filter(|listed| *listed != stored && listed.exists)];
            let passes = seen.into_iter().flatten().filter(|own| !own.paused);
            all.extend(passes.filter_map(|own| pass(state, index, own, setting)));
        }
        let is_settled = state.queue[0].is_none() && state.models.iter().all(|one| one.writing.is_none());
        if one.young && is_settled {
            let mut older = *state;
            older.models[index].young = false;
            all.push(older);
        }
        if one.pods.exists && !(one.pods.reported && one.pods.up == one.pods.desired) {
            let mut reported = *state;
            reported.models[index].pods.up = one.pods.desired;
            reported.models[index].pods.reported = true;
            all.push(reported);
        }
    }
    all
}

/// What people do, and cooldowns that end.
fn people(state: &State, setting: &Setting) -> Vec<State> {
    let mut all = Vec::new();
    let Some(acts) = state.acts.checked_sub(1) else { return all };
    for index in 0..3 {
        let stored = state.stored(index);
        if !stored.exists {
            continue;
        }
        if setting.asked.contains(&index) {
            let mut other = *state;
            other.models[index].asked = !state.models[index].asked;
            all.push(other);
        }
        let edits = [
            (setting.moved, Stored { wanted: 1 - stored.wanted, ..stored }),
            (setting.edited, Stored { edited: !stored.edited, ..stored }),
            (setting.paused, Stored { paused: !stored.paused, ..stored }),
        ];
        for (_, edit) in edits.into_iter().filter(|(of, _)| state.has_room(setting) && of.contains(&index)) {
            let mut edited = *state;
            edited.store(index, edit);
            all.push(edited);
        }
        if state.has_room(setting) && setting.deleted.contains(&index) {
            let mut deleted = *state;
            deleted.store(index, Stored { exists: false, held: None, ..stored });
            deleted.models[index] =
                One { pods: Workload::default(), writing: None, asked: false, ..state.models[index] };
            all.push(deleted);
        }
    }
    all.into_iter().map(|next| State { acts, ..next }).collect()
}

fn check(state: &State, setting: &Setting) -> Result<(), Wrong> {
    if setting.is_raised(state) {
        return Ok(());
    }
    let memory = |index: usize| setting.memory_of(index, state.stored(index));
    let confirmed = |index: &usize| {
        let stored = state.stored(*index);
        stored.held.filter(|it| stored.exists && it.reservation == Reservation::Confirmed)
    };
    for (pool, total) in setting.totals.iter().enumerate() {
        let is_there = |held: &HeldBy| {
            usize::from(held.pool) == pool || held.leaving_pool.is_some_and(|it| usize::from(it) == pool)
        };
        let all = (0..3).filter(|index| confirmed(index).is_some_and(|held| is_there(&held)));
        if total.is_some_and(|total| all.map(memory).sum::<i128>() > total) {
            return Err(Wrong::OverTotal);
        }
    }
    let all = (0..3).filter(|index| confirmed(index).is_some()).map(memory).sum::<i128>();
    if setting.ceiling.is_some_and(|ceiling| all > ceiling) {
        return Err(Wrong::OverTotal);
    }
    Ok(())
}

/// Whether a model that is confirmed and wanted has given way in a step.
fn gave_way(before: &State, after: &State) -> bool {
    (0..3).any(|index| {
        let was = before.stored(index).held.is_some_and(|it| it.reservation == Reservation::Confirmed);
        let wanted = before.models[index].asked && after.models[index].asked && after.stored(index).exists;
        let is = after.models[index].pods.desired || !before.models[index].pods.desired;
        was && wanted && !is
    })
}

/// Lets the machine go on without people until nothing changes, and judges the rest.
fn rest(state: &State, setting: &Setting, known: &mut BTreeSet<State>) -> Result<(), Wrong> {
    let mut path = Vec::new();
    let mut now = State { losses: 0, acts: 0, ..*state };
    for _ in 0..400 {
        if known.contains(&now) {
            known.extend(path);
            return Ok(());
        }
        path.push(now);
        // In turns: what is written is stored and listed, time passes, pods follow, and each model has its pass.
        let next = (0..3)
            .find_map(|index| {
                let (held, asleep) = now.models[index].writing?;
                let mut next = now;
                if !next.has_room(setting) {
                    next.deliver();
                }
                next.models[index].writing = None;
                next.store(index, Stored { held, asleep, ..now.stored(index) });
                Some(next)
            })
            .or_else(|| Some(now).and_then(|mut next| next.deliver().then_some(next)))
            .or_else(|| {
                let mut next = now;
                for one in &mut next.models {
                    one.young = false;
                    if one.pods.exists {
                        one.pods.up = one.pods.desired;
                        one.pods.reported = true;
                    }
                }
                (next != now).then_some(next)
            })
            .or_else(|| {
                let composed = (0..3).map(|it| (it, now.stored(it))).filter(|(_, it)| it.exists && !it.paused);
                composed.into_iter().find_map(|(it, stored)| pass(&now, it, stored, setting))
            });
        match next {
            Some(next) => now = next.normal(),
            None => {
                judge(&now, setting)?;
                known.extend(path);
                return Ok(());
            }
        }
    }
    Err(Wrong::NeverRests)
}

/// At rest, everything that is held is confirmed, and who wants to run and does not would not fit.
fn judge(state: &State, setting: &Setting) -> Result<(), Wrong> {
    let limits = limits(setting);
    let held = |index: usize| state.stored(index).held.filter(|_| state.stored(index).exists);
    let memory = |index: usize| setting.memory_of(index, state.stored(index)) * GI;
    let starts = |stored: Stored| stored.exists && !stored.paused;
    for index in (0..3).filter(|it| starts(state.stored(*it)) && state.models[*it].asked) {
        if held(index).is_some_and(|it| it.reservation == Reservation::Confirmed) {
            continue;
        }
        let pool = POOLS[usize::from(state.stored(index).wanted)];
        let others = (0..3).filter(|it| *it != index);
        let in_pool = |it: &usize| held(*it).is_some_and(|it| POOLS[usize::from(it.pool)] == pool);
        let of_pool: i128 = others.clone().filter(in_pool).map(memory).sum();
        let of_all: i128 = others.filter(|it| held(*it).is_some()).map(memory).sum();
        let fits = match limits.of(pool) {
            Total::Bytes(total) => of_pool + memory(index) <= total,
            Total::Unlimited | Total::Unknown => true,
        };
        if held(index).is_some() || fits && limits.ceiling.is_none_or(|it| of_all + memory(index) <= it) {
            return Err(Wrong::LeftOut);
        }
    }
    Ok(())
}

/// Explores everything that may happen. Gives the number of states, or what went wrong after how many, and prints the way there.
fn explore(setting: &Setting) -> Result<usize, (Wrong, usize)> {
    let start = State::new(setting).normal();
    let (mut seen, mut open, mut resting) =
        (BTreeMap::from([(start, start)]), VecDeque::from([start]), BTreeSet::new());
    while let Some(state) = open.pop_front() {
        let steps = machine(&state, setting);
        let gave_way = !setting.hasty && steps.iter().any(|next| gave_way(&state, next));
        let gave_way = if gave_way { Err(Wrong::ConfirmedGaveWay) } else { Ok(()) };
        let judged = check(&state, setting).and(gave_way).and_then(|()| rest(&state, setting, &mut resting));
        if let Err(wrong) = judged {
            let before = |state: &State| seen.get(state).copied().filter(|before| before != state);
            for state in std::iter::successors(Some(state), before).collect::<Vec<_>>().into_iter().rev() {
                println!("{:?}\n  listed {:?}\n  queue {:?}", state.models, state.listed, state.queue);
            }
            return Err((wrong, seen.len()));
        }
        for next in steps.into_iter().chain(people(&state, setting)) {
            let next = next.normal();
            if let Entry::Vacant(entry) = seen.entry(next) {
                entry.insert(state);
                open.push_back(next);
            }
        }
    }
    Ok(seen.len())
}

/// Three models of which two share a pool.
fn shared() -> Setting {
    Setting {
        memory: [60, 60, 40],
        totals: [Some(100), Some(60)],
        ceiling: None,
        asked: &[],
        moved: &[],
        deleted: &[],
        edited: &[],
        edited_to: 0,
        paused: &[],
        lag: LAG,
        losses: 1,
        acts: 3,
        hasty: false,
        passes: RefCell::default(),
    }
}

/// Explores, and says how many states there are.
#[track_caller]
fn check_all(setting: Setting) {
    let found = explore(&setting);
    println!("{found:?} states, {} passes", setting.passes.borrow().len());
    assert!(found.is_ok_and(|count| count > 500));
}

#[test]
fn a_shared_pool() {
    check_all(Setting { asked: &[0, 1], lag: 1, losses: 0, acts: 2, ..shared() });
}

#[test]
fn sleep_of_the_youngest() {
    check_all(Setting { memory: [60, 40, 60], asked: &[2], ..shared() });
}

#[test]
fn deletions() {
    check_all(Setting { memory: [60, 60, 60], asked: &[1], deleted: &[0], acts: 2, ..shared() });
}

#[test]
fn moves_between_pools() {
    check_all(Setting {
        memory: [60, 30, 30],
        moved: &[2],
        totals: [Some(90), Some(30)],
        lag: 1,
        losses: 0,
        acts: 2,
        ..shared()
    });
}

#[test]
fn moves_whose_status_gets_lost() {
    check_all(Setting { memory: [60, 30, 30], moved: &[2], totals: [Some(90), Some(30)], lag: 1, acts: 1, ..shared() });
}

#[test]
fn less_memory_is_declared() {
    check_all(Setting { memory: [60, 60, 40], edited: &[0], edited_to: 40, acts: 1, ..shared() });
}

#[test]
fn more_memory_is_declared() {
    check_all(Setting { memory: [40, 40, 40], edited: &[1], edited_to: 70, acts: 1, lag: 1, ..shared() });
}

#[test]
fn a_paused_sibling() {
    check_all(Setting { paused: &[0], acts: 2, lag: 1, ..shared() });
}

#[test]
fn a_ceiling() {
    check_all(Setting { totals: [Some(100), None], ceiling: Some(80), asked: &[1], ..shared() });
}

/// Without its second step, two models that claim at the same moment both stay.
#[test]
fn a_rule_without_confirmation_is_found() {
    let found = explore(&Setting { asked: &[0, 1], hasty: true, ..shared() });
    println!("{found:?}");
    assert_eq!(found.map_err(|(wrong, _)| wrong), Err(Wrong::OverTotal));
}
