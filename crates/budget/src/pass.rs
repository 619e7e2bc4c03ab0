//! A pass over a model: what it holds afterwards, and whether its pods are desired. It starts at once with what it claims. A
//! running model that wants another pool claims memory there first, and moves once that is confirmed.

use std::cell::LazyCell;
use std::sync::Arc;

use quantity::Time;

use crate::activity::written;
use crate::model::{Hold, Model, Reservation};
use crate::pool::Limits;
use crate::reserve::{RIPE, Standing, Step, StepFacts, step};
use crate::walk::{Turn, fits_beside_all, fits_beside_earlier, turn};

/// The pods of a model, by its Deployment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pods {
    /// There should be some.
    Desired,
    /// There should be none, and there are some.
    Going,
    /// There are none.
    None,
}

/// What a mark ends with when the claim is confirmed.
const CONFIRMED: &str = "confirmed";

/// What a model holds.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reserved {
    /// The pool.
    pub pool: String,
    /// How firmly.
    pub reservation: Reservation,
    /// When it was claimed. Empty without a clock.
    pub claimed_at: String,
    /// The pool that it is about to move to, where the same memory is claimed.
    pub claimed_pool: Option<String>,
    /// The pool that it moved away from, where its last pods still have the same memory.
    pub leaving_pool: Option<String>,
}

impl Reserved {
    /// A reservation in one pool.
    pub fn new(pool: &str, reservation: Reservation, claimed_at: String) -> Self {
        Self { pool: pool.to_owned(), reservation, claimed_at, claimed_pool: None, leaving_pool: None }
    }

    /// What a model holds, by its status and the mark on its Deployment, which is written first. So a mark of another claim than
    /// that in the status is newer; a mark that says that the claim is confirmed counts also when the status does not say so yet; and
    /// without a status, pods with a mark are those of a claim whose status got lost. Pods without either ran before Sailplane came,
    /// and are confirmed, unless they were told to go. `pool` is that of the Deployment.
    pub fn found(in_status: Option<&Self>, pods: Pods, mark: Option<&str>, pool: &str) -> Option<Self> {
        let mark = mark.map(|mark| match mark.strip_suffix(CONFIRMED) {
            Some(at) => (at.trim_end(), true),
            None => (mark, false),
        });
        let told = |(at, confirmed): (&str, bool)| {
            let (reservation, at) = if confirmed { (Reservation::Confirmed, at) } else { (Reservation::Claimed, "") };
            Self::new(pool, reservation, at.to_owned())
        };
        let without = |reservation| Some(Self::new(pool, reservation, String::new()));
        match (in_status, mark.filter(|_| pods == Pods::Desired)) {
            (None, None) => match pods {
                Pods::Desired => without(Reservation::Confirmed),
                Pods::Going => without(Reservation::Withdrawn),
                Pods::None => None,
            },
            (None, Some(mark)) => Some(told(mark)),
            (Some(held), None) => Some(held.clone()),
            (Some(held), Some((at, confirmed))) if at == held.claimed_at => {
                let is_confirmed = confirmed && held.reservation == Reservation::Claimed;
                let reservation = if is_confirmed { Reservation::Confirmed } else { held.reservation };
                Some(Self { reservation, ..held.clone() })
            }
            (Some(held), Some((at, true))) if held.reservation == Reservation::Confirmed => {
                Some(Self { claimed_at: at.to_owned(), ..held.clone() })
            }
            (Some(_), Some(mark)) => Some(told(mark)),
        }
    }

    /// The mark of the reservation on the Deployment: its time, and whether it is confirmed.
    pub fn mark(&self) -> String {
        match self.reservation {
            Reservation::Confirmed => format!("{} {CONFIRMED}", self.claimed_at).trim_start().to_owned(),
            Reservation::Claimed | Reservation::Withdrawn => self.claimed_at.clone(),
        }
    }

    /// What it holds of each pool.
    pub fn holds(&self) -> Arc<[Hold]> {
        let hold = |pool: &String, reservation| Hold { pool: pool.as_str().into(), reservation };
        let mut holds = vec![hold(&self.pool, self.reservation)];
        holds.extend(self.claimed_pool.as_ref().map(|pool| hold(pool, Reservation::Claimed)));
        holds.extend(self.leaving_pool.as_ref().map(|pool| hold(pool, Reservation::Confirmed)));
        holds.into()
    }
}

