//! Runs the pipeline of one composite, and answers the lookups of its steps.

use std::collections::BTreeMap;

use serde_json::Value;

use super::cluster::Cluster;
use super::fields;
use super::inputs::PipelineStep;
use contract::compose::{Capabilities, ComposeRequest, ComposeResponse, DesiredState};
use contract::preview::{Derivation, StepResult};
use contract::types::{Cause, Code, Fault, Problem};
use contract::types::{Condition, KindRef, ObservedObject, Readiness, Selector};
use toolbox::kind::{Kinds, StepFunctions};

/// How often a step is called again because of its lookups, as in Crossplane.
const REPEATS: usize = 5;

/// The input of all steps.
pub(super) struct StepsInput {
    /// The composite as observed.
    pub(super) composite: Value,
    /// Its resources as observed, by name.
    pub(super) observed: BTreeMap<String, Value>,
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
    pub(super) derivations: Vec<Derivation>,
    pub(super) lookups: BTreeMap<String, Selector>,
    pub(super) schemas: BTreeMap<String, KindRef>,
}

/// Runs the steps in order. All of their lookups are added to `asked`, also when there is a fault.
///
/// # Errors
/// The fault of a step, and its index.
pub(super) fn run(
    kinds: &Kinds,
    input: StepsInput,
    steps: &[PipelineStep<'_>],
    cluster: &Cluster<'_>,
    asked: &mut Vec<Selector>,
) -> Result<PipelineOutcome, (usize, Fault)> {
    let mut outcome = PipelineOutcome { context: input.context, ..PipelineOutcome::default() };
    let composite = ObservedObject::from(input.composite);
    let observed: BTreeMap<_, _> =
        input.observed.into_iter().map(|(name, object)| (name, ObservedObject::from(object))).collect();
    for (index, step) in steps.iter().enumerate() {
        let request = ComposeRequest {
            composite: Some(composite.clone()),
            observed: observed.clone(),
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
        };
        let functions = kinds.step(&request).map_err(|fault| (index, fault))?;
        let (request, response) = settle(functions, request, cluster, asked).map_err(|fault| (index, fault))?;
        outcome.derivations.extend((functions.explain)(&request).map_err(|fault| (index, fault))?);
        outcome.take(step.name, response);
    }
    Ok(outcome)
}

/// Calls a step until its lookups stay the same.
fn settle(
    functions: StepFunctions,
    mut request: ComposeRequest,
    cluster: &Cluster<'_>,
    asked: &mut Vec<Selector>,
) -> Result<(ComposeRequest, ComposeResponse), Fault> {
    let mut answered = (BTreeMap::new(), BTreeMap::new());
    for _ in 0..=REPEATS {
        let response = (functions.compose)(&request)?;
        if (&response.lookups, &response.schemas) == (&answered.0, &answered.1) {
            return Ok((request, response));
        }
        let found = |selector| cluster.find(selector).into_iter().cloned().map(ObservedObject::from).collect();
        request.lookups = response.lookups.iter().map(|(name, selector)| (name.clone(), found(selector))).collect();
        asked.extend(response.lookups.values().cloned());
        request.schemas = response.schemas.iter().map(|(name, kind)| (name.clone(), cluster.schema(kind))).collect();
        change(&mut request.context, response.context);
        answered = (response.lookups, response.schemas);
    }
    let message = format!("what the composition looks up still changes after {REPEATS} repeats");
    Err(Fault::new(Cause::State, Problem::new("", Code::Invalid, message)))
}

impl PipelineOutcome {
    /// Adds the response of a step.
    fn take(&mut self, step: &str, response: ComposeResponse) {
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
