//! Classes before they had lists of devices: of GPUs alone, of qualified keys, or of free ones.

use serde_json::{Map, Value, json};
use toolbox::entries::object;
use toolbox::path;

use super::moves::{begun, moved};
use super::shaped::{Misshapen, Shaped, given, remove};

/// The driver of GPUs, where a class does not say it.
const GPU_DRIVER: &str = "gpu.nvidia.com";
/// The domain of what is said of nodes.
const OF_NODES: &str = "modelplane.ai";
/// The number of GPUs of a node.
const GPU_COUNT: &str = "modelplane.ai/gpuCount";

/// What free keys say of GPUs: the attributes.
const FREE: &[(&str, &str)] = &[("gpu.architecture", "architecture"), ("gpu.product", "productName")];

/// Two fields that both say which devices there are.
const APART: &[(&str, &str)] = &[
    ("attributes", "devices"),
    ("capacity", "devices"),
    ("capabilities", "attributes"),
    ("capabilities", "capacity"),
    ("capabilities", "resources"),
];

/// A class in the shape of v0.3.1. `None` when it has that already.
///
/// # Errors
/// Everything that makes it no shape.
pub(super) fn class(object: &Value) -> Result<Option<Shaped>, Vec<Misshapen>> {
    let spec = &object["spec"];
    if !spec.is_object() {
        return Ok(None);
    }
    let mut wrong = Vec::new();
    let mut shaped = moved("InferenceClass", object, &mut wrong);
    let has = |field: &str| given(spec, field).is_some();
    let mixtures = APART.iter().filter(|(old, other)| has(old) && has(other));
    wrong.extend(mixtures.map(|(old, other)| Misshapen::mixed(&format!("spec.{old}"), &format!("spec.{other}"))));
    let earlier = ["resources", "attributes", "capacity", "capabilities"].map(|field| (field, has(field)));
    if !wrong.is_empty() {
        return Err(wrong);
    }
    if !earlier.iter().any(|(_, has)| *has) {
        // The definition says that devices are needed.
        return Ok(shaped);
    }
    let whole = begun(&mut shaped, object);
    let mut devices = Devices::default();
    if has("resources") {
        let gpu = &spec["resources"]["gpu"];
        let at = devices.place(GPU_DRIVER);
        devices.count = gpu["count"].as_u64();
        devices.says(at, "capacity", "memory", json!({"value": gpu["memory"]}));
        whole.written.made("spec.devices[0].capacity.memory", "spec.resources.gpu.memory");
        for field in ["count", "memory"].into_iter().filter(|field| gpu[*field].is_null()) {
            wrong.push(Misshapen::missing(&format!("spec.resources.gpu.{field}")));
        }
        if has("devices") {
            wrong.extend(contradiction(&spec["devices"], gpu));
        }
    }
    for map in ["attributes", "capacity"] {
        for (key, value) in spec[map].as_object().into_iter().flatten() {
            let place = path::key(&format!("spec.{map}"), key);
            match (key.as_str(), key.split_once('/')) {
                (GPU_COUNT, _) => match count(value) {
                    Some(other) if devices.count.is_some_and(|count| count != other) => {
                        wrong.push(Misshapen::mixed(&place, "spec.resources.gpu.count"));
                    }
                    Some(count) => devices.count = Some(count),
                    None => wrong.push(Misshapen::invalid(&*place, "give a number of devices")),
                },
                (_, None) => {
                    let message = format!("a key must be like `{GPU_DRIVER}/memory`, with the domain");
                    wrong.push(Misshapen::invalid(&*place, message));
                }
                (_, Some((domain, name))) => {
                    let said = if map == "capacity" { capacity(value) } else { attribute(value) };
                    let at = devices.place(domain);
                    let stated = devices.found.get(at).and_then(|(_, device)| device[map].get(name));
                    if stated.is_some_and(|stated| *stated != said) {
                        wrong.push(Misshapen::mixed(&place, "spec.resources.gpu.memory"));
                        continue;
                    }
                    whole.written.place(path::key(&format!("spec.devices[{at}].{map}"), name), place);
                    devices.says(at, map, name, said);
                }
            }
        }
    }
    if has("resources") {
        // What is inside comes first.
        whole.written.place("spec.devices[0]", "spec.resources.gpu");
    }
    let free = |key: &str| spec["capabilities"].get(key).filter(|value| !value.is_null());
    if has("capabilities") && !has("devices") {
        let at = devices.place(GPU_DRIVER);
        devices.count = free("gpu.count").and_then(Value::as_u64);
        if let Some(memory) = free("gpu.vramGiB").and_then(Value::as_u64) {
            devices.says(at, "capacity", "memory", json!({"value": format!("{memory}Gi")}));
        }
        for (key, name) in FREE {
            if let Some(value) = free(key) {
                devices.says(at, "attributes", name, of_scalar(value));
            }
        }
        whole.written.made("spec.devices", "spec.capabilities");
    }
    for (field, _) in earlier {
        remove(&mut whole.object, &format!("spec.{field}"));
    }
    if !has("devices") {
        path::set(&mut whole.object, "spec.devices", devices.list());
    }
    if wrong.is_empty() { Ok(shaped) } else { Err(wrong) }
}

