//! What an API server would refuse in containers: resources, variables, images.

use contract::types::{Code, Problem};
use quantity::Quantity;
use serde_json::Value;
use toolbox::names::is_subdomain;
use toolbox::path;

use super::texts::is_key;
use crate::otterscale::data_keys::is_data_key;
use crate::otterscale::quantities::amount;

/// Fields with the resources of a container.
pub(super) const RESOURCES: [&str; 3] =
    ["spec.decode.resources", "spec.prefill.resources", "spec.inferencePool.endpointPicker.resources"];
/// Fields with the image of a container.
const IMAGES: [&str; 4] =
    ["spec.model.image", "spec.engine.image", "spec.routingProxy.image", "spec.inferencePool.endpointPicker.image"];
/// Fields with variables of model servers.
pub(super) const VARIABLES: [&str; 3] = ["spec.engine.env", "spec.decode.env", "spec.prefill.env"];
/// Fields of a pod that a variable may have.
const OF_POD: [&str; 9] = [
    "metadata.name",
    "metadata.namespace",
    "metadata.uid",
    "spec.nodeName",
    "spec.serviceAccountName",
    "status.hostIP",
    "status.hostIPs",
    "status.podIP",
    "status.podIPs",
];
/// Resources of a container that a variable may have.
const OF_CONTAINER: [&str; 6] = [
    "limits.cpu",
    "limits.memory",
    "limits.ephemeral-storage",
    "requests.cpu",
    "requests.memory",
    "requests.ephemeral-storage",
];

/// What resources for huge pages begin with. What follows is the size of a page.
const PAGES: &str = "hugepages-";

/// What an amount of processors may be divided by in a variable.
const OF_CPU: [&str; 2] = ["1m", "1"];
/// What an amount of bytes may be divided by.
const OF_BYTES: [&str; 13] = ["1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei"];

/// Everything that would be refused.
pub(super) fn judge(object: &Value) -> Vec<Problem> {
    let mut problems: Vec<Problem> = RESOURCES.iter().flat_map(|at| resources(object, at)).collect();
    problems.extend(IMAGES.iter().filter_map(|at| image(object, at)));
    problems.extend(VARIABLES.iter().flat_map(|at| variables(object, at)));
    problems
}

/// The list of variables at `at`.
fn variables(object: &Value, at: &str) -> Vec<Problem> {
    let all = path::get(object, at).and_then(Value::as_array).into_iter().flatten().enumerate();
    all.filter_map(|(index, variable)| self::variable(variable, &path::index(at, index))).collect()
}

fn image(object: &Value, at: &str) -> Option<Problem> {
    let image = path::get(object, at)?.as_str()?;
    let message = "no image is called so: the text has a blank at its start or end; remove it";
    (image.trim() != image).then(|| Problem::new(at, Code::Invalid, message))
}

/// What is wrong with the resources of a container. Kubernetes judges amounts of its own resources and of devices apart.
fn resources(object: &Value, at: &str) -> Vec<Problem> {
    let Some(resources) = path::get(object, at) else { return Vec::new() };
    let mut problems = Vec::new();
    // How many devices of its own there are follows from the parallelism, whatever is stated.
    let own = device(object);
    let names = |list: &str| resources[list].as_object().into_iter().flat_map(|all| all.keys()).cloned();
    let all: Vec<String> = names("requests").chain(names("limits")).collect();
    let has_pages = all.iter().any(|name| name.starts_with(PAGES));
    if has_pages && !all.iter().any(|name| matches!(name.as_str(), "cpu" | "memory")) {
        let message = "huge pages need an amount of `cpu` or `memory` beside them; give one";
        problems.push(Problem::new(at, Code::Invalid, message));
    }
    for list in ["requests", "limits"] {
        for (name, value) in resources[list].as_object().into_iter().flatten() {
            let place = path::key(&format!("{at}.{list}"), name);
            let mut refuse = |message: String| problems.push(Problem::new(place.as_str(), Code::Invalid, message));
            if !is_resource(name) {
                refuse(format!(
                    "no container has a resource `{name}`; give `cpu`, `memory`, `ephemeral-storage` or a device like `nvidia.com/gpu`"
                ));
                continue;
            }
            let Some(amount) = amount(value) else { continue };
            if amount.sign() < 0 {
                refuse("the amount is negative; give 0 or more".to_owned());
            } else if is_device(name) && !amount.rounded_up(0).1 {
                refuse(format!("`{name}` has only whole devices; give an integer"));
            } else if name.strip_prefix(PAGES).is_some_and(|size| !is_of_pages(&amount, size)) {
                refuse(
                    "huge pages have the size in their name, like `hugepages-2Mi`; give a multiple of it".to_owned(),
                );
            } else if list == "requests" && !(own == Some(name.as_str()) && is_of_role(at)) {
                refused_request(name, &amount, &resources["limits"][name]).into_iter().for_each(refuse);
            }
        }
    }
    if resources["claims"].as_array().is_some_and(|claims| !claims.is_empty()) {
        let message = "pods of a service have no claims that a container could name; remove the field";
        problems.push(Problem::new(format!("{at}.claims"), Code::Forbidden, message));
    }
    problems
}

