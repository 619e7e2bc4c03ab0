//! Rules of `x-kubernetes-validations`, with the results that Kubernetes has for them.

use cel::{CompileError, Declared, Environment, Program, Stage, Type};
use serde_json::{Value as Json, json};

#[test]
fn rules_do_as_in_kubernetes() {
    let vectors: Json = serde_json::from_str(include_str!("rules.json")).expect("JSON");
    let declared = Declared::from_schema(&vectors["schema"], false).expect("a type");
    let environment = Environment::rule(&declared, false);
    let mut wrong = String::new();
    for case in vectors["rules"].as_array().expect("a list") {
        let rule = case["rule"].as_str().expect("text");
        let mut found = json!({"rule": rule});
        match Program::compile_if(&environment, rule, boolean) {
            Ok(program) => {
                let bindings = ["self", "oldSelf"].map(|name| (name, declared.read(&vectors[name]).expect("a value")));
                let run = program.run(&bindings, 1_000_000);
                match run.outcome {
                    Ok(value) => found["value"] = value.as_bool().expect("a boolean").into(),
                    Err(error) => found["error"] = error.message.into(),
                }
                found["cost"] = run.cost.into();
                found["worst"] = program.estimate().max.into();
                assert_eq!(program.uses("oldSelf"), rule.contains("oldSelf"), "{rule}");
            }
            Err(error) => found["refused"] = format!("{}{error}", step(&error)).into(),
        }
        if found != *case {
            wrong += &format!("{found}\n not {case}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

fn boolean(ty: &Type) -> Result<(), String> {
    if *ty == Type::Bool { Ok(()) } else { Err("cel expression must evaluate to a bool".to_owned()) }
}

/// The words that the API server writes before the message of a step.
fn step(error: &CompileError) -> &'static str {
    match error.problems[0].stage {
        Stage::Syntax | Stage::Check => "compilation failed: ",
        Stage::Plan => "program instantiation failed: ",
        Stage::Result => "",
    }
}

/// The root of a resource has the fields of every resource. Values without a type cannot be accessed.
#[test]
fn roots() {
    let declared = Declared::from_schema(&json!({"type": "object"}), true).expect("a type");
    let environment = Environment::rule(&declared, true);
    let program = Program::compile(&environment, "self.metadata.name == 'x' && !oldSelf.hasValue()").expect("a rule");
    let object = json!({"metadata": {"name": "x"}});
    let bindings = [("self", declared.read(&object).expect("a value")), ("oldSelf", cel::Value::Optional(None))];
    assert_eq!(program.run(&bindings, 100).outcome.map(|value| value.as_bool()), Ok(Some(true)));
    assert!(Declared::from_schema(&json!({"x-kubernetes-preserve-unknown-fields": true}), false).is_none());
}

/// An element that does not fit its schema is an error only when it is used.
#[test]
fn elements_that_do_not_fit() {
    let schema = json!({"type": "array", "items": {"type": "integer"}});
    let declared = Declared::from_schema(&schema, false).expect("a type");
    let environment = Environment::rule(&declared, false);
    let invalid = Err("invalid data, got null for schema with nullable=false");
    //    rule                                     self                 outcome
    for (rule, list, outcome) in [
        ("self + [1] != self", json!([1, null]), Ok(true)),
        ("(self + [1])[1] == 1", json!([1, null]), invalid),
        ("self.slice(0, 2).size() == 2", json!([1, null]), Ok(true)),
        ("self.slice(0, 2).exists(x, x == 2)", json!([1, null]), invalid),
        ("self.reverse()[1] == 1", json!([1, null]), Ok(true)),
        ("self.distinct().size() == 4", json!([1, null, 1, null, 2]), Ok(true)),
        ("2 in self", json!([1, null, 2]), Ok(true)),
        ("3 in self", json!([1, null, 2]), invalid),
        ("sets.contains(self, [2])", json!([1, null, 2]), Ok(true)),
        ("self.isSorted()", json!([1, null]), invalid),
        ("self.isSorted()", json!([null, 1]), Err("no such overload: isSorted(list)")),
    ] {
        let program = Program::compile(&environment, rule).expect("a rule");
        let run = program.run(&[("self", declared.read(&list).expect("a value"))], 1_000_000);
        let found = run.outcome.map(|value| value.as_bool()).map_err(|error| error.message);
        assert_eq!(found, outcome.map(Some).map_err(str::to_owned), "{rule} of {list}");
    }
}

/// A value that does not fit its schema is an error on the left of `==`, and unequal on the right.
#[test]
fn comparing_what_does_not_fit() {
    let schema = json!({"type": "object", "additionalProperties": {"type": "string"}});
    let declared = Declared::from_schema(&schema, false).expect("a type");
    let environment = Environment::rule(&declared, false);
    let program = Program::compile(&environment, "self == oldSelf").expect("a rule");
    let (sound, unsound) = (json!({"a": "x"}), json!({"a": 97}));
    //    self     oldSelf   outcome
    for (new, old, outcome) in [
        (&sound, &sound, Ok(true)),
        (&sound, &unsound, Ok(false)),
        (&unsound, &sound, Err("invalid data, expected string, got int64")),
    ] {
        let bindings = [("self", new), ("oldSelf", old)].map(|(name, it)| (name, declared.read(it).expect("a value")));
        let found = program.run(&bindings, 1_000_000).outcome.map(|value| value.as_bool());
        assert_eq!(found.map_err(|error| error.message), outcome.map(Some).map_err(str::to_owned), "{new} {old}");
    }
}

/// Lists of type set and map compare and add up without regard to the order, also with numbers of other types.
#[test]
fn sets_and_maps() {
    let schema = json!({"type": "object", "properties": {
        "set": {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "integer"}},
        "map": {
            "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"],
            "items": {"type": "object", "properties": {"k": {"type": "string"}, "v": {"type": "integer"}}},
        },
    }});
    let declared = Declared::from_schema(&schema, false).expect("a type");
    let environment = Environment::rule(&declared, false);
    let item = |k: &str, v: i32| json!({"k": k, "v": v});
    let new = json!({"set": [1, 2, 3], "map": [item("a", 1), item("b", 2), item("c", 3)]});
    let old = json!({"set": [3, 1, 2], "map": [item("c", 3), item("a", 1), item("b", 4)]});
    let bindings = [("self", &new), ("oldSelf", &old)].map(|(name, it)| (name, declared.read(it).expect("a value")));
    for rule in [
        "self.set == oldSelf.set",
        "self.set == [dyn(3.0), dyn(2u), dyn(1)]",
        "self.set != [dyn(3.0), dyn(2u), dyn(4)]",
        "self.set != [1, 2]",
        "(self.set + [3, 4, 4]).size() == 4",
        "(self.set + [dyn(2.0), dyn(1u), dyn(5), dyn(5.0)]).size() == 4",
        "(self.set + oldSelf.set) == oldSelf.set",
        "self.map != oldSelf.map",
        "(self.map + oldSelf.map).size() == 3",
        "(self.map + oldSelf.map) == (oldSelf.map + self.map.filter(x, x.k != 'b'))",
        "(self.map + oldSelf.map)[1].v == 4",
    ] {
        let program = Program::compile(&environment, rule).expect(rule);
        let found = program.run(&bindings, 1_000_000).outcome.map(|value| value.as_bool());
        assert_eq!(found, Ok(Some(true)), "{rule}");
    }
}
