//! Interface `preview` for a table of kinds: what would exist, and why.
//!
//! In a cluster an API server and Crossplane do much around `compose`. A preview does the same: [`texts`] and [`inputs`]
//! read documents, [`source`] finds the positions of fields in them, [`namespace`] completes objects, [`cluster`] answers
//! lookups, definitions validate objects and set defaults, [`composition`] chooses the steps, [`pipeline`] runs them,
//! [`crossplane`] adds what Crossplane adds to composed resources, and [`up`] takes all of it as ready.

mod again;
mod assumed;
mod check;
mod cluster;
mod composition;
mod crossplane;
mod fields;
mod inputs;
mod namespace;
mod pipeline;
mod plan;
mod render;
mod source;
mod texts;
mod up;

use std::collections::{BTreeMap, BTreeSet};
use std::mem;

use contract::preview::{Capacity, Diagnostic, Gravity, PreviewRequest, PreviewResponse, Role};
use contract::types::{Code, KindRef, Problem, Selector};
use quantity::order::sorted;
use serde_json::Value;
use toolbox::kind::Kinds;

use again::Before;
pub use check::check;
use cluster::Cluster;
use crossplane::owner::controller_uid;
use crossplane::{Given, Owner};
use inputs::Inputs;
pub use plan::plan;
use render::{Round, Session, Subject};
use texts::{Document, Identity};

/// The most rounds of composing all composites, because the lookups of one find what another composes.
const MAX_ROUNDS: usize = 16;

/// Previews the composites in the texts of `request`. Every mistake in a text is a diagnostic, so there is always a
/// response.
pub fn preview(request: &PreviewRequest, kinds: &Kinds) -> PreviewResponse {
    let mut diagnostics = Vec::new();
    let documents = texts::read(&request.sources, &mut diagnostics);
    let inputs = Inputs::read(request, &mut diagnostics);
    let subjects = subjects(&documents, kinds, request, &mut diagnostics);
    // A mistake outside the subjects affects all composites.
    let is_subject = |text: u32| {
        let source = usize::try_from(text).ok().and_then(|text| request.sources.get(text));
        source.is_some_and(|source| source.role == Role::Subject)
    };
    let mut errors = diagnostics.iter().filter(|found| found.gravity == Gravity::Error);
    let whole = errors.all(|error| error.location.is_some_and(|at| is_subject(at.text)));
    let mut response = PreviewResponse { diagnostics, ..PreviewResponse::default() };
    if let Some(inputs) = inputs.as_ref().filter(|_| whole) {
        let owners = subjects.iter().map(|subject| Owner::of(&subject.object)).collect::<Vec<_>>();
        if !request.cascade {
            response.diagnostics.extend(crossplane::controlled_by_others(&documents, &owners));
        }
        let given = Given::of_all(&documents);
        let written = Cluster::of(&documents, kinds);
        let assumed = assumed::statuses(&documents, request, kinds, &written);
        let whole = assumed::with_statuses(written, &assumed, &documents, request, kinds);
        // The closure borrows what outlives all rounds.
        let (begun, given) = (response, &given);
        let compose = |cluster: &Cluster<'_>, subjects: &[Subject<'_>], before: Before| {
            let (owners, round) = (owners.clone(), Round::of(begun.clone()));
            let cluster = cluster.clone();
            Session { kinds, request, given, cluster, inputs, owners, before, round }.run(subjects)
        };
        let mut last = if request.cascade && request.settled {
            up::settled(request, kinds, &whole, &subjects, |written, subjects, before| {
                // What others compose is observed in the next one, so one round is enough.
                compose(&written.clone().applying(&request.foreign_objects), subjects, before)
            })
        } else {
            rounds(request, &whole, |cluster, before| compose(cluster, &subjects, before))
        };
        let mut found = Vec::new();
        if request.cascade && last.response.foreign_steps.is_empty() {
            found.extend(contested(request, last.composed()));
        }
        found.extend(assumed::said(&assumed, |it| it.is_found(&last.asked, kinds)));
        let applied = mem::take(&mut last.applied);
        response = last.explained();
        response.diagnostics.extend(found);
        if request.cascade && response.foreign_steps.is_empty() {
            let cluster = whole.after(&applied).applying(&request.foreign_objects);
            response.capacities = capacities(request, kinds, inputs, &cluster);
        }
    }
    response.diagnostics = texts::in_order(response.diagnostics);
    response
}

