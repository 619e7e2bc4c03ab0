//! The response: the status, what is desired, and whether it is ready.

use std::collections::BTreeMap;

use contract::compose::{ComposeResponse, DesiredComposite};
use contract::types::ConditionStatus::{False, True};
use contract::types::Selector;
use serde_json::{Map, Value};
use toolbox::composed::{self, Composed};
use toolbox::conditions::{self, ConditionRow, Reported, note, warning};
use toolbox::observed::{Observed, ReadyWhen};

use crate::modelplane::conditions::Report;
use crate::object_state::{State, state};
use crate::options::Options;

/// What a kind answers.
#[derive(Default)]
pub struct Answered {
    /// The fields of the status. Empty while nothing is known.
    pub status: Map<String, Value>,
    /// What is desired.
    pub resources: Vec<Composed>,
    /// What is looked up.
    pub lookups: BTreeMap<String, Selector>,
    /// Conditions and events.
    pub report: Report,
}

impl Answered {
    /// The response. As in Modelplane a status without fields is written too, and the composite is ready when everything is
    /// that it desires.
    pub fn respond(self, options: &Options, observed: &Observed<'_>) -> ComposeResponse {
        let status = Some(Value::Object(self.status));
        let response = ComposeResponse {
            composite: DesiredComposite { status, ..DesiredComposite::default() },
            resources: composed::desired(self.resources, observed),
            lookups: self.lookups,
            ..ComposeResponse::default()
        };
        self.report.respond(options, response)
    }

    /// The same. With `answers: full` a condition says what the first object waits for that is not ready, or why it is refused, in the
    /// words of its provider.
    pub fn respond_with_reasons(mut self, options: &Options, observed: &Observed<'_>) -> ComposeResponse {
        if options.modelplane.is_full() {
            self.report.add(reasons(&self.resources, observed));
        }
        self.respond(options, observed)
    }
}

/// The conditions about what is composed, also for documentation.
pub const CONDITIONS: [ConditionRow; 3] = [THERE, WAITING, REFUSED];

const THERE: ConditionRow = note("ResourcesReady", True, "Available", "everything is there");
const WAITING: ConditionRow =
    note("ResourcesReady", False, "Waiting", "something is not there yet, or waits for another object");
const REFUSED: ConditionRow = warning(
    "ResourcesReady",
    False,
    "Failed",
    "something is refused: often a quota, or the cloud has none at the moment",
);

/// How everything is: as the first object that is refused, else as the first one that waits.
fn reasons(resources: &[Composed], observed: &Observed<'_>) -> Reported {
    let reporting = resources.iter().filter(|it| matches!(it.ready, ReadyWhen::Holds(_)));
    let states: Vec<_> = reporting.map(|it| (it.key.as_str(), state(observed.get(&it.key)))).collect();
    let refused = states.iter().find_map(|(key, state)| match state {
        State::Failed(words) => Some(REFUSED.report(format!("{key}: {words}"))),
        _ => None,
    });
    let waiting = || {
        states.iter().find_map(|(key, state)| match state {
            State::Waits(words) => Some(WAITING.report(format!("{key}: {words}"))),
            _ => None,
        })
    };
    refused.or_else(waiting).unwrap_or_else(|| THERE.report(""))
}

/// What an observed composite says of what it waits for. Empty when it says nothing.
pub fn reason_of(composite: &Value) -> String {
    let of = |name| conditions::find(composite, name).filter(|found| found.status == False);
    let found = of("ResourcesReady").or_else(|| of("Ready"));
    found.map(|found| found.message.to_owned()).unwrap_or_default()
}

/// The fields of a status that rules gave.
pub fn fields(status: Value) -> Map<String, Value> {
    match status {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}
