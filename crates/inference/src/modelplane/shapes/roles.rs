//! Deployments before there were engines: one role that does all, or one for each of prefill and decode.

use serde_json::{Map, Value, json};
use toolbox::path;

use super::expressions::{self, Requests};
use super::moves::{begun, moved};
use super::shaped::{ClassTerm, Dropped, Misshapen, Shaped, Written, given, remove};

/// Fields outside the template, each of which makes the shape an earlier one.
const OUTSIDE: &[&str] =
    &["engines", "serving", "clusterSelector", "environmentSelector", "modelCacheRef", "source", "huggingFace"];
/// Fields of a role.
const ROLE: &[&str] =
    &["workers", "nodeSelector", "engine", "topology", "instances", "poolSelector", "parallelism", "pods"];
/// Fields of the object that has roles.
const ROLES: &[&str] = &["decode", "prefill"];

/// What a field of a role was called, the last name first.
const COPIES: &[&str] = &["workers.count", "instances", "pods"];
const TOPOLOGY: &[&str] = &["workers.topology", "topology", "parallelism"];
const SELECTOR: &[&str] = &["nodeSelector", "poolSelector"];
const POD: &[&str] = &["workers.template", "engine"];

/// The strategies of a topology, with the numbers that each needs.
const STRATEGIES: &[(&str, &[&str])] = &[
    ("Tensor", &["tensor"]),
    ("TensorPipeline", &["tensor", "pipeline"]),
    ("DataExpert", &["tensor", "data", "dataLocal"]),
];

/// The longest gang, and the most devices and copies, that v0.3.1 has.
const MOST: u64 = 64;

const TEMPLATE: &str = "spec.template";

/// A deployment in the shape of v0.3.1. `None` when it has that already.
///
/// # Errors
/// Everything that makes it no shape.
pub(super) fn deployment(object: &Value) -> Result<Option<Shaped>, Vec<Misshapen>> {
    let spec = &object["spec"];
    if !spec.is_object() {
        return Ok(None);
    }
    let has = |field: &&str| given(spec, field).is_some();
    let profile = spec["serving"].as_array();
    let roots: Vec<&str> = [OUTSIDE, ROLE, ROLES].concat().into_iter().filter(|field| has(field)).collect();
    let mut wrong = Vec::new();
    if has(&"template") {
        wrong.extend(roots.iter().map(|old| Misshapen::mixed(&format!("spec.{old}"), TEMPLATE)));
        return if wrong.is_empty() { Ok(None) } else { Err(wrong) };
    }
    let of_roles: Vec<&str> = [ROLE, ROLES].concat().into_iter().filter(|field| has(field)).collect();
    for together in ["engines", "serving"].into_iter().filter(has) {
        wrong.extend(of_roles.iter().map(|old| Misshapen::mixed(&format!("spec.{old}"), &format!("spec.{together}"))));
    }
    if has(&"engines") && profile.is_some() {
        wrong.push(Misshapen::mixed("spec.serving", "spec.engines"));
    }
    let (at, base) = match profile.map(Vec::as_slice) {
        None => ("spec", spec),
        Some([profile]) => ("spec.serving[0]", profile),
        Some(profiles) => {
            let message = format!(
                "{} profiles, of which there can be one; make a ModelDeployment of each, behind one ModelService",
                profiles.len()
            );
            wrong.push(Misshapen::invalid("spec.serving", message));
            ("spec", &Value::Null)
        }
    };
    let has_roles = profile.is_some() || !of_roles.is_empty();
    if !has_roles && !has(&"engines") {
        wrong.push(Misshapen::missing(TEMPLATE));
    }
    let mut shaped = moved("ModelDeployment", object, &mut wrong);
    if let (None, Some(serving)) = (profile, given(spec, "serving")) {
        let shaped = begun(&mut shaped, object);
        remove(&mut shaped.object, "spec.serving");
        path::set(&mut shaped.object, "spec.template.spec.serving", serving.clone());
        shaped.written.place("spec.template.spec.serving", "spec.serving");
    }
    let shaped = begun(&mut shaped, object);
    if has_roles && wrong.is_empty() {
        let mut roles = Roles { written: &mut shaped.written, wrong: &mut wrong };
        let (engines, apart) = roles.engines(at, base);
        [ROLE, ROLES, &["serving"]].concat().into_iter().for_each(|old| {
            remove(&mut shaped.object, &format!("spec.{old}"));
        });
        shaped.written.made("spec.template.spec.engines", at);
        path::set(&mut shaped.object, "spec.template.spec.engines", engines);
        if apart {
            path::set(&mut shaped.object, "spec.template.spec.serving", json!({"mode": "PrefillDecode"}));
        }
    }
    if wrong.is_empty() { Ok(Some(std::mem::take(shaped))) } else { Err(wrong) }
}

/// Makes engines of roles.
struct Roles<'s> {
    written: &'s mut Written,
    wrong: &'s mut Vec<Misshapen>,
}

