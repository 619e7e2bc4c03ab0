//! Device selectors, with the results that Kubernetes has for them.

#![expect(clippy::expect_used, reason = "a test that cannot go on fails")]

use std::fmt::Write as _;

use cel::{CompileError, Device, Problem, Reason, Selector};
use serde_json::Value as Json;

/// Every case has the outcome of Kubernetes and, where it is stable, the cost.
#[test]
fn selectors_do_as_in_kubernetes() {
    // Some are nested 249 deep. Without optimisation this needs more stack than the thread of a test has.
    let thread = std::thread::Builder::new().stack_size(64 << 20).spawn(check_all).expect("a thread");
    thread.join().expect("no panic");
}

fn check_all() {
    let vectors: Json = serde_json::from_str(include_str!("devices.json")).expect("JSON");
    let devices: Vec<Device> = list(&vectors["devices"]).iter().map(|it| Device::read(it).expect("a device")).collect();
    let (mut wrong, mut costs) = (String::new(), 0);
    let cases = list(&vectors["cases"]);
    for case in cases {
        let (expr, index) = (case["expr"].as_str().expect("text"), case["device"].as_u64().expect("an index"));
        let (found, cost, worst) = outcome(expr, &devices[index as usize]);
        let want = &case["expect"];
        if found != *want {
            writeln!(wrong, "{expr}\n  is {found}, not {want}").expect("text");
        }
        if let Some(want) = case["cost"].as_u64() {
            costs += 1;
            if cost != want {
                writeln!(wrong, "{expr}\n  costs {cost}, not {want}").expect("text");
            }
        }
        let refused = worst > cel::device::BUDGET;
        if *want != "compile error" && refused != case.get("admission").is_some() {
            writeln!(wrong, "{expr}\n  costs at most {worst}").expect("text");
        }
    }
    assert!(wrong.is_empty(), "{} of {} lines wrong:\n{wrong}", wrong.lines().count() / 2, cases.len());
    assert_eq!((cases.len(), costs), (1334, 1098));
}

/// Expressions that are refused, with the places and messages of kube-apiserver v1.35.3.
const REFUSED: &[(&str, &str)] = &[
    (
        "1 = 2",
        "1:3: Syntax error: token recognition error at: '= '\n1:5: Syntax error: extraneous input '2' expecting <EOF>",
    ),
    ("true & ", "1:6: Syntax error: token recognition error at: '& '"),
    ("r\"abc", "1:2: Syntax error: token recognition error at: '\"abc'"),
    (
        "1 == `a$",
        "1:6: Syntax error: token recognition error at: '`a$'\n1:9: Syntax error: mismatched input '<EOF>' expecting OPERAND",
    ),
    ("[1, , 2]", "1:5: Syntax error: mismatched input ',' expecting ']'"),
    ("[1 2]", "1:4: Syntax error: extraneous input '2' expecting {']', ','}"),
    ("(1, 2)", "1:3: Syntax error: mismatched input ',' expecting ')'"),
    ("dyn((1)", "1:8: Syntax error: missing ')' at '<EOF>'"),
    ("device.in", "1:8: Syntax error: no viable alternative at input '.in'"),
    ("device.\n==", "2:1: Syntax error: no viable alternative at input '.\\n=='"),
    ("device.true", "1:8: Syntax error: mismatched input 'true' expecting IDENTIFIER"),
    ("(google.true b)", "1:9: Syntax error: mismatched input 'true' expecting IDENTIFIER"),
    ("device.?true", "1:9: Syntax error: mismatched input 'true' expecting {IDENTIFIER, ESC_IDENTIFIER}"),
    ("1 - - )", "1:7: Syntax error: no viable alternative at input '- )'"),
    (".function", "1:1: reserved identifier: function"),
    (".duration('x')", "1:11: invalid duration argument"),
    ("null || 1", "1:1: expected type 'bool' but found 'null'\n1:9: expected type 'bool' but found 'int'"),
    (
        "[[1, [2]], [3]].flatten(2) == [1, 2, 3]",
        "1:6: expected type 'int' but found 'list(int)'\n1:12: expected type 'list(dyn)' but found 'list(int)'",
    ),
    ("authorizer.path('/').check('get').allowed()", "1:1: undeclared reference to 'authorizer' (in container '')"),
    ("timestamp == 1", "1:11: found no matching overload for '_==_' applied to '(type(timestamp), int)'"),
];

#[test]
fn refusals_are_those_of_kubernetes() {
    const OPERAND: &str = "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";
    for (text, want) in REFUSED {
        let error = refused(text);
        let problem = |problem: &Problem| {
            let place = problem.place.expect("a place");
            format!("{}:{}: {}", place.line, place.column, problem.message)
        };
        let found: Vec<String> = error.problems.iter().map(problem).collect();
        assert_eq!(found.join("\n").replace(OPERAND, "OPERAND"), *want, "{text}");
    }
    // These messages have no place.
    for (text, want) in [
        (
            "device.attributes",
            "must evaluate to bool or the unknown type, not map(string, map(string, google.protobuf.Any))",
        ),
        ("type(device) == kubernetes.DRADevice", "reference to undefined type: kubernetes.DRADevice"),
        ("type(device) == timestamp", "reference to undefined type: timestamp"),
        ("'a'.find('(') == ''", "error parsing regexp: missing closing ): `(`"),
    ] {
        assert_eq!(refused(text).to_string(), want, "{text}");
    }
    let sum = format!("1{}", " + 1".repeat(300));
    assert_eq!(refused(&sum).to_string(), "ERROR: <input>:-1:0: max recursion depth exceeded");
    let many = refused(&vec!["nope"; 1_280].join(" || "));
    assert_eq!((many.problems.len(), many.omitted), (100, 1_180));
    assert!(many.to_string().ends_with("\n1180 more errors were truncated"));
}

