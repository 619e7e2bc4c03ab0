use std::collections::BTreeMap;

use contract::admit::{AdmitRequest, Operation};
use contract::types::ObservedObject;
use serde_json::{Value, json};

use super::*;

fn model(name: &str, spec: Value) -> Value {
    let mut object = json!({
        "apiVersion": "inference.eh-ops.io/v1alpha1", "kind": "InferenceModel",
        "metadata": {"name": name, "namespace": "ml"},
        "spec": {"modelName": name, "memory": "60Gi", "backendUrl": "http://a:8080", "containerImage": "a"},
    });
    for (field, value) in spec.as_object().into_iter().flatten() {
        object["spec"][field] = value.clone();
    }
    object
}

/// One that holds memory of its pool.
fn holding(name: &str, memory: &str) -> Value {
    let mut object = model(name, json!({"memory": memory}));
    object["status"] =
        json!({"reservedMemory": memory, "reservation": "Confirmed", "reservedPool": "inference-pool=default"});
    object
}

struct JudgedBeside {
    old: Option<Value>,
    options: Value,
    others: Vec<Value>,
}

const NONE: JudgedBeside = JudgedBeside { old: None, options: Value::Null, others: Vec::new() };

/// Judges a model. `want` are its denials, with `!` in front, and its warnings.
#[track_caller]
fn check(object: Value, JudgedBeside { old, options, others }: JudgedBeside, want: &[&str]) {
    let operation = match old {
        Some(old) => Operation::Update { old, new: object },
        None => Operation::Create(object),
    };
    judged(operation, &options, others, want);
}

#[track_caller]
fn judged(operation: Operation, options: &Value, others: Vec<Value>, want: &[&str]) {
    let models = others.into_iter().map(ObservedObject::from).collect();
    judged_by(operation, options, BTreeMap::from([("models".to_owned(), models)]), want);
}

#[track_caller]
fn judged_by(operation: Operation, options: &Value, lookups: BTreeMap<String, Vec<ObservedObject>>, want: &[&str]) {
    let input = options.is_object().then(
        || json!({"apiVersion": "sailplane.fn.crossplane.io/v1alpha1", "kind": "Options", "inferenceModel": options}),
    );
    let verdict = admit(&AdmitRequest { operation, input, lookups }).expect("options that can be read");
    let say = |mark: &str, problem: &Problem| format!("{mark}{}: {}", problem.path, problem.message);
    let mut found: Vec<_> = verdict.denials.iter().map(|it| say("!", it)).collect();
    found.extend(verdict.warnings.iter().map(|it| say("", it)));
    assert_eq!(found.len(), want.len(), "{found:#?}");
    for (found, want) in found.iter().zip(want) {
        assert!(found.starts_with(want), "{found} does not start with {want}");
    }
}

#[test]
fn amounts() {
    let with = |resources: Value| model("a", json!({"resources": resources}));
    check(model("a", json!({})), NONE, &[]);
    check(model("a", json!({"memory": "0Gi"})), NONE, &["!spec.memory: no amount of memory"]);
    check(model("a", json!({"memory": "1000000000000000000000000000000Ti"})), NONE, &["!spec.memory: no amount"]);
    check(with(json!({"requests": {"cpu": "many"}})), NONE, &["!spec.resources.requests.cpu: `many` is no quantity"]);
    check(with(json!({"limits": {"cpu": "-1"}})), NONE, &["!spec.resources.limits.cpu: the amount is negative"]);
    check(with(json!({"limits": {"gpu": "0.5"}})), NONE, &["!spec.resources.limits.gpu: there are only whole GPUs"]);
    check(
        with(json!({"requests": {"memory": "61Gi"}})),
        NONE,
        &["!spec.resources.requests.memory: the request of 61Gi is over the limit of 60Gi"],
    );
    check(with(json!({"requests": {"memory": "61Gi"}, "limits": {"memory": "61Gi"}})), NONE, &[]);
    check(
        with(json!({"limits": {"memory": "59Gi"}})),
        NONE,
        &["!spec.resources.requests.memory: the request of 60Gi is over the limit of 59Gi"],
    );
    check(
        with(json!({"requests": {"gpu": "1"}, "limits": {"gpu": "2"}})),
        NONE,
        &["!spec.resources.requests.gpu: the request of 1 GPUs"],
    );
    check(with(json!({"requests": {"gpu": "1"}})), NONE, &[]);
    check(
        with(json!({"requests": {"cpu": "2"}, "limits": {"cpu": "1"}})),
        NONE,
        &["!spec.resources.requests.cpu: the request of 2"],
    );
    // What is stored already is tolerated.
    let bad = with(json!({"limits": {"gpu": "0.5"}}));
    check(bad.clone(), JudgedBeside { old: Some(bad), ..NONE }, &[]);
}

