//! The earlier shapes of a ModelDeployment, as the shape of v0.3.1.
//!
//! | written | becomes, in `spec.template.spec` |
//! |---|---|
//! | `engines`, `serving`, `tolerations`, `clusterSelector`, `modelCacheRef` | the same field |
//! | `environmentSelector` | `clusterSelector` |
//! | `workers` | engine `main` |
//! | `workers` and `prefill`, or `decode` and `prefill` | engines `prefill` and `decode`, and mode `PrefillDecode` |
//! | `workers.count` | `copies` |
//! | `workers.topology`: n = pipeline × (data / dataLocal) nodes | one `Standalone` member, or a `Leader` and a `Worker` with n − 1 nodes |
//! | `workers.topology`: tensor × dataLocal devices on each node | the count of request `gpu` |
//! | `workers.template`, `engine` | the template of each member |
//! | `nodeSelector.devices` | the same |
//! | `nodeSelector.cel` | the selectors of request `gpu`, and of request `node` for what `modelplane.ai` says of nodes |

use serde_json::{Map, Value, json};

mod expressions;

/// A spec in the shape of v0.3.1.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shaped {
    /// The spec.
    pub spec: Value,
    /// Paths in this shape, and the paths that were written. Those of the inside come before those around it.
    pub paths: Vec<(String, String)>,
    /// The paths of containers that are dropped.
    pub dropped: Vec<String>,
}

/// What no shape can have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misshapen {
    /// The field.
    pub path: String,
    /// What is wrong, and what would be right.
    pub message: String,
}

/// Fields of the root that v0.1.0 has, and those that are its template's now.
const MOVED: &[(&str, &str)] = &[
    ("engines", "engines"),
    ("serving", "serving"),
    ("tolerations", "tolerations"),
    ("clusterSelector", "clusterSelector"),
    ("environmentSelector", "clusterSelector"),
    ("modelCacheRef", "modelCacheRef"),
];

/// Fields of the root before there were engines.
const BEFORE_ENGINES: &[&str] = &["workers", "nodeSelector", "engine", "prefill", "decode"];

/// The longest gang, and the most devices and copies, that v0.3.1 has.
const MOST: u64 = 64;

/// The `spec` of a deployment in the shape of v0.3.1. `None` when it has that already.
///
/// # Errors
/// Everything that makes it no shape: a mixture of several, or numbers that no gang has.
pub fn deployment(spec: &Value) -> Result<Option<Shaped>, Vec<Misshapen>> {
    let has = |field: &&str| spec.get(*field).is_some_and(|value| !value.is_null());
    let moved: Vec<_> = MOVED.iter().filter(|(old, _)| has(old)).collect();
    let roles: Vec<_> = BEFORE_ENGINES.iter().copied().filter(has).collect();
    if moved.is_empty() && roles.is_empty() {
        return Ok(None);
    }
    let mut wrong = Vec::new();
    let mut mixed = |old: &str, other: &str| {
        let message = format!("a mixture of shapes: spec.{old} and spec.{other} say the same; remove one of them");
        wrong.push(Misshapen { path: format!("spec.{old}"), message });
    };
    if has(&"template") {
        moved.iter().map(|(old, _)| *old).chain(roles.iter().copied()).for_each(|old| mixed(old, "template"));
    }
    for together in ["engines", "serving"].into_iter().filter(has) {
        roles.iter().for_each(|old| mixed(old, together));
    }
    if has(&"decode") {
        ["workers", "nodeSelector", "engine"].into_iter().filter(has).for_each(|old| mixed(old, "decode"));
    }
    if has(&"environmentSelector") && has(&"clusterSelector") {
        mixed("environmentSelector", "clusterSelector");
    }
    let lonely = if has(&"prefill") { !has(&"decode") && !has(&"workers") } else { has(&"decode") };
    if lonely && wrong.is_empty() {
        let (path, missing) = if has(&"prefill") { ("prefill", "decode") } else { ("decode", "prefill") };
        let message = format!("prefill and decode belong together; add spec.{missing}");
        wrong.push(Misshapen { path: format!("spec.{path}"), message });
    }
    if !wrong.is_empty() {
        return Err(wrong);
    }
    let mut shaped = Shaped::default();
    let mut template = Map::new();
    for (old, new) in moved {
        template.insert((*new).to_owned(), spec.get(*old).cloned().unwrap_or_default());
        shaped.paths.push((format!("spec.template.spec.{new}"), format!("spec.{old}")));
    }
    if !roles.is_empty() {
        let root = if has(&"decode") { "spec.decode" } else { "spec" };
        let decode = if has(&"decode") { spec.get("decode") } else { Some(spec) }.unwrap_or(&Value::Null);
        let prefill = spec.get("prefill").filter(|_| has(&"prefill"));
        let engines = match prefill {
            None => vec![engine(decode, root, 0, ("main", None), &mut shaped, &mut wrong)],
            Some(prefill) => vec![
                engine(prefill, "spec.prefill", 0, ("prefill", Some("Prefill")), &mut shaped, &mut wrong),
                engine(decode, root, 1, ("decode", Some("Decode")), &mut shaped, &mut wrong),
            ],
        };
        template.insert("engines".to_owned(), engines.into());
        if prefill.is_some() {
            template.insert("serving".to_owned(), json!({"mode": "PrefillDecode"}));
        }
    }
    shaped.spec = json!({"template": {"spec": template}});
    if let Some(replicas) = spec.get("replicas") {
        shaped.spec["replicas"] = replicas.clone();
    }
    if wrong.is_empty() { Ok(Some(shaped)) } else { Err(wrong) }
}

