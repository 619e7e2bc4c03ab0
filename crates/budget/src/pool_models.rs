//! A model beside its siblings: who holds memory, who waits for it, who needs whom.

use std::collections::BTreeSet;
use std::sync::Arc;

use quantity::Time;
use quantity::order::sorted;

use crate::dependencies::{Graph, Node, in_words};
use crate::model::{Model, Reservation};
use crate::siblings::Sibling;

/// All models, as one of them sees them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PoolModels {
    /// The models, the oldest first.
    pub models: Vec<Model>,
    /// Which of them it is.
    pub own: usize,
    /// When somebody last asked for each, as far as others know.
    pub last_requests: Vec<Option<Time>>,
    /// When each claimed its memory.
    pub claimed_at: Vec<Arc<str>>,
    /// The siblings whose memory cannot be read.
    pub malformed: Vec<String>,
    /// What it waits for: the first dependency that is not ready.
    pub waits: Option<Wait>,
    /// Whether an active or waiting model needs it.
    pub wanted: bool,
    /// The cycle that it is in, in words.
    pub cycle: Option<String>,
    /// Siblings of the same namespace whose Service would have its name, by those names.
    pub older: Vec<String>,
}

/// A dependency that is not ready.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wait {
    /// There is no such model.
    Missing(String),
    /// It is there, and not ready.
    NotReady(String),
}

impl Wait {
    /// In words.
    pub fn words(&self) -> String {
        match self {
            Self::Missing(entry) => format!("dependency `{entry}` does not exist"),
            Self::NotReady(name) => format!("dependency `{name}` is not ready"),
        }
    }
}

impl PoolModels {
    /// The models beside `own`, which knows more of itself than the others say.
    pub fn of(siblings: Vec<Sibling>, own: Sibling) -> Self {
        let (namespace, name) = (Arc::clone(&own.namespace), Arc::clone(&own.name));
        let is_own = |it: &Sibling| it.namespace == namespace && it.name == name;
        let mut all: Vec<_> = first_of_each(siblings).into_iter().filter(|it| !is_own(it)).collect();
        all.push(own);
        let all = sorted(all, Sibling::order);
        let own = all.iter().position(is_own).unwrap_or_default();

        let nodes: Vec<Node<'_>> = all
            .iter()
            .map(|it| Node {
                namespace: &it.namespace,
                name: &it.name,
                model_name: &it.model_name,
                dependencies: &it.dependencies,
            })
            .collect();
        // Most platforms have no dependencies, and then nobody needs anybody.
        let has_dependencies = all.iter().any(|it| !it.dependencies.is_empty());
        let graph = Graph::of(if has_dependencies { &nodes } else { &[] });
        let waits = |index: usize| {
            let entries = graph.entries(index).map(|(entry, found)| match found.and_then(|found| all.get(found)) {
                None => Some(Wait::Missing(entry.to_owned())),
                Some(found) if !found.ready => Some(Wait::NotReady(found.name.to_string())),
                Some(_) => None,
            });
            entries.flatten().next()
        };
        let in_cycles = if has_dependencies { graph.in_cycles() } else { vec![false; all.len()] };
        let is = |list: &[bool], index: usize| list.get(index) == Some(&true);
        // What cannot start needs nobody, unless it runs.
        let may = |index: usize, it: &Sibling| it.memory.is_some() && !is(&in_cycles, index);
        let wants = |index: usize| {
            all.get(index).is_some_and(|it: &Sibling| it.wants && (may(index, it) || !it.holds.is_empty()))
        };
        let wanted = if has_dependencies { graph.wanted(wants) } else { (0..all.len()).map(wants).collect() };
        // Somebody else wants it: it is wanted without its own wish.
        let needed = has_dependencies && is(&graph.wanted(|index| index != own && wants(index)), own);

        let model = |(index, it): (usize, &Sibling)| {
            let waits_for = || {
                let may = it.starts && is(&wanted, index) && may(index, it);
                match &*it.holds {
                    [] => (may && waits(index).is_none()).then(|| Arc::clone(&it.pool)),
                    // It has memory, and wants that of another pool.
                    [hold] if hold.reservation == Reservation::Confirmed && hold.pool != it.pool => {
                        (may && it.wants).then(|| Arc::clone(&it.pool))
                    }
                    _ => None,
                }
            };
            Model {
                namespace: Arc::clone(&it.namespace),
                name: Arc::clone(&it.name),
                created: Arc::clone(&it.created),
                memory: it.memory.unwrap_or_default(),
                holds: Arc::clone(&it.holds),
                waits_for: waits_for(),
            }
        };
        let malformed = all.iter().enumerate().filter(|(index, it)| *index != own && it.memory.is_none());
        let in_namespace = all.iter().take(own).filter(|it| it.composed && it.namespace == namespace);
        Self {
            own,
            waits: waits(own),
            wanted: needed,
            cycle: is(&in_cycles, own).then(|| graph.cycle(own)).flatten().map(|cycle| in_words(&cycle)),
            malformed: malformed.map(|(_, it)| format!("{}/{}", it.namespace, it.name)).collect(),
            last_requests: all.iter().map(|it| it.last_request).collect(),
            claimed_at: all.iter().map(|it| Arc::clone(&it.claimed_at)).collect(),
            older: in_namespace.map(|it| it.name.to_string()).collect(),
            models: all.iter().enumerate().map(model).collect(),
        }
    }

    /// The name of a model, as its siblings say it: with its namespace, unless that is the same.
    pub fn name(&self, index: usize) -> String {
        let (Some(model), Some(own)) = (self.models.get(index), self.models.get(self.own)) else {
            return String::new();
        };
        if model.namespace == own.namespace {
            return model.name.to_string();
        }
        format!("{}/{}", model.namespace, model.name)
    }
}

/// The siblings, of those with one name only the first. Mostly they are in the order of their names, so that none is there twice.
fn first_of_each(siblings: Vec<Sibling>) -> Vec<Sibling> {
    let place = |it: &Sibling| (Arc::clone(&it.namespace), Arc::clone(&it.name));
    if siblings.is_sorted_by(|one, other| (&one.namespace, &one.name) < (&other.namespace, &other.name)) {
        return siblings;
    }
    let mut seen = BTreeSet::new();
    siblings.into_iter().filter(|it| seen.insert(place(it))).collect()
}
