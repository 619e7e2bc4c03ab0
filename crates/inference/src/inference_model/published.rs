//! How clusters get the kind. Crossplane adds columns of its own, so Age of the controller is left out.

use serde_json::{Value, json};
use toolbox::published::{Column, Composition, Package, PipelineStep, Published};
use toolbox::structural::schema_of;

use super::spec::{ModelSpec, ModelStatus};

pub(super) const PUBLISHED: Published = Published {
    package: &Package {
        name: "inference-model",
        description: "Models with memory budgets that sleep when nobody asks for them",
        readme: "A model has memory of a pool while it is active, sleeps when nobody asks for it, waits for what it depends on, and \
                 is told how much memory would be enough. The kind is that of the Inference Budget Controller's first release, whose \
                 models can be taken over as they run.",
        crossplane: ">=v2.3.1",
        dependencies: &[],
        apart: false,
        activation: None,
    },
    columns: &[
        Column { name: "Ready", column_type: "boolean", path: ".status.ready", priority: 0 },
        Column { name: "Replicas", column_type: "integer", path: ".status.replicas", priority: 0 },
        Column { name: "Memory", column_type: "string", path: ".spec.memory", priority: 0 },
    ],
    compositions: &[Composition {
        name: "inferencemodels.inference.eh-ops.io",
        labels: &[],
        default: false,
        steps: &[PipelineStep::COMPOSE],
    }],
    schema,
    ..Published::NONE
};

fn schema() -> Value {
    json!({
        "type": "object",
        "required": ["spec"],
        "properties": {"spec": schema_of::<ModelSpec>(), "status": schema_of::<ModelStatus>()},
    })
}
