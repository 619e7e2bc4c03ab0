//! What is composed once everything is up: what a preview composed is observed and ready in the next one, until nothing
//! changes any more.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use contract::preview::{Diagnostic, Gravity, Phase, PreviewRequest, PreviewResponse};
use contract::types::{Code, KindRef, MatchBy, ObservedObject, Problem, Selector};
use quantity::order::sorted;
use serde_json::Value;
use toolbox::entries::by_key;
use toolbox::kind::Kinds;
use toolbox::ready;

use super::again::Before;
use super::cluster::{Cluster, Spelled};
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
    objects: BTreeMap<Identity, UpObject>,
    /// The round that composed each of them first.
    since: BTreeMap<Identity, usize>,
    /// Provider configurations that nobody wrote, and what they count as.
    configurations: BTreeMap<Identity, (Rc<Spelled>, &'static str)>,
}

/// An object as it would be observed.
struct UpObject {
    object: Rc<Spelled>,
    /// The texts that it is made of.
    of: Vec<Arc<String>>,
}

impl PartialEq for UpObject {
    fn eq(&self, other: &Self) -> bool {
        self.object == other.object
    }
}

/// What a round says of one object.
#[derive(Default)]
struct SaidOfObject<'r> {
    /// As a composite composes it.
    composed: Option<&'r ObservedObject>,
    /// As a composition stores it.
    stored: Vec<&'r ObservedObject>,
    /// As another module stores it.
    foreign: Vec<&'r Value>,
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
        let next = observed(&round.response, request, kinds, written, &known.objects);
        let found = configurations(written, &round.asked);
        for identity in next.keys() {
            known.since.entry(identity.clone()).or_insert(number_of_round);
        }
        if next == known.objects && found.len() == known.configurations.len() {
            round.response.diagnostics.extend(found.iter().map(said));
            round.response.diagnostics.extend(examples(&round.response, request));
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
    round.response.diagnostics.extend(examples(&round.response, request));
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
    let cluster = objects
        .map(|(identity, it)| (identity, Rc::clone(&it.object)))
        .chain(known.configurations.iter().map(|(identity, (object, _))| (identity, Rc::clone(object))))
        .fold(written.clone(), |cluster, (identity, it)| cluster.with(identity.clone(), it));
    let subjects: Vec<_> =
        subjects.iter().map(|subject| Subject { object: with_state(&subject.object, known), ..*subject }).collect();
    compose(&cluster, &subjects, before)
}

/// The objects of a response as they would be observed. Composites that were composed have the status that they got, and what
/// other modules compose has the status that these say. Everything else is ready.
///
/// What is made of the same texts as before is `known`, and not made again: a round changes few of the objects.
fn observed(
    response: &PreviewResponse,
    request: &PreviewRequest,
    kinds: &Kinds,
    written: &Cluster<'_>,
    known: &BTreeMap<Identity, UpObject>,
) -> BTreeMap<Identity, UpObject> {
    let mut said: BTreeMap<Identity, SaidOfObject<'_>> = BTreeMap::new();
    for object in response.composites.iter().flat_map(|composite| &composite.resources).map(|it| &it.object) {
        if let Ok(identity) = object.object().map(Identity::of) {
            said.entry(identity).or_default().composed = Some(object);
        }
    }
    for object in response.composites.iter().map(|composite| &composite.object) {
        if let Ok(identity) = object.object().map(Identity::of) {
            said.entry(identity).or_default().stored.push(object);
        }
    }
    for object in &request.foreign_objects {
        said.entry(Identity::of(object)).or_default().foreign.push(object);
    }
    let whole = |(identity, said): (Identity, SaidOfObject<'_>)| {
        let of: Vec<_> = said.composed.iter().chain(&said.stored).filter_map(|it| it.shared_text()).collect();
        let object = match known.get(&identity).filter(|it| it.of == of) {
            Some(before) => Rc::clone(&before.object),
            None => Spelled::of(Arc::new(said.together(written.get(&identity), request, kinds))),
        };
        (identity, UpObject { object, of })
    };
    by_key(said.into_iter().map(whole))
}

impl SaidOfObject<'_> {
    /// All of it, on what is written.
    fn together(&self, written: Option<&Value>, request: &PreviewRequest, kinds: &Kinds) -> Value {
        let mut whole = written.cloned().unwrap_or_default();
        if let Some(object) = self.composed.and_then(|it| it.object().ok()) {
            merge(&mut whole, object);
            let is_composed = composed_kind(kinds, request, object).is_some();
            if !is_composed && !request.foreign_kinds.contains(&KindRef::of(object)) {
                let added = ready::added(&whole);
                merge(&mut whole, &added);
            }
        }
        let stored = self.stored.iter().filter_map(|it| it.object().ok());
        stored.chain(self.foreign.iter().copied()).for_each(|object| merge(&mut whole, object));
        whole
    }
}

/// A composite with what Crossplane and its composition stored of it.
fn with_state(object: &Value, known: &UpSoFar) -> Value {
    let mut object = object.clone();
    for field in [&["status"][..], &["spec", "crossplane"]] {
        if let Some(state) = known.objects.get(&Identity::of(&object)).and_then(|it| get(it.object.object(), field)) {
            set(&mut object, field, state.clone());
        }
    }
    object
}

/// The provider configurations that were looked up by their names, and that no text has.
fn configurations(
    written: &Cluster<'_>,
    asked: &BTreeSet<Selector>,
) -> BTreeMap<Identity, (Rc<Spelled>, &'static str)> {
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
            found.insert(identity, (Spelled::of(Arc::new(object)), counts_as));
        }
    }
    found
}

fn said((identity, (_, counts_as)): (&Identity, &(Rc<Spelled>, &'static str))) -> Diagnostic {
    let Identity { kind, name, .. } = identity;
    let message = format!("{kind} `{name}` is not among the files, and counts as {counts_as}");
    let problem = Problem::new("", Code::NotFound, message);
    Diagnostic { gravity: Gravity::Warning, problem, location: None }
}

/// The examples of what providers report that are in what is composed, and that nobody wrote.
fn examples(response: &PreviewResponse, request: &PreviewRequest) -> Option<Diagnostic> {
    let objects =
        response.composites.iter().flat_map(|it| it.resources.iter().map(|it| &it.object).chain([&it.object]));
    let texts: Vec<_> = objects.filter_map(ObservedObject::shared_text).collect();
    let is_shown = |example: &&&str| {
        texts.iter().any(|text| text.contains(**example))
            && !request.sources.iter().any(|it| it.text.contains(**example))
    };
    let found: Vec<_> = ready::EXAMPLES.iter().filter(is_shown).map(|example| format!("`{example}`")).collect();
    let message = format!("examples of what only a provider knows: {}", found.join(", "));
    let problem = Problem::new("", Code::NotFound, message);
    (!found.is_empty()).then_some(Diagnostic { gravity: Gravity::Warning, problem, location: None })
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
