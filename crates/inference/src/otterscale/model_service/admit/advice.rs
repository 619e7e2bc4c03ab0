//! Warnings about what an API server accepts, and what does not do what it seems to.

use contract::types::{Code, Problem};
use serde_json::Value;
use toolbox::path;

use super::containers::{VARIABLES, device};
use crate::otterscale::model_service::derive::role::{SIDE_CHANNEL, side_channel_port};
use crate::otterscale::quantities::amount;

/// Arguments of vLLM that are generated, with their short forms, and the fields that they come from.
const GENERATED: &[(&str, &str)] = &[
    ("--port", "spec.engine.port"),
    ("--served-model-name", "spec.model.name"),
    ("--tensor-parallel-size", "parallelism.tensor"),
    ("-tp", "parallelism.tensor"),
    ("--data-parallel-size", "parallelism.data"),
    ("-dp", "parallelism.data"),
    ("--data-parallel-size-local", "parallelism.dataLocal"),
    ("-dpl", "parallelism.dataLocal"),
];

/// All warnings that need no other object.
pub(super) fn judge(object: &Value) -> Vec<Problem> {
    let mut found = Vec::new();
    for role in ["decode", "prefill"] {
        found.extend(uneven(object, role));
        found.extend(overwritten(object, role));
    }
    found.extend(
        ["spec.engine.args", "spec.decode.args", "spec.prefill.args"].iter().flat_map(|at| repeated(object, at)),
    );
    found.extend(VARIABLES.iter().filter_map(|at| no_side_channel(object, at)));
    let has = |at: &str| path::get(object, at).is_some_and(|value| !value.is_null());
    if has("spec.prefill") && !has("spec.routingProxy") {
        let message = "prefill pods never get work, because there is no `spec.routingProxy`";
        found.push(Problem::new("spec.prefill", Code::Invalid, message));
    }
    let folder = path::get(object, "spec.routingProxy.certPath").and_then(Value::as_str);
    if folder.is_some_and(|folder| !folder.is_empty()) && !has("spec.routingProxy.certSecretRef") {
        let message = "nothing is mounted there; name a Secret in `certSecretRef`, unless the image of the proxy has the certificate";
        found.push(Problem::new("spec.routingProxy.certPath", Code::Invalid, message));
    }
    found
}

fn size(object: &Value, role: &str, field: &str) -> i64 {
    path::get(object, &format!("spec.{role}.parallelism.{field}")).and_then(Value::as_i64).unwrap_or(1)
}

fn uneven(object: &Value, role: &str) -> Option<Problem> {
    let (all, each) = (size(object, role, "data"), size(object, role, "dataLocal"));
    let message = format!("{each} copies in each pod do not divide {all} copies evenly");
    let at = format!("spec.{role}.parallelism.dataLocal");
    (each > 0 && all % each != 0).then(|| Problem::new(at, Code::Invalid, message))
}

/// Numbers of devices that the parallelism overwrites.
fn overwritten(object: &Value, role: &str) -> Vec<Problem> {
    let Some(device) = device(object) else { return Vec::new() };
    let count = size(object, role, "tensor").max(1).saturating_mul(size(object, role, "dataLocal").max(1));
    let lists = ["requests", "limits"].into_iter().map(|list| format!("spec.{role}.resources.{list}"));
    let stated = lists.filter_map(|at| Some((path::key(&at, device), path::get(object, &at)?.get(device)?)));
    let other = stated.filter(|(_, value)| amount(value).is_some_and(|amount| amount != count.into()));
    other
        .map(|(at, _)| {
            let message =
                format!("{count} of them are composed, which follows from the parallelism; remove the amount");
            Problem::new(at, Code::Invalid, message)
        })
        .collect()
}

/// Arguments that are generated too.
fn repeated(object: &Value, at: &str) -> Vec<Problem> {
    let args = path::get(object, at).and_then(Value::as_array).into_iter().flatten().enumerate();
    args.filter_map(|(index, arg)| {
        let arg = arg.as_str()?;
        let name = arg.split_once('=').map_or(arg, |(name, _)| name).replace('_', "-");
        let (name, field) = GENERATED.iter().find(|(known, _)| *known == name)?;
        let message =
            format!("`{name}` is generated from `{field}`, and the argument wins over it; set the field instead");
        Some(Problem::new(path::index(at, index), Code::Duplicate, message))
    })
    .collect()
}

/// The variable with the port of the side channel, when it states none.
fn no_side_channel(object: &Value, at: &str) -> Option<Problem> {
    let mut all = path::get(object, at)?.as_array()?.iter().enumerate();
    let (index, variable) = all.find(|(_, it)| it["name"] == SIDE_CHANNEL)?;
    let message =
        "the value is no port that can be read here, so pods do not show one for the side channel; give 1 to 65535";
    side_channel_port(variable).is_none().then(|| Problem::new(path::index(at, index), Code::Invalid, message))
}