/// The devices that are found, by driver, in order.
#[derive(Default)]
struct Devices {
    found: Vec<(String, Value)>,
    /// The number of GPUs.
    count: Option<u64>,
}

impl Devices {
    fn place(&mut self, driver: &str) -> usize {
        if let Some(place) = self.found.iter().position(|(known, _)| known == driver) {
            return place;
        }
        let device = if driver == OF_NODES {
            json!({"name": "node", "claim": "Synthetic", "driver": driver, "count": 1})
        } else {
            // The first device is the GPU; others are called after their driver.
            let first = !self.found.iter().any(|(known, _)| known != OF_NODES);
            let name = if first { "gpu" } else { driver };
            json!({"name": name, "claim": "DRA", "driver": driver, "deviceClassName": driver})
        };
        self.found.push((driver.to_owned(), device));
        self.found.len() - 1
    }

    /// Says something of a device. The name of an entry may have dots.
    fn says(&mut self, at: usize, map: &str, name: &str, value: Value) {
        let Some((_, device)) = self.found.get_mut(at) else { return };
        if device[map].is_null() {
            path::set(device, map, Value::Object(Map::new()));
        }
        if let Some(entries) = device[map].as_object_mut() {
            entries.insert(name.to_owned(), value);
        }
    }

    fn list(mut self) -> Value {
        if let Some(count) = self.count {
            let of = |is: &dyn Fn(&str) -> bool| self.found.iter().position(|(driver, _)| is(driver));
            let known = of(&|driver| driver.starts_with("gpu.")).or_else(|| of(&|driver| driver != OF_NODES));
            let place = known.unwrap_or_else(|| self.place(GPU_DRIVER));
            if let Some((_, device)) = self.found.get_mut(place) {
                path::set(device, "count", count.into());
            }
        }
        self.found.into_iter().map(|(_, device)| device).collect()
    }
}

/// What contradicts the first GPU of a list of devices.
fn contradiction(devices: &Value, gpu: &Value) -> Option<Misshapen> {
    let device = devices.as_array()?.iter().find(|device| device["name"] == "gpu")?;
    let other = |at: &str, said: &Value| given(device, at).is_some_and(|stated| stated != said);
    let differs = other("count", &gpu["count"]) || other("capacity.memory.value", &gpu["memory"]);
    differs.then(|| Misshapen::mixed("spec.resources.gpu", "spec.devices"))
}

/// The amount of a capacity: `{value: …}`, or the amount itself.
fn capacity(value: &Value) -> Value {
    match value {
        Value::Number(number) => json!({"value": number.to_string()}),
        Value::String(_) => json!({"value": value}),
        _ => value.clone(),
    }
}

/// The whole number of a capacity.
fn count(value: &Value) -> Option<u64> {
    let amount = capacity(value);
    let text = given(&amount, "value").or_else(|| given(value, "int")).or_else(|| given(value, "integer"))?;
    text.as_u64().or_else(|| text.as_str()?.parse().ok())
}

/// An attribute with the names of its types that v0.3.1 has.
fn attribute(value: &Value) -> Value {
    let Some(fields) = value.as_object() else { return of_scalar(value) };
    let named = |(name, value): (&String, &Value)| {
        let name = match name.as_str() {
            "boolean" => "bool",
            "integer" => "int",
            name => name,
        };
        (name.to_owned(), value.clone())
    };
    Value::Object(object(fields.iter().map(named)))
}

/// A plain value, or one with its type, as an attribute.
fn of_scalar(value: &Value) -> Value {
    match value {
        Value::Bool(_) => json!({"bool": value}),
        Value::Number(_) => json!({"int": value}),
        Value::Object(fields) if fields.get("type").is_some_and(|it| it == "version") => {
            json!({"version": fields.get("value")})
        }
        _ => json!({"string": value}),
    }
}
