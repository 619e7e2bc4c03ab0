//! What is composed once everything is up: what a preview composed is observed and ready in the next one, until nothing
//! changes any more.

use std::collections::BTreeMap;

use contract::preview::{Diagnostic, Gravity, PreviewRequest, PreviewResponse};
use contract::types::{Code, KindRef, Problem, Selector};
use serde_json::Value;
use toolbox::kind::Kinds;
use toolbox::ready;

use super::cluster::Cluster;
use super::fields::{get, merge, set};
use super::render::{Subject, own_kind};
use super::texts::Identity;

/// The most times that everything is composed. The longest way leads from weights to be downloaded over the replicas that
/// have them to the route to these, and is half as long.
const MOST_TIMES: usize = 24;

/// Objects as they would be observed.
type Observed = BTreeMap<Identity, Value>;

/// Calls `compose`, which composes everything in a cluster, until what is observed stays the same. Returns its last answer.
pub(super) fn settled(
    request: &PreviewRequest,
    kinds: &Kinds,
    written: &Cluster<'_>,
    subjects: &[Subject<'_>],
    compose: impl Fn(&Cluster<'_>, &[Subject<'_>]) -> (PreviewResponse, Vec<Selector>),
) -> (PreviewResponse, Vec<Selector>) {
    let mut known = Observed::new();
    for _ in 0..MOST_TIMES {
        let (response, asked) = composed(written, subjects, &known, &compose);
        if !response.foreign_steps.is_empty() {
            return (response, asked);
        }
        let next = observed(&response, request, kinds, written);
        if next == known {
            return (response, asked);
        }
        known = next;
    }
    let (mut response, asked) = composed(written, subjects, &known, &compose);
    let message = format!("what is composed still changes after all of it was taken as ready {MOST_TIMES} times");
    let problem = Problem::new("", Code::Invalid, message);
    response.diagnostics.push(Diagnostic { gravity: Gravity::Warning, problem, location: None });
    (response, asked)
}

/// What is composed when these objects are observed.
fn composed(
    written: &Cluster<'_>,
    subjects: &[Subject<'_>],
    known: &Observed,
    compose: impl Fn(&Cluster<'_>, &[Subject<'_>]) -> (PreviewResponse, Vec<Selector>),
) -> (PreviewResponse, Vec<Selector>) {
    let known_now = known.iter().filter(|(identity, _)| !written.keeps_status(identity));
    let cluster = known_now.fold(written.clone(), |cluster, (identity, it)| cluster.with(identity.clone(), it));
    let subjects: Vec<_> =
        subjects.iter().map(|subject| Subject { object: with_state(&subject.object, known), ..*subject }).collect();
    compose(&cluster, &subjects)
}

/// The objects of a response as they would be observed. Composites that were composed have the status that they got, and what
/// other modules compose has the status that these say. Everything else is ready.
fn observed(response: &PreviewResponse, request: &PreviewRequest, kinds: &Kinds, written: &Cluster<'_>) -> Observed {
    let mut observed = Observed::new();
    for resource in response.composites.iter().flat_map(|composite| &composite.resources) {
        let Ok(object) = resource.object.object() else { continue };
        let identity = Identity::of(object);
        let mut whole = written.get(&identity).cloned().unwrap_or_default();
        merge(&mut whole, object);
        let is_composed = own_kind(kinds, request, object).is_some_and(|kind| kind.compose.is_some());
        if !is_composed && !request.foreign_kinds.contains(&KindRef::of(object)) {
            let mut status = whole.get("status").cloned().unwrap_or_default();
            merge(&mut status, &ready::status(&whole));
            set(&mut whole, &["status"], status);
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
fn with_state(object: &Value, known: &Observed) -> Value {
    let mut object = object.clone();
    for field in [&["status"][..], &["spec", "crossplane"]] {
        if let Some(state) = known.get(&Identity::of(&object)).and_then(|stored| get(stored, field)) {
            set(&mut object, field, state.clone());
        }
    }
    object
}
