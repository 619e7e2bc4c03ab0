//! Reservations: the one table of their states.
//!
//! Models are composed apart, from lists of their siblings that may be a moment old, and the status of a model is stored after
//! its Deployment. So two may find the same memory free. Hence a reservation has two steps. A model *claims* what the walk
//! gives it, and starts at once. In a later pass it *confirms* the claim when that fits beside everything that the others hold;
//! it gives way when the claim does not even fit beside what is confirmed and the claims before it; otherwise it waits.
//!
//! Confirmed reservations never exceed a total: lists come from one ordered watch, so who sees its own claim sees every claim
//! that was stored before. Of two that claim the same memory the later one sees the earlier, and does not confirm. What is
//! confirmed never gives way. A reservation ends when the pods are gone, not when they are told to go, so memory is never given
//! away twice.

use crate::model::{Model, Reservation};
use crate::pool::{Limits, Total};
use crate::walk::{fits_beside_all, fits_beside_earlier};

/// A claim is confirmed when it is so old, in seconds: by then, every pass sees the model's own last writes.
pub const RIPE: i64 = 5;

/// What is known of a model at the time of a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepFacts {
    /// What it holds of the pool.
    pub held: Option<Reservation>,
    /// Whether it should run.
    pub runs: bool,
    /// Whether its pods are gone, after they were told to.
    pub gone: bool,
    /// Whether there is a limit.
    pub limited: bool,
    /// Whether list and Deployment show its own claim, and the claim is old enough.
    pub ripe: bool,
    /// Whether the walk gives it memory.
    pub fits: bool,
    /// Whether its memory fits beside everything that others hold.
    pub fits_beside_all: bool,
    /// Whether its memory fits beside what is confirmed, and the claims of those before it.
    pub fits_beside_earlier: bool,
}

/// What a pass makes of a reservation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// What the model holds then.
    pub next: Option<Reservation>,
    /// Whether its pods are desired.
    pub runs: bool,
}

/// A row of the table: the first that holds is what happens.
#[derive(Clone, Copy, Debug)]
pub struct StepRow {
    /// What the model holds.
    pub held: Option<Reservation>,
    /// When the row holds, for people.
    pub when: &'static str,
    /// The same.
    pub holds: fn(&StepFacts) -> bool,
    /// What happens.
    pub step: Step,
}

const CLAIMED: Option<Reservation> = Some(Reservation::Claimed);
const WITHDRAWN: Option<Reservation> = Some(Reservation::Withdrawn);
const CONFIRMED: Option<Reservation> = Some(Reservation::Confirmed);

/// The table of states.
#[rustfmt::skip]
pub const STEPS: &[StepRow] = &[
    row(None, "it should not run", |f| !f.runs, None, false),
    row(None, "there is no limit", |f| !f.limited, CONFIRMED, true),
    row(None, "the walk gives it memory", |f| f.fits, CLAIMED, true),
    row(None, "otherwise", |_| true, None, false),
    row(WITHDRAWN, "its pods are gone", |f| f.gone, None, false),
    row(WITHDRAWN, "otherwise", |_| true, WITHDRAWN, false),
    row(CLAIMED, "it should not run, and its pods are gone", |f| !f.runs && f.gone, None, false),
    row(CLAIMED, "it should not run", |f| !f.runs, WITHDRAWN, false),
    row(CLAIMED, "there is no limit", |f| !f.limited, CONFIRMED, true),
    row(CLAIMED, "list or Deployment do not show the claim, or it is younger than 5 s", |f| !f.ripe, CLAIMED, true),
    row(CLAIMED, "it fits beside everything that others hold", |f| f.fits_beside_all, CONFIRMED, true),
    row(CLAIMED, "it does not fit beside what is confirmed and the claims before it", |f| !f.fits_beside_earlier, WITHDRAWN, false),
    row(CLAIMED, "otherwise it waits", |_| true, CLAIMED, true),
    row(CONFIRMED, "its pods are gone, after they were told to", |f| f.gone, None, false),
    row(CONFIRMED, "it should not run", |f| !f.runs, CONFIRMED, false),
    row(CONFIRMED, "otherwise", |_| true, CONFIRMED, true),
];

