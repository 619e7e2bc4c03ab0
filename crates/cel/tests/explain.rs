//! Why selectors are false.

#![expect(clippy::expect_used, reason = "a test that cannot go on fails")]

use cel::{Device, Selector, explain};
use proptest::prelude::*;
use serde_json::json;

const BUDGET: u64 = 100_000;

fn device() -> Device {
    let device = json!({
        "driver": "d.io",
        "attributes": {
            "s": {"string": "A100"}, "i": {"int": 3}, "b": {"bool": false}, "v": {"version": "1.2.3"},
            "long": {"string": "0123456789".repeat(20)},
        },
        "capacity": {"memory": {"value": "80Gi"}}
    });
    Device::read(&device).expect("a device")
}

#[track_caller]
fn check(selector: &str, want: &str) {
    let compiled = Selector::compile_tolerant(selector).expect("a selector");
    let because = compiled.why_not(&device(), BUDGET);
    let text = because.as_ref().map_or("", |it| it.text.as_str());
    assert_eq!(text.replace(r#"device.attributes["d.io"]"#, "A").replace(r#"device.capacity["d.io"]"#, "C"), want);
    holds(because.and_then(|it| it.holds).as_deref());
}

/// Checks that an expression is true.
#[track_caller]
fn holds(expression: Option<&str>) {
    if let Some(expression) = expression {
        let selector = Selector::compile_tolerant(expression).expect("a selector");
        assert_eq!(selector.matches(&device(), BUDGET).outcome, Ok(true), "{expression}");
    }
}

/// With `A` for the attributes and `C` for the capacities of the driver.
fn spelled(selector: &str) -> String {
    selector.replace("A.", r#"device.attributes["d.io"]."#).replace("C.", r#"device.capacity["d.io"]."#)
}

#[test]
fn the_term_that_decides() {
    let check = |selector: &str, want: &str| check(&spelled(selector), want);
    check("true", "");
    check("A.s == 'H100'", r#"A.s: "A100" != "H100""#);
    check("A.s != 'A100'", r#"A.s: "A100" == "A100""#);
    check("A.i > 3", "A.i: 3 <= 3");
    check("A.i in [1, 2]", "A.i: 3 not in [1, 2]");
    check("A.i == 3 && A.s == 'H100' && A.i == 4", r#"A.s: "A100" != "H100""#);
    check("A.s == 'H100' || A.i == 4", r#"A.s: "A100" != "H100""#);
    check("!(A.i == 3)", "A.i: 3 == 3");
    check("!(A.i == 3 && A.b)", "");
    check("A.i == 3 ? A.s == 'H100' : true", r#"A.s: "A100" != "H100""#);
    check("A.b", "A.b: false");
    check("A.i + 1 == 3", "A.i + 1: 4 != 3");
    // Quantities and versions, in both spellings.
    check("C.memory.compareTo(quantity('141Gi')) >= 0", "C.memory: 80Gi < 141Gi");
    check("compareTo(C.memory, quantity('141Gi')) >= 0", "C.memory: 80Gi < 141Gi");
    check("C.memory.compareTo(quantity('80Gi')) > 0", "C.memory: 80Gi == 80Gi");
    check("C.memory.isGreaterThan(quantity('141Gi'))", "C.memory: 80Gi < 141Gi");
    check("isLessThan(C.memory, quantity('40Gi'))", "C.memory: 80Gi > 40Gi");
    check("A.v.isGreaterThan(semver('2.0.0'))", "A.v: 1.2.3 < 2.0.0");
    // Presence, calls and elements.
    check("has(A.x) && A.x == 1", "A.x is absent");
    check("!has(A.s)", "A.s is present");
    check("A.s.startsWith('H')", r#"A.s.startsWith('H'): false for "A100""#);
    check("[1, 2, 3].all(x, x < 2)", "x = 2 in [1, 2, 3]: x < 2 is false");
    check("[1, 2, 3].exists(x, x > A.i)", "none of 3 in [1, 2, 3]: x > A.i");
    check("[].exists(x, x > 1)", "[] is empty");
    check("!([1, 2].exists(x, x == 2))", "x = 2 in [1, 2]: x == 2 is true");
    check("!([1, 2].all(x, x > 0))", "all 2 of [1, 2]: x > 0");
    // Errors.
    check("A.x == 1", "A.x: no such key: x");
    check("A.i == 3 && A.x == 1", "A.x: no such key: x");
    check("A.s // as 'H100' || true\n == 'H100'", r#"A.s: "A100" != "H100""#);
    check("cel.bind(x, A.i, x == 4)", "cel.bind(x, A.i, x == 4): false");
}

#[test]
fn long_texts_are_cut() {
    let long = spelled(&format!("A.long == '{}'", "x".repeat(300)));
    let because = Selector::compile(&long).expect("a selector").why_not(&device(), BUDGET).expect("a reason");
    assert!(because.text.len() <= explain::MOST_BYTES && because.text.contains('…'), "{}", because.text);
}

/// An explanation ends when it is too much work.
#[test]
fn work_is_bounded() {
    let deep = format!("{}A.b{}", "!(!(".repeat(60), "))".repeat(60));
    let many = vec!["A.i == 3"; 200].join(" && ") + " && A.b";
    for selector in [deep, many] {
        let selector = Selector::compile(&spelled(&selector)).expect("a selector");
        assert_eq!(selector.matches(&device(), BUDGET).outcome, Ok(false));
        let because = selector.why_not(&device(), BUDGET);
        holds(because.and_then(|it| it.holds).as_deref());
    }
}

fn expressions() -> impl Strategy<Value = String> {
    let atoms = prop::sample::select(vec![
        "A.s == 'H100'",
        "'A100' == A.s",
        "A.i > 3",
        "4 > A.i",
        "A.i in [1, 3]",
        "A.b",
        "has(A.x)",
        "A.x == 1",
        "A.x > 1",
        "C.memory.compareTo(quantity('141Gi')) >= 0",
        "0 <= C.memory.compareTo(quantity('1Gi'))",
        "A.s.startsWith('A')",
        "[1, 2, 3].exists(x, x > A.i)",
        "[1, 2].all(x, x < A.i && true)",
        "A.v.isGreaterThan(semver('1.0.0'))",
        "1 == 2 == false",
        "{'a': A.i}.a == 3",
        "-A.i < -2",
        "A.i % 2 == 1",
        "A.?x.orValue(1) == 2",
        "(A.s) != (\"a || b\")",
        "true",
        "false",
        "0.0 / 0.0 < 1.0",
    ]);
    atoms.prop_map(str::to_owned).prop_recursive(5, 24, 3, |inner| {
        (inner.clone(), inner.clone(), inner, 0..6).prop_map(|(a, b, c, shape)| match shape {
            0 => format!("{a} && {b}"),
            1 => format!("{a} || {b} && {c}"),
            2 => format!("!({a})"),
            3 => format!("(({a}) ? {b} : {c})"),
            4 => format!("({a} || {b}) == ({c})"),
            _ => format!("({a}) && ({b}) || ({c})"),
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    /// What an explanation says is true, and everything that is false or fails has one.
    #[test]
    fn explanations_are_true(expression in expressions()) {
        if let Ok(selector) = Selector::compile_tolerant(&spelled(&expression)) {
            let outcome = selector.matches(&device(), BUDGET).outcome;
            let because = selector.why_not(&device(), BUDGET);
            prop_assert_eq!(because.is_none(), outcome == Ok(true), "{}", expression);
            if let Some(because) = because {
                prop_assert!(because.text.len() <= explain::MOST_BYTES && !because.text.contains(char::is_control));
                prop_assert_eq!(because.holds.is_none(), outcome.is_err());
                holds(because.holds.as_deref());
            }
        }
    }

    /// No text makes an explanation panic.
    #[test]
    fn any_text_can_be_explained(
        tokens in prop::collection::vec(
            prop::sample::select(vec![
                "device", ".", "attributes", "[", "]", "(", ")", "\"d.io\"", "?", ":", ",", "1", "'a'", "==", "<", "in", "&&",
                "||", "!", "has", "all", "x", "quantity", "compareTo", "true", " ", "//", "\n", "é",
            ]),
            0..30,
        )
    ) {
        let text = tokens.concat();
        explain::explain(&cel::Environment::device(), &text, &[], BUDGET);
    }
}
