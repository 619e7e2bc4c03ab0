//! Expressions of earlier shapes that no device can answer: they are about the class of a pool, which is looked up.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use cel::{Declared, Entries, Environment, Key, Limits, Program, Text, Value as Cel};
use contract::compose::ComposeRequest;
use contract::types::ObservedObject;
use quantity::{Quantity, Version};
use serde_json::{Map, Value, json};

use super::neighbours::Neighbours;
use crate::modelplane::resources::{INFERENCE_CLASSES, INFERENCE_CLUSTERS};
use crate::modelplane::selectors::first_problem;
use crate::modelplane::shapes::{self, ClassTerm};

/// What all evaluations in one call may take: cost in the units of the API server, and about half a second of native code.
pub const MOST: Limits = Limits { cost: 10 * cel::device::BUDGET, work: 500_000_000 };

/// The classes of pools, and what expressions see of them.
#[derive(Debug, Default)]
pub struct ClassTerms {
    /// By cluster and pool, joined by `/`.
    classes: BTreeMap<String, String>,
    /// By class. Null for a class that does not exist.
    known: Map<String, Value>,
    /// The classes for which nobody has looked yet.
    asked: Vec<String>,
}

/// The expressions of the engines of a deployment, compiled.
pub struct CompiledTerms {
    programs: Vec<(usize, Program)>,
}

/// The name of the lookup of a class.
pub fn lookup(class: &str) -> String {
    format!("class-{class}")
}

impl ClassTerms {
    /// The classes of the pools of clusters, and what is known of them.
    pub fn read(request: &ComposeRequest, clusters: &[ObservedObject]) -> Self {
        let mut found = Self::default();
        for cluster in clusters.iter().filter_map(|cluster| cluster.object().ok()) {
            let shaped = shapes::as_released(INFERENCE_CLUSTERS.kind, cluster);
            for pool in shaped["spec"]["nodePools"].as_array().into_iter().flatten() {
                let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
                let (class, place) =
                    (text(&pool["className"]), [&cluster["metadata"]["name"], &pool["name"]].map(text));
                found.look(request, &class);
                found.classes.insert(place.join("/"), class);
            }
        }
        found
    }

    fn look(&mut self, request: &ComposeRequest, class: &str) {
        if class.is_empty() || self.known.contains_key(class) || self.asked.iter().any(|asked| asked == class) {
            return;
        }
        match request.lookups.get(&lookup(class)) {
            None => self.asked.push(class.to_owned()),
            Some(objects) => {
                let object = objects.first().and_then(|class| class.object().ok());
                self.known.insert(class.to_owned(), object.map(about).unwrap_or_default());
            }
        }
    }

    /// The classes.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.known.keys().chain(&self.asked).map(String::as_str)
    }

    /// Whether somebody has looked for every class.
    pub fn is_resolved(&self) -> bool {
        self.asked.is_empty()
    }

    /// Tells apart the devices of pools whose classes differ, and holds the replicas on clusters with a class that does not
    /// exist: nobody knows whether they still fit.
    pub fn apply(&self, neighbours: &mut Neighbours<'_>) {
        let mut apart: Vec<(usize, &str, usize)> = Vec::new();
        let mut unknown = Vec::new();
        for cluster in &mut neighbours.clusters {
            for (pool, devices) in cluster.read.pools.iter().zip(&mut cluster.devices) {
                let place = [cluster.read.name, pool.name].join("/");
                let class = self.classes.get(&place).map(String::as_str).unwrap_or_default();
                if self.known.get(class).is_none_or(Value::is_null) {
                    unknown.push(cluster.read.name);
                }
                let known =
                    apart.iter().find(|(list, of, _)| list == devices && *of == class).map(|(.., number)| *number);
                let number = known.unwrap_or_else(|| neighbours.devices.apart(*devices));
                if known.is_none() {
                    apart.push((*devices, class, number));
                    neighbours.classes.resize(number, String::new());
                    neighbours.classes.push(class.to_owned());
                }
                *devices = number;
            }
        }
        for replica in neighbours.replicas.iter_mut().filter(|it| it.ours && unknown.contains(&it.cluster)) {
            replica.engines = None;
        }
    }

    /// Whether an expression holds of a class. One that fails does not. `None` when nothing is left for the evaluation.
    pub fn holds(&self, program: &Program, class: &str, left: &mut Limits) -> Option<bool> {
        let Some(about) = self.known.get(class).filter(|about| !about.is_null()) else { return Some(false) };
        let limits = Limits { cost: left.cost.min(cel::device::BUDGET), work: left.work };
        let run = program.run_within(&[("self", value(about))], limits);
        left.cost = left.cost.saturating_sub(run.cost);
        left.work = left.work.saturating_sub(run.work);
        let holds = run.outcome.is_ok_and(|value| value.as_bool() == Some(true));
        (left.cost > 0 && left.work > 0).then_some(holds)
    }
}