const fn row(
    held: Option<Reservation>,
    when: &'static str,
    holds: fn(&StepFacts) -> bool,
    next: Option<Reservation>,
    runs: bool,
) -> StepRow {
    StepRow { held, when, holds, step: Step { next, runs } }
}

/// What a pass makes of a reservation: the first row that holds.
pub fn step(facts: &StepFacts) -> Step {
    let row = STEPS.iter().find(|row| row.held == facts.held && (row.holds)(facts));
    row.map_or(Step { next: facts.held, runs: facts.runs }, |row| row.step)
}

/// The state of a model in a pass, beside its siblings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// What it holds of the pool.
    pub held: Option<Reservation>,
    /// Whether it should run.
    pub runs: bool,
    /// Whether its pods are gone, after they were told to.
    pub gone: bool,
    /// Whether the list of siblings shows its own claim, and the claim is old enough.
    pub ripe: bool,
}

impl StepFacts {
    /// The facts about `models[own]` in `pool`. `fits_now` is whether the walk gives it memory of the pool that it wants, which is
    /// this one while it holds nothing.
    pub fn of(
        standing: Standing,
        fits_now: impl Fn() -> bool,
        models: &[Model],
        own: usize,
        pool: &str,
        limits: &Limits,
    ) -> Self {
        let Standing { held, runs, gone, ripe } = standing;
        let claims = held == CLAIMED && ripe;
        Self {
            held,
            runs,
            gone,
            limited: limits.limits(pool),
            ripe,
            fits: held.is_none() && runs && fits_now(),
            fits_beside_all: claims && fits_beside_all(models, own, pool, limits),
            // A total that nobody knows any more is no reason to give way.
            fits_beside_earlier: claims
                && (limits.of(pool) == Total::Unknown || fits_beside_earlier(models, own, pool, limits)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every row of the table, by facts for which it is the first that holds.
    #[test]
    fn every_row() {
        let none = StepFacts {
            held: None,
            runs: false,
            gone: false,
            limited: true,
            ripe: false,
            fits: false,
            fits_beside_all: false,
            fits_beside_earlier: false,
        };
        let runs = StepFacts { runs: true, ..none };
        let claimed = StepFacts { held: CLAIMED, ..runs };
        let ripe = StepFacts { ripe: true, fits_beside_earlier: true, ..claimed };
        let rows = [
            (none, None, false),
            (StepFacts { limited: false, ..runs }, CONFIRMED, true),
            (StepFacts { fits: true, ..runs }, CLAIMED, true),
            (runs, None, false),
            (StepFacts { held: WITHDRAWN, gone: true, ..runs }, None, false),
            (StepFacts { held: WITHDRAWN, fits: true, ..runs }, WITHDRAWN, false),
            (StepFacts { runs: false, gone: true, ..claimed }, None, false),
            (StepFacts { runs: false, ..claimed }, WITHDRAWN, false),
            (StepFacts { limited: false, ..claimed }, CONFIRMED, true),
            (StepFacts { fits_beside_all: true, ..claimed }, CLAIMED, true),
            (StepFacts { fits_beside_all: true, ..ripe }, CONFIRMED, true),
            (StepFacts { fits_beside_earlier: false, ..ripe }, WITHDRAWN, false),
            (ripe, CLAIMED, true),
            (StepFacts { held: CONFIRMED, runs: false, gone: true, ..none }, None, false),
            (StepFacts { held: CONFIRMED, ..none }, CONFIRMED, false),
            (StepFacts { held: CONFIRMED, ..runs }, CONFIRMED, true),
        ];
        assert_eq!(rows.len(), STEPS.len());
        for ((facts, next, runs), row) in rows.iter().zip(STEPS) {
            let first = STEPS.iter().find(|row| row.held == facts.held && (row.holds)(facts));
            assert_eq!(first.map(|row| row.when), Some(row.when), "{facts:?}");
            assert_eq!(step(facts), Step { next: *next, runs: *runs }, "{}", row.when);
        }
    }
}