/// Calls `round`, which renders all composites, until the results of all lookups stay the same. In each round the lookups
/// find what the round before composed, so a composite sees what others compose whatever their order. Returns the last round.
fn rounds<'a>(request: &PreviewRequest, written: &Cluster<'a>, round: impl Fn(&Cluster<'a>, Before) -> Round) -> Round {
    let mut cluster = written.clone().applying(&request.foreign_objects);
    let mut before = Before::default();
    for _ in 0..MAX_ROUNDS {
        let this = round(&cluster, before);
        let Round { response, asked, .. } = &this;
        // Composites that wait for a step are missing, so the next round would not see what they compose.
        if !request.cascade || !response.foreign_steps.is_empty() || asked.is_empty() {
            return this;
        }
        let next = written.after(&this.applied).applying(&request.foreign_objects);
        if asked.iter().all(|selector| cluster.found(selector) == next.found(selector)) {
            return this;
        }
        cluster = next;
        before = this.into_before();
    }
    let mut last = round(&cluster, before);
    let message = format!("what composites look up of one another still changes after {MAX_ROUNDS} rounds");
    let problem = Problem::new("", Code::Invalid, message);
    last.response.diagnostics.push(Diagnostic { gravity: Gravity::Warning, problem, location: None });
    last
}

/// The places that objects of this module's kinds are, when everything that was composed is there.
fn capacities(request: &PreviewRequest, kinds: &Kinds, inputs: &Inputs<'_>, cluster: &Cluster<'_>) -> Vec<Capacity> {
    let find = |selector: &Selector| cluster.answer(selector);
    let all = kinds.rows.iter().filter_map(|row| {
        let kind = KindRef { api_version: row.api_version.to_owned(), kind: row.kind.to_owned() };
        let capacities = row.capacities.filter(|_| !request.foreign_kinds.contains(&kind))?;
        Some(capacities(&find, &inputs.of_kind(&kind)))
    });
    let capacities = all.flatten().collect();
    sorted(capacities, |one, other| one.place.cmp(&other.place))
}

/// A warning for each object that several composites compose, of this module or of others: in a cluster one of them would
/// control it, and the others would fail.
fn contested(request: &PreviewRequest, composed: impl Iterator<Item = (Identity, String)>) -> Vec<Diagnostic> {
    let mut known: BTreeMap<Identity, String> = BTreeMap::new();
    let mut contested = BTreeSet::new();
    let controlled = |object| Some((Identity::of(object), controller_uid(object)?.to_owned()));
    let foreign = request.foreign_objects.iter().filter_map(controlled);
    for (identity, controller) in composed.chain(foreign) {
        if *known.entry(identity.clone()).or_insert_with(|| controller.clone()) != controller {
            contested.insert(identity);
        }
    }
    let warning = |Identity { kind, name, .. }| {
        let message =
            format!("several composites compose {kind} `{name}`, and one alone can control it; give each its own name");
        let problem = Problem::new("metadata.name", Code::Duplicate, message);
        Diagnostic { gravity: Gravity::Warning, problem, location: None }
    };
    contested.into_iter().map(warning).collect()
}

/// The composites in the texts, with defaults. Invalid ones, and those of kinds that are not composed, are left out.
fn subjects<'a>(
    documents: &'a [Document],
    kinds: &Kinds,
    request: &PreviewRequest,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Subject<'a>> {
    let written: Vec<_> = documents.iter().filter(|document| document.role == Role::Subject).collect();
    let known = |document: &Document| render::own_kind(kinds, request, &document.object);
    let is_foreign = |document: &Document| request.foreign_kinds.contains(&KindRef::of(&document.object));
    let nothing_known = !written.iter().any(|document| known(document).is_some() || is_foreign(document));
    let mut subjects = Vec::new();
    for document in written {
        let Some(kind) = known(document) else {
            let kind = KindRef::of(&document.object);
            let mistaken = kinds.mistaken(&kind).filter(|_| kinds.input(&kind).is_none() && !is_foreign(document));
            let problems = match mistaken {
                Some(problem) => vec![problem],
                None if nothing_known => kinds.unknown(&kind).problems,
                None => Vec::new(),
            };
            diagnostics.extend(problems.into_iter().map(|problem| document.diagnose(Gravity::Error, problem)));
            continue;
        };
        let mut object = Value::clone(&document.object);
        let warning = namespace::complete(&mut object, kind, request.namespace.as_deref());
        diagnostics.extend(warning.map(|problem| document.diagnose(Gravity::Warning, problem)));
        let problems = render::store(&mut object, kind);
        if problems.is_empty() && kind.compose.is_some() {
            subjects.push(Subject { object, kind, origin: Some(document), foreign: None, depth: 0 });
        }
        diagnostics.extend(problems.into_iter().map(|problem| document.diagnose(Gravity::Error, problem)));
    }
    subjects
}
