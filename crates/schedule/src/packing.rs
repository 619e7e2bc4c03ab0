//! Whether pods can share the nodes of a pool.

use std::collections::BTreeMap;

use quantity::order;

use crate::search::Budget;

/// The steps that one question may take of a budget.
const MOST_STEPS: u64 = 2_000;

/// Pods by what each of them claims of every entry of a node's devices.
pub(crate) type Pods = BTreeMap<Vec<u64>, u64>;

/// Pods that are alike.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Alike {
    /// The devices that each claims, by entry of the pool's devices.
    claims: Vec<u64>,
    /// How many pods there are.
    count: u64,
}

/// Whether pods can be packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packed {
    /// They can.
    Yes,
    /// They cannot.
    No,
    /// The budget ended before that was known.
    Unknown,
}

/// Whether nodes with these devices have room for the pods.
///
/// The answer comes from a first fit or from bounds if possible. Otherwise a search counts, for every way to fill a node,
/// how many nodes are filled so.
pub(crate) fn packs(nodes: u64, capacity: &[u64], pods: &Pods, budget: &mut Budget) -> Packed {
    let pods = sorted(capacity, pods);
    let wanted: Vec<_> = pods.iter().map(|pods| pods.count).collect();
    if pods.iter().any(|pods| most(capacity, &pods.claims) == 0) || !may_fit(nodes, capacity, &pods, &wanted) {
        return Packed::No;
    }
    if first_fit(nodes, capacity, &pods).is_some() {
        return Packed::Yes;
    }
    let mut left = budget.split(MOST_STEPS);
    let found = fillings(capacity, &pods, &mut left)
        .and_then(|fillings| search(nodes, capacity, &pods, wanted, &fillings, &mut left));
    budget.give_back(left);
    match found {
        Some(true) => Packed::Yes,
        Some(false) => Packed::No,
        None => Packed::Unknown,
    }
}

/// The nodes that a first fit takes, if there is no end of nodes. Pods that claim more than a node has get one each.
pub(crate) fn needed(capacity: &[u64], pods: &Pods) -> u64 {
    first_fit(u64::MAX, capacity, &sorted(capacity, pods)).unwrap_or(u64::MAX)
}

/// The pods by what they claim, those that claim the largest part of a node first.
fn sorted(capacity: &[u64], pods: &Pods) -> Vec<Alike> {
    let part = |pods: &Alike| {
        let parts = pods.claims.iter().zip(capacity);
        parts.map(|(claim, has)| (u128::from(*claim) << 32) / u128::from(*has).max(1)).max()
    };
    let alike = pods.iter().filter(|(_, count)| **count > 0);
    let alike = alike.map(|(claims, count)| Alike { claims: claims.clone(), count: *count }).collect();
    order::sorted(alike, |a, b| (part(b), &b.claims).cmp(&(part(a), &a.claims)))
}

/// How many pods fit where so much is left.
fn most(left: &[u64], claims: &[u64]) -> u64 {
    let fit = claims.iter().enumerate().filter(|(_, claim)| **claim > 0);
    fit.map(|(device, claim)| left.get(device).copied().unwrap_or_default() / claim).min().unwrap_or(u64::MAX)
}

fn take(left: &mut [u64], claims: &[u64], pods: u64) {
    for (left, claim) in left.iter_mut().zip(claims) {
        *left = left.saturating_sub(claim.saturating_mul(pods));
    }
}

/// Whether all nodes together have as many devices of each entry as the pods claim.
fn may_fit(nodes: u64, capacity: &[u64], pods: &[Alike], wanted: &[u64]) -> bool {
    capacity.iter().enumerate().all(|(device, has)| {
        let claimed = pods.iter().zip(wanted).map(|(pods, count)| {
            let claim = pods.claims.get(device).copied().unwrap_or_default();
            u128::from(claim).saturating_mul(u128::from(*count))
        });
        claimed.fold(0, u128::saturating_add) <= u128::from(nodes).saturating_mul(u128::from(*has))
    })
}

/// The nodes that are taken when each pod goes to the first node with room for it. `None` when there are too few.
fn first_fit(nodes: u64, capacity: &[u64], pods: &[Alike]) -> Option<u64> {
    // Nodes with equal devices left are counted together, so the work does not depend on the number of nodes or pods.
    let mut groups: Vec<(Vec<u64>, u64)> = Vec::new();
    let mut unused = nodes;
    for row in pods {
        let mut count = row.count;
        let mut filled: Vec<(Vec<u64>, u64)> = Vec::new();
        for (left, nodes) in std::mem::take(&mut groups) {
            put(row, &mut count, (left, nodes), &mut filled);
        }
        if count > 0 {
            let each = most(capacity, &row.claims).max(1);
            let more = count.div_ceil(each);
            unused = unused.checked_sub(more)?;
            put(row, &mut count, (capacity.to_vec(), more), &mut filled);
        }
        groups = filled;
    }
    Some(nodes - unused)
}

