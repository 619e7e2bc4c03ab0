//! Random objects for a schema: valid ones, and some with mistakes.

use std::sync::LazyLock;

use serde_json::{Map, Value, json};

use crate::definitions::Definition;
use tests::random::Random;

/// An object to validate, perhaps as an update of another.
pub(crate) struct Case {
    pub(crate) object: Value,
    /// The stored object, which may be invalid by the schema.
    pub(crate) old: Option<Value>,
}

/// Texts for every pattern, length and format: some are valid, most are not. `crates/schema` lists them with their
/// formats.
pub(crate) static TEXTS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let samples: Vec<Value> = serde_json::from_str(FORMATS).expect("JSON");
    samples.iter().map(|sample| sample["text"].as_str().expect("a text").to_owned()).collect()
});

const FORMATS: &str = include_str!("../../../crates/schema/tests/formats.json");

/// Numbers near bounds, with and without fractions, and at the ends of the ranges.
const NUMBERS: &[f64] = &[
    0.5,
    0.1,
    0.3,
    1.5,
    2.5,
    -0.5,
    1e6,
    1e-7,
    1e20,
    1e21,
    1e22,
    3.25,
    123_456_789.5,
    9_007_199_254_740_993.0,
    -3.0,
    1e19,
    7.0,
];
const INTEGERS: &[i64] =
    &[0, 1, 2, 3, 4, 6, -1, -3, -4, -7, 9, 10, 11, 97, 99, 100, 101, 1_000_000, i64::MAX, i64::MIN];

/// Objects of a definition. Three of ten are updates.
pub(crate) fn cases(random: &mut Random, definition: &Definition, count: usize) -> Vec<Case> {
    let case = |_| {
        let object = object(random, definition);
        let old = random.percent(30).then(|| {
            // Most parts stay as they were, because ratcheting accepts only mistakes that do not change.
            let same = random.percent(60);
            let mut old = if same { changed(random, definition, &object) } else { self::object(random, definition) };
            // Its metadata must be valid, because only the schema accepts everything when it is stored.
            old["metadata"] = json!({"name": "case", "namespace": "default"});
            old
        });
        Case { object, old }
    };
    (0..count).map(case).collect()
}

/// A value that is valid by its schema, as far as the generator knows.
pub(crate) fn sound(random: &mut Random, schema: &Value) -> Value {
    Maker { random, faults: 0, depth: 0, few: false }.value(schema)
}

fn object(random: &mut Random, definition: &Definition) -> Value {
    let faults = *random.pick(&[0, 2, 5, 10]);
    let real = definition.source["properties"]["spec"]["properties"]
        .as_object()
        .is_some_and(|fields| !fields.contains_key("f0"));
    let mut fields = json!({});
    let top = definition.source["properties"].as_object().cloned().unwrap_or_default();
    for (name, schema) in top.iter().filter(|(name, _)| !["apiVersion", "kind", "metadata"].contains(&name.as_str())) {
        if name == "spec" && !real {
            // One or two of the properties.
            let each = schema["properties"].as_object().cloned().unwrap_or_default();
            let names: Vec<_> = each.keys().cloned().collect();
            for _ in 0..1 + random.below(2) {
                let name = random.pick(&names);
                let maker = &mut Maker { random, faults, depth: 0, few: false };
                fields["spec"][name] = maker.value(&each[name]);
            }
        } else if name == "spec" || random.percent(20) {
            fields[name] = Maker { random, faults, depth: 0, few: real }.value(schema);
        }
    }
    if random.percent(faults) {
        fields["unknown"] = json!(1);
    }
    let mut object = definition.object(&fields);
    if random.percent(faults) {
        spoil_metadata(random, &mut object["metadata"]);
    }
    object
}

/// The object with one part generated again.
fn changed(random: &mut Random, definition: &Definition, object: &Value) -> Value {
    let other = self::object(random, definition);
    let mut changed = object.clone();
    let fields: Vec<String> = changed["spec"].as_object().into_iter().flatten().map(|(name, _)| name.clone()).collect();
    if fields.is_empty() || random.percent(40) {
        return changed;
    }
    let name = random.pick(&fields);
    match other["spec"].get(name) {
        Some(new) => changed["spec"][name] = new.clone(),
        None => changed["spec"] = other["spec"].clone(),
    }
    changed
}

fn spoil_metadata(random: &mut Random, metadata: &mut Value) {
    match random.below(9) {
        0 => metadata["labels"] = json!({"a b": "c"}),
        1 => metadata["labels"] = json!({"a": "c d"}),
        2 => metadata["annotations"] = json!({"a/b/c": "d"}),
        3 => metadata["labels"] = json!({"a": 1}),
        4 => metadata["finalizers"] = json!(["a b"]),
        5 => metadata["unknown"] = json!("x"),
        6 => metadata["ownerReferences"] = json!([{"apiVersion": "v1", "kind": "", "name": "x", "uid": "y"}]),
        7 => metadata["labels"] = json!({"/a": "", "b/": ""}),
        _ => metadata["finalizers"] = json!(["example.org/x", "orphan", "foregroundDeletion"]),
    }
}

struct Maker<'r> {
    random: &'r mut Random,
    /// The percentage of values that get a mistake on purpose.
    faults: usize,
    depth: usize,
    /// Whether only a few optional fields are generated, for objects with hundreds of them.
    few: bool,
}

