//! Derived values as tables: where a value goes, why, and how it is got.
//!
//! A table of [`Rule`]s is the only statement of what a kind derives. [`Plan::of`] settles a table for one
//! composite: objects are spelled from the plan ([`Plan::to_value`]), `explain` prints it
//! ([`Plan::derivations`]), and documentation is written from the tables themselves ([`Table`]).

use contract::preview::Derivation;
use serde_json::Value;

use crate::path;

/// How one value is derived from inputs of type `I`.
#[derive(Debug)]
pub struct Rule<I> {
    /// The rule in words.
    pub stated: Stated,
    value: fn(&I) -> Option<Value>,
}

/// A rule in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stated {
    /// Where the value goes, in the object that the table is about.
    pub path: &'static str,
    /// Why it is what it is, for people: lower case, no final period.
    pub because: &'static str,
    /// The fields of the composite, or of the step's input (`input.…`), that it depends on. Empty for constants.
    pub causes: &'static [&'static str],
}

/// A row of a table. A `value` of `None` leaves the field out.
pub const fn rule<I>(
    path: &'static str,
    because: &'static str,
    causes: &'static [&'static str],
    value: fn(&I) -> Option<Value>,
) -> Rule<I> {
    Rule { stated: Stated { path, because, causes }, value }
}

/// A table in words, for documentation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// What the table is about, e.g. `VLLMRuntime`.
    pub subject: &'static str,
    /// Its rules, in order.
    pub rules: Vec<Stated>,
}

impl Table {
    /// The table in words.
    pub fn of<I>(subject: &'static str, rules: &'static [Rule<I>]) -> Self {
        Self { subject, rules: rules.iter().map(|rule| rule.stated).collect() }
    }
}

/// A table settled for one composite: the values it has, in the order of the rules.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan(Vec<(Stated, Value)>);

impl Plan {
    /// Settles every rule for `inputs`. This is where values are decided.
    pub fn of<I>(rules: &'static [Rule<I>], inputs: &I) -> Self {
        Self(rules.iter().filter_map(|rule| Some((rule.stated, (rule.value)(inputs)?))).collect())
    }

    /// The object whose fields the plan lists.
    pub fn to_value(&self) -> Value {
        let mut object = Value::Object(serde_json::Map::new());
        self.write(&mut object);
        object
    }

    /// The values and the rules that gave them, in order.
    pub fn values(&self) -> impl Iterator<Item = (&Stated, &Value)> {
        self.0.iter().map(|(stated, value)| (stated, value))
    }

    /// Writes the fields that the plan lists into an object.
    pub fn write(&self, object: &mut Value) {
        for (stated, value) in &self.0 {
            path::set(object, stated.path, value.clone());
        }
    }

    /// The plan as explanations of a resource in which the object stands at the path `under`.
    pub fn derivations(&self, resource: &str, under: &str) -> impl Iterator<Item = Derivation> {
        self.0.iter().map(move |(stated, value)| Derivation {
            resource: resource.to_owned(),
            path: if under.is_empty() { stated.path.to_owned() } else { format!("{under}.{}", stated.path) },
            value: value.clone(),
            because: stated.because.to_owned(),
            causes: stated.causes.iter().map(|&cause| cause.to_owned()).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const RULES: &[Rule<u64>] = &[
        rule("spec.cpu", "2 per GPU", &["spec.gpu"], |gpus| Some(json!(2 * gpus))),
        rule("spec.shards", "one per GPU, when there are several", &["spec.gpu"], |&gpus| {
            (gpus > 1).then(|| json!(gpus))
        }),
    ];

    #[test]
    fn a_plan_holds_what_the_rules_give() {
        assert_eq!(Plan::of(RULES, &1).to_value(), json!({"spec": {"cpu": 2}}));
        assert_eq!(Plan::of(RULES, &2).to_value(), json!({"spec": {"cpu": 4, "shards": 2}}));
    }

    #[test]
    fn explanations_come_from_the_same_rows() {
        let explained: Vec<_> = Plan::of(RULES, &1).derivations("runtime", "spec.manifest").collect();
        let want = Derivation {
            resource: "runtime".into(),
            path: "spec.manifest.spec.cpu".into(),
            value: json!(2),
            because: "2 per GPU".into(),
            causes: vec!["spec.gpu".into()],
        };
        assert_eq!(explained, [want]);
    }
}