fn refused(text: &str) -> CompileError {
    Selector::compile(text).map(drop).expect_err(text)
}

#[test]
fn hours_may_have_one_digit() {
    let same = "timestamp('2024-01-01T3:04:05Z') == timestamp('2024-01-01T03:04:05Z')";
    let device = Device::read(&serde_json::json!({"driver": "d.io"})).expect("a device");
    let found = Selector::compile(same).expect("a selector").matches(&device, cel::device::BUDGET);
    assert_eq!(found.outcome, Ok(true));
    for text in
        ["timestamp('2024-01-01T:04:05Z')", "timestamp('2024-01-01T3:4:05Z')", "timestamp('2024-01-1T3:04:05Z')"]
    {
        refused(text);
    }
}

/// What Modelplane v0.3.1 accepts beyond Kubernetes is accepted where it is asked for, and nothing else is different.
#[test]
fn tolerant_selectors() {
    let device = Device::read(&serde_json::json!({
        "driver": "d.io", "attributes": {"ver": {"version": "9.1.2"}}, "capacity": {"memory": {"value": "141Gi"}},
    }));
    let device = device.expect("a device");
    let outcome = |selector: Result<Selector, CompileError>| match selector {
        Err(_) => "compile error",
        Ok(selector) => match selector.matches(&device, cel::device::BUDGET).outcome {
            Ok(true) => "true",
            Ok(false) => "false",
            Err(_) => "runtime error",
        },
    };
    let check = |text: &str, strict: &str, tolerant: &str| {
        let text =
            text.replace('M', r#"device.capacity["d.io"].memory"#).replace('V', r#"device.attributes["d.io"].ver"#);
        let found = (outcome(Selector::compile(&text)), outcome(Selector::compile_tolerant(&text)));
        assert_eq!(found, (strict, tolerant), "{text}");
    };
    check("sign(M) == 1", "true", "true");
    check("M.sign() == 1", "compile error", "true");
    check("compareTo(M, quantity('80Gi')) == 1", "compile error", "true");
    check("M.compareTo('80Gi'.quantity()) == 1", "compile error", "true");
    check("isLessThan(M, M)", "compile error", "false");
    check("asInteger(M) == 151397597184", "compile error", "true");
    check("major(V) == 9 && minor(V) == 1 && V.patch() == 2", "compile error", "true");
    check("compareTo(V, semver('9.0.0')) > 0", "compile error", "true");
    check("compareTo(M, V) > 0", "compile error", "runtime error");
    check("sub(add(M, 1), 1) == M && M.isInteger()", "compile error", "true");
    check("'1.0'.isSemver(true) && isSemver('1.0.0')", "compile error", "true");
    for bare in ["Gi", "k", "+", "-", ".", "-.", "e3", "-Gi", ".Ki"] {
        check(&format!("isQuantity('{bare}')"), "true", "false");
        check(&format!("quantity('{bare}') == quantity('0')"), "true", "runtime error");
    }
    for number in ["0", "5.", ".5", "-.5k", "+1Gi", "1e3"] {
        check(&format!("isQuantity('{number}')"), "true", "true");
    }
    check("isQuantity('')", "false", "false");
    check("quantity('80Gi') == quantity('80Gi').add(0)", "runtime error", "runtime error");
    check("device.count == 8", "compile error", "compile error");
    check("cel.bind(d, device.driver, d.lowerAscii() == 'd.io')", "true", "true");
}

/// The functions of authorizers are declared, though there is no authorizer: they compile for dynamic values, and fail when
/// they are evaluated.
#[test]
fn authorizers_are_declared() {
    let device = Device::read(&serde_json::json!({"driver": "d.io"})).expect("a device");
    for (text, cost, worst) in [
        ("dyn(1).path('x').check('get').allowed()", 350_002, 350_003),
        ("dyn('a').fieldSelector('a=b').check('x').allowed()", 350_112, 350_113),
    ] {
        let selector = Selector::compile(text).expect(text);
        let found = selector.matches(&device, cel::device::BUDGET);
        assert_eq!((found.outcome.is_err(), found.cost, selector.worst_cost()), (true, cost, worst), "{text}");
    }
}

fn outcome(expr: &str, device: &Device) -> (Json, u64, u64) {
    let selector = match Selector::compile(expr) {
        Ok(selector) => selector,
        Err(error) => {
            assert!(!error.problems.is_empty() && !error.to_string().is_empty(), "{expr}");
            return ("compile error".into(), 0, 0);
        }
    };
    let found = selector.matches(device, cel::device::BUDGET);
    let outcome = match found.outcome {
        Ok(value) => value.into(),
        Err(error) => {
            assert!(error.reason != Reason::CostExceeded || found.cost > cel::device::BUDGET, "{expr}");
            "runtime error".into()
        }
    };
    (outcome, found.cost, selector.worst_cost())
}

fn list(json: &Json) -> &[Json] {
    json.as_array().expect("a list")
}
