//! Objects that are made up by the definitions of the release get the same verdict, defaults and pruning from ours. They have no field
//! that only ours have.

use inference::KINDS;
use native::files::schemas;
use native::skipped::skip;
use schema::{Options, Schema, Unknown};
use serde_json::{Map, Value, json};
use toolbox::definition;

use super::released;

/// The kinds that clusters and the gateway are made of.
const KIND_NAMES: [&str; 9] = [
    "AKSCluster",
    "EKSCluster",
    "GKECluster",
    "InferenceClass",
    "InferenceCluster",
    "InferenceGateway",
    "NebiusCluster",
    "ServingStack",
    "VultrCluster",
];

/// How many objects of each kind.
const OBJECTS: usize = 1_200;

#[test]
fn are_treated_alike() {
    if !schemas().is_dir() {
        return skip(KIND_NAMES.len(), "definitions of Modelplane", "the folder with them (`SAILPLANE_CRDS`)");
    }
    let rows: Vec<_> =
        KINDS.rows.iter().filter(|row| row.api == "modelplane" && KIND_NAMES.contains(&row.kind)).collect();
    assert_eq!(rows.len(), KIND_NAMES.len());
    let mut random = Random(42);
    for row in rows {
        let of = |definition: &Value| definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"].clone();
        let theirs = of(&released(row));
        let read = |schema: &Value| Schema::read(schema).unwrap_or_else(|errors| panic!("{}: {errors:?}", row.kind));
        let (released, ours) = (read(&theirs), read(&of(&definition::definition(row))));
        let mut accepted = 0;
        for _ in 0..OBJECTS {
            let mut object = json!({"apiVersion": row.api_version, "kind": row.kind, "metadata": {"name": "a"}});
            if let Some(spec) = random.value(&theirs["properties"]["spec"], "spec") {
                object["spec"] = spec;
            }
            let options = Options { unknown: Unknown::Prune, ..Options::default() };
            let admit = |schema: &Schema| schema.admit(&object, &options);
            match (admit(&released), admit(&ours)) {
                (Ok(theirs), Ok(ours)) => {
                    assert_eq!(theirs.object, ours.object, "{object}");
                    accepted += 1;
                }
                (Err(_), Err(_)) => {}
                (Ok(_), Err(errors)) => panic!("{}: only ours refuse {object}: {errors:?}", row.kind),
                (Err(errors), Ok(_)) => panic!("{}: only theirs refuse {object}: {errors:?}", row.kind),
            }
        }
        // Neither all are good nor all are bad.
        assert!((OBJECTS / 20..OBJECTS).contains(&accepted), "{} accepts {accepted}", row.kind);
    }
}

/// A linear congruential generator, so that every run is the same.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    fn one_in(&mut self, bound: u64) -> bool {
        self.below(bound) == 0
    }

    fn of<'v>(&mut self, values: &'v [Value]) -> &'v Value {
        &values[usize::try_from(self.below(values.len() as u64)).expect("an index")]
    }

    /// A value that a schema allows, or now and then one that it does not. `None` when the field is left out.
    fn value(&mut self, schema: &Value, name: &str) -> Option<Value> {
        if self.one_in(60) {
            let odd = [json!(null), json!("odd"), json!(-1), json!(1.5), json!([]), json!({}), json!(true)];
            return Some(self.of(&odd).clone());
        }
        if let Some(values) = schema["enum"].as_array() {
            return Some(self.of(values).clone());
        }
        Some(match schema["type"].as_str().unwrap_or("object") {
            "boolean" => json!(self.one_in(2)),
            "integer" | "number" => self.number(schema),
            "string" => self.text(schema, name),
            "array" => self.list(schema, name),
            _ => self.object(schema),
        })
    }

    fn object(&mut self, schema: &Value) -> Value {
        let mut object = Map::new();
        let required: Vec<_> = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        for (name, field) in schema["properties"].as_object().into_iter().flatten() {
            let is_left_out = if required.contains(&name.as_str()) { self.one_in(80) } else { self.one_in(2) };
            if let Some(value) = (!is_left_out).then(|| self.value(field, name)).flatten() {
                object.insert(name.clone(), value);
            }
        }
        if let Some(values) = schema.get("additionalProperties").filter(|it| it.is_object()) {
            for name in ["x", "y"] {
                if let Some(value) = self.one_in(2).then(|| self.value(values, name)).flatten() {
                    object.insert(name.to_owned(), value);
                }
            }
        }
        if self.one_in(40) {
            object.insert("unknown".to_owned(), json!("field"));
        }
        Value::Object(object)
    }

    fn list(&mut self, schema: &Value, name: &str) -> Value {
        let bound = |key: &str| schema[key].as_u64();
        let least = bound("minItems").unwrap_or(0);
        let length = match bound("maxItems") {
            Some(most) if self.one_in(60) => most + 1,
            _ => least + self.below(3),
        };
        let mut items = Vec::new();
        for index in 0..length {
            let Some(mut item) = self.value(&schema["items"], name) else { continue };
            // Names of elements are mostly different.
            if item.get("name").is_some() && !self.one_in(20) {
                item["name"] = json!(format!("n{index}"));
            }
            items.push(item);
        }
        Value::Array(items)
    }

    fn number(&mut self, schema: &Value) -> Value {
        let bound = |key: &str| schema[key].as_i64();
        let (least, most) = (bound("minimum"), bound("maximum"));
        if self.one_in(40) {
            return json!(most.map_or_else(|| least.unwrap_or(0) - 1, |most| most + 1));
        }
        let known = [least.unwrap_or(0), most.unwrap_or(7), least.unwrap_or(0) + 1];
        json!(known[usize::try_from(self.below(3)).expect("an index")])
    }

    fn text(&mut self, schema: &Value, name: &str) -> Value {
        match schema["pattern"].as_str() {
            Some(pattern) if pattern.contains("cr-") => return json!("cr-0a1b"),
            Some(_) => return json!("a1"),
            None => {}
        }
        let bound = |key: &str| schema[key].as_u64();
        let (least, most) = (bound("minLength").unwrap_or(0), bound("maxLength"));
        let length = match (most, self.below(40)) {
            (Some(most), 0) => most + 1,
            (Some(most), 1) => most,
            (_, 2) => least,
            (_, 3) => least.saturating_sub(1),
            _ => return json!(if name == "value" { "23034Mi" } else { "abc" }),
        };
        json!("a".repeat(usize::try_from(length).expect("a length")))
    }
}
