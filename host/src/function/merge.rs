//! Merges the changes of a module into the desired state of earlier pipeline steps.

use std::collections::BTreeMap;

use prost::Message as _;
use protobuf_json::value::Kind;
use protobuf_json::{Struct, Value};

use super::encode::{self, Changes};
use super::messages::{Resource, ResponseMeta, RunFunctionRequest, RunFunctionResponse, State};
use super::refuse::Refusal;

/// The largest response that Crossplane's gRPC client accepts, in bytes.
pub const MAX_RESPONSE: usize = 4 << 20;

/// The TTL of a refusal, in milliseconds.
const REFUSAL_TTL: u64 = 60_000;

/// The number of resources that a refusal for size names.
const NAMED: usize = 3;

/// The parts of a request that its response returns.
#[derive(Debug)]
pub(super) struct Earlier {
    tag: String,
    desired: Option<State>,
    context: Option<Struct>,
}

impl From<RunFunctionRequest> for Earlier {
    fn from(message: RunFunctionRequest) -> Self {
        let RunFunctionRequest { meta, desired, context, .. } = message;
        Self { tag: meta.unwrap_or_default().tag, desired, context }
    }
}

impl Earlier {
    /// The response with `changes`.
    ///
    /// # Errors
    /// When the response is too large for Crossplane. The error has the state without the changes.
    pub(super) fn with(self, changes: Changes) -> Result<RunFunctionResponse, Box<(Self, Refusal)>> {
        let Self { tag, desired, context } = self;
        let mut response = RunFunctionResponse {
            meta: Some(ResponseMeta { tag, ttl: changes.ttl }),
            desired,
            context,
            conditions: changes.conditions,
            results: changes.results,
            requirements: changes.requirements,
            output: changes.output,
        };
        let desired = response.desired.get_or_insert_default();
        let context = response.context.get_or_insert_default();
        let before = (desired.composite.clone(), context.clone());
        change_composite(desired, changes.status, changes.connection_details, changes.ready.map(i32::from));
        change_context(context, changes.context);
        let resources = apply(&mut desired.resources, changes.resources);

        let size = response.encoded_len();
        if size <= MAX_RESPONSE {
            return Ok(response);
        }
        let mut desired = response.desired.unwrap_or_default();
        let refusal = Refusal::too_large(size, MAX_RESPONSE, &largest(&desired.resources));
        let (composite, context) = before;
        desired.composite = composite;
        apply(&mut desired.resources, resources);
        let tag = response.meta.unwrap_or_default().tag;
        Err(Box::new((Self { tag, desired: Some(desired), context: Some(context) }, refusal)))
    }

    /// The response to a refused call: no changes, and the reason.
    pub(super) fn refused(self, refusal: Refusal) -> RunFunctionResponse {
        let mut response = RunFunctionResponse {
            meta: Some(ResponseMeta { tag: self.tag, ttl: Some(encode::duration(REFUSAL_TTL)) }),
            desired: self.desired,
            context: self.context,
            results: vec![refusal.result()],
            conditions: refusal.conditions,
            ..RunFunctionResponse::default()
        };
        // Crossplane stops at a fatal result and ignores the rest, but the response must not be too large for it.
        if response.encoded_len() > MAX_RESPONSE {
            (response.desired, response.context) = (None, None);
        }
        if response.encoded_len() > MAX_RESPONSE {
            response.conditions.clear();
        }
        if response.encoded_len() > MAX_RESPONSE {
            response.meta = None; // the tag alone is too large
        }
        response
    }
}

fn change_composite(
    desired: &mut State,
    status: Option<Struct>,
    details: BTreeMap<String, Vec<u8>>,
    ready: Option<i32>,
) {
    if status.is_none() && details.is_empty() && ready.is_none() {
        return;
    }
    let composite = desired.composite.get_or_insert_default();
    if let Some(status) = status {
        let status = Struct::from_iter([("status".to_owned(), Kind::StructValue(status).into())]);
        merge(composite.resource.get_or_insert_default(), status);
    }
    composite.connection_details.extend(details);
    composite.ready = ready.unwrap_or(composite.ready);
}

/// Changes the context. Without changes it stays undecoded.
fn change_context(context: &mut Struct, changes: Vec<(String, Option<Value>)>) {
    for (key, value) in changes {
        match value {
            Some(value) => context.fields.insert(key, value),
            None => context.fields.remove(&key),
        };
    }
}

/// Sets the fields of `from` in `into`, as server-side apply does: objects are merged by field, other values replaced.
fn merge(into: &mut Struct, from: Struct) {
    for (key, value) in from.fields {
        let old = into.fields.get_mut(&key).and_then(|old| old.kind.as_mut());
        match (old, value.kind) {
            (Some(Kind::StructValue(old)), Some(Kind::StructValue(new))) => merge(old, new),
            (_, kind) => {
                into.fields.insert(key, Value { kind });
            }
        }
    }
}

/// Applies changes, where `None` removes an entry. Returns the changes that undo them.
fn apply<T>(map: &mut BTreeMap<String, T>, changes: Vec<(String, Option<T>)>) -> Vec<(String, Option<T>)> {
    let change = |(key, value): (String, Option<T>)| {
        let before = match value {
            Some(value) => map.insert(key.clone(), value),
            None => map.remove(&key),
        };
        (key, before)
    };
    changes.into_iter().map(change).collect()
}

/// The largest resources and their sizes in bytes, the largest first.
fn largest(resources: &BTreeMap<String, Resource>) -> Vec<(&str, usize)> {
    let mut sizes: Vec<_> = resources.iter().map(|(name, resource)| (name.as_str(), resource.encoded_len())).collect();
    sizes.sort_unstable_by_key(|&(name, size)| (std::cmp::Reverse(size), name));
    sizes.truncate(NAMED);
    sizes
}
