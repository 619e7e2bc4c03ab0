//! Expressions, and what Kubernetes makes of them.

use serde_json::Value as Json;

use crate::engine::Subject;

const DEVICES: &str = include_str!("../../../crates/cel/tests/devices.json");
const RULES: &str = include_str!("../../../crates/cel/tests/rules.json");

/// All vectors, and what they are about.
pub struct Vectors {
    pub subjects: Vec<Subject>,
    pub all: Vec<Vector>,
}

/// One expression.
pub struct Vector {
    pub text: String,
    pub subject: usize,
    pub expected: Expected,
    /// What Kubernetes counts for the evaluation.
    pub cost: Option<u64>,
    /// What it counts at most, before any evaluation.
    pub worst: Option<u64>,
}

/// What Kubernetes makes of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    Value(bool),
    Refused,
    Error,
}

impl Vectors {
    pub fn read() -> Self {
        let [devices, rules] =
            [DEVICES, RULES].map(|text| serde_json::from_str::<Json>(text).expect("the vectors are JSON"));
        let mut subjects: Vec<Subject> = list(&devices["devices"]).iter().cloned().map(Subject::Device).collect();
        let rule = subjects.len();
        let part = |name: &str| rules[name].clone();
        subjects.push(Subject::Rule { schema: part("schema"), this: part("self"), old: part("oldSelf") });
        let selectors = list(&devices["cases"]).iter().map(selector);
        let all = selectors.chain(list(&rules["rules"]).iter().map(|case| validation(case, rule))).collect();
        Self { subjects, all }
    }
}

fn selector(case: &Json) -> Vector {
    let expected = match &case["expect"] {
        Json::Bool(value) => Expected::Value(*value),
        Json::String(text) if text == "compile error" => Expected::Refused,
        _ => Expected::Error,
    };
    let subject = usize::try_from(case["device"].as_u64().expect("an index")).expect("it is small");
    let text = case["expr"].as_str().expect("text").to_owned();
    Vector { text, subject, expected, cost: case["cost"].as_u64(), worst: None }
}

fn validation(case: &Json, subject: usize) -> Vector {
    let expected = match case["value"].as_bool() {
        Some(value) => Expected::Value(value),
        None if case["refused"].is_string() => Expected::Refused,
        None => Expected::Error,
    };
    let text = case["rule"].as_str().expect("text").to_owned();
    Vector { text, subject, expected, cost: case["cost"].as_u64(), worst: case["worst"].as_u64() }
}

fn list(json: &Json) -> &[Json] {
    json.as_array().expect("a list")
}
