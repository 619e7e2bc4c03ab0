//! What is composed once everything is up: what a preview composed is observed and ready in the next one, until nothing
//! changes any more.

use std::collections::{BTreeMap, BTreeSet};

use contract::preview::{Diagnostic, Gravity, Phase, PreviewRequest, PreviewResponse};
use contract::types::{Code, KindRef, MatchBy, Problem, Selector};
use quantity::order::sorted;
use serde_json::Value;
use toolbox::kind::Kinds;
use toolbox::ready;

use super::again::Before;
use super::cluster::Cluster;
use super::fields::{get, merge, set};
use super::render::{Round, Subject, composed_kind};
use super::texts::Identity;

/// The most times that everything is composed. The longest way leads from weights to be downloaded over the replicas that
/// have them to the route to these, and is half as long.
const MOST_TIMES: usize = 24;

/// What is known after some rounds.
#[derive(Default)]
struct UpSoFar {
    /// Objects as they would be observed.
    objects: BTreeMap<Identity, Value>,
    /// The round that composed each of them first.
    since: BTreeMap<Identity, usize>,
    /// Provider configurations that nobody wrote, and what they count as.
    configurations: BTreeMap<Identity, (Value, &'static str)>,
}

/// Calls `compose`, which composes everything in a cluster, until what is observed stays the same. Returns its last round.
pub(super) fn settled(
    request: &PreviewRequest,
    kinds: &Kinds,
    written: &Cluster<'_>,
    subjects: &[Subject<'_>],
    compose: impl Fn(&Cluster<'_>, &[Subject<'_>], Before) -> Round,
) -> Round {
    let mut known = UpSoFar::default();
    let mut before = Before::default();
    for number_of_round in 0..MOST_TIMES {
        let mut round = composed(written, subjects, &known, before, &compose);
        if !round.response.foreign_steps.is_empty() {
            return round;
        }
        let next = observed(&round.response, request, kinds, written);
        let found = configurations(written, &round.asked);
        for identity in next.keys() {
            known.since.entry(identity.clone()).or_insert(number_of_round);
        }
        if next == known.objects && found.len() == known.configurations.len() {
            round.response.diagnostics.extend(found.iter().map(said));
            number(&mut round.response, kinds, &known.since);
            return round;
        }
        known = UpSoFar { objects: next, configurations: found, ..known };
        before = round.into_before();
    }
    let mut round = composed(written, subjects, &known, before, &compose);
    let message = format!("what is composed still changes after all of it was taken as ready {MOST_TIMES} times");
    let problem = Problem::new("", Code::Invalid, message);
    round.response.diagnostics.push(Diagnostic { gravity: Gravity::Warning, problem, location: None });
    number(&mut round.response, kinds, &known.since);
    round
}

/// What is composed when these objects are observed.
fn composed(
    written: &Cluster<'_>,
    subjects: &[Subject<'_>],
    known: &UpSoFar,
    before: Before,
    compose: impl Fn(&Cluster<'_>, &[Subject<'_>], Before) -> Round,
) -> Round {
    let objects = known.objects.iter().filter(|(identity, _)| !written.keeps_status(identity));
    let configurations = known.configurations.iter().map(|(identity, (object, _))| (identity, object));
    let cluster = objects
        .chain(configurations)
        .fold(written.clone(), |cluster, (identity, it)| cluster.with(identity.clone(), it));
    let subjects: Vec<_> =
        subjects.iter().map(|subject| Subject { object: with_state(&subject.object, known), ..*subject }).collect();
    compose(&cluster, &subjects, before)
}

/// The objects of a response as they would be observed. Composites that were composed have the status that they got, and what
/// other modules compose has the status that these say. Everything else is ready.
fn observed(
    response: &PreviewResponse,
    request: &PreviewRequest,
    kinds: &Kinds,
    written: &Cluster<'_>,
) -> BTreeMap<Identity, Value> {
    let mut observed = BTreeMap::new();
    for resource in response.composites.iter().flat_map(|composite| &composite.resources) {
        let Ok(object) = resource.object.object() else { continue };
        let identity = Identity::of(object);
        let mut whole = written.get(&identity).cloned().unwrap_or_default();
        merge(&mut whole, object);
        let is_composed = composed_kind(kinds, request, object).is_some();
        if !is_composed && !request.foreign_kinds.contains(&KindRef::of(object)) {
            let added = ready::added(&whole);
            merge(&mut whole, &added);
        }
        observed.insert(identity, whole);
    }
    let stored = response.composites.iter().filter_map(|composite| composite.object.object().ok());
    for object in stored.chain(&request.foreign_objects) {
        let identity = Identity::of(object);
        let mut whole = observed.get(&identity).or_else(|| written.get(&identity)).cloned().unwrap_or_default();
        merge(&mut whole, object);
        observed.insert(identity, whole);
    }
    observed
}

/// A composite with what Crossplane and its composition stored of it.
fn with_state(object: &Value, known: &UpSoFar) -> Value {
    let mut object = object.clone();
    for field in [&["status"][..], &["spec", "crossplane"]] {
        if let Some(state) = known.objects.get(&Identity::of(&object)).and_then(|stored| get(stored, field)) {
            set(&mut object, field, state.clone());
        }
    }
    object
}

/// The provider configurations that were looked up by their names, and that no text has.
fn configurations(written: &Cluster<'_>, asked: &BTreeSet<Selector>) -> BTreeMap<Identity, (Value, &'static str)> {
    let mut found = BTreeMap::new();
    for selector in asked {
        let MatchBy::Name(name) = &selector.match_by else { continue };
        let Some((mut object, counts_as)) = ready::configuration(&selector.kind) else { continue };
        let namespace = selector.namespace.clone().unwrap_or_default();
        let identity = Identity::new(&selector.kind, namespace.clone(), name.clone());
        if written.get(&identity).is_none() {
            set(&mut object, &["metadata", "name"], name.as_str().into());
            if !namespace.is_empty() {
                set(&mut object, &["metadata", "namespace"], namespace.into());
            }
            found.insert(identity, (object, counts_as));
        }
    }
    found
}

fn said((identity, (_, counts_as)): (&Identity, &(Value, &'static str))) -> Diagnostic {
    let Identity { kind, name, .. } = identity;
    let message = format!("{kind} `{name}` is not among the files, and counts as {counts_as}");
    let problem = Problem::new("", Code::NotFound, message);
    Diagnostic { gravity: Gravity::Warning, problem, location: None }
}

/// Numbers the phases of each composite: what was composed first in the same round is of one phase.
fn number(response: &mut PreviewResponse, kinds: &Kinds, since: &BTreeMap<Identity, usize>) {
    for composite in &mut response.composites {
        let Ok(object) = composite.object.object() else { continue };
        let row = kinds.find(&KindRef::of(object));
        let round = |object: &Value| since.get(&Identity::of(object)).copied();
        let rounds: Vec<_> =
            composite.resources.iter().map(|it| it.object.object().ok().and_then(round).unwrap_or_default()).collect();
        let mut known = sorted(rounds.clone(), Ord::cmp);
        known.dedup();
        for (resource, round) in composite.resources.iter_mut().zip(rounds) {
            let phase = known.iter().take_while(|it| **it <= round).count();
            let waits_for = row.map_or("", |row| (row.waits_for)(object, &resource.name));
            let number = u32::try_from(phase).unwrap_or(u32::MAX);
            resource.phase = Some(Phase { number, waits_for: waits_for.to_owned() });
        }
    }
}