#[test]
fn texts() {
    let selector = json!({"nodeSelector": {"a b": "c"}});
    check(model("a", selector), NONE, &["!spec.nodeSelector.a b: no node has a label"]);
    let selector = json!({"nodeSelector": {"a": "c d"}});
    check(model("a", selector), NONE, &["!spec.nodeSelector.a: no node has a label"]);
    check(model("a", json!({"containerImage": " a"})), NONE, &["!spec.containerImage: no image is called so"]);
    check(model("a", json!({"backendUrl": ["http://a:8080"]})), NONE, &["!spec.backendUrl: a list, and not a text"]);
    for cooldown in ["0s", "-1s", "300y", "soon"] {
        check(model("a", json!({"cooldownPeriod": cooldown})), NONE, &["spec.cooldownPeriod: no duration over 0"]);
    }
    check(model("a", json!({"cooldownPeriod": "1ns"})), NONE, &[]);
    check(
        model("a", json!({"backendUrl": "http://a.ml.svc:8000"})),
        NONE,
        &["spec.backendUrl: Service `a` and the container answer at port 8080, and not at 8000"],
    );
    check(model("a", json!({"backendUrl": "http://b.ml.svc:8000"})), NONE, &[]);
    check(
        model("a", json!({"backendUrl": "http://a.ml.svc/v1"})),
        NONE,
        &["spec.backendUrl: Service `a` and the container answer at port 8080, and not at 80"],
    );
    check(model(&"a".repeat(64), json!({})), NONE, &["!metadata.name: the name is longer than 63 characters"]);
    let mut held = model("a", json!({}));
    held["metadata"]["finalizers"] = json!(["inference.eh-ops.io/finalizer"]);
    check(held, NONE, &["metadata.finalizers: `inference.eh-ops.io/finalizer` is that"]);
}

#[test]
fn dependencies() {
    let needs = |name: &str, other: &str| model(name, json!({"dependencies": [other]}));
    check(
        needs("a", "a"),
        NONE,
        &["!spec.dependencies: the models need one another, so none of them could start: a -> a"],
    );
    check(needs("a", "b"), NONE, &["spec.dependencies: no model of namespace `ml` has the name `b`"]);
    let others = || vec![needs("b", "c"), needs("c", "a")];
    check(
        needs("a", "b"),
        JudgedBeside { others: others(), ..NONE },
        &["!spec.dependencies: the models need one another, so none of them could start: a -> b -> c -> a"],
    );
    // A circle that is stored is tolerated.
    check(needs("a", "b"), JudgedBeside { old: Some(needs("a", "b")), others: others(), ..NONE }, &[]);
    // A name that two have means the older one: `shared` is the judged model, or another.
    let shared = |name: &str, year: u32| {
        let mut object = model(name, json!({"modelName": "shared"}));
        object["metadata"]["creationTimestamp"] = format!("{year}-01-01T00:00:00Z").into();
        object
    };
    let closing = |year: u32| {
        let mut object = shared("a", year);
        object["spec"]["dependencies"] = json!(["b"]);
        object
    };
    let others_with = || vec![needs("b", "shared"), shared("c", 2025)];
    let closes = "!spec.dependencies: the models need one another, so none of them could start: a -> b -> a";
    for (year, want) in [(2024, &[closes][..]), (2026, &[])] {
        check(closing(year), JudgedBeside { old: Some(shared("a", year)), others: others_with(), ..NONE }, want);
    }
    let off = JudgedBeside { options: json!({"dependencies": false}), others: others(), ..NONE };
    check(needs("a", "b"), off, &[]);
    let delete = |name: &str, want: &[&str]| {
        judged(
            Operation::Delete(model(name, json!({})).into()),
            &Value::Null,
            others().into_iter().chain([model(name, json!({}))]).collect(),
            want,
        );
    };
    delete("a", &["metadata.name: model `c` depends on it"]);
    delete("d", &[]);
}

