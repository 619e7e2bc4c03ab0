//! Runs the pipeline of one composite, and answers the lookups of its steps.

use std::collections::BTreeMap;
use std::mem;

use serde_json::Value;

use super::cluster::{Cluster, FoundObjects};
use super::fields;
use super::inputs::PipelineStep;
use contract::compose::{Capabilities, ComposeRequest, ComposeResponse, Decision, DesiredState};
use contract::preview::{ForeignStep, PreviewRequest, StepResult};
use contract::types::{Cause, Code, Fault, Problem};
use contract::types::{Condition, KindRef, ObservedObject, Readiness, Selector};
use toolbox::entries::by_key;
use toolbox::hashed::sha256;
use toolbox::kind::Kinds;
use toolbox::reasons::Reasons;

/// How often a step is called again because of its lookups, as in Crossplane.
const REPEATS: usize = 5;

/// The input of all steps.
pub(super) struct StepsInput {
    /// The composite as observed.
    pub(super) composite: Value,
    /// Its resources as observed, by name.
    pub(super) observed: BTreeMap<String, ObservedObject>,
    /// The context before the first step.
    pub(super) context: BTreeMap<String, Value>,
    /// The time, in seconds since the Unix epoch.
    pub(super) now: Option<u64>,
}

/// The result of all steps together.
#[derive(Debug, Default)]
pub(super) struct PipelineOutcome {
    pub(super) desired: DesiredState,
    pub(super) conditions: Vec<Condition>,
    pub(super) results: Vec<StepResult>,
    pub(super) context: BTreeMap<String, Value>,
    pub(super) reasons: Vec<Reasons>,
    pub(super) decisions: Vec<Decision>,
    pub(super) lookups: BTreeMap<String, Selector>,
    pub(super) schemas: BTreeMap<String, KindRef>,
}

/// Why a step gives no response.
pub(super) enum Stop {
    /// It has a fault.
    Fault(Fault),
    /// It is a step of another module, and the request has no answer with this name yet.
    Waiting(String, Box<ForeignStep>),
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

/// Runs the steps in order. All of their lookups are added to `found`, also when a step stops.
///
/// # Errors
/// Why a step stops, and its index.
pub(super) fn run(
    kinds: &Kinds,
    preview: &PreviewRequest,
    input: StepsInput,
    steps: &[PipelineStep<'_>],
    cluster: &Cluster<'_>,
    found: &mut FoundObjects,
) -> Result<PipelineOutcome, (usize, Stop)> {
    let mut outcome = PipelineOutcome { context: input.context, ..PipelineOutcome::default() };
    let composite = ObservedObject::from(input.composite);
    for (index, step) in steps.iter().enumerate() {
        let request = ComposeRequest {
            composite: Some(composite.clone()),
            observed: input.observed.clone(),
            desired: outcome.desired.clone(),
            input: step.input.clone(),
            context: outcome.context.clone(),
            credentials: step.credentials.clone(),
            lookups: BTreeMap::new(),
            schemas: BTreeMap::new(),
            capabilities: Some(Capabilities {
                required_resources: true,
                credentials: true,
                conditions: true,
                required_schemas: true,
            }),
            now: input.now,
            explain: preview.explain,
        };
        let (response, reasons) = settle(kinds, preview, request, cluster, found).map_err(|stop| (index, stop))?;
        outcome.take(step.name, response, reasons);
    }
    Ok(outcome)
}

/// Composes with this module, or takes the answer of the module that takes the step's input. The response has no derivations.
fn compose(
    kinds: &Kinds,
    preview: &PreviewRequest,
    request: &ComposeRequest,
) -> Result<(ComposeResponse, Reasons), Stop> {
    let Some(input) = foreign_input(preview, request) else {
        return Ok(kinds.step(request)?(request)?);
    };
    // The whole request is in its debug form, so that equal requests, and no others, have the same name.
    let name = sha256([format!("{request:?}").as_str()]);
    match preview.foreign_steps.get(&name) {
        Some(answer) => {
            let mut response = answer.clone()?;
            let reasons = Reasons::known(mem::take(&mut response.derivations));
            Ok((response, reasons))
        }
        None => Err(Stop::Waiting(name, Box::new(ForeignStep { input, request: request.clone() }))),
    }
}

/// The kind of the input of a step of another module. `None` for steps of this module.
fn foreign_input(preview: &PreviewRequest, request: &ComposeRequest) -> Option<KindRef> {
    request.input.as_ref().map(KindRef::of).filter(|input| preview.foreign_inputs.contains(input))
}

/// Calls a step until its lookups stay the same.
fn settle(
    kinds: &Kinds,
    preview: &PreviewRequest,
    mut request: ComposeRequest,
    cluster: &Cluster<'_>,
    found: &mut FoundObjects,
) -> Result<(ComposeResponse, Reasons), Stop> {
    let mut answered = (BTreeMap::new(), BTreeMap::new());
    for _ in 0..=REPEATS {
        let (response, reasons) = compose(kinds, preview, &request)?;
        if (&response.lookups, &response.schemas) == (&answered.0, &answered.1) {
            return Ok((response, reasons));
        }
        let answer = |(name, selector): (&String, &Selector)| {
            (name.clone(), cluster.look_up(selector, found).iter().map(|it| it.observed()).collect())
        };
        request.lookups = by_key(response.lookups.iter().map(answer));
        request.schemas = by_key(response.schemas.iter().map(|(name, kind)| (name.clone(), cluster.schema(kind))));
        change(&mut request.context, response.context);
        answered = (response.lookups, response.schemas);
    }
    let message = format!("what the composition looks up still changes after {REPEATS} repeats");
    Err(Fault::new(Cause::State, Problem::new("", Code::Invalid, message)).into())
}

impl PipelineOutcome {
    /// Adds the response of a step.
    fn take(&mut self, step: &str, response: ComposeResponse, reasons: Reasons) {
        for name in &response.withdrawn {
            self.desired.resources.remove(name);
        }
        self.desired.resources.extend(response.resources);
        let composite = &mut self.desired.composite;
        if let Some(status) = &response.composite.status {
            fields::merge(composite.status.get_or_insert(Value::Null), status);
        }
        composite.connection_details.extend(response.composite.connection_details);
        if response.composite.readiness != Readiness::Unspecified {
            composite.readiness = response.composite.readiness;
        }
        self.conditions.extend(response.conditions);
        self.results.extend(response.results.into_iter().map(|outcome| StepResult { step: step.to_owned(), outcome }));
        change(&mut self.context, response.context);
        self.lookups.extend(response.lookups);
        self.schemas.extend(response.schemas);
        self.reasons.push(reasons);
        self.decisions.extend(response.decisions);
    }
}

fn change(context: &mut BTreeMap<String, Value>, changes: BTreeMap<String, Option<Value>>) {
    for (key, value) in changes {
        match value {
            Some(value) => context.insert(key, value),
            None => context.remove(&key),
        };
    }
}
