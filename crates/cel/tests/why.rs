//! Why selectors do not match.

#![expect(clippy::expect_used, reason = "a test that cannot go on fails")]

use cel::{Device, Selector};
use proptest::prelude::*;
use serde_json::{Value as Json, json};

fn device() -> Device {
    let device = json!({
        "driver": "d.io",
        "attributes": {
            "model": {"string": "H100"}, "n": {"int": 8}, "nvlink": {"bool": false}, "ver": {"version": "9.0.0"}
        },
        "capacity": {"memory": {"value": "80Gi"}},
    });
    Device::read(&device).expect("a device")
}

/// `A` stands for the attributes of the driver, `C` for its capacity.
fn spelled(text: &str) -> String {
    text.replace("A.", r#"device.attributes["d.io"]."#).replace("C.", r#"device.capacity["d.io"]."#)
}

#[test]
fn terms_that_decide() {
    #[track_caller]
    fn check(text: &str, want: &str) {
        let why =
            Selector::compile_tolerant(&spelled(text)).expect(text).why_not(&device()).expect("it does not match");
        assert_eq!(why.text, spelled(want), "{text}");
    }
    check(r#"C.memory.compareTo(quantity("141Gi")) >= 0"#, "C.memory: 80Gi < 141Gi");
    check(r#"C.memory.isGreaterThan(quantity("80Gi"))"#, "C.memory: 80Gi <= 80Gi");
    check(r#"!C.memory.isLessThan(quantity("141Gi"))"#, "C.memory: 80Gi < 141Gi");
    check(r#"A.ver.compareTo(semver("9.1.0")) == 1"#, "A.ver: 9.0.0 < 9.1.0");
    check(r#"A.model == "H200""#, r#"A.model: "H100" != "H200""#);
    check(r#""H200" == A.model"#, r#"A.model: "H100" != "H200""#);
    check("16 <= A.n", "A.n: 8 < 16");
    check("A.n == 8.5", "A.n: 8 not == 8.5");
    check("A.nvlink", "A.nvlink: false");
    check("A.nvlink && A.n > 100", "A.nvlink: false");
    check("A.n > 4 && (A.n < 8 && A.nvlink)", "A.n: 8 >= 8");
    check("A.n > 9 || A.nvlink", "A.n: 8 <= 9 (and no other of 2 alternatives)");
    check(r#"A.model in ["H200", "B200"]"#, r#"A.model: "H100" not in ["H200", "B200"]"#);
    check(r#"!(A.model in ["H100"])"#, r#"A.model: "H100" in ["H100"]"#);
    check("has(A.nope)", "A.nope is absent");
    check("!has(A.model)", "A.model is present");
    check(r#"A.nope == "x""#, "A.nope: no such key: nope");
    check(r#"A.model.startsWith("B")"#, r#"A.model: "H100", startsWith("B") is false"#);
    check("A.n > 4 ? A.n > 8 : true", "A.n: 8 <= 8");
    check("[9, 8, 7].all(x, x > 7)", "([9, 8, 7])[2]: 7 <= 7");
    check("[1, 2].exists(x, x > 7)", "[1, 2]: x > 7 holds for none of 2 elements");
    check("[].exists(x, x > 7)", "[]: x > 7 holds for none of 0 elements");
    check("{'a': 1}.all(k, k == 'b')", r#""a": "a" != "b" ('b')"#.replace(" ('b')", "").as_str());
    check(r#"device.driver == "x" // of someone else"#, r#"device.driver: "d.io" != "x""#);
    assert_eq!(Selector::compile("true").expect("a selector").why_not(&device()), None);
}

/// What is said of a selector: its term has the result that is said, and the text is short and in one line.
fn judge(text: &str, device: &Device) -> Result<(), TestCaseError> {
    let Ok(selector) = Selector::compile(text) else { return Ok(()) };
    let found = selector.matches(device, 50_000);
    let why = selector.why_not(device);
    if found.outcome == Ok(true) {
        prop_assert_eq!(why, None, "{}", text);
        return Ok(());
    }
    let Some(why) = why else { return Ok(()) };
    prop_assert!(why.text.len() <= 200 && !why.text.contains('\n') && !why.text.is_empty(), "{}", why.text);
    // A term of another type than a selector may have is the operand of a comparison that fails.
    if let Ok(term) = Selector::compile(&why.term) {
        prop_assert_eq!(term.matches(device, 100_000).outcome.ok(), why.outcome, "{}: {:?}", text, why);
    } else {
        prop_assert_eq!(why.outcome, None, "{}: {:?}", text, why);
    }
    // Of numbers, texts and lists, what the text says is an expression too.
    let said = why.text.split(" (").next().unwrap_or_default();
    for operator in ["==", "!=", "<", ">", "<=", ">=", "in"] {
        if let Some((label, values)) = said.split_once(": ")
            && let Some((_, value)) = values.split_once(&format!(" {operator} "))
            && let Ok(term) = Selector::compile(&format!("({label}) {operator} {value}"))
        {
            prop_assert_eq!(term.matches(device, 100_000).outcome, Ok(true), "{}: {:?}", text, why);
        }
    }
    for (words, outcome) in [(" holds for all of ", true), (" holds for none of ", false), (" is present", true), (" is absent", false)] {
        prop_assert!(!why.text.contains(words) || why.outcome == Some(outcome), "{}: {:?}", text, why);
    }
    Ok(())
}

fn expressions() -> impl Strategy<Value = String> {
    let atoms = [
        "true",
        "A.nvlink",
        "A.n > 8",
        "A.n >= 8",
        "9 < A.n",
        "A.nope == 1",
        "has(A.nope)",
        "has(A.n)",
        "A.n / 0 == 1",
        "A.model == 'H100'",
        "A.model in ['a']",
        "C.memory.isGreaterThan(quantity('90Gi'))",
        "C.memory.compareTo(quantity('90Gi')) < 0",
        "[1, 2, 8].all(x, x < A.n)",
        "[1, 9].exists(x, x > A.n)",
        "A.model.contains('1')",
        "[1, 2].all(x, [2, 3].exists(y, y == x))",
        "A.model",
        "[A.nope].all(x, x > 1)",
    ];
    let leaf = prop::sample::select(atoms.to_vec()).prop_map(spelled);
    leaf.prop_recursive(4, 24, 3, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("{a} && {b}")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("{a} || {b}")),
            inner.clone().prop_map(|a| format!("!({a})")),
            inner.clone().prop_map(|a| format!("({a}) == false")),
            inner.clone().prop_map(|a| format!("[1, 2].all(z, z > 0 && ({a}))")),
            (inner.clone(), inner.clone(), inner).prop_map(|(a, b, c)| format!("({a} ? {b} : {c})")),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_said_is_true(text in expressions()) {
        judge(&text, &device())?;
    }
}

/// The same of all vectors of Kubernetes.
#[test]
fn what_is_said_of_known_selectors_is_true() {
    let thread = std::thread::Builder::new().stack_size(64 << 20).spawn(|| {
        let vectors: Json = serde_json::from_str(include_str!("devices.json")).expect("JSON");
        let devices: Vec<_> = vectors["devices"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|it| Device::read(it).expect("a device"))
            .collect();
        for case in vectors["cases"].as_array().expect("a list") {
            let index = case["device"].as_u64().expect("an index") as usize;
            judge(case["expr"].as_str().expect("text"), &devices[index]).expect("what is said is true");
        }
    });
    thread.expect("a thread").join().expect("no panic");
}
