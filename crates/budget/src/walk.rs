//! Who gets memory that is free, and what fits beside whom.

use std::collections::BTreeMap;

use quantity::order::sorted;

use crate::model::{Model, Reservation};
use crate::pool::{Limits, Total};

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
    let others =
        |index: usize, reservation| index != own && models.get(index).is_some_and(|model| counts(model, reservation));
    Free::beside(models, limits, others).fits_at(claimant.memory, pool, limits, !moves(claimant, pool))
}

/// Whether a model that wants memory of `pool` has memory of another pool, confirmed: then it has its share of all pools.
fn moves(model: &Model, pool: &str) -> bool {
    model.holds.iter().any(|hold| *hold.pool != *pool && hold.reservation == Reservation::Confirmed)
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

    fn of(&self, pool: &str, limits: &Limits) -> Option<i128> {
        let known = self.pools.get(pool).copied();
        known.or_else(|| match limits.of(pool) {
            Total::Bytes(total) => Some(total),
            Total::Unlimited | Total::Unknown => None,
        })
    }

    fn take_of_pool(&mut self, memory: i128, pool: &str, limits: &Limits) {
        if let Some(free) = self.pools.get_mut(pool) {
            *free -= memory;
        } else if let Some(free) = self.of(pool, limits) {
            self.pools.insert(pool.to_owned(), free - memory);
        }
    }

    fn fits(&self, model: &Model, pool: &str, limits: &Limits) -> bool {
        self.fits_at(model.memory, pool, limits, !moves(model, pool))
    }

    fn fits_at(&self, memory: i128, pool: &str, limits: &Limits, counts_for_all: bool) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Hold;

    const GI: i128 = 1 << 30;

    /// A model of so many Gi. Those that hold nothing wait for memory of the pool `p`.
    fn model(name: &str, created: &str, gibibytes: i128, holds: &[(&str, Reservation)]) -> Model {
        let hold = |(pool, reservation): &(&str, Reservation)| Hold { pool: (*pool).into(), reservation: *reservation };
        Model {
            namespace: "ml".into(),
            name: name.into(),
            created: created.into(),
            memory: gibibytes * GI,
            holds: holds.iter().map(hold).collect(),
            waits_for: holds.is_empty().then(|| "p".into()),
        }
    }

    fn limits(total: i128, ceiling: Option<i128>) -> Limits {
        let pools = BTreeMap::from([("p".to_owned(), Total::Bytes(total * GI)), ("odd".to_owned(), Total::Unknown)]);
        Limits { pools, others_unknown: false, ceiling: ceiling.map(|it| it * GI) }
    }

    const CONFIRMED: &[(&str, Reservation)] = &[("p", Reservation::Confirmed)];
    const CLAIMED: &[(&str, Reservation)] = &[("p", Reservation::Claimed)];
    const WITHDRAWN: &[(&str, Reservation)] = &[("p", Reservation::Withdrawn)];

    /// Whether each model that waits gets memory, in the order of the models.
    #[track_caller]
    fn check(models: &[Model], limits: &Limits, want: &[bool]) {
        let waiting = models.iter().enumerate().filter(|(_, model)| model.waits_for.is_some());
        let fits: Vec<_> = waiting
            .map(|(index, model)| turn(models, index, model.waits_for.as_deref().unwrap_or_default(), limits).fits)
            .collect();
        assert_eq!(fits, want);
    }

    #[test]
    fn who_gets_memory() {
        // One model alone: what is equal fits.
        check(&[model("a", "1", 60, &[])], &limits(128, None), &[true]);
        check(&[model("a", "1", 128, &[])], &limits(128, None), &[true]);
        check(&[model("a", "1", 129, &[])], &limits(128, None), &[false]);
        // 80 of 128 are taken: 48 fit and 60 do not.
        check(&[model("a", "1", 80, CONFIRMED), model("b", "2", 60, &[])], &limits(128, None), &[false]);
        check(&[model("a", "1", 80, CONFIRMED), model("b", "2", 48, &[])], &limits(128, None), &[true]);
        // The older one comes first; of equally old ones the first by name; what is not stored yet comes last.
        check(&[model("a", "2", 60, &[]), model("b", "1", 60, &[])], &limits(100, None), &[false, true]);
        check(&[model("b", "1", 60, &[]), model("a", "1", 60, &[])], &limits(100, None), &[false, true]);
        check(&[model("a", "", 60, &[]), model("b", "9", 60, &[])], &limits(100, None), &[false, true]);
        // Who does not fit does not hold up the others.
        check(
            &[model("a", "1", 120, &[]), model("b", "2", 60, &[]), model("c", "3", 40, &[])],
            &limits(100, None),
            &[false, true, true],
        );
        // Every sort of reservation counts, also when there is less than is held.
        for held in [CONFIRMED, CLAIMED, WITHDRAWN] {
            check(&[model("a", "1", 80, held), model("b", "2", 60, &[])], &limits(100, None), &[false]);
            check(&[model("a", "1", 80, held), model("b", "2", 1, &[])], &limits(60, None), &[false]);
        }
        // Pools are apart, but for the ceiling.
        let elsewhere = [model("a", "1", 80, &[("q", Reservation::Confirmed)]), model("b", "2", 60, &[])];
        check(&elsewhere, &limits(60, None), &[true]);
        check(&elsewhere, &limits(60, Some(140)), &[true]);
        check(&elsewhere, &limits(60, Some(139)), &[false]);
        // A pool whose total nobody knows has room for nobody, and its models do not hold up others.
        let mut unknown = model("a", "1", 80, &[]);
        unknown.waits_for = Some("odd".into());
        check(&[unknown, model("b", "2", 60, &[])], &limits(60, Some(80)), &[false, true]);
    }

    #[test]
    fn what_is_free() {
        let models = [model("a", "1", 80, CONFIRMED), model("b", "2", 60, &[]), model("c", "3", 40, &[])];
        let found = turn(&models, 2, "p", &limits(128, Some(100)));
        assert_eq!(found, Turn { fits: false, free: Some(48 * GI), free_of_all: Some(20 * GI), before: Vec::new() });
        let found = turn(&models[1..], 1, "p", &limits(128, None));
        assert_eq!(found, Turn { fits: true, free: Some(128 * GI), free_of_all: None, before: vec![0] });
        assert_eq!(turn(&models, 2, "q", &limits(128, None)).free, None);
    }

    #[test]
    fn what_claims_fit_beside() {
        #[track_caller]
        fn check(others: &[Model], claim: i128, all: bool, earlier: bool) {
            let mut models = others.to_vec();
            models.push(model("m", "5", claim, CLAIMED));
            let (own, limits) = (others.len(), limits(100, Some(200)));
            assert_eq!(fits_beside_all(&models, own, "p", &limits), all, "beside all");
            assert_eq!(fits_beside_earlier(&models, own, "p", &limits), earlier, "beside earlier");
        }
        check(&[], 100, true, true);
        check(&[], 101, false, false);
        check(&[model("a", "1", 60, CONFIRMED)], 40, true, true);
        check(&[model("a", "9", 60, CONFIRMED)], 41, false, false);
        check(&[model("a", "1", 60, CLAIMED)], 60, false, false);
        check(&[model("z", "9", 60, CLAIMED)], 60, false, true);
        check(&[model("z", "1", 60, WITHDRAWN)], 60, false, true);
        check(&[model("a", "1", 60, &[])], 60, true, true);
        check(&[model("a", "1", 150, &[("q", Reservation::Confirmed)])], 50, true, true);
        check(&[model("a", "1", 150, &[("q", Reservation::Confirmed)])], 51, false, false);
        check(&[model("z", "9", 150, &[("q", Reservation::Claimed)])], 51, false, true);
        // One that moves has its share of all pools already.
        let moving = [("q", Reservation::Confirmed), ("p", Reservation::Claimed)];
        let models = [model("a", "1", 160, &[("r", Reservation::Confirmed)]), model("m", "5", 50, &moving)];
        assert!(fits_beside_all(&models, 1, "p", &limits(100, Some(200))));
        assert!(!fits_beside_all(&models, 1, "p", &limits(49, Some(200))));
    }

    #[test]
    fn what_is_confirmed() {
        let moved = [("p", Reservation::Confirmed), ("q", Reservation::Confirmed)];
        let models = [
            model("a", "1", 60, CONFIRMED),
            model("b", "2", 30, CLAIMED),
            model("c", "3", 20, &moved),
            model("d", "4", 9, &[]),
        ];
        assert_eq!((confirmed(&models, "p"), confirmed(&models, "q")), (80 * GI, 20 * GI));
        assert_eq!(confirmed_of_all(&models), 80 * GI);
    }
}