/// What became of the wish for another pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moves {
    /// The model is where it wants to be.
    No,
    /// It is on its way.
    Moving,
    /// There is no memory for it.
    Refused,
}

/// What a pass knows.
#[derive(Clone, Copy, Debug)]
pub struct Pass<'p> {
    /// What the model holds.
    pub held: Option<&'p Reserved>,
    /// The pool that it wants.
    pub wanted: &'p str,
    /// Whether it wants to run.
    pub wants: bool,
    /// Whether it waits for another model. One that has memory does not.
    pub waits: bool,
    /// Whether its Deployment is observed.
    pub observed: bool,
    /// The mark of a reservation on its Deployment.
    pub mark: Option<&'p str>,
    /// Whether its Deployment reports that its pods are gone.
    pub gone: bool,
    /// Whether its Deployment reports that only pods of its latest change are left.
    pub rolled_out: bool,
    /// All models, and which of them it is.
    pub models: &'p [Model],
    /// Its index.
    pub own: usize,
    /// What the list of models shows of its own claim: its time, and the pool that it is about to move to.
    pub seen: Option<(&'p str, &'p str)>,
    /// The time of the pass.
    pub now: Option<Time>,
    /// The memory that there is.
    pub limits: &'p Limits,
}

/// What comes of a pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passed {
    /// What the model holds from now on.
    pub reserved: Option<Reserved>,
    /// Whether its pods are desired.
    pub runs: bool,
    /// What became of its wish for another pool.
    pub moves: Moves,
    /// Whether it leaves a pool that it had only claimed memory of.
    pub strays: bool,
    /// What it found when it waited for memory.
    pub turn: Option<Turn>,
}

impl Pass<'_> {
    /// What comes of it.
    pub fn run(&self) -> Passed {
        let held = self.held.map(|it| it.reservation);
        let firm = held.is_some_and(|it| it != Reservation::Withdrawn);
        // A claim is for the pool that was wanted then. What is confirmed moves.
        let strays = held == Some(Reservation::Claimed) && self.held.is_some_and(|it| it.pool != self.wanted);
        let runs = self.wants && !strays && (firm || !self.waits);
        let is_old = self.held.is_some_and(|it| self.is_old(&it.claimed_at));
        let is_seen = self.held.is_some_and(|it| self.seen.is_some_and(|seen| seen.0 == it.claimed_at));
        // The Deployment is written before the status: with another mark, what is seen of the status is older than it.
        let is_marked = self.held.is_some_and(|it| self.mark == Some(&it.mark()));
        let standing = Standing {
            held,
            runs,
            // A Deployment that has just been made may not be observed yet.
            gone: self.gone && (self.observed || !runs) && (held != Some(Reservation::Claimed) || is_old),
            ripe: is_old && is_seen && is_marked,
        };
        let is_anew = held == Some(Reservation::Claimed) && self.observed && !is_marked;
        let pool = self.held.map_or(self.wanted, |it| it.pool.as_str());
        let turn = LazyCell::new(|| turn(self.models, self.own, self.wanted, self.limits));
        let fits_now = || turn.fits;
        let facts = StepFacts::of(standing, fits_now, self.models, self.own, pool, self.limits);
        let Step { next, runs: up } = step(&facts);
        let mut reserved = next.map(|reservation| match self.held.cloned() {
            // A claim whose status or Deployment got lost begins anew.
            Some(held) if held.claimed_at.is_empty() || is_anew => {
                Reserved { reservation, claimed_at: self.at(), ..held }
            }
            Some(held) => Reserved { reservation, ..held },
            None => Reserved::new(self.wanted, reservation, self.at()),
        });
        let moves = reserved.as_mut().filter(|_| up).map_or(Moves::No, |reserved| self.moves(reserved, fits_now));
        let waits_for_memory = runs && (held.is_none() || !up) || moves == Moves::Refused;
        let turn = waits_for_memory.then(|| turn.clone());
        Passed { reserved, runs: up, moves, strays, turn }
    }

    /// What becomes of the wish of a running model for another pool. `fits_now` is whether it would get memory there now.
    fn moves(&self, reserved: &mut Reserved, fits_now: impl Fn() -> bool) -> Moves {
        if reserved.leaving_pool.is_some() {
            if !self.rolled_out {
                return Moves::Moving;
            }
            reserved.leaving_pool = None;
            return if reserved.pool == self.wanted { Moves::No } else { Moves::Moving };
        }
        if reserved.pool == self.wanted || reserved.reservation != Reservation::Confirmed {
            reserved.claimed_pool = None;
            return Moves::No;
        }
        if !self.limits.limits(self.wanted) {
            return self.arrive(reserved);
        }
        match reserved.claimed_pool.as_deref() {
            None if fits_now() => {
                reserved.claimed_pool = Some(self.wanted.to_owned());
                reserved.claimed_at = self.at();
                Moves::Moving
            }
            None => Moves::Refused,
            Some(claimed) if claimed != self.wanted => {
                reserved.claimed_pool = None;
                Moves::Moving
            }
            Some(_) if self.seen != Some((&reserved.claimed_at, self.wanted)) || !self.is_old(&reserved.claimed_at) => {
                Moves::Moving
            }
            Some(_) if fits_beside_all(self.models, self.own, self.wanted, self.limits) => self.arrive(reserved),
            Some(_) if fits_beside_earlier(self.models, self.own, self.wanted, self.limits) => Moves::Moving,
            Some(_) => {
                reserved.claimed_pool = None;
                Moves::Refused
            }
        }
    }

    /// The pods move; those that are left still have memory of the pool before.
    fn arrive(&self, reserved: &mut Reserved) -> Moves {
        reserved.claimed_pool = None;
        reserved.leaving_pool = Some(std::mem::replace(&mut reserved.pool, self.wanted.to_owned()));
        Moves::Moving
    }

    /// The time of the pass, as it is written.
    fn at(&self) -> String {
        self.now.map(written).unwrap_or_default()
    }

    /// Whether a claim of this time is so old that every pass sees the model's own last writes.
    pub fn is_old(&self, claimed_at: &str) -> bool {
        is_old(claimed_at, self.now)
    }
}

