//! What an API server would refuse in pods, ports and routes.

use contract::types::{Code, Problem};
use serde_json::Value;
use toolbox::path;

use super::texts::{is_duration, is_host, is_key, is_label_value};
use crate::otterscale::quantities::amount;

/// How often metrics are read.
pub(super) const INTERVAL: &str = "spec.monitoring.podMonitor.interval";
/// The name of the port with metrics.
pub(super) const PORT_NAME: &str = "spec.monitoring.podMonitor.portName";
/// When the image of the model server is pulled.
pub(super) const PULL_POLICY: &str = "spec.engine.imagePullPolicy";
/// The folder of the weights.
pub(super) const MOUNT_PATH: &str = "spec.model.mountPath";
/// The port at which gateways ask the endpoint picker.
pub(super) const PICKER_PORT: &str = "spec.inferencePool.endpointPicker.port";
/// The host names of the route.
pub(super) const HOSTS: &str = "spec.httpRoute.hostnames";
/// The gateway of the route.
pub(super) const GATEWAY: &str = "spec.httpRoute.gatewayRef";
/// The memory that processes share.
const SHARED_MEMORY: &str = "spec.engine.sharedMemory";
/// The folder of the proxy's certificate.
const CERTIFICATES: &str = "spec.routingProxy.certPath";
/// The Secrets for registries.
pub(super) const PULL_SECRETS: &str = "spec.model.imagePullSecrets";

/// The most host names of an HTTPRoute.
const MOST_HOSTS: usize = 16;
/// The most bytes of the annotations of an object.
const MOST_ANNOTATED: usize = 256 * 1024;

/// Everything that would be refused.
pub(super) fn judge(object: &Value) -> Vec<Problem> {
    let mut problems = Vec::new();
    let text = |at: &str| path::get(object, at).and_then(Value::as_str).filter(|text| !text.is_empty());
    let mut refuse = |at: &str, code, message: &str| problems.push(Problem::new(at, code, message));
    if text(INTERVAL).is_some_and(|interval| !is_duration(interval)) {
        refuse(INTERVAL, Code::Invalid, "no duration of Prometheus; give one like `30s` or `1m30s`");
    }
    if text(PORT_NAME).is_some_and(|name| name.chars().count() > 15) {
        let message = "the name is longer than 15 characters, and no port of a pod can have it; choose a shorter one";
        refuse(PORT_NAME, Code::TooLong, message);
    }
    if text(PULL_POLICY).is_some_and(|policy| !["Always", "IfNotPresent", "Never"].contains(&policy)) {
        let message = "no policy that Kubernetes knows; give `Always`, `IfNotPresent` or `Never`";
        refuse(PULL_POLICY, Code::NotSupported, message);
    }
    if let Some(port @ (9003 | 9090)) = path::get(object, PICKER_PORT).and_then(Value::as_i64) {
        let message =
            format!("the endpoint picker has port {port} for its health or its metrics already; choose another one");
        refuse(PICKER_PORT, Code::Invalid, &message);
    }
    let secrets = path::get(object, PULL_SECRETS).and_then(Value::as_array);
    if let Some(folder) = text(MOUNT_PATH) {
        let is_taken = folder == "/tmp/model-oci" || folder == "/.docker" && secrets.is_some_and(|all| !all.is_empty());
        if folder == "/dev/shm" && path::get(object, SHARED_MEMORY).is_some() {
            refuse(MOUNT_PATH, Code::Invalid, "`/dev/shm` is where processes share memory; choose another folder");
        } else if is_taken {
            let message = format!("`{folder}` is where the weights are unpacked from; choose another folder");
            refuse(MOUNT_PATH, Code::Invalid, &message);
        } else if folder.contains(':') {
            refuse(
                MOUNT_PATH,
                Code::Invalid,
                "the folder has a `:`, and nothing can be mounted there; choose another one",
            );
        }
    }
    if secrets.and_then(|all| all.first()).is_some_and(|first| first["name"].as_str().is_none_or(str::is_empty)) {
        let message = "the first Secret has no name, and its credentials are mounted; give its name";
        refuse(&path::index(PULL_SECRETS, 0), Code::Required, message);
    }
    if path::get(object, SHARED_MEMORY).and_then(amount).is_some_and(|size| size.sign() < 0) {
        problems.push(Problem::new(SHARED_MEMORY, Code::Invalid, "the size is negative; give one like `8Gi`"));
    }
    if path::get(object, CERTIFICATES).and_then(Value::as_str).is_some_and(|folder| folder.contains(':')) {
        let message = "the folder has a `:`, and nothing can be mounted there; choose another one";
        problems.push(Problem::new(CERTIFICATES, Code::Invalid, message));
    }
    problems.extend(["decode", "prefill"].iter().flat_map(|role| of_role(object, role)));
    problems.extend(route(object));
    problems
}