#[test]
fn names_that_others_have() {
    let others = || vec![model("b", json!({"modelName": "qwen"}))];
    check(
        model("a", json!({"modelName": "qwen"})),
        JudgedBeside { others: others(), ..NONE },
        &["spec.modelName: model `b` has this name too"],
    );
    let old = Some(model("a", json!({"modelName": "qwen"})));
    check(model("a", json!({"modelName": "qwen"})), JudgedBeside { old, others: others(), ..NONE }, &[]);
    let others = vec![model("a-b", json!({}))];
    check(
        model("a.b", json!({})),
        JudgedBeside { others, ..NONE },
        &["metadata.name: model `a-b` has a Service `a-b` already"],
    );
}

#[test]
fn memory_of_pools() {
    let total = |total: &str| json!({"pools": {"default": total}});
    let sized = |memory: &str| model("a", json!({"memory": memory}));
    let beside = |options: Value, memory: &str| JudgedBeside { old: None, options, others: vec![holding("b", memory)] };
    check(sized("60Gi"), beside(total("100Gi"), "40Gi"), &[]);
    check(
        sized("60Gi"),
        beside(total("100Gi"), "41Gi"),
        &[
            "spec.memory: 60Gi do not fit pool `inference-pool=default` now: 59Gi of 100Gi are free, so it waits until there is more",
        ],
    );
    check(
        sized("101Gi"),
        beside(total("100Gi"), "1Gi"),
        &["spec.memory: the model wants 101Gi, and pool `inference-pool=default` has 100Gi, so it can never fit"],
    );
    let refuse = json!({"pools": {"default": "100Gi"}, "budgetAdvice": "refuse"});
    check(sized("101Gi"), beside(refuse, "1Gi"), &["!spec.memory: the model wants 101Gi"]);
    check(
        sized("101Gi"),
        beside(json!({"maxModelMemory": "100Gi"}), "1Gi"),
        &["spec.memory: the model wants 101Gi, and all pools together have 100Gi"],
    );
    check(
        sized("60Gi"),
        beside(json!({"maxModelMemory": "100Gi"}), "50Gi"),
        &["spec.memory: 60Gi do not fit pool `inference-pool=default` now: all pools together have less"],
    );
    // A sibling that only waits takes nothing.
    check(sized("60Gi"), JudgedBeside { old: None, options: total("100Gi"), others: vec![model("b", json!({}))] }, &[]);
    // Growth and moves.
    let old = Some(holding("a", "60Gi"));
    check(
        holding("a", "70Gi"),
        JudgedBeside { old, ..beside(total("100Gi"), "40Gi") },
        &[
            "spec.memory: 70Gi do not fit pool `inference-pool=default` now: 60Gi of 100Gi are free, so the pool is overcommitted while it runs",
        ],
    );
    let old = Some(sized("60Gi"));
    check(sized("50Gi"), JudgedBeside { old, ..beside(total("100Gi"), "60Gi") }, &[]);
    let asleep = Some(sized("60Gi"));
    check(
        sized("70Gi"),
        JudgedBeside { old: asleep, ..beside(total("100Gi"), "40Gi") },
        &[
            "spec.memory: 70Gi do not fit pool `inference-pool=default` now: 60Gi of 100Gi are free, so it waits until there is more",
        ],
    );
    // One that never runs needs no memory, and one that something else serves has it in any case.
    let beside_much = || beside(total("100Gi"), "60Gi");
    check(model("a", json!({"maxReplicas": 0})), beside_much(), &[]);
    check(
        model("a", json!({"containerImage": ""})),
        beside_much(),
        &[
            "spec.memory: 60Gi do not fit pool `inference-pool=default` now: 40Gi of 100Gi are free, so the pool is overcommitted, since something else serves the model",
        ],
    );
    let old = Some(model("a", json!({"nodeSelector": {"inference-pool": "x"}})));
    check(
        holding("a", "60Gi"),
        JudgedBeside { old, ..beside(total("100Gi"), "60Gi") },
        &[
            "spec.nodeSelector: 60Gi do not fit pool `inference-pool=default` now: 40Gi of 100Gi are free, so it stays where it is",
        ],
    );
}

