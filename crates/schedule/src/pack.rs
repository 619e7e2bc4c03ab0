//! Whether pods can be packed on equal nodes.

use std::collections::{BTreeMap, BTreeSet};

use crate::search::Budget;

/// The most pods that the search distributes. With more of them only the greedy choice and simple bounds decide.
const MOST_PODS: u64 = 256;

/// The most steps of one search. Each keeps a state, so this bounds its memory too.
const MOST_STEPS: u64 = 5_000;

/// Pods by what each of them claims of every entry of a node's devices.
pub(crate) type Pods = BTreeMap<Vec<u64>, u64>;

/// The answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packed {
    /// They can be packed.
    Yes,
    /// They cannot.
    No,
    /// The search ended before it was complete.
    Unknown,
}

/// Whether all pods find a place on so many nodes, each with these devices.
pub(crate) fn packs(nodes: u64, capacity: &[u64], pods: &Pods, budget: &mut Budget) -> Packed {
    let count = pods.values().copied().fold(0, u64::saturating_add);
    let fits = |claims: &Vec<u64>| claims.iter().zip(capacity).all(|(claimed, has)| claimed <= has);
    if count == 0 {
        return Packed::Yes;
    }
    if nodes == 0 || !pods.keys().all(fits) {
        return Packed::No;
    }
    if count <= nodes {
        return Packed::Yes;
    }
    if exceeds(nodes, capacity, pods) {
        return Packed::No;
    }
    let ordered = ordered(capacity, pods);
    if greedy(nodes, capacity, &ordered) {
        return Packed::Yes;
    }
    if is_chain(&ordered) {
        return Packed::No;
    }
    if count > MOST_PODS {
        return Packed::Unknown;
    }
    let mut search = Search { ordered: &ordered, failed: BTreeSet::new(), steps: MOST_STEPS, ended: false };
    let nodes = BTreeMap::from([(capacity.to_vec(), nodes)]);
    match search.finds(0, ordered.first().map_or(0, |row| row.1), &nodes, budget) {
        true => Packed::Yes,
        false if search.ended => Packed::Unknown,
        false => Packed::No,
    }
}

/// The nodes that the greedy choice needs, if there are enough of them.
pub(crate) fn needed(capacity: &[u64], pods: &Pods) -> u64 {
    let ordered = ordered(capacity, pods);
    let most = pods.values().copied().fold(0, u64::saturating_add);
    // More nodes never hurt here: a node is only opened when no open one has room.
    let (mut enough, mut few) = (most, 0);
    while enough - few > 1 {
        let middle = few + (enough - few) / 2;
        if greedy(middle, capacity, &ordered) {
            enough = middle;
        } else {
            few = middle;
        }
    }
    enough
}

/// Whether the pods together claim more than there is, or more of them than there are nodes each claim more than half a node.
fn exceeds(nodes: u64, capacity: &[u64], pods: &Pods) -> bool {
    capacity.iter().enumerate().any(|(entry, has)| {
        let claimed = |claims: &[u64]| u128::from(claims.get(entry).copied().unwrap_or_default());
        let all = pods.iter().map(|(claims, count)| claimed(claims).saturating_mul((*count).into()));
        let large = pods.iter().filter(|(claims, _)| claimed(claims) * 2 > u128::from(*has)).map(|(_, count)| *count);
        all.fold(0, u128::saturating_add) > u128::from(*has) * u128::from(nodes)
            || large.fold(0, u64::saturating_add) > nodes
    })
}

/// The pods, those first that claim the largest share of a node.
fn ordered(capacity: &[u64], pods: &Pods) -> Vec<(Vec<u64>, u64)> {
    let share = |claims: &[u64]| {
        let shares = claims.iter().zip(capacity).filter(|(_, has)| **has > 0);
        shares.map(|(claimed, has)| (u128::from(*claimed) << 64) / u128::from(*has)).max()
    };
    let mut rows: Vec<_> = pods.iter().map(|(claims, count)| (claims.clone(), *count)).collect();
    rows.sort_by(|a, b| share(&b.0).cmp(&share(&a.0)).then_with(|| b.0.cmp(&a.0)));
    rows
}

/// Whether all pods claim one and the same entry, in numbers of which each divides the next one. The greedy choice is as good
/// as any then: how many pods of a number still fit does not depend on where the larger ones are.
fn is_chain(ordered: &[(Vec<u64>, u64)]) -> bool {
    let used: BTreeSet<_> = ordered
        .iter()
        .flat_map(|(claims, _)| claims.iter().enumerate().filter(|(_, claimed)| **claimed > 0).map(|(entry, _)| entry))
        .collect();
    let numbers: Vec<u64> =
        ordered.iter().map(|(claims, _)| claims.iter().sum()).filter(|number| *number > 0).collect();
    used.len() <= 1 && numbers.windows(2).all(|pair| matches!(pair, [more, less] if more.is_multiple_of(*less)))
}

/// How many such pods fit where so much is left.
fn fitting(left: &[u64], claims: &[u64]) -> u64 {
    let each = left.iter().zip(claims).filter(|(_, claimed)| **claimed > 0).map(|(left, claimed)| left / claimed);
    each.min().unwrap_or(u64::MAX)
}

fn without(left: &[u64], claims: &[u64], pods: u64) -> Vec<u64> {
    left.iter()
        .zip(claims)
        .map(|(left, claimed)| left - claimed * pods.min(if *claimed > 0 { pods } else { 0 }))
        .collect()
}