/// The engine of a role.
fn engine(
    role: &Value,
    at: &str,
    index: usize,
    (name, phase): (&str, Option<&str>),
    shaped: &mut Shaped,
    wrong: &mut Vec<Misshapen>,
) -> Value {
    let workers = &role["workers"];
    let topology = &workers["topology"];
    let axis = |name: &str| topology.get(name).and_then(Value::as_u64).unwrap_or(1).max(1);
    let (data, local) = (axis("data"), axis("dataLocal"));
    let place = |field: &str| format!("{at}.workers.{field}");
    let mut refuse = |field: &str, message: String| wrong.push(Misshapen { path: place(field), message });
    if data % local != 0 {
        refuse("topology.dataLocal", format!("{local} does not divide topology.data, which is {data}"));
    }
    let nodes = axis("pipeline").saturating_mul(data / local);
    let devices = axis("tensor").saturating_mul(local);
    let copies = workers.get("count").and_then(Value::as_u64).unwrap_or(1);
    for (field, what, number) in
        [("topology", "nodes", nodes), ("topology", "devices on each node", devices), ("count", "copies", copies)]
    {
        if number > MOST {
            refuse(field, format!("{number} {what}; at most {MOST} are possible"));
        }
    }
    let (template, dropped) = template(role, at);
    shaped.dropped.extend(dropped);
    let requests = match role["nodeSelector"].get("devices") {
        Some(devices) => devices.clone(),
        None => match expressions::requests(role["nodeSelector"]["cel"].as_str().unwrap_or_default(), devices) {
            Ok(requests) => requests,
            Err(message) => {
                wrong.push(Misshapen { path: format!("{at}.nodeSelector.cel"), message });
                Value::Null
            }
        },
    };
    let member = |role: &str| json!({"role": role, "nodeSelector": {"devices": requests}, "template": template});
    let members = if nodes > 1 {
        let mut worker = member("Worker");
        worker["worker"] = json!({"nodes": nodes - 1});
        vec![member("Leader"), worker]
    } else {
        vec![member("Standalone")]
    };
    let engine = format!("spec.template.spec.engines[{index}]");
    for number in 0..members.len() {
        let member = format!("{engine}.members[{number}]");
        let from = if role.get("engine").is_some() { format!("{at}.engine") } else { place("template") };
        shaped.paths.push((format!("{member}.template"), from));
        shaped.paths.push((format!("{member}.nodeSelector"), format!("{at}.nodeSelector")));
    }
    shaped.paths.push((format!("{engine}.copies"), place("count")));
    shaped.paths.push((engine, place("topology")));
    let mut made = json!({"name": name, "copies": copies, "members": members});
    if let Some(phase) = phase {
        made["phase"] = phase.into();
    }
    made
}

