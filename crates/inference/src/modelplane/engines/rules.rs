//! The rules of engines, labels and serving modes, as the definitions of deployments and replicas state them.
//!
//! Each function is a transform of a schema (`#[schemars(transform = …)]`).

use schemars::Schema;
use serde_json::{Value, json};
use toolbox::structural::{list_map, rule};

/// The rules of a template's labels, with what the messages call the template.
macro_rules! label_rules {
    ($schema:expr, $template:literal) => {{
        rule(
            "!has(self.labels) || self.labels.all(k, !k.startsWith('modelplane.ai/'))",
            concat!($template, ".labels keys must not use the reserved modelplane.ai/ prefix"),
        )($schema);
        rule(
            concat!("!has(self.labels) || self.labels.all(k, k.matches('", key!(), "'))"),
            concat!($template, ".labels keys must be valid Kubernetes label keys"),
        )($schema);
        rule(
            "!has(self.labels) || self.labels.all(k, k.split('/')[0].size() <= 253)",
            concat!($template, ".labels key prefixes must be DNS subdomains of at most 253 characters"),
        )($schema);
        rule(
            "!has(self.labels) || self.labels.all(k, self.labels[k].matches('^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$'))",
            concat!($template, ".labels values must be valid Kubernetes label values"),
        )($schema);
    }};
}

/// A pattern for the keys of labels and annotations, inside a string of CEL.
macro_rules! key {
    () => {
        r"^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$"
    };
}

/// The `metadata` of a template for replicas.
pub(crate) fn replica_metadata(schema: &mut Schema) {
    label_rules!(schema, "template.metadata");
}

/// The `metadata` of the template of a member.
pub(crate) fn member_metadata(schema: &mut Schema) {
    label_rules!(schema, "member template.metadata");
    rule(
        concat!("!has(self.annotations) || self.annotations.all(k, k.matches('", key!(), "'))"),
        "member template.metadata.annotations keys must be valid Kubernetes annotation keys",
    )(schema);
    rule(
        "!has(self.annotations) || self.annotations.all(k, k.split('/')[0].size() <= 253)",
        "member template.metadata.annotations key prefixes must be DNS subdomains of at most 253 characters",
    )(schema);
}

/// Labels, with the bounds of Kubernetes.
pub(crate) fn labels(schema: &mut Schema) {
    entries(schema, 63);
}

/// Annotations, with bounds.
pub(crate) fn annotations(schema: &mut Schema) {
    entries(schema, 8_192);
}

/// The engines of a deployment.
pub(crate) fn wanted_engines(schema: &mut Schema) {
    engines(
        schema,
        "an engine must be either a single Standalone member or one Leader and one or more Workers",
        "self.members.exists(m, has(m.nodeSelector))",
        "at least one member of an engine must carry a nodeSelector requesting devices",
    );
}

/// The engines of a replica.
pub(crate) fn placed_engines(schema: &mut Schema) {
    engines(
        schema,
        "an engine must be either a single Standalone member or one Leader and one Worker member",
        "self.members.exists(m, has(m.deviceRequests))",
        "at least one member of an engine must carry deviceRequests",
    );
}

/// The object with serving mode and engines: which engine has which phase.
pub(crate) fn serving(schema: &mut Schema) {
    rule(
        "!has(self.serving) || self.serving.mode != 'PrefillDecode' || size(self.engines) == 2",
        "PrefillDecode serving requires exactly two engines (one Prefill, one Decode)",
    )(schema);
    rule(
        "!has(self.serving) || self.serving.mode != 'PrefillDecode' || self.engines.exists_one(e, has(e.phase) && e.phase == 'Prefill')",
        "PrefillDecode serving requires exactly one engine with phase Prefill",
    )(schema);
    rule(
        "!has(self.serving) || self.serving.mode != 'PrefillDecode' || self.engines.exists_one(e, has(e.phase) && e.phase == 'Decode')",
        "PrefillDecode serving requires exactly one engine with phase Decode",
    )(schema);
    rule(
        "(has(self.serving) && self.serving.mode == 'PrefillDecode') || !self.engines.exists(e, has(e.phase))",
        "engine phase may only be set when serving.mode is PrefillDecode",
    )(schema);
}

/// The serving mode of a deployment. It must have a mode, and has a default for it.
pub(crate) fn with_mode(schema: &mut Schema) {
    schema.insert("required".to_owned(), json!(["mode"]));
}

/// A list of engines, and the rules for each.
fn engines(schema: &mut Schema, shape: &'static str, devices: &'static str, claims: &'static str) {
    list_map("name")(schema);
    let Some(Value::Object(items)) = schema.get_mut("items") else { return };
    items.insert(
        "x-kubernetes-validations".to_owned(),
        json!([{"rule": SHAPE, "message": shape}, {"rule": devices, "message": claims}]),
    );
}

/// The two shapes that an engine can have.
const SHAPE: &str = "(self.members.size() == 1 && self.members[0].role == 'Standalone') || (self.members.exists_one(m, m.role == 'Leader')\n    \
                     && self.members.exists(m, m.role == 'Worker')\n    && !self.members.exists(m, m.role == 'Standalone'))";

/// A map with at most 32 entries, whose values have at most so many characters.
fn entries(schema: &mut Schema, longest: u32) {
    schema.insert("maxProperties".to_owned(), json!(32));
    schema.insert("additionalProperties".to_owned(), json!({"type": "string", "maxLength": longest}));
}
