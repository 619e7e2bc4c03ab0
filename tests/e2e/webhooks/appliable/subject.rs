//! Composites of a kind, made of what people may write.

use anyhow::{Context as _, Result};
use contract::catalog::ApiResource;
use serde_json::{Map, Value, json};
use tests::random::Random;

use crate::site::NAMESPACE;

/// Composites of a kind.
pub(super) struct Subject {
    pub(super) what: &'static str,
    pub(super) api_version: &'static str,
    pub(super) kind: &'static str,
    /// How many must be allowed.
    pub(super) allowed: usize,
    /// The kinds of others that they become, which the API server does not have yet.
    pub(super) others: &'static [ApiResource],
    pub(super) names: &'static [&'static str],
    /// Their section in the platform's options, and what may stand in it.
    pub(super) sections: (&'static str, &'static [&'static str]),
    /// The spec that all begin with.
    pub(super) spec: fn() -> Value,
    /// Fields, each with what people may write there.
    pub(super) fields: &'static [(&'static str, &'static str)],
    /// The most fields that are written into one.
    pub(super) most: usize,
    /// Fields that want another one beside them.
    pub(super) beside: &'static [(&'static str, &'static str, &'static str)],
}

impl Subject {
    /// A composite with a few of the fields.
    pub(super) fn composite(&self, numbers: &mut Random) -> Result<Value> {
        let mut spec = (self.spec)();
        for _ in 0..=numbers.below(self.most) {
            let (at, values) = numbers.pick(self.fields);
            let values: Vec<Value> = serde_json::from_str(values).with_context(|| (*at).to_owned())?;
            set(&mut spec, at, numbers.pick(&values).clone());
            for (_, beside, value) in self.beside.iter().filter(|(of, ..)| of == at) {
                if spec.pointer(beside).is_none() {
                    set(&mut spec, beside, serde_json::from_str(value)?);
                }
            }
        }
        Ok(json!({
            "apiVersion": self.api_version, "kind": self.kind,
            "metadata": {"name": numbers.pick(self.names), "namespace": NAMESPACE}, "spec": spec,
        }))
    }
}

/// Sets a field, with the objects around it.
fn set(spec: &mut Value, at: &str, value: Value) {
    let mut place = spec;
    for field in at.split('/').skip(1) {
        if !place.is_object() {
            *place = Value::Object(Map::new());
        }
        place = &mut place[field];
    }
    *place = value;
}
