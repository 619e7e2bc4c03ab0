//! The messages of Crossplane's protocol: `apiextensions.fn.proto.v1` in `run_function.proto`, which documents the fields.
//!
//! The official SDK has them too, but its maps are in no order, so equal responses were different bytes; it decodes objects
//! to trees of maps; and it loses fields that it does not know. Here maps are sorted, objects stay the bytes that came, and
//! a [resource](Resource) keeps all its fields.

mod open;

use std::collections::BTreeMap;

use prost::{Enumeration, Message, Oneof};
use protobuf_json::Struct;

pub(super) use open::Open;

/// The service, with its package.
pub(super) const SERVICE: &str = "apiextensions.fn.proto.v1.FunctionRunnerService";
/// The path of its one method.
pub(super) const RUN_FUNCTION: &str = "/apiextensions.fn.proto.v1.FunctionRunnerService/RunFunction";

#[derive(Clone, PartialEq, Message)]
pub(super) struct RunFunctionRequest {
    #[prost(message, optional, tag = "1")]
    pub(super) meta: Option<RequestMeta>,
    #[prost(message, optional, tag = "2")]
    pub(super) observed: Option<State>,
    #[prost(message, optional, tag = "3")]
    pub(super) desired: Option<State>,
    #[prost(message, optional, tag = "4")]
    pub(super) input: Option<Struct>,
    #[prost(message, optional, tag = "5")]
    pub(super) context: Option<Struct>,
    #[prost(btree_map = "string, message", tag = "6")]
    pub(super) extra_resources: BTreeMap<String, Resources>,
    #[prost(btree_map = "string, message", tag = "7")]
    pub(super) credentials: BTreeMap<String, Credentials>,
    #[prost(btree_map = "string, message", tag = "8")]
    pub(super) required_resources: BTreeMap<String, Resources>,
    #[prost(btree_map = "string, message", tag = "9")]
    pub(super) required_schemas: BTreeMap<String, Schema>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct RunFunctionResponse {
    #[prost(message, optional, tag = "1")]
    pub(super) meta: Option<ResponseMeta>,
    #[prost(message, optional, tag = "2")]
    pub(super) desired: Option<State>,
    #[prost(message, repeated, tag = "3")]
    pub(super) results: Vec<FunctionResult>,
    #[prost(message, optional, tag = "4")]
    pub(super) context: Option<Struct>,
    #[prost(message, optional, tag = "5")]
    pub(super) requirements: Option<Requirements>,
    #[prost(message, repeated, tag = "6")]
    pub(super) conditions: Vec<Condition>,
    #[prost(message, optional, tag = "7")]
    pub(super) output: Option<Struct>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct RequestMeta {
    #[prost(string, tag = "1")]
    pub(super) tag: String,
    #[prost(enumeration = "Capability", repeated, tag = "2")]
    pub(super) capabilities: Vec<i32>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct ResponseMeta {
    #[prost(string, tag = "1")]
    pub(super) tag: String,
    #[prost(message, optional, tag = "2")]
    pub(super) ttl: Option<Duration>,
}

/// `google.protobuf.Duration`.
#[derive(Clone, Copy, PartialEq, Eq, Message)]
pub(super) struct Duration {
    #[prost(int64, tag = "1")]
    pub(super) seconds: i64,
    /// The rest in nanoseconds.
    #[prost(int32, tag = "2")]
    pub(super) nanos: i32,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct State {
    #[prost(message, optional, tag = "1")]
    pub(super) composite: Option<Resource>,
    #[prost(btree_map = "string, message", tag = "2")]
    pub(super) resources: BTreeMap<String, Resource>,
}

/// A resource. Those that earlier steps desire are passed on with fields that only newer versions of the protocol have.
pub(super) type Resource = Open<ResourceFields>;

#[derive(Clone, PartialEq, Message)]
pub(super) struct ResourceFields {
    #[prost(message, optional, tag = "1")]
    pub(super) resource: Option<Struct>,
    #[prost(btree_map = "string, bytes", tag = "2")]
    pub(super) connection_details: BTreeMap<String, Vec<u8>>,
    #[prost(enumeration = "Ready", tag = "3")]
    pub(super) ready: i32,
}

impl open::KnownFields for ResourceFields {
    const TAGS: &[u32] = &[1, 2, 3];
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Resources {
    #[prost(message, repeated, tag = "1")]
    pub(super) items: Vec<Resource>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Credentials {
    /// The only kind of credentials there is.
    #[prost(message, optional, tag = "1")]
    pub(super) credential_data: Option<CredentialData>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct CredentialData {
    #[prost(btree_map = "string, bytes", tag = "1")]
    pub(super) data: BTreeMap<String, Vec<u8>>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Schema {
    #[prost(message, optional, tag = "1")]
    pub(super) openapi_v3: Option<Struct>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Requirements {
    #[prost(btree_map = "string, message", tag = "1")]
    pub(super) extra_resources: BTreeMap<String, ResourceSelector>,
    #[prost(btree_map = "string, message", tag = "2")]
    pub(super) resources: BTreeMap<String, ResourceSelector>,
    #[prost(btree_map = "string, message", tag = "3")]
    pub(super) schemas: BTreeMap<String, SchemaSelector>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct ResourceSelector {
    #[prost(string, tag = "1")]
    pub(super) api_version: String,
    #[prost(string, tag = "2")]
    pub(super) kind: String,
    #[prost(oneof = "Match", tags = "3, 4")]
    pub(super) r#match: Option<Match>,
    #[prost(string, optional, tag = "5")]
    pub(super) namespace: Option<String>,
}

#[derive(Clone, PartialEq, Oneof)]
pub(super) enum Match {
    #[prost(string, tag = "3")]
    Name(String),
    #[prost(message, tag = "4")]
    Labels(MatchLabels),
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct MatchLabels {
    #[prost(btree_map = "string, string", tag = "1")]
    pub(super) labels: BTreeMap<String, String>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct SchemaSelector {
    #[prost(string, tag = "1")]
    pub(super) api_version: String,
    #[prost(string, tag = "2")]
    pub(super) kind: String,
}

/// What a function says about its call: a `Result` of the protocol, which becomes an event.
#[derive(Clone, PartialEq, Message)]
pub(super) struct FunctionResult {
    #[prost(enumeration = "Severity", tag = "1")]
    pub(super) severity: i32,
    #[prost(string, tag = "2")]
    pub(super) message: String,
    #[prost(string, optional, tag = "3")]
    pub(super) reason: Option<String>,
    #[prost(enumeration = "Target", optional, tag = "4")]
    pub(super) target: Option<i32>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Condition {
    #[prost(string, tag = "1")]
    pub(super) r#type: String,
    #[prost(enumeration = "Status", tag = "2")]
    pub(super) status: i32,
    #[prost(string, tag = "3")]
    pub(super) reason: String,
    #[prost(string, optional, tag = "4")]
    pub(super) message: Option<String>,
    #[prost(enumeration = "Target", optional, tag = "5")]
    pub(super) target: Option<i32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Enumeration)]
#[repr(i32)]
pub(super) enum Capability {
    Unspecified = 0,
    Capabilities = 1,
    RequiredResources = 2,
    Credentials = 3,
    Conditions = 4,
    RequiredSchemas = 5,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Enumeration)]
#[repr(i32)]
pub(super) enum Ready {
    Unspecified = 0,
    True = 1,
    False = 2,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Enumeration)]
#[repr(i32)]
pub(super) enum Severity {
    Unspecified = 0,
    Fatal = 1,
    Warning = 2,
    Normal = 3,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Enumeration)]
#[repr(i32)]
pub(super) enum Target {
    Unspecified = 0,
    Composite = 1,
    CompositeAndClaim = 2,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Enumeration)]
#[repr(i32)]
pub(super) enum Status {
    Unspecified = 0,
    Unknown = 1,
    True = 2,
    False = 3,
}

#[cfg(test)]
mod tests;
