//! Request and answer of interface `compose` (`wit/compose.wit`).

use std::collections::BTreeMap;

use serde_json::Value;

use crate::types::{
    Cause, Code, Condition, ConnectionDetails, Fault, KindRef, ObservedObject, Outcome, Problem, Readiness, Selector,
};

/// Everything a composition may depend on. Nothing else is readable.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ComposeRequest {
    /// The composite as observed. `None` in a Crossplane Operation, which has no composite.
    pub composite: Option<ObservedObject>,
    /// Its composed resources as observed, by composition resource name. Empty before the first ones exist.
    pub observed: BTreeMap<String, ObservedObject>,
    /// What earlier steps of the pipeline desire.
    pub desired: DesiredState,
    /// The step's input. `None` when it has none.
    pub input: Option<Value>,
    /// The context, as earlier steps left it.
    pub context: BTreeMap<String, Value>,
    /// Credentials of the step, by name. They must never be printed.
    pub credentials: BTreeMap<String, ConnectionDetails>,
    /// Answers to the lookups of earlier calls. A name that is missing is *not asked*, an empty list is *asked and
    /// absent*.
    pub lookups: BTreeMap<String, Vec<ObservedObject>>,
    /// Answers to the schema lookups of earlier calls. A name that is missing is *not asked*, `None` is *asked and
    /// absent*.
    pub schemas: BTreeMap<String, Option<Value>>,
    /// What the caller supports. `None` when the caller does not say; a module then assumes that it supports all.
    pub capabilities: Option<Capabilities>,
    /// The time of the call, in seconds since the Unix epoch. `None` when the caller gives none.
    pub now: Option<u64>,
    /// Whether the response should explain its values.
    pub explain: bool,
}

impl ComposeRequest {
    /// Returns the composite.
    ///
    /// # Errors
    /// A [`Fault`] when the request has no composite, and when the text of the composite is not JSON.
    pub fn composite(&self) -> Result<&Value, Fault> {
        let Some(composite) = &self.composite else {
            let message = "the request has no observed composite; there is nothing to compose";
            return Err(Fault::new(Cause::Request, Problem::new("", Code::Required, message)));
        };
        composite.object().map_err(|error| Fault::not_json("composite", &error))
    }

    /// Returns the composed resource with the composition resource name `name`, or `None` when it is not observed.
    ///
    /// # Errors
    /// A [`Fault`] when its text is not JSON.
    pub fn observed(&self, name: &str) -> Result<Option<&Value>, Fault> {
        let resource = self.observed.get(name).map(ObservedObject::object);
        resource.transpose().map_err(|error| Fault::not_json(&format!("observed resource `{name}`"), &error))
    }
}

/// What the caller supports, as Crossplane advertises it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Capabilities {
    /// The caller answers lookups (Crossplane's required resources).
    pub required_resources: bool,
    /// The caller passes credentials.
    pub credentials: bool,
    /// The caller applies conditions to the composite.
    pub conditions: bool,
    /// The caller answers schema lookups (Crossplane's required schemas).
    pub required_schemas: bool,
}

/// Everything that is desired at one point of a pipeline.
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
    /// The fields of its status that should be set. `None` when there are none.
    pub status: Option<Value>,
    /// Its connection details. Crossplane ignores them for v2 composites.
    pub connection_details: ConnectionDetails,
    /// Whether it is ready. Unless unspecified, it overrides what Crossplane derives from the resources.
    pub readiness: Readiness,
}

/// A resource that should exist.
#[derive(Clone, Debug, PartialEq)]
pub struct DesiredResource {
    /// The fields to set by server-side apply. The module manages these fields and no others.
    pub object: Value,
    /// Whether it is ready.
    pub readiness: Readiness,
}

