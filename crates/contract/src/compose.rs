//! What a composition is asked and what it answers (`wit/compose.wit`).

use std::collections::BTreeMap;

use serde_json::Value;

use crate::types::{
    Cause, Code, Condition, ConnectionDetails, Fault, KindRef, ObservedObject, Outcome, Problem, Readiness, Selector,
};

/// Everything a composition may depend on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ComposeRequest {
    /// The composite as observed; absent in an Operation.
    pub composite: Option<ObservedObject>,
    /// Its composed resources as observed, by composition resource name.
    pub observed: BTreeMap<String, ObservedObject>,
    /// What earlier steps of the pipeline desire.
    pub desired: DesiredState,
    /// The step's input.
    pub input: Option<Value>,
    /// What earlier steps put in the context.
    pub context: BTreeMap<String, Value>,
    /// Credentials by name.
    pub credentials: BTreeMap<String, ConnectionDetails>,
    /// Answers to lookups: no key is *not asked*, an empty list is *asked and absent*.
    pub lookups: BTreeMap<String, Vec<ObservedObject>>,
    /// Answers to schema lookups, in the same three states.
    pub schemas: BTreeMap<String, Option<Value>>,
    /// What the caller understands; absent when it does not say.
    pub capabilities: Option<Capabilities>,
    /// Seconds since the Unix epoch; absent when the caller has no clock.
    pub now: Option<u64>,
}

impl ComposeRequest {
    /// The composite.
    ///
    /// # Errors
    /// A [`Fault`] when the request has none, and when its text is not JSON.
    pub fn composite(&self) -> Result<&Value, Fault> {
        let Some(composite) = &self.composite else {
            let message = "the request has no observed composite; there is nothing to compose";
            return Err(Fault::new(Cause::Request, Problem::new("", Code::Required, message)));
        };
        composite.object().map_err(|error| Fault::not_json("composite", &error))
    }

    /// The composed resource `name`, if it is observed.
    ///
    /// # Errors
    /// A [`Fault`] when its text is not JSON.
    pub fn observed(&self, name: &str) -> Result<Option<&Value>, Fault> {
        let resource = self.observed.get(name).map(ObservedObject::object);
        resource.transpose().map_err(|error| Fault::not_json(&format!("observed resource `{name}`"), &error))
    }
}

/// What a caller understands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Capabilities {
    /// It answers lookups.
    pub required_resources: bool,
    /// It passes credentials.
    pub credentials: bool,
    /// It applies conditions.
    pub conditions: bool,
    /// It answers schema lookups.
    pub required_schemas: bool,
}

/// Everything desired at one point of a pipeline.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DesiredState {
    /// The composite.
    pub composite: DesiredComposite,
    /// The resources, by composition resource name.
    pub resources: BTreeMap<String, DesiredResource>,
}

/// What should become of the composite itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DesiredComposite {
    /// The fields of its status that should be set.
    pub status: Option<Value>,
    /// Its connection details.
    pub connection_details: ConnectionDetails,
    /// Overrides what Crossplane derives, unless unspecified.
    pub readiness: Readiness,
}

/// A resource that should exist.
#[derive(Clone, Debug, PartialEq)]
pub struct DesiredResource {
    /// The fields that should be set.
    pub object: Value,
    /// Whether it serves its purpose.
    pub readiness: Readiness,
}

/// What should exist, and what is to be said about it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ComposeResponse {
    /// What should become of the composite.
    pub composite: DesiredComposite,
    /// The resources that should exist, by composition resource name.
    pub resources: BTreeMap<String, DesiredResource>,
    /// Resources of earlier steps that should not exist after all.
    pub withdrawn: Vec<String>,
    /// Conditions of the composite, in the order they should appear.
    pub conditions: Vec<Condition>,
    /// What happened in this call, in order.
    pub results: Vec<Outcome>,
    /// What the composition needs to know, in full on every call.
    pub lookups: BTreeMap<String, Selector>,
    /// Schemas it needs to know, in full on every call.
    pub schemas: BTreeMap<String, KindRef>,
    /// Changes to the context; `None` removes a key.
    pub context: BTreeMap<String, Option<Value>>,
    /// How long the response stays good, in milliseconds.
    pub ttl: Option<u64>,
    /// The output of an Operation.
    pub output: Option<Value>,
}
