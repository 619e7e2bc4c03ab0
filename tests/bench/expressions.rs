//! Device selectors: how long it takes to compile and evaluate them, natively and through the component.

use std::hint::black_box;

use cel::{Device, Selector};
use host::engine::{Engine, Settings};
use host::wit::expressions::{Request, Subject, Trial};
use serde_json::{Value, json};

use crate::clock::{Rounds, in_turns, micros};
use crate::native::Module;
use crate::native::expressions::{self as native, Guest as _};
use crate::report::{Bound, Report};

const ROUNDS: usize = 41;
/// The number of trials in a call. The figures are for one trial.
const MANY: usize = 200;

/// A selector as people write it for a whole GPU, by driver, compute capability and memory.
fn typical(gibibytes: usize) -> String {
    format!(
        r#"device.driver == "gpu.nvidia.com" && device.attributes["gpu.nvidia.com"].cudaComputeCapability.isGreaterThan(semver("8.9.0")) && device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("{gibibytes}Mi")) >= 0"#
    )
}

/// Selectors of many sorts. Each is evaluated for every device.
const SELECTORS: [&str; 8] = [
    r#"device.driver == "gpu.nvidia.com""#,
    r#"device.driver == "gpu.nvidia.com" && device.attributes["gpu.nvidia.com"].productName.startsWith("NVIDIA H")"#,
    r#"device.attributes["gpu.nvidia.com"].architecture in ["Ampere", "Hopper", "Blackwell"]"#,
    r#"device.attributes["gpu.nvidia.com"].cudaComputeCapability.isGreaterThan(semver("8.9.0"))"#,
    r#"device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("40Gi")) >= 0"#,
    r#"device.attributes["gpu.nvidia.com"].productName.matches("^NVIDIA (H100|H200)")"#,
    r#"has(device.attributes["gpu.nvidia.com"].index) && device.attributes["gpu.nvidia.com"].index % 2 == 0"#,
    r#"cel.bind(gpu, device.attributes["gpu.nvidia.com"], gpu.architecture == "Hopper" && !gpu.migEnabled)"#,
];

pub(crate) fn measure(report: &mut Report) {
    let engine = Engine::load(&Settings::default(), false, &[] as &[&str]).expect("an engine");
    one_selector(report, &engine);
    many_devices(report, &engine);
}

fn one_selector(report: &mut Report, engine: &Engine) {
    let text = typical(40_960);
    let selector = Selector::compile(&text).expect("it compiles");
    let read = Device::read(&device(0)).expect("a device");
    assert_eq!(selector.matches(&read, cel::device::BUDGET).outcome, Ok(true));
    let repeated = |count| request(&vec![text.clone(); count], 1);
    let (once, repeated) = (repeated(1), repeated(MANY));
    let distinct = request(&(0..MANY).map(|nth| typical(40_960 + nth)).collect::<Vec<_>>(), 1);

    let [compile, evaluate, once, repeated, distinct] = in_turns(
        ROUNDS,
        [
            &mut || micros(MANY, || drop(black_box(Selector::compile(black_box(&text))))),
            &mut || micros(10 * MANY, || drop(black_box(selector.matches(black_box(&read), cel::device::BUDGET)))),
            &mut || micros(20, || through(engine, &once)),
            &mut || micros(5, || through(engine, &repeated)),
            &mut || micros(1, || through(engine, &distinct)),
        ],
    );
    let each = |more: &Rounds, less: &Rounds| more.minus(less).times(1.0 / (MANY - 1) as f64);
    report.add("compile a selector, natively", &compile, "µs", Bound::Most(50.0));
    report.add("compile a selector, in the component", &each(&distinct, &repeated), "µs", Bound::Most(50.0));
    report.add("evaluate a selector, natively", &evaluate, "µs", Bound::Most(3.0));
    report.add("evaluate a selector, in the component and across", &each(&repeated, &once), "µs", Bound::Most(3.0));
}

fn many_devices(report: &mut Report, engine: &Engine) {
    const DEVICES: usize = 500;
    let request = request(&SELECTORS.map(str::to_owned), DEVICES);
    let found = engine.evaluate(&request).expect("the module answers");
    assert_eq!(found.len(), SELECTORS.len() * DEVICES);
    assert!(found.iter().all(|outcome| outcome.value.is_ok()), "every selector fits every device");
    let inside: native::Request = serde_json::from_value(serde_json::to_value(&request).expect("JSON")).expect("equal");
    let untried = Request { subjects: request.subjects.clone(), trials: Vec::new() };
    // Without subjects the trials are only transferred, and nothing is evaluated.
    let mut astray = Request { subjects: Vec::new(), trials: request.trials.clone() };
    astray.trials.iter_mut().for_each(|trial| trial.subject = u32::MAX);

    let [natively, whole, devices, trials] = in_turns(
        ROUNDS,
        [
            &mut || micros(1, || drop(black_box(Module::evaluate(inside.clone())))) / 1e3,
            &mut || micros(1, || through(engine, &request)) / 1e3,
            &mut || micros(1, || through(engine, &untried)) / 1e3,
            &mut || micros(1, || through(engine, &astray)) / 1e3,
        ],
    );
    report.add("8 selectors over 500 devices, natively", &natively, "ms", Bound::Most(15.0));
    report.add("8 selectors over 500 devices, through the component", &whole, "ms", Bound::Most(15.0));
    report.add("  of it, the devices crossing and being read", &devices, "ms", Bound::None);
    report.add("  of it, the trials and outcomes crossing", &trials, "ms", Bound::None);
}

/// A request to evaluate every expression for every device.
fn request(expressions: &[String], devices: usize) -> Request {
    let on = |subject: usize| {
        let subject = u32::try_from(subject).expect("few devices");
        expressions.iter().map(move |expression| Trial { expression: expression.clone(), subject })
    };
    Request {
        subjects: (0..devices).map(|index| Subject::Device(device(index).to_string())).collect(),
        trials: (0..devices).flat_map(on).collect(),
    }
}

pub(crate) fn through(engine: &Engine, request: &Request) {
    drop(black_box(engine.evaluate(request).expect("the module answers")));
}

/// A GPU, as its driver publishes it in a ResourceSlice.
pub(crate) fn device(index: usize) -> Value {
    json!({
        "driver": "gpu.nvidia.com",
        "attributes": {
            "type": {"string": "gpu"},
            "architecture": {"string": if index.is_multiple_of(3) { "Ampere" } else { "Hopper" }},
            "brand": {"string": "Nvidia"},
            "productName": {"string": "NVIDIA H100 80GB HBM3"},
            "cudaComputeCapability": {"version": "9.0.0"},
            "cudaDriverVersion": {"version": "12.8.0"},
            "driverVersion": {"version": "570.86.15"},
            "uuid": {"string": format!("GPU-18db0e85-99e9-c746-8531-{index:012}")},
            "index": {"int": index},
            "migEnabled": {"bool": index.is_multiple_of(5)},
            "eccEnabled": {"bool": true},
            "resource.kubernetes.io/pcieRoot": {"string": format!("pci0000:{:02x}", index % 256)},
        },
        "capacity": {"memory": {"value": format!("{}Mi", 81_559 - index)}},
    })
}
