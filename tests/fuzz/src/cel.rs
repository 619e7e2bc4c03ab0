//! Bytes → CEL. A text is refused with a reason, or it is a program that ends and gives the same answer each time.
#![no_main]

use std::sync::LazyLock;

use cel::device::BUDGET;
use cel::{Declared, Device, Environment, Program, Selector};
use libfuzzer_sys::{Corpus, fuzz_target};
use serde_json::{Value as Json, json};

static DEVICE: LazyLock<Device> = LazyLock::new(|| {
    let device = json!({
        "driver": "d.io",
        "attributes": {
            "s": {"string": "x"}, "i": {"int": 1}, "b": {"bool": true}, "v": {"version": "1.2.3-rc.1"}, "o.io/s": {"string": ""}
        },
        "capacity": {"m": {"value": "1Gi"}, "f": {"value": "1.5Gi"}}
    });
    #[expect(clippy::expect_used, reason = "without a device there is nothing to fuzz")]
    Device::read(&device).expect("a device")
});

static DECLARED: LazyLock<Declared> = LazyLock::new(|| {
    let text = json!({"type": "string"});
    let schema = json!({"type": "object", "properties": {
        "s": text, "i": {"type": "integer"}, "d": {"type": "number"}, "x": {"x-kubernetes-int-or-string": true},
        "set": {"type": "array", "x-kubernetes-list-type": "set", "items": text},
        "l": {
            "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"],
            "items": {"type": "object", "properties": {"k": text, "v": {"type": "integer"}}}
        },
        "m": {"type": "object", "additionalProperties": text}, "t": {"type": "string", "format": "date-time"}
    }});
    #[expect(clippy::expect_used, reason = "without a type there is nothing to fuzz")]
    Declared::from_schema(&schema, true).expect("a type")
});

static OBJECT: LazyLock<Json> = LazyLock::new(|| {
    json!({
        "s": "x", "i": 1, "d": 1.5, "x": "50%", "set": ["a", "b"], "l": [{"k": "a", "v": 1}, {"k": "b"}], "m": {"a": "b"},
        "t": "2026-01-02T03:04:05Z", "metadata": {"name": "n"}
    })
});

static RULE: LazyLock<Environment> = LazyLock::new(|| Environment::rule(&DECLARED, false));

fuzz_target!(|bytes: &[u8]| -> Corpus {
    let Ok(text) = std::str::from_utf8(bytes) else { return Corpus::Reject };
    match Selector::compile(text) {
        Ok(selector) => {
            let (once, again) = (selector.matches(&DEVICE, BUDGET), selector.matches(&DEVICE, BUDGET));
            assert_eq!((once.outcome, once.cost), (again.outcome, again.cost), "equal questions have equal answers");
        }
        Err(error) => assert!(!error.to_string().is_empty(), "a refusal says why"),
    }
    if let (Ok(program), Ok(value)) = (Program::compile(&RULE, text), DECLARED.read(&OBJECT)) {
        let bindings = [("self", value.clone()), ("oldSelf", value)];
        let (once, again) = (program.run(&bindings, BUDGET), program.run(&bindings, BUDGET));
        assert_eq!(once.cost, again.cost, "equal questions have equal costs");
        assert_eq!(once.outcome.is_ok(), again.outcome.is_ok(), "equal questions have equal answers");
    }
    Corpus::Keep
});