/// Where nobody has looked for others, what a model says of itself is judged all the same.
#[test]
fn a_model_by_itself() {
    #[track_caller]
    fn check(spec: Value, options: Value, want: &[&str]) {
        judged_by(Operation::Create(model("a", spec)), &options, BTreeMap::new(), want);
    }
    let refuse = || json!({"pools": {"default": "100Gi"}, "budgetAdvice": "refuse"});
    check(json!({"dependencies": ["a"]}), Value::Null, &["!spec.dependencies: the models need one another"]);
    check(json!({"dependencies": ["b"]}), Value::Null, &[]);
    check(json!({"memory": "600Gi"}), refuse(), &["!spec.memory: the model wants 600Gi"]);
    check(json!({"memory": "60Gi"}), refuse(), &[]);
}

/// A model that never ran is judged when it may.
#[test]
fn a_model_that_was_pinned() {
    let pinned = |replicas: i64| model("a", json!({"memory": "600Gi", "maxReplicas": replicas}));
    let options = || json!({"pools": {"default": "100Gi"}, "budgetAdvice": "refuse"});
    let old = || Some(pinned(0));
    check(
        pinned(1),
        JudgedBeside { old: old(), options: options(), others: Vec::new() },
        &["!spec.memory: the model wants"],
    );
    check(pinned(0), JudgedBeside { old: old(), options: options(), others: Vec::new() }, &[]);
}

/// What policies refuse, the other rules refuse too, and the other way round; except amounts that are no quantities.
#[test]
fn policies_say_the_same() {
    /// Whether CEL of an API server finds a `spec` bad.
    fn is_bad(bad: &str, spec: &Value) -> bool {
        let mut definition: Value = serde_json::from_str(include_str!("../definition.json")).expect("JSON");
        let schema = &mut definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"];
        schema["x-kubernetes-validations"] = json!([{"rule": format!("![self].exists(it, {bad})"), "message": "bad"}]);
        let object = model("a", spec.clone());
        let found = toolbox::validation::Validator::read(&definition.to_string()).validate(&object);
        assert!(found.iter().all(|problem| problem.message == "Invalid value: bad"), "{found:?}");
        !found.is_empty()
    }
    #[track_caller]
    fn check(spec: Value, want: [bool; 5]) {
        assert_eq!(policies::BAD.map(|bad| is_bad(bad, &spec)), want, "{spec}");
        let refused = super::fields::denials(&model("a", spec.clone()));
        let says = ["no amount of memory", "requests.cpu", "requests.memory", "requests.gpu", "no image is called so"];
        let said = says.map(|part| refused.iter().any(|it| format!("{}: {}", it.path, it.message).contains(part)));
        assert_eq!(said, want, "{spec}: {refused:?}");
    }
    const NOTHING: [bool; 5] = [false; 5];
    let (memory, cpu) = (
        |it: &str| json!({"memory": it}),
        |asked: &str, most: &str| json!({"resources": {"requests": {"cpu": asked}, "limits": {"cpu": most}}}),
    );
    check(json!({}), NOTHING);
    for fine in ["1Ki", "8388607Ti", "9007199254740991Ki", "00080Gi"] {
        check(memory(fine), NOTHING);
    }
    for bad in ["0Gi", "000Ti", "8388608Ti", "1000000000000000000000000000000Ti"] {
        check(memory(bad), [true, false, false, false, false]);
    }
    check(cpu("2", "2000m"), NOTHING);
    check(cpu("2001m", "2"), [false, true, false, false, false]);
    check(json!({"resources": {"requests": {"cpu": "200"}}}), NOTHING);
    check(json!({"resources": {"requests": {"memory": "60Gi", "cpu": ""}, "limits": {}}}), NOTHING);
    check(json!({"resources": {"requests": {"memory": "61Gi"}}}), [false, false, true, false, false]);
    check(json!({"resources": {"limits": {"memory": "59Gi"}}}), [false, false, true, false, false]);
    check(json!({"resources": {"requests": {"gpu": "1"}}}), NOTHING);
    check(json!({"resources": {"requests": {"gpu": "1"}, "limits": {"gpu": "1"}}}), NOTHING);
    check(json!({"resources": {"requests": {"gpu": "1"}, "limits": {"gpu": "2"}}}), [false, false, false, true, false]);
    check(json!({"containerImage": " a"}), [false, false, false, false, true]);
}
