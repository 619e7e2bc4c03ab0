//! Renders composites, and in a cascade also the composites that they compose.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::Value;

use super::again::{Before, Composed, Made, Rendered, RenderedFrom};
use super::cluster::{Applied, Cluster, FoundObjects, ObservedResources, Spelled};
use super::composition;
use super::crossplane::{self, Given, Owner};
use super::fields::{get, merge, set, text};
use super::inputs::{InputPosition, Inputs};
use super::pipeline::{self, PipelineOutcome, StepsInput, Stop};
use super::source::locate;
use super::texts::{self, Document, Identity};
use contract::compose::Derivation;
use contract::preview::{
    Diagnostic, Gravity, Pipeline, PreviewRequest, PreviewResponse, RenderedComposite, RenderedResource, StepResult,
};
use contract::types::{Cause, Code, Fault, KindRef, ObservedObject, Problem, Readiness, Selector};
use toolbox::entries::by_key;
use toolbox::kind::{Kind, Kinds};
use toolbox::path;
use toolbox::reasons::Reasons;

/// The most levels of composites below a composite in the texts.
const MAX_DEPTH: usize = 8;

/// The most composites in one preview.
const MAX_COMPOSITES: usize = 10_000;

/// One round over all composites, in their order.
pub(super) struct Session<'a> {
    pub(super) kinds: &'a Kinds,
    pub(super) request: &'a PreviewRequest,
    /// The observed resources in the texts.
    pub(super) given: &'a Given<'a>,
    /// What lookups find: in a cascade also what the composites before this one compose, as if each were composed when those
    /// before it are. So composites that compete for room share it, and the first one chooses first.
    pub(super) cluster: Cluster<'a>,
    pub(super) inputs: &'a Inputs<'a>,
    /// The composites in the texts.
    pub(super) owners: Vec<Owner>,
    pub(super) before: Before,
    pub(super) round: Round,
}

/// The results of a round.
pub(super) struct Round {
    pub(super) response: PreviewResponse,
    /// What is known of the composites of the response. `None` for those that are not composed.
    made: Vec<Option<Made>>,
    /// What lookups may find of what was composed.
    pub(super) applied: Applied,
    /// All lookups.
    pub(super) asked: BTreeSet<Selector>,
}

impl Round {
    /// A round that begins with what is in `response`.
    pub(super) fn of(response: PreviewResponse) -> Self {
        Self { response, made: Vec::new(), applied: Applied::default(), asked: BTreeSet::new() }
    }

    /// In a cascade: the composed resources, each with the uid of the composite that controls it.
    pub(super) fn composed(&self) -> impl Iterator<Item = (Identity, String)> {
        self.made.iter().flatten().flat_map(|Made { input, composed, .. }| {
            let Owner { uid, .. } = Owner::of(&input.object);
            composed.identities.iter().map(move |identity| (identity.clone(), uid.clone()))
        })
    }

    /// Its response, with the reasons of all values.
    pub(super) fn explained(mut self) -> PreviewResponse {
        for (composite, made) in self.response.composites.iter_mut().zip(self.made) {
            let reasons = made.into_iter().flat_map(|made| made.reasons);
            composite.derivations = reasons.flat_map(Reasons::derivations).collect();
        }
        self.response
    }

    /// Its composites, for the next round.
    pub(super) fn into_before(self) -> Before {
        let made = self.response.composites.into_iter().zip(self.made);
        Before::of(made.filter_map(|(mut composite, made)| {
            composite.resources.iter_mut().for_each(|resource| resource.composite = None);
            made.map(|made| Rendered { composite, made })
        }))
    }
}

/// A composite to render.
pub(super) struct Subject<'a> {
    pub(super) object: Value,
    pub(super) kind: &'static Kind,
    /// Its document. `None` when another composite composed it.
    pub(super) origin: Option<&'a Document>,
    /// Its index in the request's foreign objects. `None` when it is not one of them.
    pub(super) foreign: Option<u32>,
    pub(super) depth: usize,
}

/// The row of an object's kind. `None` when this module does not compose it.
pub(super) fn own_kind(kinds: &Kinds, request: &PreviewRequest, object: &Value) -> Option<&'static Kind> {
    let kind = KindRef::of(object);
    kinds.find(&kind).filter(|_| !request.foreign_kinds.contains(&kind))
}

