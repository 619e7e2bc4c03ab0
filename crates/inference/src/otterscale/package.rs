//! The Configuration package with the kinds, and what all of their definitions have.

use schemars::JsonSchema;
use serde_json::{Value, json};
use toolbox::published::{Composition, Package, PipelineStep, Published};
use toolbox::structural::schema_of;

use crate::providers;

/// What the kinds have in common. Each adds its columns, Compositions and schema.
pub(crate) const COMMON: Published = Published { package: &PACKAGE, categories: &["otterscale"], ..Published::NONE };

const PACKAGE: Package = Package {
    name: "otterscale",
    description: "Models served in the cluster itself, with the API of OtterScale's model operator",
    readme: "A model server with prefill and decode, an endpoint picker, a pool and a route; and weights as OCI artifacts. The kinds, \
             and what they become, are those of the model operator, whose services can be taken over as they run.",
    crossplane: ">=v2.3.0",
    dependencies: &[providers::KUBERNETES],
    apart: false,
    activation: None,
};

/// The only Composition of a kind.
pub(crate) const fn composition(name: &'static str) -> Composition {
    Composition { name, labels: &[], default: false, steps: &[PipelineStep::COMPOSE] }
}

/// The schema of a kind with these types for `spec` and `status`.
pub(crate) fn schema<S: JsonSchema, T: JsonSchema>() -> Value {
    json!({
        "type": "object",
        "required": ["spec"],
        "properties": {"spec": schema_of::<S>(), "status": schema_of::<T>()},
    })
}
