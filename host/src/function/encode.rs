//! Encodes a response of the contract in the protocol's types, without the desired state of earlier steps.

use std::collections::BTreeMap;

use protobuf_json::{Struct, Value};

use super::messages::{
    self, Duration, Match, MatchLabels, Ready, Requirements, Resource, ResourceFields, ResourceSelector,
    SchemaSelector, Severity, Status, Target,
};
use crate::wit::compose::{DesiredComposite, DesiredResource, Response};
use crate::wit::types::{self, ConditionStatus, MatchBy, Readiness};

/// The TTL of a response when the module states none, in milliseconds. Crossplane's SDKs have the same default.
const TTL: u64 = 60_000;

/// Condition types that only Crossplane sets.
const RESERVED: [&str; 2] = ["Ready", "Synced"];

/// The changes that a module wants, and its results and conditions.
#[derive(Debug, Default)]
pub(super) struct Changes {
    pub(super) status: Option<Struct>,
    pub(super) connection_details: BTreeMap<String, Vec<u8>>,
    pub(super) ready: Option<Ready>,
    /// By composition resource name. `None` removes a resource that an earlier step desires.
    pub(super) resources: Vec<(String, Option<Resource>)>,
    /// By key. `None` removes the entry.
    pub(super) context: Vec<(String, Option<Value>)>,
    pub(super) conditions: Vec<messages::Condition>,
    pub(super) results: Vec<messages::FunctionResult>,
    pub(super) requirements: Option<Requirements>,
    pub(super) ttl: Option<Duration>,
    pub(super) output: Option<Struct>,
}

/// Encodes a response. With `fallback`, lookups are in the field of older Crossplane versions too.
///
/// # Errors
/// What breaks the contract.
pub(super) fn changes(response: Response, fallback: bool) -> Result<Changes, String> {
    let DesiredComposite { status, connection_details, readiness } = response.composite;
    let withdrawn = response.withdrawn.into_iter().map(|name| (name, None));
    let resources = response.resources.into_iter().map(resource).collect::<Result<Vec<_>, _>>()?;
    let changes = Changes {
        status: status.map(|status| object("the composite's status", &status)).transpose()?,
        connection_details: connection_details.into_iter().map(|detail| (detail.key, detail.value)).collect(),
        ready: ready(readiness),
        resources: resources.into_iter().chain(withdrawn).collect(),
        context: response.context.into_iter().map(context_change).collect::<Result<_, _>>()?,
        conditions: response.conditions.into_iter().map(condition).collect::<Result<_, _>>()?,
        results: response.results.into_iter().map(outcome).collect(),
        requirements: requirements(response.lookups, response.schemas, fallback)?,
        ttl: Some(duration(response.ttl.unwrap_or(TTL))),
        output: response.output.map(|output| object("the output", &output)).transpose()?,
    };
    unique("resource", &changes.resources)?;
    unique("context", &changes.context)?;
    Ok(changes)
}

/// Encodes a condition.
///
/// # Errors
/// When Crossplane would not apply it.
pub(super) fn condition(condition: types::Condition) -> Result<messages::Condition, String> {
    let kind = condition.condition_type;
    if kind.is_empty() || RESERVED.contains(&kind.as_str()) {
        return Err(format!("condition type `{kind}` is not a module's to set"));
    }
    if condition.reason.is_empty() {
        return Err(format!("condition `{kind}` has no reason"));
    }
    let status = match condition.status {
        ConditionStatus::Unknown => Status::Unknown,
        ConditionStatus::True => Status::True,
        ConditionStatus::False => Status::False,
    };
    Ok(messages::Condition {
        r#type: kind,
        status: status.into(),
        reason: condition.reason,
        message: condition.message,
        target: condition.target.map(target),
    })
}

/// A protobuf duration.
pub(super) fn duration(milliseconds: u64) -> Duration {
    let nanos = i32::try_from(milliseconds % 1000 * 1_000_000).unwrap_or_default(); // always below 10^9
    Duration { seconds: i64::try_from(milliseconds / 1000).unwrap_or(i64::MAX), nanos }
}