impl CompiledTerms {
    /// Compiles expressions.
    ///
    /// # Errors
    /// The path of the first one that cannot be used, and why.
    pub fn compile(terms: &[ClassTerm]) -> Result<Self, (String, String)> {
        let compile = |ClassTerm { engine, text, path }: &ClassTerm| match Program::compile(&environment(), text) {
            Ok(program) => Ok((*engine, program)),
            Err(error) => Err((path.clone(), first_problem(&error))),
        };
        Ok(Self { programs: terms.iter().map(compile).collect::<Result<_, _>>()? })
    }

    /// The expression of an engine.
    pub fn of_engine(&self, engine: usize) -> Option<&Program> {
        self.programs.iter().find(|(known, _)| *known == engine).map(|(_, program)| program)
    }
}

/// The variable `self`: maps from keys to values of any type.
fn environment() -> Environment {
    static CLASS: LazyLock<Option<Declared>> = LazyLock::new(|| {
        let map = json!({"type": "object", "additionalProperties": {"x-kubernetes-int-or-string": true}});
        let properties = json!({"capabilities": map, "attributes": map, "capacity": map});
        Declared::from_schema(&json!({"type": "object", "properties": properties}), false)
    });
    CLASS.as_ref().map_or_else(Environment::device, |class| Environment::rule(class, false))
}

/// What expressions see of a class: `capabilities` as they are written, and the attributes and capacities of its devices, by
/// driver and name.
fn about(class: &Value) -> Value {
    let shaped = shapes::as_released(INFERENCE_CLASSES.kind, class);
    let mut about = json!({"capabilities": class["spec"]["capabilities"], "attributes": {}, "capacity": {}});
    for device in shaped["spec"]["devices"].as_array().into_iter().flatten() {
        let driver = device["driver"].as_str().unwrap_or_default();
        for map in ["attributes", "capacity"] {
            for (name, value) in device[map].as_object().into_iter().flatten() {
                let key = if name.contains('/') { name.clone() } else { format!("{driver}/{name}") };
                if let Some(entries) = about[map].as_object_mut() {
                    entries.entry(key).or_insert_with(|| value.clone());
                }
            }
        }
        if let (Some(count), Some(entries)) = (device["count"].as_u64(), about["capacity"].as_object_mut()) {
            let gpus = json!({"value": count.to_string()});
            if driver.starts_with("gpu.") {
                entries.entry("modelplane.ai/gpuCount").or_insert(gpus);
            }
        }
    }
    about
}

fn value(about: &Value) -> Cel<'_> {
    let maps = [("capabilities", free as fn(&Value) -> Cel<'_>), ("attributes", attribute), ("capacity", capacity)];
    let maps = maps.into_iter().map(|(name, read)| {
        let entries = about[name].as_object().into_iter().flatten();
        let entries: Entries<'_> =
            entries.map(|(key, value)| (Key::String(Text::borrowed(key)), read(value))).collect();
        (Key::String(Text::borrowed(name)), Cel::map(entries))
    });
    Cel::map(maps.collect())
}

/// A value of a free key: plain, a list, or one with its type.
fn free(value: &Value) -> Cel<'_> {
    match value {
        Value::Null => Cel::Null,
        Value::Bool(value) => Cel::Bool(*value),
        Value::Number(number) => {
            number.as_i64().map_or_else(|| Cel::Double(number.as_f64().unwrap_or_default()), Cel::Int)
        }
        Value::String(text) => Cel::text(text),
        Value::Array(items) => Cel::list(items.iter().map(free).collect()),
        Value::Object(fields) => match fields.get("type").and_then(Value::as_str) {
            Some("version") => version(&value["value"]),
            Some("quantity") => amount(&value["value"]),
            _ => Cel::map(fields.iter().map(|(key, value)| (Key::String(Text::borrowed(key)), free(value))).collect()),
        },
    }
}