impl Maker<'_> {
    fn value(&mut self, schema: &Value) -> Value {
        if self.random.percent(self.faults) {
            return self.wrong();
        }
        if let (Some(allowed), true) = (schema["enum"].as_array(), self.random.percent(85)) {
            return self.random.pick(allowed).clone();
        }
        if schema["x-kubernetes-int-or-string"] == true {
            return if self.random.percent(50) { self.integer(schema) } else { self.text(schema) };
        }
        match schema["type"].as_str() {
            Some("string") => self.text(schema),
            Some("integer") => self.integer(schema),
            Some("number") => {
                if self.random.percent(50) {
                    self.integer(schema)
                } else {
                    self.number(schema)
                }
            }
            Some("boolean") => self.random.percent(50).into(),
            Some("array") => self.list(schema),
            Some("object") => self.object(schema),
            _ => json!({"x": 1}),
        }
    }

    fn wrong(&mut self) -> Value {
        match self.random.below(9) {
            0 | 1 => Value::Null,
            2 => json!("wrong"),
            3 => json!(97),
            4 => json!(1.5),
            5 => json!(true),
            6 => json!([1, null, "a"]),
            7 => json!({"wrong": {"x": null}}),
            _ => json!({}),
        }
    }

    fn text(&mut self, schema: &Value) -> Value {
        // A length at a bound or next to it, when there is a bound.
        let bound = ["minLength", "maxLength"].iter().find_map(|word| schema[word].as_u64());
        match bound.and_then(|bound| usize::try_from(bound).ok()) {
            Some(bound) if bound < 300 && self.random.percent(60) => {
                let length = (bound + self.random.below(3)).saturating_sub(1);
                let letter = *self.random.pick(&["a", "a", "a", "é", "7"]);
                letter.repeat(length).into()
            }
            _ => self.random.pick(&TEXTS).as_str().into(),
        }
    }

    fn integer(&mut self, schema: &Value) -> Value {
        if let (Some(bound), true) = (self.bound(schema), self.random.percent(60)) {
            #[expect(clippy::cast_possible_truncation, reason = "saturates, which is a fine value too")]
            let near = (bound as i64).saturating_add([-1, 0, 1][self.random.below(3)]);
            return near.into();
        }
        (*self.random.pick(INTEGERS)).into()
    }

    fn number(&mut self, schema: &Value) -> Value {
        if let (Some(bound), true) = (self.bound(schema), self.random.percent(60)) {
            return json!(bound + self.random.pick(&[-0.5, 0.0, 0.5, 0.001]));
        }
        json!(self.random.pick(NUMBERS))
    }

    fn bound(&mut self, schema: &Value) -> Option<f64> {
        let bounds: Vec<f64> =
            ["minimum", "maximum", "multipleOf"].iter().filter_map(|word| schema[word].as_f64()).collect();
        if bounds.is_empty() { None } else { Some(*self.random.pick(&bounds)) }
    }

    fn list(&mut self, schema: &Value) -> Value {
        let least = schema["minItems"].as_u64().unwrap_or(0);
        let most = schema["maxItems"].as_u64().map_or(least + 3, |most| (most + 1).min(least + 4));
        let mut count = least + self.random.below(usize::try_from(most - least + 1).unwrap_or(1)) as u64;
        if count > 0 && self.random.percent(self.faults) {
            count -= 1;
        }
        let mut items: Vec<Value> = (0..count.min(30)).map(|_| self.inner(&schema["items"])).collect();
        if let (Some(first), true) = (items.first().cloned(), self.random.percent(self.faults * 2)) {
            items.push(first);
        }
        items.into()
    }

    fn object(&mut self, schema: &Value) -> Value {
        let mut fields = Map::new();
        if schema["x-kubernetes-embedded-resource"] == true {
            fields.extend(self.embedded());
        }
        let required: Vec<&str> =
            schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let chance = match (self.few, self.depth) {
            (true, 0) => 30,
            (true, _) => 20,
            (false, _) => 60,
        };
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            let wanted = if required.contains(&name.as_str()) { 100 - self.faults } else { chance };
            if self.random.percent(wanted) && self.depth < 12 {
                fields.insert(name.clone(), self.inner(property));
            }
        }
        let additional = &schema["additionalProperties"];
        if additional.is_object() || additional == true {
            for name in ["k1", "k.2/x", "apiVersion", "K3"].iter().take(self.random.below(5)) {
                let value = if additional.is_object() { self.inner(additional) } else { self.wrong() };
                fields.insert((*name).to_owned(), value);
            }
        } else if self.random.percent(self.faults) {
            fields.insert((*self.random.pick(&["unknown", "metadata", "A"])).to_owned(), self.wrong());
        }
        fields.into()
    }

    /// The fields that every embedded object should have.
    fn embedded(&mut self) -> Map<String, Value> {
        let mut fields = Map::new();
        if self.random.percent(100 - self.faults) {
            let versions = ["v1", "apps/v1", "a/b/c", ""];
            fields.insert(
                "apiVersion".into(),
                versions[if self.random.percent(80) { 0 } else { self.random.below(4) }].into(),
            );
        }
        if self.random.percent(100 - self.faults) {
            let kinds = ["ConfigMap", "config-Map", "-x", ""];
            fields.insert("kind".into(), kinds[if self.random.percent(80) { 0 } else { self.random.below(4) }].into());
        }
        if self.random.percent(60) {
            let mut metadata = json!({"name": "x"});
            match self.random.below(8) {
                0 => metadata["name"] = "a/b".into(),
                1 => metadata["namespace"] = "A".into(),
                2 => metadata["creationTimestamp"] = Value::Null,
                3 if self.faults > 0 => spoil_metadata(self.random, &mut metadata),
                _ => {}
            }
            fields.insert("metadata".into(), metadata);
        }
        fields
    }

    fn inner(&mut self, schema: &Value) -> Value {
        self.depth += 1;
        let value = self.value(schema);
        self.depth -= 1;
        value
    }
}
