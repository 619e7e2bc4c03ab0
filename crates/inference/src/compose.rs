//! The door `compose`: what should exist for a composite.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::kinds;
use crate::object::{ConnectionDetails, KindRef, Resource, Selector};
use crate::problem::{Cause, Code, Fault, Problem};

/// Composes the composite of `request` with the kind that it belongs to.
///
/// # Errors
/// A [`Fault`] when there is no composite, when its kind is unknown, and when it or the step's input
/// is invalid.
pub fn compose(request: &Request) -> Result<Response, Fault> {
    let kind = KindRef::of(request.composite()?);
    let row = kinds::find(&kind).ok_or_else(|| kinds::unknown(&kind))?;
    (row.compose)(request)
}

/// Everything a composition may depend on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Request {
    /// The composite as observed; absent in an Operation.
    pub composite: Option<Resource>,
    /// Its composed resources as observed, by composition resource name.
    pub observed: BTreeMap<String, Resource>,
    /// What earlier steps of the pipeline desire.
    pub desired: DesiredState,
    /// The step's input.
    pub input: Option<Value>,
    /// What earlier steps put in the context.
    pub context: BTreeMap<String, Value>,
    /// Credentials by name.
    pub credentials: BTreeMap<String, ConnectionDetails>,
    /// Answers to lookups: no key is *not asked*, an empty list is *asked and absent*.
    pub lookups: BTreeMap<String, Vec<Resource>>,
    /// Answers to schema lookups, in the same three states.
    pub schemas: BTreeMap<String, Option<Value>>,
    /// What the caller understands; absent when it does not say.
    pub capabilities: Option<Capabilities>,
    /// Seconds since the Unix epoch; absent when the caller has no clock.
    pub now: Option<u64>,
}

impl Request {
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
        let resource = self.observed.get(name).map(Resource::object);
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
    pub resources: BTreeMap<String, Desired>,
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
pub struct Desired {
    /// The fields that should be set.
    pub object: Value,
    /// Whether it serves its purpose.
    pub readiness: Readiness,
}

/// Whether a desired resource serves its purpose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Readiness {
    /// Not said; Crossplane counts it as not ready.
    #[default]
    Unspecified,
    /// Observed not to be ready.
    NotReady,
    /// Observed to be ready.
    Ready,
}

/// What should exist, and what is to be said about it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Response {
    /// What should become of the composite.
    pub composite: DesiredComposite,
    /// The resources that should exist, by composition resource name.
    pub resources: BTreeMap<String, Desired>,
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

/// A status condition of the composite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// Type in PascalCase.
    pub condition_type: String,
    /// Whether it holds.
    pub status: ConditionStatus,
    /// Why, in PascalCase; never empty.
    pub reason: String,
    /// Why, for people.
    pub message: Option<String>,
    /// Who is told; the composite when absent.
    pub target: Option<Target>,
}

/// The status of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConditionStatus {
    /// Not known, or not yet.
    Unknown,
    /// The condition holds.
    True,
    /// The condition does not hold.
    False,
}

impl ConditionStatus {
    /// How Kubernetes spells it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unknown => "Unknown",
            Self::True => "True",
            Self::False => "False",
        }
    }
}

/// Who is told about a condition or a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// The composite alone.
    Composite,
    /// The composite and its claim.
    CompositeAndClaim,
}

/// Something that happened in a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// How much it matters.
    pub severity: Severity,
    /// What happened, for people.
    pub message: String,
    /// What happened, in PascalCase.
    pub reason: Option<String>,
    /// Who is told; the composite when absent.
    pub target: Option<Target>,
}

/// How much a result matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// For information.
    Normal,
    /// Something should be looked at.
    Warning,
}
