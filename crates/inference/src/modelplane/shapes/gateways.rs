//! Gateways before they were Traefik's.

use serde_json::Value;
use toolbox::path;

use super::moves::{begun, moved};
use super::shaped::{Dropped, Misshapen, Shaped, given, remove};

/// What the software of a gateway was called.
const ENVOY: &[(&str, &str)] = &[("type", "Envoy"), ("backend", "EnvoyGateway")];

/// The version of Traefik's chart with which v0.3.1 was released.
const TRAEFIK: &str = "40.2.0";

/// A gateway in the shape of v0.3.1. `None` when it has that already.
///
/// # Errors
/// Everything that makes it no shape.
pub(super) fn gateway(object: &Value) -> Result<Option<Shaped>, Vec<Misshapen>> {
    let spec = &object["spec"];
    let mut wrong = Vec::new();
    if let (Some(_), Some(_)) = (given(spec, "type"), given(spec, "backend")) {
        wrong.push(Misshapen::mixed("spec.type", "spec.backend"));
    }
    let envoy = ENVOY.iter().find(|(field, name)| spec[*field] == *name).map(|(field, _)| format!("spec.{field}"));
    let of_envoy = given(spec, "envoyGateway").is_some();
    if of_envoy && given(spec, "traefik").is_some() {
        wrong.push(Misshapen::mixed("spec.envoyGateway", "spec.traefik"));
    }
    if !wrong.is_empty() {
        return Err(wrong);
    }
    let mut shaped = moved("InferenceGateway", object, &mut wrong);
    if let Some(old) = envoy {
        let shaped = begun(&mut shaped, object);
        remove(&mut shaped.object, &old);
        path::set(&mut shaped.object, "spec.backend", "Traefik".into());
        let message = "Envoy Gateway: the gateway is Traefik's".to_owned();
        shaped.written.dropped.push(Dropped { path: old.clone(), message });
        shaped.written.made("spec.backend", old);
        if given(spec, "traefik.version").is_none() {
            path::set(&mut shaped.object, "spec.traefik.version", TRAEFIK.into());
        }
    }
    if of_envoy {
        let shaped = begun(&mut shaped, object);
        remove(&mut shaped.object, "spec.envoyGateway");
        shaped.written.place("spec.traefik", "spec.envoyGateway");
    }
    if wrong.is_empty() { Ok(shaped) } else { Err(wrong) }
}
