//! Composites of a kind, made of what people may write.

use anyhow::{Context as _, Result};
use contract::catalog::ApiResource;
use contract::compose::ComposeRequest;
use serde_json::{Map, Value, json};
use tests::random::Random;

/// Composites of a kind.
pub(super) struct Subject {
    pub(super) what: &'static str,
    pub(super) api_version: &'static str,
    pub(super) kind: &'static str,
    /// How many must be allowed.
    pub(super) allowed: usize,
    /// The kinds of others that they become, which the API server does not have yet.
    pub(super) others: fn() -> Vec<ApiResource>,
    /// Objects that they name, each with a composite that gets a warning while the object does not exist.
    pub(super) named: fn() -> Result<Vec<(Value, Value)>>,
    pub(super) names: &'static [&'static str],
    /// Their section in the platform's options, and what may stand in it.
    pub(super) sections: (&'static str, &'static [&'static str]),
    /// The spec that one begins with.
    pub(super) spec: fn(&mut Random) -> Value,
    /// Fields, each with what people may write there.
    pub(super) fields: &'static [(&'static str, &'static str)],
    /// The most fields that are written into one.
    pub(super) most: usize,
    /// Fields that want another one beside them.
    pub(super) beside: &'static [(&'static str, &'static str, &'static str)],
    /// What a stored one becomes, with the options of its platform.
    pub(super) becomes: fn(&Value, &Value) -> Result<Vec<Value>>,
}

impl Subject {
    /// A composite with a few of the fields.
    pub(super) fn composite(&self, numbers: &mut Random) -> Result<Value> {
        let mut spec = (self.spec)(numbers);
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
            "metadata": {"name": numbers.pick(self.names)}, "spec": spec,
        }))
    }
}

/// For those that become no kind of others.
pub(super) fn none() -> Vec<ApiResource> {
    Vec::new()
}

/// For those that name no object.
pub(super) fn nothing() -> Result<Vec<(Value, Value)>> {
    Ok(Vec::new())
}

/// What a composite becomes, and what is inside.
pub(super) fn composed(stored: &Value, options: &Value) -> Result<Vec<Value>> {
    let request = ComposeRequest {
        composite: Some(stored.clone().into()),
        input: Some(options.clone()),
        ..ComposeRequest::default()
    };
    let response = module::compose(&request).map_err(|fault| anyhow::anyhow!("{stored}: {fault:?}"))?;
    let all = response.resources.into_values().flat_map(|desired| {
        let inside = desired.object.pointer("/spec/forProvider/manifest").cloned();
        std::iter::once(desired.object).chain(inside)
    });
    Ok(all.collect())
}

/// Sets a field, with the objects around it.
fn set(spec: &mut Value, at: &str, value: Value) {
    let mut place = spec;
    for field in at.split('/').skip(1) {
        if !place.is_object() && !place.is_array() {
            *place = Value::Object(Map::new());
        }
        place = match field.parse::<usize>() {
            Ok(index) if place.is_array() => &mut place[index],
            _ => &mut place[field],
        };
    }
    *place = value;
}