impl Roles<'_> {
    /// The engines of a spec or profile, and whether prefill and decode are apart.
    fn engines(&mut self, at: &str, base: &Value) -> (Value, bool) {
        let role = |name: &str| given(base, name);
        let place = |name: &str| format!("{at}.{name}");
        if let Some(decode) = role("decode") {
            let own = ROLE.iter().filter(|field| role(field).is_some());
            self.wrong.extend(own.map(|field| Misshapen::mixed(&place(field), &place("decode"))));
            if role("prefill").is_none() {
                self.wrong.push(lonely(&place("decode"), &place("prefill")));
            }
            let prefill = self.engine(0, ("prefill", "Prefill"), &place("prefill"), &base["prefill"]);
            return (json!([prefill, self.engine(1, ("decode", "Decode"), &place("decode"), decode)]), true);
        }
        let Some(prefill) = role("prefill") else { return (json!([self.engine(0, ("main", ""), at, base)]), false) };
        if !ROLE.iter().any(|field| role(field).is_some()) {
            self.wrong.push(lonely(&place("prefill"), &place("decode")));
        }
        let prefill = self.engine(0, ("prefill", "Prefill"), &place("prefill"), prefill);
        (json!([prefill, self.engine(1, ("decode", "Decode"), at, base)]), true)
    }

    /// The engine of a role.
    fn engine(&mut self, index: usize, (name, phase): (&str, &str), at: &str, role: &Value) -> Value {
        let engine = format!("spec.template.spec.engines[{index}]");
        let (numbers, topology) = self.one_of(role, at, TOPOLOGY);
        let [nodes, devices] = self.topology(numbers, &topology);
        let (copies, count) = self.one_of(role, at, COPIES);
        let copies = copies.and_then(|copies| self.number(copies, &count));
        for (place, what, number) in [
            (&topology, "nodes", nodes),
            (&topology, "devices on each node", devices),
            (&count, "copies", copies.unwrap_or(1)),
        ] {
            if number > MOST {
                self.refuse(place, format!("{number} {what}; at most {MOST} are possible"));
            }
        }
        if let Some(per_node) = given(role, "poolSelector.perNode").filter(|it| it.as_u64() != Some(devices)) {
            let message = format!("{per_node}, while the topology has {devices} devices on each node; remove it");
            self.refuse(&format!("{at}.poolSelector.perNode"), message);
        }
        let (template, mut places) = self.pod(role, at);
        let (selector, selects) = self.one_of(role, at, SELECTOR);
        let requests = self.requests(selector.unwrap_or(&Value::Null), &selects, devices);
        if let Some(text) = requests.term {
            self.written.terms.push(ClassTerm { engine: index, text, path: format!("{selects}.cel") });
        }
        let mut made = vec![("worker", topology.clone())];
        if given(role, "nodeSelector.devices").is_none() {
            made.push(("nodeSelector.devices[0].count", topology.clone()));
            made.push(("nodeSelector.devices", format!("{selects}.cel")));
        }
        places.push(("nodeSelector", selects));
        places.push(("resources", format!("{at}.workers.resources")));
        let mut member = json!({"nodeSelector": {"devices": requests.devices}, "template": template});
        if let Some(resources) = given(role, "workers.resources") {
            member["resources"] = resources.clone();
        }
        let named = |role: &str| {
            let mut named = member.clone();
            named["role"] = role.into();
            named
        };
        let mut members = vec![named(if nodes > 1 { "Leader" } else { "Standalone" })];
        if nodes > 1 {
            let mut worker = named("Worker");
            worker["worker"] = json!({"nodes": nodes - 1});
            members.push(worker);
        }
        for number in 0..members.len() {
            let place = |new: &str| format!("{engine}.members[{number}].{new}");
            made.iter().for_each(|(new, old)| self.written.made(place(new), old));
            places.iter().for_each(|(new, old)| self.written.place(place(new), old));
        }
        self.written.made(format!("{engine}.copies"), count);
        self.written.made(format!("{engine}.members"), topology);
        self.written.made(engine, at);
        let mut named = json!({"name": name, "members": members});
        if let Some(copies) = copies {
            named["copies"] = copies.into();
        }
        if !phase.is_empty() {
            named["phase"] = phase.into();
        }
        named
    }

    /// Nodes of a worker, and devices on each of them.
    fn topology(&mut self, topology: Option<&Value>, at: &str) -> [u64; 2] {
        let Some(topology) = topology else { return [1, 1] };
        let place = |name: &str| format!("{at}.{name}");
        let [tensor, pipeline, data, local] = ["tensor", "pipeline", "data", "dataLocal"]
            .map(|name| given(topology, name).and_then(|value| self.number(value, &place(name))));
        if given(topology, "tensor").is_none() {
            self.wrong.push(Misshapen::missing(&place("tensor")));
        }
        if let Some(strategy) = given(topology, "strategy") {
            let row = STRATEGIES.iter().find(|(name, _)| strategy == name);
            let needed = row.map(|(_, needed)| needed.iter().filter(|name| given(topology, name).is_none()));
            let message = match needed.map(|missing| missing.copied().collect::<Vec<_>>()) {
                None => Some("give `Tensor`, `TensorPipeline` or `DataExpert`, or remove it".to_owned()),
                Some(missing) if !missing.is_empty() => Some(format!("the strategy needs {}", missing.join(" and "))),
                Some(_) if strategy == "TensorPipeline" && pipeline == Some(1) => {
                    Some("the strategy needs a pipeline of at least 2".to_owned())
                }
                Some(_) => None,
            };
            if let Some(message) = message {
                self.refuse(&place("strategy"), message);
            }
        }
        let (data, local) = (data.unwrap_or(1), local.unwrap_or(1));
        if data % local != 0 {
            let message = format!("{local} does not divide `data`, which is {data}: each node has as many");
            self.refuse(&place("dataLocal"), message);
        }
        [pipeline.unwrap_or(1).saturating_mul(data / local), tensor.unwrap_or(1).saturating_mul(local)]
    }

    /// The requests for devices that a selector makes.
    fn requests(&mut self, selector: &Value, at: &str, count: u64) -> Requests {
        let text = given(selector, "cel");
        if let Some(devices) = given(selector, "devices") {
            if text.is_some() {
                self.wrong.push(Misshapen::mixed(&format!("{at}.cel"), &format!("{at}.devices")));
            }
            return Requests { devices: devices.clone(), term: None };
        }
        if text.is_some_and(|text| !text.is_string()) {
            self.refuse(&format!("{at}.cel"), "give a text".to_owned());
        }
        expressions::requests(text.and_then(Value::as_str).unwrap_or_default(), count).unwrap_or_else(|message| {
            self.refuse(&format!("{at}.cel"), message);
            Requests::default()
        })
    }

    /// The template of the pods, and what its fields are called in the role.
    fn pod(&mut self, role: &Value, at: &str) -> (Value, Vec<(&'static str, String)>) {
        let (written, place) = self.one_of(role, at, POD);
        let written = written.unwrap_or(&Value::Null);
        if place.ends_with(".engine") {
            let mut container = written.as_object().cloned().unwrap_or_default();
            let mut spec = Map::new();
            if let Some(secrets) = container.remove("imagePullSecrets") {
                spec.insert("imagePullSecrets".to_owned(), secrets);
            }
            container.insert("name".to_owned(), "engine".into());
            spec.insert("containers".to_owned(), json!([container]));
            let secrets = ("template.spec.imagePullSecrets", format!("{place}.imagePullSecrets"));
            return (
                json!({"spec": spec}),
                vec![secrets, ("template.spec.containers[0]", place.clone()), ("template", place)],
            );
        }
        // The level `spec` came later.
        let inside = given(written, "spec");
        let under = if inside.is_some() { format!("{place}.spec") } else { place.clone() };
        let mut spec = inside.unwrap_or(written).as_object().cloned().unwrap_or_default();
        if inside.is_none() {
            spec.remove("metadata");
        }
        let mut kept = 0;
        if let Some(Value::Array(containers)) = spec.get_mut("containers") {
            kept = containers.iter().position(is_engine).unwrap_or_default();
            let others = containers.iter().enumerate().filter(|(_, container)| !is_engine(container));
            self.written.dropped.extend(others.map(|(index, container)| Dropped {
                path: format!("{under}.containers[{index}]"),
                message: format!(
                    "container `{}`: pods have the container `engine` alone",
                    container["name"].as_str().unwrap_or_default()
                ),
            }));
            containers.retain(is_engine);
        }
        let mut template = json!({"spec": spec});
        if let Some(metadata) = given(written, "metadata") {
            template["metadata"] = metadata.clone();
        }
        let container = ("template.spec.containers[0]", format!("{under}.containers[{kept}]"));
        (template, vec![container, ("template.spec", under), ("template", place)])
    }

    /// A field of a role by the name that it has, and its path. There can be one of them.
    fn one_of<'v>(&mut self, role: &'v Value, at: &str, names: &[&str]) -> (Option<&'v Value>, String) {
        let place = |name: &str| format!("{at}.{name}");
        let mut found = names.iter().filter_map(|name| Some((*name, given(role, name)?)));
        let first = found.next();
        let name = first.map_or(names.first().copied().unwrap_or_default(), |(name, _)| name);
        self.wrong.extend(found.map(|(other, _)| Misshapen::mixed(&place(other), &place(name))));
        (first.map(|(_, value)| value), place(name))
    }

    fn number(&mut self, value: &Value, at: &str) -> Option<u64> {
        let number = value.as_u64().filter(|number| *number > 0);
        if number.is_none() {
            self.refuse(at, "give a whole number of at least 1".to_owned());
        }
        number
    }

    fn refuse(&mut self, at: &str, message: String) {
        self.wrong.push(Misshapen::invalid(at, message));
    }
}

fn is_engine(container: &Value) -> bool {
    container["name"] == "engine"
}

/// One of two roles without the other.
fn lonely(path: &str, missing: &str) -> Misshapen {
    Misshapen::invalid(path, format!("prefill and decode belong together; add {missing}"))
}
