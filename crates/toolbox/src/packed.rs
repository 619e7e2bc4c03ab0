//! Large objects of third parties that a component embeds, such as definitions of custom resources: what occurs in them more than
//! once is written once. So they need a third of the room, and nothing but JSON to be read.
//!
//! A packed text is `{"objects": […], "parts": […]}`. An object `{"$": n}` stands for the part n. Parts only refer to parts before
//! them.

use serde_json::{Map, Value};

/// The key of a reference. No definition has a field of this name.
const REFERENCE: &str = "$";

/// The objects of a packed text. A text that is none gives none.
pub fn unpack(text: &str) -> Vec<Value> {
    let mut packed: Value = serde_json::from_str(text).unwrap_or_default();
    let mut list = |key: &str| match packed.get_mut(key).map(Value::take) {
        Some(Value::Array(items)) => items,
        _ => Vec::new(),
    };
    let (objects, packed_parts) = (list("objects"), list("parts"));
    let mut parts = Vec::new();
    for part in packed_parts {
        let part = whole(part, &parts);
        parts.push(part);
    }
    objects.into_iter().map(|object| whole(object, &parts)).collect()
}

/// A value with all parts that it refers to.
fn whole(value: Value, parts: &[Value]) -> Value {
    match value {
        Value::Object(fields) => {
            if let (1, Some(at)) = (fields.len(), fields.get(REFERENCE).and_then(Value::as_u64)) {
                let part = usize::try_from(at).ok().and_then(|at| parts.get(at));
                return part.cloned().unwrap_or_default();
            }
            let mut object = Map::new();
            object.extend(fields.into_iter().map(|(key, value)| (key, whole(value, parts))));
            Value::Object(object)
        }
        Value::Array(items) => items.into_iter().map(|item| whole(item, parts)).collect(),
        value => value,
    }
}

#[cfg(feature = "generate")]
pub use packing::pack;

#[cfg(feature = "generate")]
mod packing {
    use std::collections::BTreeMap;

    use super::*;

    /// Parts are longer than this: a shorter one is not worth a reference.
    const LEAST: usize = 40;

    /// The packed text of objects, with a line for each object and part.
    pub fn pack(objects: &[Value]) -> String {
        let mut packing = Packing::default();
        objects.iter().for_each(|object| packing.count(object));
        let objects: Vec<String> = objects.iter().map(|object| packing.inside(object).to_string()).collect();
        let lines = |texts: &[String]| texts.join(",\n");
        format!("{{\"objects\":[\n{}\n],\"parts\":[\n{}\n]}}\n", lines(&objects), lines(&packing.parts))
    }

    #[derive(Default)]
    struct Packing {
        counts: BTreeMap<String, usize>,
        places: BTreeMap<String, usize>,
        parts: Vec<String>,
    }

    impl Packing {
        /// Counts how often each part occurs. What is inside a part counts once, however often the part occurs.
        fn count(&mut self, value: &Value) {
            let count = self.counts.entry(value.to_string()).or_default();
            *count += 1;
            if *count > 1 {
                return;
            }
            match value {
                Value::Object(fields) => fields.values().for_each(|value| self.count(value)),
                Value::Array(items) => items.iter().for_each(|item| self.count(item)),
                _ => {}
            }
        }

        fn packed(&mut self, value: &Value) -> Value {
            let text = value.to_string();
            if text.len() <= LEAST || self.counts.get(&text).is_none_or(|count| *count < 2) {
                return self.inside(value);
            }
            let known = self.places.get(&text).copied();
            let place = known.unwrap_or_else(|| {
                let part = self.inside(value).to_string();
                self.parts.push(part);
                self.places.insert(text, self.parts.len() - 1);
                self.parts.len() - 1
            });
            serde_json::json!({REFERENCE: place})
        }

        fn inside(&mut self, value: &Value) -> Value {
            match value {
                Value::Object(fields) => {
                    let mut object = Map::new();
                    for (key, value) in fields {
                        object.insert(key.clone(), self.packed(value));
                    }
                    Value::Object(object)
                }
                Value::Array(items) => items.iter().map(|item| self.packed(item)).collect(),
                value => value.clone(),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn parts_are_put_in() {
        let text = r#"{"objects":[{"a":{"$":1}},[{"$":0},{"$":9}]],"parts":["long",{"b":{"$":0}}]}"#;
        assert_eq!(unpack(text), [json!({"a": {"b": "long"}}), json!(["long", null])]);
        assert_eq!(unpack("{}"), Vec::<Value>::new());
        assert_eq!(unpack("not JSON"), Vec::<Value>::new());
    }

    #[cfg(feature = "generate")]
    #[test]
    fn what_is_packed_is_unpacked() {
        let long = json!({"description": "a text that occurs in several of the objects", "type": "string"});
        let objects = [json!({"a": long, "b": {"c": long}}), json!([long, {"b": {"c": long}}]), json!(1)];
        let text = pack(&objects);
        assert_eq!(unpack(&text), objects);
        assert_eq!(text.matches("a text that occurs").count(), 1);
        assert_eq!(pack(&unpack(&text)), text);
    }
}