/// The device that the service is for.
pub(super) fn device(object: &Value) -> Option<&'static str> {
    match path::get(object, "spec.accelerator.type").and_then(Value::as_str)? {
        "nvidia" => Some("nvidia.com/gpu"),
        "amd" => Some("amd.com/gpu"),
        "intel-gaudi" => Some("habana.ai/gaudi"),
        "google" => Some("google.com/tpu"),
        _ => None,
    }
}

fn is_of_role(at: &str) -> bool {
    !at.starts_with("spec.inferencePool")
}

/// Why a request would be refused beside its limit.
fn refused_request(name: &str, request: &Quantity, limit: &Value) -> Option<String> {
    let is_exact = is_device(name) || name.starts_with(PAGES);
    match amount(limit) {
        Some(limit) if *request > limit => {
            Some(format!("the request for `{name}` is over its limit; raise the limit or ask for less"))
        }
        Some(limit) if is_exact && *request < limit => {
            Some(format!("request and limit of `{name}` differ, and pods cannot share it; give the same amount"))
        }
        None if is_exact => {
            Some(format!("`{name}` has a request and no limit, and pods cannot share it; give a limit"))
        }
        _ => None,
    }
}

fn is_resource(name: &str) -> bool {
    if name.contains('/') {
        return is_key(name) && !name.starts_with("requests.");
    }
    matches!(name, "cpu" | "memory" | "ephemeral-storage") || name.starts_with(PAGES)
}

/// Whether an amount is a multiple of the size of a page.
fn is_of_pages(amount: &Quantity, size: &str) -> bool {
    let size = size.parse().ok().and_then(|size: Quantity| size.to_integer());
    size.is_some_and(|size| size > 0 && amount.ceil() % size == 0)
}

/// Whether it is a resource of nodes that others add to Kubernetes.
fn is_device(name: &str) -> bool {
    name.contains('/') && !name.contains("kubernetes.io/")
}

fn variable(variable: &Value, at: &str) -> Option<Problem> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let name = text(&variable["name"]);
    let printable = |character: char| matches!(character, ' '..='~') && character != '=';
    if name.is_empty() || !name.chars().all(printable) {
        let message = "no variable is called so; give printable ASCII characters without `=`";
        return Some(Problem::new(format!("{at}.name"), Code::Invalid, message));
    }
    let from = variable["valueFrom"].as_object()?;
    let at = format!("{at}.valueFrom");
    if !text(&variable["value"]).is_empty() {
        let message = "the variable has a value too, and only one of both can be; remove one";
        return Some(Problem::new(at, Code::Forbidden, message));
    }
    let mut sources = from.iter().filter(|(_, source)| !source.is_null());
    let (Some((source, it)), None) = (sources.next(), sources.next()) else {
        let message = "a variable comes from exactly one source; give one, like `secretKeyRef`";
        return Some(Problem::new(at, Code::Invalid, message));
    };
    let at = format!("{at}.{source}");
    let refused = |field: &str, message: &str| Some(Problem::new(format!("{at}.{field}"), Code::Invalid, message));
    match source.as_str() {
        "secretKeyRef" | "configMapKeyRef" => {
            if !is_subdomain(&text(&it["name"])) {
                return refused("name", "no object is called so; give lower-case letters, digits, `-` and `.`");
            }
            (!is_data_key(&text(&it["key"])))
                .then(|| refused("key", "no key is called so; give letters, digits, `-`, `_` or `.`"))?
        }
        "fieldRef" => {
            let field = text(&it["fieldPath"]);
            let subscript =
                |of: &str| field.strip_prefix(of).and_then(|rest| rest.strip_prefix("['")?.strip_suffix("']"));
            // Annotations may have capitals.
            let is_known = OF_POD.contains(&field.as_str())
                || subscript("metadata.labels").is_some_and(is_key)
                || subscript("metadata.annotations").is_some_and(|key| is_key(&key.to_ascii_lowercase()));
            if !matches!(text(&it["apiVersion"]).as_str(), "" | "v1") {
                return refused("apiVersion", "fields of pods are those of `v1`; give that, or nothing");
            }
            (!is_known)
                .then(|| refused("fieldPath", "no variable has this field of a pod; give one like `metadata.name`"))?
        }
        "resourceFieldRef" => {
            let resource = text(&it["resource"]);
            let is_known = OF_CONTAINER.contains(&resource.as_str())
                || ["limits.hugepages-", "requests.hugepages-"].iter().any(|known| resource.starts_with(known));
            if !is_known {
                return refused("resource", "no variable has this resource; give one like `limits.memory`");
            }
            let divisor = amount(&it["divisor"]).filter(|divisor| divisor.sign() != 0).map(|it| it.to_string());
            let divisors: &[&str] = if resource.ends_with(".cpu") { &OF_CPU } else { &OF_BYTES };
            (divisor.is_some_and(|divisor| !divisors.contains(&divisor.as_str()))).then(|| {
                refused("divisor", &format!("no variable has this divisor; give one of {}", divisors.join(", ")))
            })?
        }
        // A file of a volume of the pod: a service has no volume with such files.
        _ => refused("volumeName", "no volume of the pods has such files; give the value, or a Secret with it"),
    }
}
