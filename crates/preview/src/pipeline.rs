//! Runs the steps that compose one composite, answering what they ask.

use std::collections::BTreeMap;

use serde_json::Value;

use super::cluster::Cluster;
use super::fields;
use super::inputs::Step;
use contract::compose::{Capabilities, ComposeRequest, ComposeResponse, DesiredState};
use contract::preview::{Derivation, StepResult};
use contract::types::{Cause, Code, Fault, Problem};
use contract::types::{Condition, KindRef, ObservedObject, Readiness, Selector};
use toolbox::kind::{Kinds, Step as Row};

/// How often a step is called again because of what it asks, as in Crossplane.
const REPEATS: usize = 5;

/// What every step is told.
pub(super) struct Round {
    /// The composite as observed.
    pub(super) composite: Value,
    /// Its resources as observed, by name.
    pub(super) observed: BTreeMap<String, Value>,
    /// The context before the first step.
    pub(super) context: BTreeMap<String, Value>,
    /// The time.
    pub(super) now: Option<u64>,
}

/// What the steps desire together, and what they said.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    pub(super) desired: DesiredState,
    pub(super) conditions: Vec<Condition>,
    pub(super) results: Vec<StepResult>,
    pub(super) context: BTreeMap<String, Value>,
    pub(super) derivations: Vec<Derivation>,
    pub(super) lookups: BTreeMap<String, Selector>,
    pub(super) schemas: BTreeMap<String, KindRef>,
}

/// Runs the steps in order. All that they look up is added to `asked`, also when there is a fault.
///
/// # Errors
/// The fault of a step, and its index.
pub(super) fn run(
    kinds: &Kinds,
    round: Round,
    steps: &[Step<'_>],
    cluster: &Cluster<'_>,
    asked: &mut Vec<Selector>,
) -> Result<Outcome, (usize, Fault)> {
    let mut outcome = Outcome { context: round.context, ..Outcome::default() };
    let composite = ObservedObject::from(round.composite);
    let observed: BTreeMap<_, _> =
        round.observed.into_iter().map(|(name, object)| (name, ObservedObject::from(object))).collect();
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
            now: round.now,
        };
        let row = kinds.step(&request).map_err(|fault| (index, fault))?;
        let (request, response) = settle(row, request, cluster, asked).map_err(|fault| (index, fault))?;
        outcome.derivations.extend((row.explain)(&request).map_err(|fault| (index, fault))?);
        outcome.take(step.name, response);
    }
    Ok(outcome)
}

/// Calls a step until it asks for nothing new.
fn settle(
    row: Row,
    mut request: ComposeRequest,
    cluster: &Cluster<'_>,
    asked: &mut Vec<Selector>,
) -> Result<(ComposeRequest, ComposeResponse), Fault> {
    let mut answered = (BTreeMap::new(), BTreeMap::new());
    for _ in 0..=REPEATS {
        let response = (row.compose)(&request)?;
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

impl Outcome {
    /// Adds the response of a step to what earlier ones said.
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