fn attribute(value: &Value) -> Cel<'_> {
    match value.get("version") {
        Some(text) => version(text),
        None => value.as_object().and_then(|fields| fields.values().next()).map_or(Cel::Null, free),
    }
}

fn capacity(value: &Value) -> Cel<'_> {
    amount(value.get("value").unwrap_or(value))
}

/// A version. What is none is a text, which no version can be compared with.
fn version(value: &Value) -> Cel<'_> {
    match value.as_str().map(str::parse::<Version>) {
        Some(Ok(version)) => Cel::Version(Arc::new(version)),
        _ => free(value),
    }
}

fn amount(value: &Value) -> Cel<'_> {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    text.parse::<Quantity>().map_or_else(|_| free(value), Cel::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_about_classes() {
        #[track_caller]
        fn check(spec: Value, text: &str, want: bool) {
            let terms = [ClassTerm { engine: 0, text: text.to_owned(), path: String::new() }];
            let compiled = CompiledTerms::compile(&terms).expect(text);
            let known = Map::from_iter([("a".to_owned(), about(&json!({"spec": spec})))]);
            let classes = ClassTerms { known, ..ClassTerms::default() };
            let term = compiled.of_engine(0).expect("a term");
            assert_eq!(classes.holds(term, "a", &mut MOST.clone()), Some(want), "{text}");
            assert_eq!(classes.holds(term, "a", &mut Limits { cost: 1, work: 1 }), None, "{text}");
            assert_eq!(classes.holds(term, "b", &mut MOST.clone()), Some(false), "{text}");
        }
        let free = || {
            json!({"capabilities": {
                "gpu.count": 8, "gpu.vramGiB": 141, "gpu.features": ["fp8"], "cuda": {"type": "version", "value": "12.8.0"},
                "bandwidth": {"type": "quantity", "value": "400G"}, "share": 0.5, "mig": false,
            }})
        };
        check(free(), r#"self.capabilities["gpu.vramGiB"] >= 141 && "fp8" in self.capabilities["gpu.features"]"#, true);
        check(free(), r#"self.capabilities["gpu.vramGiB"] >= 142"#, false);
        check(free(), r#"self.capabilities["nope"] >= 142"#, false);
        check(free(), r#"self.capabilities["cuda"].isGreaterThan(semver("12.0.0"))"#, true);
        check(free(), r#"self.capabilities["bandwidth"].compareTo(quantity("100G")) > 0"#, true);
        check(free(), r#"self.capabilities["share"] < 1.0 && !self.capabilities["mig"]"#, true);
        check(free(), r#"self.capacity["modelplane.ai/gpuCount"].asInteger() == 8"#, true);
        let qualified = json!({
            "attributes": {"gpu.nvidia.com/architecture": {"string": "Hopper"}, "modelplane.ai/net": {"string": "tcp"}},
            "capacity": {"gpu.nvidia.com/memory": {"value": "80Gi"}},
        });
        let either = r#"self.attributes["gpu.nvidia.com/architecture"] == "Hopper" || self.attributes["modelplane.ai/net"] == "ib""#;
        check(qualified.clone(), either, true);
        check(qualified, r#"self.capacity["gpu.nvidia.com/memory"].compareTo(quantity("80Gi")) >= 0"#, true);
        let devices =
            json!([{"name": "gpu", "driver": "d", "attributes": {"a": {"version": "1.2.3"}, "e/b": {"int": 1}}}]);
        check(
            json!({"devices": devices}),
            r#"self.attributes["d/a"] == semver("1.2.3") && self.attributes["e/b"] == 1"#,
            true,
        );
        let bad =
            [ClassTerm { engine: 0, text: "self.capabilities[".to_owned(), path: "spec.nodeSelector.cel".to_owned() }];
        assert_eq!(CompiledTerms::compile(&bad).map(|_| ()).expect_err("no expression").0, "spec.nodeSelector.cel");
    }
}