/// The same for a kind that is composed.
pub(super) fn composed_kind(kinds: &Kinds, request: &PreviewRequest, object: &Value) -> Option<&'static Kind> {
    own_kind(kinds, request, object).filter(|kind| kind.compose.is_some())
}

impl<'a> Session<'a> {
    /// Renders the composites in the texts, and in a cascade those that other modules composed.
    pub(super) fn run(mut self, subjects: &[Subject<'a>]) -> Round {
        for subject in subjects {
            self.render(subject);
        }
        for (index, object) in (0..).zip(&self.request.foreign_objects) {
            if let Some(subject) = self.composed(object, Some(index), 0) {
                self.render(&subject);
            }
        }
        Round { applied: self.cluster.into_applied(), ..self.round }
    }

    /// Renders a valid composite with defaults. Returns its index in the response, or `None` when composing it fails.
    fn render(&mut self, subject: &Subject<'a>) -> Option<u32> {
        let Subject { object, kind, depth, .. } = subject;
        let owner = Owner::of(object);
        let chosen = composition::choose(self.inputs.pipelines, object, kind);
        if let Some((stored, results)) = crossplane::not_composed(object) {
            let pipeline = chosen.ok().and_then(|(pipeline, _)| pipeline);
            let said = if crossplane::is_deleted(object) && self.request.explain {
                self.said_of_deleted(subject, &owner, pipeline)?
            } else {
                PipelineOutcome::default()
            };
            if self.request.cascade {
                self.add([&stored]);
            }
            let composite = RenderedComposite {
                object: shown(&stored),
                composition: pipeline.and_then(composition::name),
                results: said.results.into_iter().chain(results).collect(),
                decisions: said.decisions,
                ..blank(subject)
            };
            return self.keep(composite, None);
        }
        let pipeline = match chosen {
            Ok((pipeline, warning)) => {
                warning.into_iter().for_each(|warning| self.report_problem(Gravity::Warning, subject, warning));
                pipeline
            }
            Err(problem) => {
                self.report_problem(Gravity::Error, subject, problem);
                return None;
            }
        };
        let observed = self.observed(&owner, subject)?;
        let rendered = match self.before.take(object, &observed, &self.cluster) {
            Some(Rendered { composite, made }) => {
                self.round.asked.extend(made.input.found.keys().cloned());
                let RenderedComposite { origin, foreign_object, .. } = blank(subject);
                Rendered { composite: RenderedComposite { origin, foreign_object, ..composite }, made }
            }
            None => self.compose(subject, &owner, pipeline, &observed)?,
        };
        self.finish(rendered, *depth)
    }

    /// Composes a composite. `None` when that fails.
    fn compose(
        &mut self,
        subject: &Subject<'a>,
        owner: &Owner,
        pipeline: Option<&'a Pipeline>,
        observed: &ObservedResources,
    ) -> Option<Rendered> {
        let Subject { object, kind, .. } = subject;
        let mut found = FoundObjects::new();
        let ran = self.ran(subject, owner, pipeline, observed, &mut found);
        let linked = self.linked(subject, &mut found);
        self.round.asked.extend(found.keys().cloned());
        let outcome = match ran {
            Ok(outcome) => outcome,
            Err((_, Stop::Waiting(name, step))) => {
                self.round.response.foreign_steps.insert(name, *step);
                return None;
            }
            Err((step, Stop::Fault(fault))) => {
                self.report_fault(fault, step, subject);
                return None;
            }
        };

        let mut own_results = Vec::new();
        let mut applied = BTreeMap::new();
        for (name, desired) in &outcome.desired.resources {
            let known = observed.get(name).map(|it| it.object());
            match crossplane::with_metadata(&desired.object, name, known, owner, &mut own_results) {
                Ok(object) => {
                    applied.insert(name.clone(), object);
                }
                Err(message) => {
                    self.report_problem(Gravity::Error, subject, Problem::new("", Code::Invalid, message));
                    return None;
                }
            }
        }
        let stored = crossplane::settle(object, owner, &outcome, &applied, &mut own_results);
        let areas = kind.areas.as_ref();
        let resource = |(name, object): (&String, &Value)| {
            let desired = outcome.desired.resources.get(name);
            let ready = desired.is_some_and(|it| it.readiness == Readiness::Ready);
            let area = areas.and_then(|areas| (areas.of)(&stored, name, object));
            let area = area.and_then(|area| u32::try_from(area).ok());
            RenderedResource { name: name.clone(), object: shown(object), ready, composite: None, area, phase: None }
        };
        let composite = RenderedComposite {
            object: shown(&stored),
            composition: pipeline.and_then(composition::name),
            areas: areas.map(|areas| areas.names.iter().map(|&name| name.to_owned()).collect()).unwrap_or_default(),
            resources: applied.iter().map(resource).collect(),
            results: outcome.results.into_iter().chain(own_results).collect(),
            context: outcome.context,
            decisions: outcome.decisions,
            lookups: outcome.lookups,
            schemas: outcome.schemas,
            ..blank(subject)
        };
        let input = RenderedFrom { object: object.clone(), observed: observed.clone(), found };
        let reasons = [Reasons::known(linked)].into_iter().chain(outcome.reasons).collect();
        Some(Rendered { composite, made: Made { input, composed: self.parted(stored, applied), reasons } })
    }

    /// Runs the steps of a composite. All of their lookups are added to `found`.
    ///
    /// # Errors
    /// Why a step stops, and where its input is.
    fn ran(
        &self,
        subject: &Subject<'a>,
        owner: &Owner,
        pipeline: Option<&'a Pipeline>,
        observed: &ObservedResources,
        found: &mut FoundObjects,
    ) -> Result<PipelineOutcome, (Option<InputPosition<'a>>, Stop)> {
        let Subject { object, kind, .. } = subject;
        let input = StepsInput {
            composite: crossplane::observed_composite(
                object,
                pipeline.and_then(composition::name).as_deref(),
                owner,
                &observed.values().map(|it| it.object()).collect::<Vec<_>>(),
            ),
            observed: by_key(observed.iter().map(|(name, it)| (name.clone(), it.observed()))),
            context: self.request.context.clone(),
            now: self.request.now,
        };
        let steps = self.inputs.steps(kind, pipeline);
        let ran = pipeline::run(self.kinds, self.request, input, &steps, &self.cluster, found);
        ran.map_err(|(step, stop)| (steps.get(step).and_then(|step| step.source), stop))
    }

    /// What the steps would say of a composite that is being deleted. Crossplane does not run them then, so nothing else of what
    /// they make counts. `None` when one of them waits for another module.
    fn said_of_deleted(
        &mut self,
        subject: &Subject<'a>,
        owner: &Owner,
        pipeline: Option<&'a Pipeline>,
    ) -> Option<PipelineOutcome> {
        let observed = self.observed(owner, subject).unwrap_or_default();
        let mut found = FoundObjects::new();
        let ran = self.ran(subject, owner, pipeline, &observed, &mut found);
        self.round.asked.extend(found.into_keys());
        match ran {
            Ok(mut outcome) => {
                let step = self.inputs.steps(subject.kind, pipeline).last().map_or("", |step| step.name);
                // Events are of calls that really happen.
                outcome.results = crossplane::said(&outcome.conditions, step);
                Some(outcome)
            }
            Err((_, Stop::Waiting(name, step))) => {
                self.round.response.foreign_steps.insert(name, *step);
                None
            }
            // Nobody would see the fault in a cluster.
            Err((_, Stop::Fault(_))) => Some(PipelineOutcome::default()),
        }
    }

    /// In a cascade: the composed objects by what the rest of a round does with them.
    fn parted(&self, stored: Value, applied: BTreeMap<String, Value>) -> Composed {
        if !self.request.cascade {
            return Composed::default();
        }
        let identities = applied.values().map(Identity::of).collect();
        let (mut leaves, mut composites) = (Vec::new(), Vec::new());
        for (at, object) in applied.into_values().enumerate() {
            if composed_kind(self.kinds, self.request, &object).is_some() {
                composites.push((at, object));
            } else if self.may_be_found(&KindRef::of(&object)) {
                leaves.push(object);
            }
        }
        Composed { identities, stored, leaves, composites }
    }

    /// Keeps a rendered composite, and renders those that it composes. Returns its index in the response.
    fn finish(&mut self, rendered: Rendered, depth: usize) -> Option<u32> {
        let Rendered { composite, made } = rendered;
        let composed = &made.composed;
        let children: Vec<_> = composed
            .composites
            .iter()
            .map(|(at, object)| (*at, object, self.composed(object, None, depth + 1)))
            .collect();
        if self.request.cascade {
            // What is composed in turn is added then, with its status.
            let invalid = children.iter().filter(|(_, _, child)| child.is_none()).map(|(_, object, _)| *object);
            self.add(composed.leaves.iter().chain(invalid).chain([&composed.stored]));
        }
        let children: Vec<_> = children.into_iter().filter_map(|(at, _, child)| Some((at, child?))).collect();
        let index = self.keep(composite, Some(made))?;
        for (at, child) in children {
            let rendered = self.render(&child);
            let parent = usize::try_from(index).ok().and_then(|index| self.round.response.composites.get_mut(index));
            if let Some(resource) = parent.and_then(|parent| parent.resources.get_mut(at)) {
                resource.composite = rendered;
            }
        }
        Some(index)
    }

    /// When values are explained: why fields of a composite have theirs, where other objects make what they name.
    fn linked(&self, subject: &Subject<'_>, found: &mut FoundObjects) -> Vec<Derivation> {
        let Some(linked) = subject.kind.linked.filter(|_| self.request.explain) else { return Vec::new() };
        let found = RefCell::new(found);
        linked(&subject.object, &|selector| {
            self.cluster.look_up(selector, &mut found.borrow_mut()).iter().map(|it| it.object().clone()).collect()
        })
    }

    /// Adds composed objects to the cluster, where lookups may find them. Those that other modules compose are there with a
    /// status, or will be.
    fn add<'o>(&mut self, objects: impl IntoIterator<Item = &'o Value>) {
        for object in objects {
            let kind = KindRef::of(object);
            if !self.may_be_found(&kind) {
                continue;
            }
            if self.request.foreign_kinds.contains(&kind) {
                self.cluster.apply_afterwards(object);
            } else {
                self.cluster.apply(object);
            }
        }
    }

