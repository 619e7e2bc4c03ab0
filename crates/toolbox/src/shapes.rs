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
pub use schemas::{AnyQuantity, AnyToleration, EnvVar, LocalObjectReference, ResourceRequirements};

#[cfg(feature = "generate")]
mod schemas {
    use std::borrow::Cow;

    use schemars::{JsonSchema, Schema, SchemaGenerator};
    use serde_json::{Map, Value, json};

    use super::{IngressTls, Toleration};
    use crate::path;

    /// A variable of a container (`v1`), as a CustomResourceDefinition states it.
    pub struct EnvVar;

    /// A reference to an object in the same namespace (`v1`), as a CustomResourceDefinition states it.
    pub struct LocalObjectReference;

    /// What a container asks for (`v1`), as a CustomResourceDefinition states it.
    pub struct ResourceRequirements;

    /// A toleration of a pod (`v1`) without bounds of ours.
    pub struct AnyToleration;

    /// A quantity: an integer or a text.
    pub struct AnyQuantity;

    /// The texts that are quantities. Kubernetes has this pattern in every CustomResourceDefinition.
    const QUANTITY: &str = r"^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$";

    fn quantity() -> Value {
        json!({"pattern": QUANTITY, "x-kubernetes-int-or-string": true})
    }

    /// A key of a ConfigMap or Secret, whose name may be left out.
    fn key_of() -> Value {
        json!({"required": ["key"], "x-kubernetes-map-type": "atomic"})
    }

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
    schema!(AnyToleration, "Toleration", &[]);
    schema!(
        EnvVar,
        "EnvVar",
        &[
            ("valueFrom.properties.configMapKeyRef", key_of()),
            ("valueFrom.properties.configMapKeyRef.properties.name", json!({"default": ""})),
            ("valueFrom.properties.fieldRef", json!({"x-kubernetes-map-type": "atomic"})),
            ("valueFrom.properties.fileKeyRef", json!({"x-kubernetes-map-type": "atomic"})),
            ("valueFrom.properties.fileKeyRef.properties.optional", json!({"default": false})),
            ("valueFrom.properties.resourceFieldRef", json!({"x-kubernetes-map-type": "atomic"})),
            (
                "valueFrom.properties.resourceFieldRef.properties.divisor",
                json!({"pattern": QUANTITY, "description": "Specifies the output format of the exposed resources, defaults to \"1\""})
            ),
            ("valueFrom.properties.secretKeyRef", key_of()),
            ("valueFrom.properties.secretKeyRef.properties.name", json!({"default": ""})),
        ]
    );
    schema!(
        LocalObjectReference,
        "LocalObjectReference",
        &[("name", json!({"default": ""})), (ITSELF, json!({"required": [], "x-kubernetes-map-type": "atomic"}))]
    );
    schema!(
        ResourceRequirements,
        "ResourceRequirements",
        &[
            ("claims", json!({"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"]})),
            // The description of a quantity would be longer than everything else.
            ("limits", json!({"additionalProperties": quantity()})),
            ("requests", json!({"additionalProperties": quantity()})),
        ]
    );
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

    impl JsonSchema for AnyQuantity {
        fn schema_name() -> Cow<'static, str> {
            "Quantity".into()
        }

        fn inline_schema() -> bool {
            true
        }

        fn json_schema(_: &mut SchemaGenerator) -> Schema {
            Schema::try_from(quantity()).unwrap_or_default()
        }
    }

    /// The shape itself, beside its fields.
    const ITSELF: &str = "";

    /// The schema of a shape, with further keywords for the fields in `changed`.
    fn shape(name: &str, changed: &[(&str, Value)]) -> Schema {
        let shapes: Map<String, Value> = serde_json::from_str(include_str!("shapes.json")).unwrap_or_default();
        let mut schema = shapes.get(name).cloned().unwrap_or_default();
        for (field, keywords) in changed {
            let at = if *field == ITSELF { String::new() } else { format!("properties.{field}") };
            let place = path::place(&mut schema, &at).and_then(Value::as_object_mut);
            if let (Some(property), Value::Object(keywords)) = (place, keywords.clone()) {
                property.extend(keywords);
            }
        }
        if schema["required"].as_array().is_some_and(Vec::is_empty) {
            schema.as_object_mut().map(|schema| schema.remove("required"));
        }
        Schema::try_from(schema).unwrap_or_default()
    }
}