fn resource(desired: DesiredResource) -> Result<(String, Option<Resource>), String> {
    let DesiredResource { name, object: text, readiness } = desired;
    let fields = ResourceFields {
        resource: Some(object(&format!("resource `{name}`"), &text)?),
        ready: ready(readiness).unwrap_or_default().into(),
        ..ResourceFields::default()
    };
    Ok((name, Some(fields.into())))
}

fn unique<T>(what: &str, entries: &[(String, T)]) -> Result<(), String> {
    let mut names: Vec<_> = entries.iter().map(|(name, _)| name).collect();
    names.sort_unstable();
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(twice) => Err(format!("{what} `{}` is there twice", twice[0])),
        None => Ok(()),
    }
}

fn ready(readiness: Readiness) -> Option<Ready> {
    match readiness {
        Readiness::Unspecified => None,
        Readiness::NotReady => Some(Ready::False),
        Readiness::Ready => Some(Ready::True),
    }
}

fn context_change(change: crate::wit::compose::ContextChange) -> Result<(String, Option<Value>), String> {
    let read = |text: String| Value::from_json(&text).map_err(|error| format!("context `{}`: {error}", change.key));
    let value = change.value.map(read).transpose()?;
    Ok((change.key, value))
}

fn outcome(outcome: types::Outcome) -> messages::FunctionResult {
    let severity = match outcome.severity {
        types::Severity::Normal => Severity::Normal,
        types::Severity::Warning => Severity::Warning,
    };
    messages::FunctionResult {
        severity: severity.into(),
        message: outcome.message,
        reason: outcome.reason,
        target: outcome.target.map(target),
    }
}

fn target(target: types::Target) -> i32 {
    match target {
        types::Target::Composite => Target::Composite,
        types::Target::CompositeAndClaim => Target::CompositeAndClaim,
    }
    .into()
}

/// The requirements. `None` when there are no lookups: Crossplane calls again while requirements change.
fn requirements(
    lookups: Vec<types::Lookup>,
    schemas: Vec<types::SchemaLookup>,
    fallback: bool,
) -> Result<Option<Requirements>, String> {
    if lookups.is_empty() && schemas.is_empty() {
        return Ok(None);
    }
    let selector = |lookup| resource_selector(lookup, fallback);
    let resources: BTreeMap<_, _> = lookups.into_iter().map(selector).collect::<Result<_, _>>()?;
    Ok(Some(Requirements {
        extra_resources: if fallback { resources.clone() } else { BTreeMap::new() },
        resources,
        schemas: schemas.into_iter().map(schema_selector).collect(),
    }))
}

/// A selector of Crossplane. All objects of a kind are asked for without a match, as Modelplane does. Versions of Crossplane
/// before 2.2 fail at that, and they do not state what they can.
fn resource_selector(
    types::Lookup { name, selector }: types::Lookup,
    older: bool,
) -> Result<(String, ResourceSelector), String> {
    let matched = match selector.match_by {
        MatchBy::Name(name) => Some(Match::Name(name)),
        MatchBy::Labels(labels) if labels.is_empty() && !older => None,
        MatchBy::Labels(labels) => Some(Match::Labels(MatchLabels { labels: labels.into_iter().collect() })),
        MatchBy::Values(_) => {
            return Err(format!("lookup `{name}` is by values, and Crossplane finds objects by name or labels only"));
        }
    };
    let types::KindRef { api_version, kind } = selector.kind;
    Ok((name, ResourceSelector { api_version, kind, r#match: matched, namespace: selector.namespace }))
}

fn schema_selector(lookup: types::SchemaLookup) -> (String, SchemaSelector) {
    (lookup.name, SchemaSelector { api_version: lookup.kind.api_version, kind: lookup.kind.kind })
}

fn object(place: &str, text: &str) -> Result<Struct, String> {
    Struct::from_json(text).map_err(|error| format!("{place}: {error}"))
}