/// Whether a claim of this time is old at this time.
pub fn is_old(claimed_at: &str, now: Option<Time>) -> bool {
    let age = claimed_at.parse::<Time>().ok().zip(now).map(|(at, now)| now.seconds() - at.seconds());
    age.is_some_and(|age| age >= RIPE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_found() {
        #[track_caller]
        fn check(
            status: Option<(Reservation, &str)>,
            pods: Pods,
            mark: Option<&str>,
            want: Option<(Reservation, &str)>,
        ) {
            let status = status.map(|(reservation, at)| Reserved::new("p", reservation, at.to_owned()));
            let found = Reserved::found(status.as_ref(), pods, mark, "p");
            assert_eq!(found.as_ref().map(|it| (it.reservation, it.claimed_at.as_str())), want);
        }
        use Pods::Desired;
        use Reservation::{Claimed, Confirmed, Withdrawn};
        check(None, Pods::None, None, None);
        check(None, Pods::None, Some("t1"), None);
        check(None, Desired, None, Some((Confirmed, "")));
        check(None, Pods::Going, None, Some((Withdrawn, "")));
        check(Some((Claimed, "t1")), Pods::Going, None, Some((Claimed, "t1")));
        check(None, Desired, Some("t1"), Some((Claimed, "")));
        check(None, Desired, Some("t1 confirmed"), Some((Confirmed, "t1")));
        check(Some((Claimed, "t1")), Pods::None, None, Some((Claimed, "t1")));
        check(Some((Claimed, "t1")), Desired, Some("t1"), Some((Claimed, "t1")));
        check(Some((Claimed, "t1")), Desired, Some("t1 confirmed"), Some((Confirmed, "t1")));
        check(Some((Claimed, "t1")), Desired, Some("t2"), Some((Claimed, "")));
        check(Some((Claimed, "t1")), Desired, Some("t2 confirmed"), Some((Confirmed, "t2")));
        check(Some((Withdrawn, "t1")), Desired, Some("t1"), Some((Withdrawn, "t1")));
        check(Some((Withdrawn, "t1")), Desired, Some("t2"), Some((Claimed, "")));
        check(Some((Confirmed, "t1")), Desired, Some("t1"), Some((Confirmed, "t1")));
        check(Some((Confirmed, "t1")), Desired, Some("t2 confirmed"), Some((Confirmed, "t2")));
        // Without a clock there are no times.
        check(Some((Claimed, "")), Desired, Some(""), Some((Claimed, "")));
        check(Some((Claimed, "")), Desired, Some("confirmed"), Some((Confirmed, "")));
    }
}
