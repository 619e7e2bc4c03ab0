//! Decodes a request of the protocol to a request of the contract. Maps become lists in the order of their keys.

use std::collections::BTreeMap;
use std::fmt;

use protobuf_json::{NotJson, Struct, Value};

use super::messages::{Capability, Credentials, Ready, Resource, Resources, RunFunctionRequest, Schema, State};
use super::refuse::Refusal;
use crate::wit::compose::{
    Capabilities, ContextEntry, Credential, DesiredComposite, DesiredResource, DesiredState, ObservedResource, Request,
};
use crate::wit::types::{ConnectionDetail, LookupAnswer, ObservedObject, Readiness, SchemaAnswer};

/// The part of existing objects that modules do not get: who set which field. It is often the largest part of an object,
/// and it is skipped without decoding it.
const UNSEEN: &[&str] = &["metadata", "managedFields"];

/// Decodes a request. Takes out of `message` what the response does not need.
///
/// # Errors
/// When JSON cannot express a value.
pub(super) fn request(message: &mut RunFunctionRequest, now: Option<u64>) -> Result<Request, Refusal> {
    let observed = message.observed.take().unwrap_or_default();
    Ok(Request {
        composite: composite(observed.composite)?,
        observed: observed_resources(observed.resources)?,
        desired: message.desired.as_ref().map(desired).transpose()?.unwrap_or_else(nothing_desired),
        input: message.input.take().map(|input| object(&"input", &input)).transpose()?,
        context: message.context.as_ref().map(context).transpose()?.unwrap_or_default(),
        credentials: std::mem::take(&mut message.credentials).into_iter().map(credential).collect(),
        lookups: lookups(message)?,
        schemas: std::mem::take(&mut message.required_schemas).into_iter().map(schema).collect::<Result<_, _>>()?,
        capabilities: capabilities(message),
        now,
        explain: false,
    })
}

/// The capabilities of the caller. `None` when it does not state them, as older versions.
fn capabilities(message: &RunFunctionRequest) -> Option<Capabilities> {
    has(message, Capability::Capabilities).then(|| Capabilities {
        required_resources: has(message, Capability::RequiredResources),
        credentials: has(message, Capability::Credentials),
        conditions: has(message, Capability::Conditions),
        required_schemas: has(message, Capability::RequiredSchemas),
    })
}

/// Whether the caller states `capability`.
pub(super) fn has(message: &RunFunctionRequest, capability: Capability) -> bool {
    message.meta.as_ref().is_some_and(|meta| meta.capabilities.contains(&capability.into()))
}

fn composite(resource: Option<Resource>) -> Result<Option<ObservedObject>, Refusal> {
    // An Operation has no composite. A composite without an object counts as none too.
    let Some(resource) = resource.filter(|resource| resource.resource.is_some()) else { return Ok(None) };
    observed_object(&"the observed composite", resource).map(Some)
}

fn observed_resources(resources: BTreeMap<String, Resource>) -> Result<Vec<ObservedResource>, Refusal> {
    resources
        .into_iter()
        .map(|(name, resource)| {
            let state = observed_object(&format_args!("observed resource `{name}`"), resource)?;
            Ok(ObservedResource { name, state })
        })
        .collect()
}

fn observed_object(place: &dyn fmt::Display, resource: Resource) -> Result<ObservedObject, Refusal> {
    let resource = resource.into_known();
    let object = resource.resource.unwrap_or_default();
    Ok(ObservedObject {
        object: object.to_json_without(UNSEEN).map_err(|error| not_json(place, &error))?,
        connection_details: details(resource.connection_details),
    })
}

fn nothing_desired() -> DesiredState {
    let composite =
        DesiredComposite { status: None, connection_details: Vec::new(), readiness: Readiness::Unspecified };
    DesiredState { composite, resources: Vec::new() }
}

fn desired(state: &State) -> Result<DesiredState, Refusal> {
    let resources = state.resources.iter().map(|(name, resource)| {
        let place = format_args!("desired resource `{name}`").to_string();
        let object = resource.resource.as_ref().map(|it| object(&place, it)).transpose()?;
        Ok(DesiredResource {
            name: name.clone(),
            object: object.unwrap_or_else(|| "{}".to_owned()),
            readiness: readiness(resource.ready()),
        })
    });
    Ok(DesiredState {
        composite: state.composite.as_ref().map(desired_composite).transpose()?.unwrap_or(nothing_desired().composite),
        resources: resources.collect::<Result<_, Refusal>>()?,
    })
}

fn desired_composite(resource: &Resource) -> Result<DesiredComposite, Refusal> {
    let status = resource.resource.as_ref().and_then(|object| object.fields.get("status"));
    Ok(DesiredComposite {
        status: status.map(|status| value(&"the desired status", status)).transpose()?,
        connection_details: details(resource.connection_details.clone()),
        readiness: readiness(resource.ready()),
    })
}

fn readiness(ready: Ready) -> Readiness {
    match ready {
        Ready::Unspecified => Readiness::Unspecified,
        Ready::True => Readiness::Ready,
        Ready::False => Readiness::NotReady,
    }
}

fn context(context: &Struct) -> Result<Vec<ContextEntry>, Refusal> {
    let entry = |(key, entry): (&String, &Value)| {
        Ok(ContextEntry { key: key.clone(), value: value(&format_args!("context `{key}`"), entry)? })
    };
    context.fields.iter().map(entry).collect()
}

fn credential((name, credentials): (String, Credentials)) -> Credential {
    Credential { name, data: details(credentials.credential_data.unwrap_or_default().data) }
}

/// The answers to lookups, from the current field and from the field of older Crossplane versions.
fn lookups(message: &mut RunFunctionRequest) -> Result<Vec<LookupAnswer>, Refusal> {
    let mut answers = std::mem::take(&mut message.extra_resources);
    answers.extend(std::mem::take(&mut message.required_resources));
    answers.into_iter().map(lookup).collect()
}

fn lookup((name, resources): (String, Resources)) -> Result<LookupAnswer, Refusal> {
    let place = format!("required resource `{name}`");
    let objects = resources.items.into_iter().map(|resource| observed_object(&place, resource));
    Ok(LookupAnswer { objects: objects.collect::<Result<_, _>>()?, name })
}

fn schema((name, schema): (String, Schema)) -> Result<SchemaAnswer, Refusal> {
    let place = format_args!("required schema `{name}`").to_string();
    Ok(SchemaAnswer { openapi_v3: schema.openapi_v3.map(|schema| object(&place, &schema)).transpose()?, name })
}

fn details(details: BTreeMap<String, Vec<u8>>) -> Vec<ConnectionDetail> {
    details.into_iter().map(|(key, value)| ConnectionDetail { key, value }).collect()
}

fn object(place: &dyn fmt::Display, object: &Struct) -> Result<String, Refusal> {
    object.to_json().map_err(|error| not_json(place, &error))
}

fn value(place: &dyn fmt::Display, value: &Value) -> Result<String, Refusal> {
    value.to_json().map_err(|error| not_json(place, &error))
}

fn not_json(place: &dyn fmt::Display, error: &NotJson) -> Refusal {
    let NotJson { path, message } = error;
    let place = if path.is_empty() { place.to_string() } else { format!("{place}: {path}") };
    Refusal::request(&place, message)
}
