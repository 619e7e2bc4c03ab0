//! Types of the Kubernetes API that are part of our own API. Kinds copy their values and do not read them.
//!
//! Fields and descriptions in their schemas come from `k8s-openapi`: `tests/shapes` generates `shapes.json` from the types
//! of that crate, which the component does not link. This file states only where we accept less than Kubernetes.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A certificate of an Ingress (`networking.k8s.io/v1`).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(transparent)]
pub struct IngressTls(Value);

/// A toleration of a pod (`v1`).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(transparent)]
pub struct Toleration(Value);

#[cfg(feature = "generate")]
mod schemas {
    use std::borrow::Cow;

    use schemars::{JsonSchema, Schema, SchemaGenerator};
    use serde_json::{Map, Value, json};

    use super::{IngressTls, Toleration};

    /// The schema of a type is that of the shape with this name in Kubernetes, with these further bounds for its fields.
    macro_rules! schema {
        ($type:ty, $name:literal, $narrowed:expr) => {
            impl JsonSchema for $type {
                fn schema_name() -> Cow<'static, str> {
                    $name.into()
                }

                fn inline_schema() -> bool {
                    true
                }

                fn json_schema(_: &mut SchemaGenerator) -> Schema {
                    shape($name, $narrowed)
                }
            }
        };
    }

    schema!(IngressTls, "IngressTLS", &[]);
    schema!(
        Toleration,
        "Toleration",
        &[
            ("effect", json!({"enum": ["NoSchedule", "PreferNoSchedule", "NoExecute"]})),
            // The other operators compare numbers and need a feature gate.
            ("operator", json!({"enum": ["Exists", "Equal"]})),
            ("tolerationSeconds", json!({"minimum": 0, "maximum": i32::MAX})),
        ]
    );

    /// The schema of a shape, with further bounds for the fields in `narrowed`.
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