    /// Whether compositions may look up objects of a kind. There may be thousands of others, which take much memory as trees.
    fn may_be_found(&self, kind: &KindRef) -> bool {
        let mut looked_up = self.kinds.rows.iter().flat_map(|row| row.looks_up);
        // What the steps of other modules look up is not known.
        !self.request.foreign_inputs.is_empty()
            || looked_up.any(|it| (it.api_version, it.kind) == (&*kind.api_version, &*kind.kind))
    }

    /// In a cascade: the subject for a composed object, if it is a composite that this module composes. Metadata, status and
    /// `spec.crossplane` of the object in the cluster are kept where its composite does not set them.
    fn composed(&mut self, object: &Value, foreign: Option<u32>, depth: usize) -> Option<Subject<'a>> {
        let kind = composed_kind(self.kinds, self.request, object).filter(|_| self.request.cascade)?;
        if depth > MAX_DEPTH {
            let message =
                format!("composites compose composites more than {MAX_DEPTH} levels deep; the others are left out");
            self.report_once(Gravity::Error, Problem::new("", Code::TooMany, message));
            return None;
        }
        let known =
            self.cluster.get(&Identity::of(object)).filter(|known| !crossplane::has_other_controller(known, object));
        let mut object = object.clone();
        for field in [&["metadata"][..], &["status"], &["spec", "crossplane"]] {
            if let Some(mut whole) = known.and_then(|known| get(known, field)).cloned() {
                if let Some(set_by_composite) = get(&object, field) {
                    merge(&mut whole, set_by_composite);
                }
                set(&mut object, field, whole);
            }
        }
        let problems = store(&mut object, kind);
        let subject = Subject { object, kind, origin: None, foreign, depth };
        let valid = problems.is_empty();
        problems.into_iter().for_each(|problem| self.report_problem(Gravity::Error, &subject, problem));
        valid.then_some(subject)
    }

    /// The observed resources of a composite. `None` when one cannot be used.
    fn observed(&mut self, owner: &Owner, subject: &Subject<'_>) -> Option<ObservedResources> {
        let referenced = || crossplane::referenced(&subject.object, owner, |identity| self.cluster.spelled(identity));
        if self.given.is_empty() {
            return Some(referenced());
        }
        let only = self.owners.len() == 1;
        // What was composed is observed too once it is taken as ready.
        let mut observed = if self.request.settled { referenced() } else { BTreeMap::new() };
        for document in self.given.of(owner, subject.origin.is_some(), only) {
            let object = &document.object;
            // Of two objects with the same identity only the later one is in the cluster.
            let known = self.cluster.spelled(&Identity::of(object)).cloned();
            let found = known.unwrap_or_else(|| Spelled::of(Arc::clone(object)));
            let wrong = [object, found.object()].iter().find_map(|object| crossplane::unobservable(object, owner));
            if let Some(problem) = wrong {
                self.round.response.diagnostics.push(document.diagnose(Gravity::Error, problem));
                return None;
            }
            // Crossplane finds composed resources by the references of the composite, and those have names.
            let named = !text(found.object(), &["metadata", "name"]).is_empty();
            if named && owner.controls(found.object()) != Some(false) {
                observed.insert(crossplane::resource_name(found.object()).to_owned(), found);
            }
        }
        Some(observed)
    }

    fn keep(&mut self, composite: RenderedComposite, made: Option<Made>) -> Option<u32> {
        if self.round.response.composites.len() == MAX_COMPOSITES {
            let message = format!("more than {MAX_COMPOSITES} composites; the others are left out");
            self.report_once(Gravity::Error, Problem::new("", Code::TooMany, message));
            return None;
        }
        self.round.response.composites.push(composite);
        self.round.made.push(made);
        u32::try_from(self.round.response.composites.len() - 1).ok()
    }

    /// Reports a problem that is not about one composite, and reports it only once.
    fn report_once(&mut self, gravity: Gravity, problem: Problem) {
        if !self.round.response.diagnostics.iter().any(|diagnostic| diagnostic.problem == problem) {
            self.round.response.diagnostics.push(Diagnostic { gravity, problem, location: None });
        }
    }

    /// Reports the fault of a step, with the location of the mistake.
    fn report_fault(&mut self, fault: Fault, step: Option<InputPosition<'a>>, subject: &Subject<'a>) {
        for problem in fault.problems {
            match (fault.cause, step) {
                (Cause::Input, Some(input)) => {
                    let span = locate(input.root, &path::join(input.path, &problem.path), problem.code);
                    let location = Some(texts::location(input.text, input.document, span));
                    self.round.response.diagnostics.push(Diagnostic { gravity: Gravity::Error, problem, location });
                }
                _ => self.report_problem(Gravity::Error, subject, problem),
            }
        }
    }

    /// Reports a problem with a composite.
    fn report_problem(&mut self, gravity: Gravity, subject: &Subject<'_>, problem: Problem) {
        self.round.response.diagnostics.push(match subject.origin {
            Some(document) => document.diagnose(gravity, problem),
            None => {
                let owner = Owner::of(&subject.object);
                let message = format!("composed {} `{}`: {}", owner.kind.kind, owner.name, problem.message);
                Diagnostic { gravity, problem: Problem { message, ..problem }, location: None }
            }
        });
    }
}

