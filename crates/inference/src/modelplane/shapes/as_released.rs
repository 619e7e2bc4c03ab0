//! The shape of an object, by its kind.

use std::borrow::Cow;

use serde_json::Value;

use super::shaped::{Misshapen, Shaped};
use super::{classes, gateways, moves, roles};

/// An object of the API in the shape of v0.3.1. `None` when it has that already, or when its kind never had another one. It is
/// not validated: a value of the wrong type stays as it is, or is refused.
///
/// # Errors
/// Everything that makes it no shape: a mixture of several, or what no version can have.
pub fn of(kind: &str, object: &Value) -> Result<Option<Shaped>, Vec<Misshapen>> {
    match kind {
        "ModelDeployment" => roles::deployment(object),
        "ModelReplica" => replica(object),
        "InferenceClass" => classes::class(object),
        "InferenceCluster" | "ServingStack" => moved(kind, object),
        "InferenceGateway" => gateways::gateway(object),
        _ => Ok(None),
    }
}

/// An object of the API as it is in the shape of v0.3.1. What is no shape stays as it is.
pub fn as_released<'v>(kind: &str, object: &'v Value) -> Cow<'v, Value> {
    match of(kind, object) {
        Ok(Some(shaped)) => Cow::Owned(shaped.object),
        _ => Cow::Borrowed(object),
    }
}

fn replica(object: &Value) -> Result<Option<Shaped>, Vec<Misshapen>> {
    let spec = &object["spec"];
    let placed = ["clusterName", "inferenceClusterRef", "inferenceEnvironmentRef"];
    if spec.is_object() && placed.iter().all(|field| spec[*field].is_null()) {
        return Err(vec![Misshapen::missing("spec.clusterName")]);
    }
    moved("ModelReplica", object)
}

fn moved(kind: &str, object: &Value) -> Result<Option<Shaped>, Vec<Misshapen>> {
    let mut wrong = Vec::new();
    let shaped = moves::moved(kind, object, &mut wrong);
    if wrong.is_empty() { Ok(shaped) } else { Err(wrong) }
}
