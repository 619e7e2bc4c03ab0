//! How clusters get the kind: package, columns, Compositions.

use serde_json::{Value, json};
use toolbox::published::{Column, Composition, Package, PipelineStep, Published};
use toolbox::structural::schema_of;

use super::spec::{Spec, Status};
use crate::providers;

pub(super) const PUBLISHED: Published = Published {
    package: &Package {
        name: "llm-inference",
        description: "LLM inference on Kubernetes with vLLM and Crossplane",
        readme: "One small resource names a model, a number of GPUs and a cluster; everything else that serves the model is \
                 derived from it.",
        crossplane: ">=v2.0.0",
        dependencies: &[providers::KUBERNETES],
        apart: false,
        activation: None,
    },
    labels: &[],
    categories: &[],
    columns: &[
        Column { name: "model", column_type: "string", path: ".spec.model", priority: 0 },
        Column { name: "gpu", column_type: "integer", path: ".spec.gpu", priority: 0 },
    ],
    scale: None,
    compositions: &[Composition {
        name: "llm-inference",
        labels: &[],
        default: false,
        steps: &[PipelineStep::COMPOSE],
    }],
    schema,
};

fn schema() -> Value {
    json!({
        "type": "object",
        "required": ["spec"],
        "properties": {"spec": schema_of::<Spec>(), "status": schema_of::<Status>()},
    })
}