/// The template of a role's pods, and the paths of the containers that it does not take along.
fn template(role: &Value, at: &str) -> (Value, Vec<String>) {
    if let Some(engine) = role.get("engine").and_then(Value::as_object) {
        let mut container = engine.clone();
        let secrets = container.remove("imagePullSecrets");
        container.insert("name".to_owned(), "engine".into());
        let mut spec = json!({"containers": [container]});
        if let Some(secrets) = secrets {
            spec["imagePullSecrets"] = secrets;
        }
        return (json!({"spec": spec}), Vec::new());
    }
    let written = &role["workers"]["template"];
    // The level `spec` came later.
    let (mut spec, under) = match written.get("spec") {
        Some(spec) => (spec.clone(), "spec."),
        None => {
            let fields = ["containers", "imagePullSecrets"];
            let found = fields.iter().filter_map(|key| Some(((*key).to_owned(), written.get(*key)?.clone())));
            (found.collect(), "")
        }
    };
    let mut dropped = Vec::new();
    if let Some(containers) = spec.get_mut("containers").and_then(Value::as_array_mut) {
        let others = containers.iter().enumerate().filter(|(_, container)| container["name"] != "engine");
        dropped = others.map(|(index, _)| format!("{at}.workers.template.{under}containers[{index}]")).collect();
        containers.retain(|container| container["name"] == "engine");
    }
    let mut template = json!({"spec": spec});
    if let Some(metadata) = written.get("metadata") {
        template["metadata"] = metadata.clone();
    }
    (template, dropped)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn workers(topology: Value) -> Value {
        let template =
            json!({"spec": {"containers": [{"name": "engine", "image": "vllm"}, {"name": "proxy", "image": "p"}]}});
        json!({"count": 2, "topology": topology, "template": template})
    }

    #[test]
    fn the_shape_of_the_release_stays() {
        assert_eq!(deployment(&json!({"replicas": 1, "template": {"spec": {"engines": []}}})), Ok(None));
        assert_eq!(deployment(&json!({})), Ok(None));
    }

    #[test]
    fn topologies() {
        #[track_caller]
        fn check(topology: Value, nodes: u64, devices: u64) {
            let spec = json!({"replicas": 1, "workers": workers(topology)});
            let shaped = deployment(&spec).expect("a shape").expect("an earlier one");
            let engine = &shaped.spec["template"]["spec"]["engines"][0];
            let members = engine["members"].as_array().expect("members");
            assert_eq!(members.len(), if nodes > 1 { 2 } else { 1 });
            assert_eq!(members.last().expect("a member")["worker"]["nodes"].as_u64().unwrap_or(0) + 1, nodes);
            for member in members {
                assert_eq!(member["nodeSelector"]["devices"][0]["count"], devices);
            }
            assert_eq!((&engine["name"], &engine["copies"]), (&json!("main"), &json!(2)));
            assert_eq!(shaped.dropped, ["spec.workers.template.spec.containers[1]"]);
            assert_eq!(deployment(&shaped.spec), Ok(None), "once is enough");
        }
        check(json!({"tensor": 2}), 1, 2);
        check(json!({"tensor": 8, "pipeline": 2}), 2, 8);
        check(json!({"tensor": 1, "data": 16, "dataLocal": 8}), 2, 8);
        check(json!({"tensor": 2, "pipeline": 2, "data": 8, "dataLocal": 4}), 4, 8);
    }

    #[test]
    fn roles() {
        let role = json!({"workers": workers(json!({"tensor": 1}))});
        let both = json!({"replicas": 1, "decode": role, "prefill": role});
        let shaped = deployment(&both).expect("a shape").expect("an earlier one");
        let spec = &shaped.spec["template"]["spec"];
        assert_eq!(spec["serving"], json!({"mode": "PrefillDecode"}));
        let phases: Vec<_> = spec["engines"].as_array().into_iter().flatten().map(|it| it["phase"].as_str()).collect();
        assert_eq!(phases, [Some("Prefill"), Some("Decode")]);
        let root = json!({"replicas": 1, "workers": role["workers"], "prefill": role});
        assert_eq!(deployment(&root).expect("a shape").expect("an earlier one").spec, shaped.spec);
    }

    #[test]
    fn what_is_no_shape() {
        #[track_caller]
        fn check(spec: Value, paths: &[&str]) {
            let wrong = deployment(&spec).expect_err("no shape");
            assert_eq!(wrong.iter().map(|it| it.path.as_str()).collect::<Vec<_>>(), paths);
        }
        let one = || workers(json!({"tensor": 1}));
        check(json!({"template": {}, "workers": one()}), &["spec.workers"]);
        check(json!({"engines": [], "workers": one()}), &["spec.workers"]);
        check(json!({"decode": {}, "prefill": {}, "workers": one()}), &["spec.workers"]);
        check(json!({"decode": {}}), &["spec.decode"]);
        check(json!({"prefill": {}}), &["spec.prefill"]);
        check(json!({"workers": workers(json!({"data": 9, "dataLocal": 2}))}), &["spec.workers.topology.dataLocal"]);
        check(json!({"workers": workers(json!({"tensor": 65}))}), &["spec.workers.topology"]);
        let early = json!({"workers": one(), "nodeSelector": {"cel": "\"fp8\" in capabilities[\"gpu.features\"]"}});
        check(early, &["spec.nodeSelector.cel"]);
    }
}
