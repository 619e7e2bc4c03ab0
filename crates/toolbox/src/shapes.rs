//! Shapes of Kubernetes' own API that stand inside ours. Nothing is decided by them: they are handed on as they are written.
//!
//! Fields and descriptions in their schemas are those of `k8s-openapi`. `tests/shapes` writes `shapes.json` out of the types of
//! that crate, which the component never links; here stands only what we allow less than Kubernetes.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A toleration of a pod.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(transparent)]
pub struct Toleration(Value);

#[cfg(feature = "generate")]
mod schemas {
    use std::borrow::Cow;

    use schemars::{JsonSchema, Schema, SchemaGenerator};
    use serde_json::{Map, Value, json};

    use super::Toleration;

    impl JsonSchema for Toleration {
        fn schema_name() -> Cow<'static, str> {
            "Toleration".into()
        }

        fn inline_schema() -> bool {
            true
        }

        fn json_schema(_: &mut SchemaGenerator) -> Schema {
            shape(
                "Toleration",
                &[
                    ("effect", json!({"enum": ["NoSchedule", "PreferNoSchedule", "NoExecute"]})),
                    // The others compare numbers, behind a feature gate.
                    ("operator", json!({"enum": ["Exists", "Equal"]})),
                    ("tolerationSeconds", json!({"minimum": 0, "maximum": i32::MAX})),
                ],
            )
        }
    }

    /// The schema of a shape, where some fields are `narrowed`.
    fn shape(name: &str, narrowed: &[(&str, Value)]) -> Schema {
        let shapes: Map<String, Value> = serde_json::from_str(include_str!("shapes.json")).unwrap_or_default();
        let mut schema = shapes.get(name).cloned().unwrap_or_default();
        for (field, bounds) in narrowed {
            let property = schema["properties"][*field].as_object_mut();
            if let (Some(property), Value::Object(bounds)) = (property, bounds.clone()) {
                property.extend(bounds);
            }
        }
        Schema::try_from(schema).unwrap_or_default()
    }
}
