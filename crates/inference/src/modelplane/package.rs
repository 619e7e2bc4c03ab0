//! The Configuration package with the kinds, and what all of their definitions have.

use schemars::{JsonSchema, Schema};
use serde_json::{Value, json};
use toolbox::published::{Composition, Package, PipelineStep, Published};
use toolbox::structural::schema_of;

use crate::{options, providers};

/// What the kinds have in common. Each adds its columns, Compositions and schema.
pub(crate) const COMMON: Published =
    Published { package: &PACKAGE, categories: &["crossplane", "modelplane"], ..Published::NONE };

const PACKAGE: Package = Package {
    name: "modelplane",
    description: "Models on a fleet of GPU clusters, with the API of Modelplane",
    readme: "A model with a number of replicas is placed on the clusters that have room and devices for it, and served at one address. \
             The kinds, and what they become, are those of Modelplane v0.3.1.",
    // The first version with the scale subresource of composites.
    crossplane: ">=v2.3.0",
    dependencies: &providers::OF_MODELPLANE,
    apart: true,
    activation: Some("modelplane"),
};

/// A Composition. It has the name that it has in Modelplane, where it is the only one of its kind.
pub(crate) const fn composition(name: &'static str, steps: &'static [PipelineStep]) -> Composition {
    Composition { name, labels: &[], default: false, steps }
}

/// The only step of a Composition.
pub(crate) const fn step(name: &'static str) -> PipelineStep {
    PipelineStep { name, input: None }
}

/// The only step of a Composition, with what is better than v0.3.1 turned on.
pub(crate) const fn best_step(name: &'static str) -> PipelineStep {
    PipelineStep { name, input: Some(best) }
}

fn best(_api_version: &str) -> Value {
    json!({
        "apiVersion": options::API_VERSION,
        "kind": options::KIND,
        "modelplane": {
            "answers": "full", "placement": "complete", "accounting": "devices", "cachePlacement": "staged",
        },
    })
}

/// The schema of a kind with these types for `spec` and `status`.
pub(crate) fn schema<S: JsonSchema, T: JsonSchema>() -> Value {
    json!({
        "type": "object",
        "required": ["spec"],
        "properties": {"spec": schema_of::<S>(), "status": schema_of::<T>()},
    })
}

/// An integer of any size: without the bounds and the format of its Rust type (`#[schemars(transform = …)]`).
pub(crate) fn integer(schema: &mut Schema) {
    schema.remove("format");
    schema.remove("minimum");
}

/// A condition of a composite. Crossplane adds its fields to the definition.
#[derive(JsonSchema)]
pub(crate) struct StatusCondition {}