/// Turns an object into what an API server would store. Returns the problems if it would refuse the object.
pub(super) fn store(object: &mut Value, kind: &Kind) -> Vec<Problem> {
    if text(object, &["metadata", "name"]).is_empty() && !text(object, &["metadata", "generateName"]).is_empty() {
        let message = "missing: what `generateName` becomes is only known in a cluster; give a name";
        return vec![Problem::new("metadata.name", Code::Required, message)];
    }
    match (kind.definition)().stored(object) {
        Ok(stored) => {
            // A preview shows the metadata as it was written.
            let metadata = object.get("metadata").cloned().unwrap_or_default();
            *object = stored;
            set(object, &["metadata"], metadata);
            Vec::new()
        }
        Err(problems) => problems,
    }
}

/// An object in a response: as text, because there may be thousands.
fn shown(object: &Value) -> ObservedObject {
    ObservedObject::from_text(serde_json::to_string(object).unwrap_or_default(), BTreeMap::new())
}

fn blank(subject: &Subject<'_>) -> RenderedComposite {
    RenderedComposite {
        origin: subject.origin.map(Document::location),
        foreign_object: subject.foreign,
        object: ObservedObject::default(),
        composition: None,
        areas: Vec::new(),
        resources: Vec::new(),
        results: Vec::<StepResult>::new(),
        context: BTreeMap::new(),
        derivations: Vec::new(),
        decisions: Vec::new(),
        lookups: BTreeMap::new(),
        schemas: BTreeMap::new(),
    }
}
