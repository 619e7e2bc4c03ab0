//! Who gets memory that is free, and what fits beside whom.

use std::collections::BTreeMap;

use toolbox::entries::sorted;

use super::model::{Model, Reservation};
use super::pool::{Limits, Total};

/// What a model that waits for memory finds at its turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Whether it fits.
    pub fits: bool,
    /// What is free of its pool beside those that hold memory. `None` when there is no limit, or nobody knows it.
    pub free: Option<i128>,
    /// What is free of all pools together. `None` when there is no limit.
    pub free_of_all: Option<i128>,
    /// The models that get memory before it.
    pub before: Vec<usize>,
}

/// The turn of `models[own]`, which waits for memory of `pool`: the models that wait get what is free in their order, and who does
/// not fit is passed over. Those that hold memory keep it.
pub fn turn(models: &[Model], own: usize, pool: &str, limits: &Limits) -> Turn {
    let mut free = Free::beside(models, limits, |index, _| index != own);
    let (of_pool, of_all) = (free.of(pool, limits), free.of_all);
    let waits = |(index, model): &(usize, &Model)| *index == own || model.waits_for.is_some();
    let waiting = models.iter().enumerate().filter(waits).collect();
    let mut before = Vec::new();
    for (index, model) in sorted(waiting, |(_, one): &(usize, &Model), (_, other)| one.order(other)) {
        let wanted = if index == own { Some(pool) } else { model.waits_for.as_deref() };
        let Some(wanted) = wanted else { continue };
        let fits = free.fits(model, wanted, limits);
        if index == own {
            return Turn { fits, free: of_pool, free_of_all: of_all, before };
        }
        if fits {
            free.take(model, wanted, limits);
            before.push(index);
        }
    }
    Turn { fits: false, free: of_pool, free_of_all: of_all, before }
}

/// Whether the memory that `models[own]` claims of `pool` fits beside everything that the others hold.
pub fn fits_beside_all(models: &[Model], own: usize, pool: &str, limits: &Limits) -> bool {
    fits_beside(models, own, pool, limits, |_, _| true)
}

/// Whether it fits beside what is confirmed, and the claims of those before it.
pub fn fits_beside_earlier(models: &[Model], own: usize, pool: &str, limits: &Limits) -> bool {
    let Some(claimant) = models.get(own) else { return false };
    fits_beside(models, own, pool, limits, |model, reservation| match reservation {
        Reservation::Confirmed => true,
        Reservation::Claimed => model.order(claimant).is_lt(),
        Reservation::Withdrawn => false,
    })
}

/// What is confirmed of a pool, in bytes.
pub fn confirmed(models: &[Model], pool: &str) -> i128 {
    let holds = |model: &&Model| model.holds_in(pool) == Some(Reservation::Confirmed);
    models.iter().filter(holds).map(|model| model.memory).sum()
}

/// What is confirmed of all pools together.
pub fn confirmed_of_all(models: &[Model]) -> i128 {
    models.iter().filter(|model| model.holds_any() == Some(Reservation::Confirmed)).map(|model| model.memory).sum()
}

fn fits_beside(
    models: &[Model],
    own: usize,
    pool: &str,
    limits: &Limits,
    counts: impl Fn(&Model, Reservation) -> bool,
) -> bool {
    let Some(claimant) = models.get(own) else { return false };
    let others = |index: usize, reservation| {
        index != own && models.get(index).is_some_and(|model| counts(model, reservation))
    };
    Free::beside(models, limits, others).fits_at(claimant.memory, pool, limits, !moves(claimant, pool))
}

/// Whether a model that wants memory of `pool` has memory of another pool, confirmed: then it has its share of all pools.
fn moves(model: &Model, pool: &str) -> bool {
    model.holds.iter().any(|hold| hold.pool != pool && hold.reservation == Reservation::Confirmed)
}

/// What is free.
struct Free {
    pools: BTreeMap<String, i128>,
    of_all: Option<i128>,
}

impl Free {
    /// What is free beside the memory that counts: it is asked with the index of a model, and how firmly that holds it.
    fn beside(models: &[Model], limits: &Limits, counts: impl Fn(usize, Reservation) -> bool) -> Self {
        let mut free = Self { pools: BTreeMap::new(), of_all: limits.ceiling };
        for (index, model) in models.iter().enumerate() {
            let mut counted = model.holds.iter().filter(|hold| counts(index, hold.reservation)).peekable();
            if counted.peek().is_some() {
                free.of_all = free.of_all.map(|bytes| bytes - model.memory);
            }
            counted.for_each(|hold| free.take_of_pool(model.memory, &hold.pool, limits));
        }
        free
    }

    fn of(&mut self, pool: &str, limits: &Limits) -> Option<i128> {
        let Total::Bytes(total) = limits.of(pool) else { return None };
        Some(*self.pools.entry(pool.to_owned()).or_insert(total))
    }

    fn take_of_pool(&mut self, memory: i128, pool: &str, limits: &Limits) {
        if let Some(free) = self.of(pool, limits) {
            self.pools.insert(pool.to_owned(), free - memory);
        }
    }

    fn fits(&mut self, model: &Model, pool: &str, limits: &Limits) -> bool {
        self.fits_at(model.memory, pool, limits, !moves(model, pool))
    }

    fn fits_at(&mut self, memory: i128, pool: &str, limits: &Limits, counts_for_all: bool) -> bool {
        let of_pool = match limits.of(pool) {
            Total::Unlimited => true,
            Total::Bytes(_) => self.of(pool, limits).is_some_and(|free| memory <= free),
            Total::Unknown => false,
        };
        of_pool && (!counts_for_all || self.of_all.is_none_or(|free| memory <= free))
    }

    fn take(&mut self, model: &Model, pool: &str, limits: &Limits) {
        self.take_of_pool(model.memory, pool, limits);
        if !moves(model, pool) {
            self.of_all = self.of_all.map(|free| free - model.memory);
        }
    }
}