/// What should exist, and what to report about it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ComposeResponse {
    /// What should become of the composite.
    pub composite: DesiredComposite,
    /// The resources that should exist, by composition resource name. An observed resource that is no longer desired is
    /// deleted.
    pub resources: BTreeMap<String, DesiredResource>,
    /// Names of resources that earlier steps desire and that should not exist.
    pub withdrawn: Vec<String>,
    /// Conditions of the composite, in the order they should appear.
    pub conditions: Vec<Condition>,
    /// What happened in this call, in the order it should be read.
    pub results: Vec<Outcome>,
    /// Everything that the module needs to look up, by name. Each call declares all of it again.
    pub lookups: BTreeMap<String, Selector>,
    /// Schemas that the module needs, by the same rule.
    pub schemas: BTreeMap<String, KindRef>,
    /// Changes to the context; `None` removes a key.
    pub context: BTreeMap<String, Option<Value>>,
    /// How long the caller may keep the response (time to live), in milliseconds. `None` leaves it to the caller.
    pub ttl: Option<u64>,
    /// The output of a Crossplane Operation. `None` in compositions.
    pub output: Option<Value>,
    /// The rule behind each derived value, if the request asks for it. Otherwise empty.
    pub derivations: Vec<Derivation>,
    /// What was chosen among candidates, and why, if the request asks to explain. Otherwise empty.
    pub decisions: Vec<Decision>,
}

/// So much of something, as a module counts it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Amount {
    /// The number. Negative where more is taken than there is.
    pub value: i64,
    /// What is counted, e.g. `nodes` or `MiB`.
    pub unit: String,
}

/// A part of what was chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Share {
    /// The place, the outermost first: cluster, then pool.
    pub place: Vec<String>,
    /// What gets it, for people, e.g. `engine main`. Empty when it is the whole resource.
    pub part: String,
    /// How much of the place it takes. `None` when that is not counted.
    pub takes: Option<Amount>,
}

/// What was chosen for a resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Composition resource name of the resource. Empty for the composite.
    pub resource: String,
    /// Its places.
    pub shares: Vec<Share>,
    /// Why there, for people: lower case, no final period.
    pub because: String,
}

/// The candidate that lacks least.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NearMiss {
    /// The place, the outermost first.
    pub place: Vec<String>,
    /// What is needed there.
    pub needed: Amount,
    /// What there is, in the same unit.
    pub found: Amount,
    /// What decides there, for people, where the numbers do not say it. Empty where they do.
    pub because: String,
}

/// All candidates that were not chosen for one reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PassedOver {
    /// The reason, in PascalCase.
    pub reason: String,
    /// The reason, for people, as it follows a number of candidates: `lack nodes`.
    pub because: String,
    /// Every candidate with this reason, sorted.
    pub candidates: Vec<String>,
    /// The one that lacks least. `None` where nothing is counted.
    pub nearest: Option<NearMiss>,
    /// The field of the composite that the reason is about, e.g. the selector that does not hold on the nearest one. `None` when
    /// it is about no field.
    pub cause: Option<String>,
}

/// A place of which more is taken than there is. What takes it may wait for ever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrowdedPlace {
    /// The place, the outermost first.
    pub place: Vec<String>,
    /// What there is.
    pub size: Amount,
    /// What is taken, in the same unit.
    pub taken: Amount,
    /// How many objects take it.
    pub takers: u32,
    /// The first of them, as `namespace/name`, sorted.
    pub by: Vec<String>,
}

/// A choice among candidates, e.g. of places for replicas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// What was decided, for people: `clusters for replicas`.
    pub about: String,
    /// How many choices were wanted. More than there are in `chosen` when candidates were missing.
    pub wanted: u32,
    /// How many candidates there were.
    pub candidates: u32,
    /// What was chosen, in the order of the resources.
    pub chosen: Vec<Choice>,
    /// When choices are missing: every candidate, by what was against a further choice there. The reason with most candidates
    /// comes first.
    pub passed_over: Vec<PassedOver>,
    /// Places of what was chosen of which more is taken than there is, in their order.
    pub overcommitted: Vec<CrowdedPlace>,
}

/// One derived value and the rule that gives it.
#[derive(Clone, Debug, PartialEq)]
pub struct Derivation {
    /// Composition resource name of the resource that has the value. Empty for the composite.
    pub resource: String,
    /// Where the value is in that resource.
    pub path: String,
    /// The value.
    pub value: Value,
    /// The rule, for people: lower case, no final period.
    pub because: String,
    /// The fields that it depends on: of the composite, or of the step input (`input.…`). Empty for constants.
    pub causes: Vec<String>,
}
