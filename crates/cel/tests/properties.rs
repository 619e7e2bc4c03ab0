//! Properties of all texts.

#![expect(clippy::expect_used, reason = "a test that cannot go on fails")]

use cel::{Declared, Device, Environment, Program, Selector, names};
use proptest::prelude::*;
use serde_json::{Value as Json, json};

/// Valid selectors, as the source of mutations.
fn selectors() -> Vec<String> {
    let vectors: Json = serde_json::from_str(include_str!("devices.json")).expect("JSON");
    let cases = vectors["cases"].as_array().expect("a list");
    let short = cases.iter().filter_map(|case| case["expr"].as_str()).filter(|expr| expr.len() < 300);
    short.map(str::to_owned).collect()
}

fn device() -> Device {
    let device = json!({
        "driver": "d.io",
        "attributes": {"s": {"string": "x"}, "i": {"int": 1}, "v": {"version": "1.2.3"}},
        "capacity": {"m": {"value": "1Gi"}}
    });
    Device::read(&device).expect("a device")
}

/// Compiles and evaluates a text twice. Both must have the same result, and end.
fn ask(text: &str, device: &Device) -> Result<(), TestCaseError> {
    let (first, second) = (Selector::compile(text), Selector::compile(text));
    match (first, second) {
        (Ok(first), Ok(second)) => {
            let (one, other) = (first.matches(device, 10_000), second.matches(device, 10_000));
            prop_assert_eq!(&one.outcome, &other.outcome);
            prop_assert_eq!(one.cost, other.cost);
            prop_assert_eq!(first.worst_cost(), second.worst_cost());
        }
        (Err(first), Err(second)) => {
            prop_assert!(!first.to_string().is_empty());
            prop_assert_eq!(first, second);
        }
        _ => return Err(TestCaseError::fail("the same text compiles once")),
    }
    Ok(())
}

proptest! {
    #[test]
    fn any_text_has_an_answer(text in "\\PC{0,60}") {
        ask(&text, &device())?;
    }

    #[test]
    fn any_tokens_have_an_answer(
        tokens in prop::collection::vec(
            prop::sample::select(&[
                "device", ".", "attributes", "[", "]", "(", ")", "{", "}", "\"d.io\"", "?", ":", ",", "1", "2.5", "0u", "'a'",
                "b'a'", "+", "-", "*", "/", "%", "==", "!=", "<", "in", "&&", "||", "!", "has", "all", "exists", "map", "filter",
                "x", "y", "cel.bind", "optMap", "orValue", "size", "quantity", "semver", "dyn", "null", "true", "sortBy",
                "transformMap", "format", "matches", "duration", " ",
            ][..]),
            0..40,
        )
    ) {
        ask(&tokens.concat(), &device())?;
    }

    #[test]
    fn what_is_cut_up_has_an_answer(
        parts in prop::collection::vec((prop::sample::select(selectors()), 0usize..300, 0usize..300), 1..3)
    ) {
        let device = device();
        let text: String = parts
            .iter()
            .map(|(text, start, length)| text.chars().skip(start % (text.len() + 1)).take(*length).collect::<String>())
            .collect();
        ask(&text, &device)?;
    }

    /// A property is its name as an identifier, taken back.
    #[test]
    fn names_are_escaped_and_back(property in "[a-zA-Z_./-][a-zA-Z0-9_./-]{0,12}") {
        if let Some(escaped) = names::escape(&property) {
            prop_assert_eq!(names::unescape(&escaped), Some(property));
        }
    }

    /// Values that do not fit their schema are errors, and nothing worse.
    #[test]
    fn any_object_has_an_answer(kind in 0usize..8, other in 0usize..8) {
        let values = [json!(null), json!(1), json!(-1.5), json!("x"), json!([1, "a"]), json!({"a": 1}), json!(true), json!([])];
        let schema = json!({"type": "object", "properties": {
            "i": {"type": "integer"}, "l": {"type": "array", "items": {"type": "string"}},
            "m": {"type": "object", "additionalProperties": {"type": "integer"}}, "s": {"type": "string", "format": "date"}
        }});
        let declared = Declared::from_schema(&schema, false).expect("a type");
        let environment = Environment::rule(&declared, false);
        let rule = "self.i > 0 || self.l.exists(x, x == 'a') || self.m.all(k, self.m[k] > 0) || self.s.getFullYear() > 1";
        let program = Program::compile(&environment, rule).expect("a rule");
        let object = json!({"i": values[kind], "l": values[other], "m": values[kind], "s": values[other]});
        let run = program.run(&[("self", declared.read(&object).expect("an object"))], 10_000);
        prop_assert!(run.cost <= 10_000);
    }
}

/// Expressions for which upstream would need gigabytes or hours end soon.
#[test]
fn the_hostile_end() {
    let device = device();
    let bindings = (0..40).map(|at| format!("cel.bind(a{}, a{at} + a{at}, ", at + 1)).collect::<String>();
    let doubled = format!("cel.bind(a0, [1, 2, 3], {bindings} a40.size() > 0{})", ")".repeat(40));
    let nested = format!("[{}]", vec!["[1, 1, 1, 1, 1, 1, 1, 1]"; 300].join(", "));
    let compared = format!("{nested}.all(x, {nested}.all(y, {nested} == {nested}))");
    let optional = format!("optional.of(1){}.hasValue()", ".optMap(x, x)".repeat(60));
    let sums = format!("quantity('1e90000'){}.isInteger()", ".add(quantity('1'))".repeat(200));
    let replaced = format!("'{}'{}.size() > 0", "a".repeat(100), ".replace('', 'aaaaaaaaaaaaaaaa')".repeat(30));
    let pattern = format!("'{}'.matches('{}')", "x".repeat(1000), "(x{0,900}y{0,900})".repeat(200));
    for text in [
        doubled.as_str(),
        &compared,
        &optional,
        &sums,
        &replaced,
        &pattern,
        "lists.range(1000000000000).size() > 0",
        "quantity('1e100000000').isGreaterThan(quantity('1'))",
        "quantity('1e100000000').add(1).isInteger()",
        "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map(a, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map(b, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map(c, \
         [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map(d, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map(e, a))))).size() == 10",
    ] {
        if let Ok(selector) = Selector::compile(text) {
            let found = selector.matches(&device, cel::device::BUDGET);
            assert!(found.cost < 3_000_000, "{}: {}", &text[..text.len().min(60)], found.cost);
        }
    }
}
