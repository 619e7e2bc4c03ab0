//! Which models need which others: names, waiting, wanted activity, cycles.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

/// What a graph needs to know of a model.
#[derive(Clone, Copy, Debug)]
pub struct Node<'a> {
    /// Its namespace.
    pub namespace: &'a str,
    /// Its name.
    pub name: &'a str,
    /// The name by which clients ask for it.
    pub model_name: &'a str,
    /// What it depends on, as it states it.
    pub dependencies: &'a [Arc<str>],
}

/// Models, and what they depend on. They are indexes in the list of nodes, which has the oldest first.
#[derive(Debug)]
pub struct Graph<'a> {
    nodes: &'a [Node<'a>],
    by_model_name: BTreeMap<(&'a str, &'a str), usize>,
    by_name: BTreeMap<(&'a str, &'a str), usize>,
}

impl<'a> Graph<'a> {
    /// The graph of these models, the oldest first.
    pub fn of(nodes: &'a [Node<'a>]) -> Self {
        let mut graph = Self { nodes, by_model_name: BTreeMap::new(), by_name: BTreeMap::new() };
        for (index, node) in nodes.iter().enumerate() {
            graph.by_model_name.entry((node.namespace, node.model_name)).or_insert(index);
            graph.by_name.entry((node.namespace, node.name)).or_insert(index);
        }
        graph
    }

    /// The model that an entry of a model in this namespace means: that with this `modelName`, the oldest of several; if there is
    /// none, that with this name.
    pub fn find(&self, namespace: &str, entry: &str) -> Option<usize> {
        let by = |map: &BTreeMap<(&str, &str), usize>| map.get(&(namespace, entry)).copied();
        by(&self.by_model_name).or_else(|| by(&self.by_name))
    }

    /// The entries of a model, each once, with what they mean.
    pub fn entries(&self, index: usize) -> impl Iterator<Item = (&'a str, Option<usize>)> + '_ {
        let node = self.nodes.get(index);
        let entries = node.map(|node| node.dependencies).unwrap_or_default();
        let mut seen = BTreeSet::new();
        let once = entries.iter().map(|entry| &**entry).filter(move |entry| seen.insert(*entry));
        once.map(move |entry| (entry, node.and_then(|node| self.find(node.namespace, entry))))
    }

    /// What a model depends on.
    fn next(&self, index: usize) -> impl Iterator<Item = usize> + '_ {
        self.entries(index).filter_map(|(_, found)| found)
    }

    /// The models that are wanted: those that want to run by themselves, and all that those depend on.
    pub fn wanted(&self, wants: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut wanted: Vec<bool> = (0..self.nodes.len()).map(wants).collect();
        let mut open: Vec<usize> = (0..wanted.len()).filter(|index| wanted.get(*index) == Some(&true)).collect();
        while let Some(index) = open.pop() {
            for needed in self.next(index) {
                if let Some(is_wanted @ false) = wanted.get_mut(needed) {
                    *is_wanted = true;
                    open.push(needed);
                }
            }
        }
        wanted
    }

    /// The shortest cycle through a model, from its name to its name. `None` when it is in none.
    pub fn cycle(&self, start: usize) -> Option<Vec<&'a str>> {
        let mut from: BTreeMap<usize, usize> = BTreeMap::new();
        let mut open = VecDeque::from([start]);
        while let Some(index) = open.pop_front() {
            for needed in self.next(index) {
                if needed == start {
                    let mut path = vec![start, index];
                    while let Some(before) = path.last().and_then(|last| from.get(last)) {
                        path.push(*before);
                    }
                    // A model that depends on itself is its own start.
                    path.dedup();
                    if path.len() == 1 {
                        path.push(start);
                    }
                    path.reverse();
                    return Some(path.into_iter().filter_map(|it| Some(self.nodes.get(it)?.name)).collect());
                }
                if let Entry::Vacant(entry) = from.entry(needed) {
                    entry.insert(index);
                    open.push_back(needed);
                }
            }
        }
        None
    }

    /// The models that are in a cycle: those in a strongly connected component of several, and those that depend on themselves.
    pub fn in_cycles(&self) -> Vec<bool> {
        let count = self.nodes.len();
        let mut found = vec![false; count];
        let mut seen: Vec<Option<Visited>> = vec![None; count];
        let (mut stack, mut number) = (Vec::new(), 0);
        for root in 0..count {
            if seen.get(root).is_some_and(Option::is_some) {
                continue;
            }
            // Tarjan's algorithm without recursion: chains may be a thousand long.
            let mut open = vec![(root, self.next(root).collect::<Vec<_>>())];
            enter(&mut seen, &mut stack, root, &mut number);
            while let Some((index, rest)) = open.last_mut() {
                let index = *index;
                if let Some(needed) = rest.pop() {
                    if needed == index {
                        mark(&mut found, index);
                    }
                    match seen.get(needed).copied().flatten() {
                        None => {
                            enter(&mut seen, &mut stack, needed, &mut number);
                            open.push((needed, self.next(needed).collect()));
                        }
                        Some(other) if other.open => lower(&mut seen, index, other.number),
                        Some(_) => {}
                    }
                    continue;
                }
                open.pop();
                let Some(Visited { number, low, .. }) = seen.get(index).copied().flatten() else { continue };
                if let Some((before, _)) = open.last() {
                    lower(&mut seen, *before, low);
                }
                if low == number {
                    let at = stack.iter().rposition(|it| *it == index).unwrap_or_default();
                    let component: Vec<usize> = stack.drain(at..).collect();
                    for member in &component {
                        if let Some(Some(seen)) = seen.get_mut(*member) {
                            seen.open = false;
                        }
                        if component.len() > 1 {
                            mark(&mut found, *member);
                        }
                    }
                }
            }
        }
        found
    }
}