fn route(object: &Value) -> Vec<Problem> {
    let mut problems = Vec::new();
    let hosts = path::get(object, HOSTS).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    if hosts.len() > MOST_HOSTS {
        let message =
            format!("a route has at most {MOST_HOSTS} host names; give fewer, or none for all of the gateway");
        problems.push(Problem::new(HOSTS, Code::TooMany, message));
    }
    let odd = |(index, host): (usize, &Value)| {
        let message = "no route has such a host name; give one like `a.example.org` or `*.example.org`";
        (!host.as_str().is_some_and(is_host)).then(|| Problem::new(path::index(HOSTS, index), Code::Invalid, message))
    };
    problems.extend(hosts.iter().enumerate().filter_map(odd));
    let is_label = |text: &str| toolbox::names::is_subdomain(text) && !text.contains('.') && text.len() <= 63;
    let at = |field: &str| format!("{GATEWAY}.{field}");
    let text = |field: &str| path::get(object, &at(field)).and_then(Value::as_str).filter(|text| !text.is_empty());
    if text("name").is_some_and(|name| name.chars().count() > 253) {
        problems.push(Problem::new(
            at("name"),
            Code::TooLong,
            "the name is longer than 253 characters; no Gateway has it",
        ));
    }
    if text("namespace").is_some_and(|namespace| !is_label(namespace)) {
        let message = "no namespace is called so; give lower-case letters, digits and `-`";
        problems.push(Problem::new(at("namespace"), Code::Invalid, message));
    }
    problems
}

fn of_role(object: &Value, role: &str) -> Vec<Problem> {
    let at = |field: &str| format!("spec.{role}.{field}");
    let map = |field: &str| path::get(object, &at(field)).and_then(Value::as_object).into_iter().flatten();
    let mut problems = Vec::new();
    for (key, value) in map("nodeSelector") {
        if !is_key(key) || !value.as_str().is_some_and(is_label_value) {
            let message = "no node has such a label; give a key like `example.org/pool` and a value of at most 63 letters, digits, `-`, `_` and `.`";
            problems.push(Problem::new(path::key(&at("nodeSelector"), key), Code::Invalid, message));
        }
    }
    for (key, _) in map("annotations").filter(|(key, _)| !is_key(&key.to_ascii_lowercase())) {
        let message = "no annotation is called so; give a key like `example.org/owner`";
        problems.push(Problem::new(path::key(&at("annotations"), key), Code::Invalid, message));
    }
    let size: usize = map("annotations").map(|(key, value)| key.len() + value.as_str().map_or(0, str::len)).sum();
    if size > MOST_ANNOTATED {
        let message = format!("annotations have at most {MOST_ANNOTATED} bytes, and these have {size}; give less");
        problems.push(Problem::new(at("annotations"), Code::TooLong, message));
    }
    let tolerations = path::get(object, &at("tolerations")).and_then(Value::as_array).into_iter().flatten();
    for (index, it) in tolerations.enumerate() {
        let refused = |(field, message): (&str, &str)| {
            Problem::new(format!("{}.{field}", path::index(&at("tolerations"), index)), Code::Invalid, message)
        };
        problems.extend(toleration(it).map(refused));
    }
    problems
}

/// The field of a toleration that would be refused, and why.
fn toleration(toleration: &Value) -> Option<(&'static str, &'static str)> {
    let text = |field: &str| toleration[field].as_str().unwrap_or_default();
    let (key, operator, value, effect) = (text("key"), text("operator"), text("value"), text("effect"));
    if !key.is_empty() && !is_key(key) {
        return Some(("key", "no taint is called so; give a key like `nvidia.com/gpu`"));
    }
    if key.is_empty() && operator != "Exists" {
        return Some(("operator", "without a key every taint is meant; give `Exists`, or a key"));
    }
    if !matches!(operator, "" | "Equal" | "Exists") {
        return Some(("operator", "no operator that Kubernetes knows; give `Equal` or `Exists`"));
    }
    if operator == "Exists" && !value.is_empty() {
        return Some(("value", "with `Exists` every value is meant; remove the value"));
    }
    if !is_label_value(value) {
        return Some(("value", "no taint has such a value; give at most 63 letters, digits, `-`, `_` and `.`"));
    }
    if !matches!(effect, "" | "NoSchedule" | "PreferNoSchedule" | "NoExecute") {
        return Some((
            "effect",
            "no effect that Kubernetes knows; give `NoSchedule`, `PreferNoSchedule` or `NoExecute`",
        ));
    }
    if !toleration["tolerationSeconds"].is_null() && effect != "NoExecute" {
        return Some(("effect", "`tolerationSeconds` is for `NoExecute` only; give that, or remove the seconds"));
    }
    None
}
