//! The response: the status, what is desired, and whether it is ready.

use std::collections::BTreeMap;

use contract::compose::{ComposeResponse, DesiredComposite};
use contract::types::Selector;
use serde_json::{Map, Value};
use toolbox::composed::{self, Composed};
use toolbox::observed::Observed;

use crate::modelplane::conditions::Report;
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
}

/// The fields of a status that rules gave.
pub fn fields(status: Value) -> Map<String, Value> {
    match status {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}