/// Puts as many pods as possible on nodes that have so much left.
fn put(pods: &Alike, count: &mut u64, (left, mut nodes): (Vec<u64>, u64), filled: &mut Vec<(Vec<u64>, u64)>) {
    let each = most(&left, &pods.claims);
    if each == 0 || *count == 0 {
        filled.push((left, nodes));
        return;
    }
    for each in [each, *count % each] {
        let full = nodes.min(count.checked_div(each).unwrap_or_default());
        if full > 0 {
            let mut rest = left.clone();
            take(&mut rest, &pods.claims, each);
            filled.push((rest, full));
            *count -= full * each;
            nodes -= full;
        }
    }
    if nodes > 0 {
        filled.push((left, nodes));
    }
}

/// Every way to fill a node to which no further pod can be added: how many pods of each kind, those with most pods of the
/// first kinds first. `None` when the budget ends.
fn fillings(capacity: &[u64], pods: &[Alike], budget: &mut Budget) -> Option<Vec<Vec<u64>>> {
    let mut found = Vec::new();
    let mut filling = Vec::new();
    let mut left = capacity.to_vec();
    loop {
        // As many as possible of all further kinds.
        for row in pods.iter().skip(filling.len()) {
            budget.step().then_some(())?;
            let count = most(&left, &row.claims).min(row.count);
            take(&mut left, &row.claims, count);
            filling.push(count);
        }
        let is_full = |(row, count): (&Alike, &u64)| *count == row.count || most(&left, &row.claims) == 0;
        if pods.iter().zip(&filling).all(is_full) {
            found.push(filling.clone());
        }
        // One less of the last kind that has any. What follows it is chosen anew.
        let Some(last) = filling.iter().rposition(|count| *count > 0) else { return Some(found) };
        filling.truncate(last + 1);
        if let Some(count) = filling.last_mut() {
            *count -= 1;
        }
        left = capacity.to_vec();
        for (row, count) in pods.iter().zip(&filling) {
            take(&mut left, &row.claims, *count);
        }
    }
}

/// A filling that is chosen, and what was to do before.
struct Chosen {
    times: u64,
    wanted: Vec<u64>,
    nodes: u64,
}

/// Whether so many nodes can be filled that all wanted pods have a place. `None` when the budget ends.
fn search(
    nodes: u64,
    capacity: &[u64],
    pods: &[Alike],
    wanted: Vec<u64>,
    fillings: &[Vec<u64>],
    budget: &mut Budget,
) -> Option<bool> {
    let has = |filling: &[u64], kind: usize| filling.get(kind).is_some_and(|count| *count > 0);
    let (mut wanted, mut nodes) = (wanted, nodes);
    // The n-th one is how often the n-th filling is used.
    let mut chosen: Vec<Chosen> = Vec::new();
    loop {
        let Some(first) = wanted.iter().position(|count| *count > 0) else { return Some(true) };
        budget.step().then_some(())?;
        let next = fillings.get(chosen.len()).filter(|_| may_fit(nodes, capacity, pods, &wanted));
        // Pods of the first kind are only in the first fillings.
        let next = next.filter(|_| fillings.iter().skip(chosen.len()).any(|filling| has(filling, first)));
        if let Some(filling) = next {
            let needs = wanted.iter().zip(filling).filter(|(_, count)| **count > 0);
            let times = needs.map(|(wanted, count)| wanted.div_ceil(*count)).max().unwrap_or_default().min(nodes);
            chosen.push(Chosen { times: times.saturating_add(1), wanted: wanted.clone(), nodes });
        }
        // One less of the last filling that is used.
        loop {
            let number = chosen.len().checked_sub(1);
            let (Some(number), Some(last)) = (number, chosen.last_mut()) else { return Some(false) };
            let (Some(times), Some(filling)) = (last.times.checked_sub(1), fillings.get(number)) else {
                chosen.pop();
                continue;
            };
            last.times = times;
            nodes = last.nodes - times;
            wanted.clone_from(&last.wanted);
            take(&mut wanted, filling, times);
            break;
        }
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