/// A cycle in words, in its order. Of a long one, the middle is counted.
pub fn in_words(cycle: &[&str]) -> String {
    const NAMED: usize = 20;
    match cycle.len().checked_sub(NAMED) {
        Some(more @ 1..) => {
            let (first, rest) = cycle.split_at(NAMED - 1);
            let last = rest.last().unwrap_or(&"");
            format!("{} -> {more} more -> {last}", first.join(" -> "))
        }
        _ => cycle.join(" -> "),
    }
}

/// A model that the search for cycles has seen.
#[derive(Clone, Copy, Debug)]
struct Visited {
    number: usize,
    low: usize,
    open: bool,
}

fn enter(seen: &mut [Option<Visited>], stack: &mut Vec<usize>, index: usize, number: &mut usize) {
    if let Some(place) = seen.get_mut(index) {
        *place = Some(Visited { number: *number, low: *number, open: true });
        stack.push(index);
        *number += 1;
    }
}

fn lower(seen: &mut [Option<Visited>], index: usize, to: usize) {
    if let Some(Some(seen)) = seen.get_mut(index) {
        seen.low = seen.low.min(to);
    }
}

fn mark(found: &mut [bool], index: usize) {
    if let Some(place) = found.get_mut(index) {
        *place = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Models `name: dependencies`, whose `modelName` is `m-` and their name.
    fn with<T>(models: &[(&'static str, &'static [&'static str])], check: impl FnOnce(&Graph<'_>) -> T) -> T {
        let shared = |(name, dependencies): &(&str, &[&str])| {
            (format!("m-{name}"), dependencies.iter().copied().map(Arc::from).collect::<Vec<_>>())
        };
        let read: Vec<_> = models.iter().map(shared).collect();
        let nodes: Vec<Node<'_>> = models
            .iter()
            .zip(&read)
            .map(|((name, _), (model_name, dependencies))| Node { namespace: "ml", name, model_name, dependencies })
            .collect();
        check(&Graph::of(&nodes))
    }

    #[test]
    fn names_of_models_come_first() {
        let node = |namespace, name, model_name| Node { namespace, name, model_name, dependencies: &[] };
        let nodes = [node("ml", "a", "b"), node("ml", "b", "x"), node("ml", "c", "b"), node("other", "d", "d")];
        let graph = Graph::of(&nodes);
        assert_eq!(graph.find("ml", "b"), Some(0));
        assert_eq!(graph.find("ml", "a"), Some(0));
        assert_eq!(graph.find("ml", "c"), Some(2));
        assert_eq!(graph.find("ml", "B"), None);
        assert_eq!(graph.find("ml", "d"), None);
    }

    #[test]
    fn cycles_in_order() {
        #[track_caller]
        fn check(models: &[(&'static str, &'static [&'static str])], want: &[Option<&str>]) {
            with(models, |graph| {
                let cycles: Vec<_> = (0..models.len()).map(|it| graph.cycle(it).map(|it| it.join(" -> "))).collect();
                assert_eq!(cycles.iter().map(Option::as_deref).collect::<Vec<_>>(), want);
                let members: Vec<_> = want.iter().map(Option::is_some).collect();
                assert_eq!(graph.in_cycles(), members);
            });
        }
        check(&[("a", &["a"])], &[Some("a -> a")]);
        check(&[("a", &["m-a", "a"])], &[Some("a -> a")]);
        check(&[("a", &["b"]), ("b", &["a"])], &[Some("a -> b -> a"), Some("b -> a -> b")]);
        check(
            &[("a", &["b"]), ("b", &["c"]), ("c", &["a", "d"]), ("d", &[]), ("e", &["a"])],
            &[Some("a -> b -> c -> a"), Some("b -> c -> a -> b"), Some("c -> a -> b -> c"), None, None],
        );
        check(&[("a", &["b"]), ("b", &["c"]), ("c", &["x"])], &[None, None, None]);
        // Two cycles with a model in common.
        check(
            &[("a", &["b", "c"]), ("b", &["a"]), ("c", &["d"]), ("d", &["a"])],
            &[Some("a -> b -> a"), Some("b -> a -> b"), Some("c -> d -> a -> c"), Some("d -> a -> c -> d")],
        );
    }

    #[test]
    fn what_is_needed_is_wanted() {
        with(&[("a", &["b"]), ("b", &["c", "x"]), ("c", &[]), ("d", &["c"]), ("e", &["e"])], |graph| {
            assert_eq!(graph.wanted(|it| it == 0), [true, true, true, false, false]);
            assert_eq!(graph.wanted(|_| false), [false; 5]);
            assert_eq!(graph.wanted(|it| it == 4), [false, false, false, false, true]);
        });
    }

    #[test]
    fn long_chains() {
        let names: Vec<String> = (0..3000).map(|index| format!("m{index}")).collect();
        let next: Vec<[Arc<str>; 1]> = (0..3000).map(|index| [names[(index + 1) % 3000].as_str().into()]).collect();
        let nodes: Vec<Node<'_>> = names
            .iter()
            .zip(&next)
            .map(|(name, dependencies)| Node { namespace: "ml", name, model_name: name, dependencies })
            .collect();
        let graph = Graph::of(&nodes);
        let cycle = graph.cycle(0).unwrap_or_default();
        assert_eq!(cycle.len(), 3001);
        let named: Vec<_> = (0..19).map(|index| format!("m{index}")).collect();
        assert_eq!(in_words(&cycle), format!("{} -> 2981 more -> m0", named.join(" -> ")));
        assert_eq!(in_words(&cycle[..3]), "m0 -> m1 -> m2");
        assert!(graph.in_cycles().into_iter().all(|it| it));
        assert!(graph.wanted(|it| it == 7).into_iter().all(|it| it));
    }
}
