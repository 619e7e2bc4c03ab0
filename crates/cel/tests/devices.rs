//! Device selectors, and what Kubernetes makes of them.

#![expect(clippy::expect_used, reason = "a test that cannot go on fails")]

use std::fmt::Write as _;

use cel::{Device, Reason, Selector};
use serde_json::Value as Json;

/// Every case has the outcome and, where it is stable, the cost that Kubernetes has.
#[test]
fn selectors_do_as_in_kubernetes() {
    // Some nest 249 deep, which takes more stack without optimisation than a test has.
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