/// Puts the largest pods first on nodes that have something already. Equal nodes are treated together.
fn greedy(nodes: u64, capacity: &[u64], ordered: &[(Vec<u64>, u64)]) -> bool {
    let mut groups: Vec<(Vec<u64>, u64)> = vec![(capacity.to_vec(), nodes)];
    for (claims, count) in ordered {
        let mut rest = *count;
        let mut next = Vec::new();
        for (left, number) in groups {
            let each = fitting(&left, claims);
            if rest == 0 || each == 0 {
                next.push((left, number));
                continue;
            }
            let full = (rest / each).min(number);
            let last = if full < number { (rest - full * each).min(each) } else { 0 };
            rest -= full.saturating_mul(each) + last;
            let partly = u64::from(last > 0);
            let parts = [
                (without(&left, claims, each), full),
                (without(&left, claims, last), partly),
                (left.clone(), number - full - partly),
            ];
            next.extend(parts.into_iter().filter(|(_, number)| *number > 0));
        }
        if rest > 0 {
            return false;
        }
        groups = next;
    }
    true
}

/// Tries every way to distribute the pods, one after another.
struct Search<'s> {
    ordered: &'s [(Vec<u64>, u64)],
    /// States from which there is no way: a row, how many of its pods are left, and what is left of the nodes.
    failed: BTreeSet<(usize, u64, BTreeMap<Vec<u64>, u64>)>,
    steps: u64,
    /// Whether it ended before it was complete.
    ended: bool,
}

impl Search<'_> {
    fn finds(&mut self, row: usize, rest: u64, nodes: &BTreeMap<Vec<u64>, u64>, budget: &mut Budget) -> bool {
        let Some((claims, _)) = self.ordered.get(row) else { return true };
        if rest == 0 {
            let next = self.ordered.get(row + 1).map_or(0, |row| row.1);
            return self.finds(row + 1, next, nodes, budget);
        }
        if self.failed.contains(&(row, rest, nodes.clone())) {
            return false;
        }
        for left in nodes.keys() {
            if fitting(left, claims) == 0 {
                continue;
            }
            if self.steps == 0 || !budget.step() {
                self.ended = true;
                return false;
            }
            self.steps -= 1;
            let mut after = nodes.clone();
            if let Some(number) = after.get_mut(left) {
                *number -= 1;
                if *number == 0 {
                    after.remove(left);
                }
            }
            *after.entry(without(left, claims, 1)).or_default() += 1;
            if self.finds(row, rest - 1, &after, budget) {
                return true;
            }
        }
        if !self.ended {
            self.failed.insert((row, rest, nodes.clone()));
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    fn pods(rows: &[(&[u64], u64)]) -> Pods {
        let mut pods = Pods::new();
        for (claims, count) in rows {
            *pods.entry(claims.to_vec()).or_default() += count;
        }
        pods
    }

    /// Tries every node for each pod.
    fn brute_force(nodes: &mut [Vec<u64>], pods: &[Vec<u64>]) -> bool {
        let Some((claims, rest)) = pods.split_first() else { return true };
        for node in 0..nodes.len() {
            if nodes[node].iter().zip(claims).all(|(left, claimed)| left >= claimed) {
                let before = nodes[node].clone();
                nodes[node].iter_mut().zip(claims).for_each(|(left, claimed)| *left -= claimed);
                let found = brute_force(nodes, rest);
                nodes[node] = before;
                if found {
                    return true;
                }
            }
        }
        false
    }

    #[test]
    fn packing() {
        #[track_caller]
        fn check(nodes: u64, capacity: &[u64], rows: &[(&[u64], u64)], want: Packed) {
            assert_eq!(packs(nodes, capacity, &pods(rows), &mut Budget::new(100_000)), want);
        }
        check(1, &[8], &[(&[1], 8)], Packed::Yes);
        check(1, &[8], &[(&[1], 9)], Packed::No);
        check(2, &[8], &[(&[5], 2), (&[3], 2)], Packed::Yes);
        check(2, &[8], &[(&[5], 3)], Packed::No);
        // The greedy choice puts 4 and 3 together, and then finds no place for one of the threes.
        check(2, &[10], &[(&[4], 2), (&[3], 4)], Packed::Yes);
        check(1_000_000, &[8], &[(&[4], 1_999_999), (&[2], 3)], Packed::No);
        check(1_000_000, &[8], &[(&[4], 1_999_999), (&[2], 2)], Packed::Yes);
        check(1, &[8, 2], &[(&[4, 1], 2)], Packed::Yes);
        check(1, &[8, 2], &[(&[2, 1], 3)], Packed::No);
        check(0, &[8], &[(&[0], 1)], Packed::No);
        check(1, &[8], &[(&[0], 9)], Packed::Yes);
        check(0, &[8], &[], Packed::Yes);
        check(9, &[8], &[(&[9], 1)], Packed::No);
    }

    #[test]
    fn a_search_ends() {
        let few = pods(&[(&[4], 2), (&[3], 4)]);
        assert_eq!(packs(2, &[10], &few, &mut Budget::new(0)), Packed::Unknown);
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn as_by_brute_force(
            nodes in 1usize..4,
            capacity in vec(1u64..12, 1..3),
            claims in vec((0u64..8, 0u64..8), 0..8),
        ) {
            let claims: Vec<Vec<u64>> =
                claims.into_iter().map(|(a, b)| [a, b].into_iter().take(capacity.len()).collect()).collect();
            let mut rows = Pods::new();
            for claims in &claims {
                *rows.entry(claims.clone()).or_default() += 1;
            }
            let found = packs(nodes as u64, &capacity, &rows, &mut Budget::new(1_000_000));
            let want = brute_force(&mut vec![capacity.clone(); nodes], &claims);
            prop_assert_eq!(found, if want { Packed::Yes } else { Packed::No });
        }
    }
}
