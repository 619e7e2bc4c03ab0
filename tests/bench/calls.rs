//! Compares a call through the component with a native call of the same code.
//!
//! Both sides get the same request of the contract and return its response, with objects as JSON text. The difference
//! is WebAssembly, and the way into and out of it.

use std::hint::black_box;

use host::engine::{Engine, Settings};
use host::wit::compose::Request;
use host::wit::preview;
use serde_json::json;

use crate::clock::{Rounds, in_turns, micros};
use crate::native::Module;
use crate::native::compose::{self, Guest as _};
use crate::report::{Bound, Report};

const BATCHES: usize = 41;
const CALLS: usize = 100;
const GROWTH_ROUNDS: usize = 21;

pub(crate) fn measure(report: &mut Report) {
    let fresh =
        Engine::load(&Settings { reuse: false, ..Settings::default() }, false, &[] as &[&str]).expect("an engine");
    let request = tests::workload::request();
    let [native, reused, fresh] = beside(&request, &mut || through(&fresh, &request));
    report.add("compose LLMInference, natively", &native, "µs", Bound::None);
    report.add("compose LLMInference, component / native", &reused.over(&native), "×", Bound::Most(1.5));
    report.add("the same with an instance per call", &fresh.over(&native), "×", Bound::None);

    // No worse than LLMInference.
    let as_llm_inference = reused.over(&native).median();
    for (what, request, most) in [
        ("a service of 17 objects", tests::workload::settled_service(), 1.5),
        (
            "a cluster with everything",
            tests::workload::settled_of(&tests::workload::new_cluster(CLUSTER)),
            as_llm_inference,
        ),
        ("an EKSCluster", tests::platform::settled("eks-cluster"), as_llm_inference),
        ("a ServingStack", tests::platform::settled("stack"), as_llm_inference),
        ("an InferenceGateway", tests::platform::settled("gateway"), as_llm_inference),
        ("a model beside 20", tests::models::beside(20), as_llm_inference),
    ] {
        let request = tests::wit::request(&request);
        let [native, reused, _] = beside(&request, &mut || ());
        report.add(format!("compose {what}, natively"), &native, "µs", Bound::None);
        report.add(format!("compose {what}, component / native"), &reused.over(&native), "×", Bound::Most(most));
    }
    growth(report);
    guarded(report);
    settled(report);
}

/// Namespaces of a cluster, and secrets in each.
const CLUSTER: usize = 4;

/// Three times the namespaces and secrets of a cluster, whose other objects are the same.
fn growth(report: &mut Report) {
    let engine = Engine::load(&Settings::default(), false, &[] as &[&str]).expect("an engine");
    let [few, many] = [10, 17].map(|many| {
        let request = tests::workload::settled_of(&tests::workload::new_cluster(many));
        tests::wit::request(&request)
    });
    let [few, many] = in_turns(
        GROWTH_ROUNDS,
        [&mut || micros(1, || through(&engine, &few)), &mut || micros(1, || through(&engine, &many))],
    );
    report.add("compose a cluster with 110 namespaces and secrets", &few.times(1e-3), "ms", Bound::None);
    // 306 of them.
    report.add("compose a cluster, three times of these / as many", &many.over(&few), "×", Bound::Most(3.3));
}

/// An InferenceCluster with 5,000 replicas on it, which it only counts: beside reading as much JSON whole.
fn guarded(report: &mut Report) {
    let engine = Engine::load(&Settings::default(), false, &[] as &[&str]).expect("an engine");
    let request = tests::wit::request(&tests::platform::with_replicas(5_000));
    let texts: Vec<_> = request.lookups.iter().flat_map(|lookup| &lookup.objects).map(|it| it.object.clone()).collect();
    let read = || {
        for text in &texts {
            black_box(serde_json::from_str::<serde_json::Value>(text).expect("JSON"));
        }
    };
    let [composed, read] =
        in_turns(GROWTH_ROUNDS, [&mut || micros(1, || through(&engine, &request)), &mut || micros(1, read)]);
    report.add("compose InferenceCluster, 5,000 replicas", &composed.times(1e-3), "ms", Bound::None);
    report.add(
        "compose InferenceCluster, 5,000 replicas / decoding them",
        &composed.over(&read),
        "×",
        Bound::Most(1.0),
    );
}

/// The largest example in a preview of what there is once everything is up: clusters in three clouds, with models on them.
fn settled(report: &mut Report) {
    let text = include_str!("../../examples/modelplane/fleet.yaml");
    let request: preview::Request = serde_json::from_value(json!({
        "sources": [{"name": "fleet.yaml", "role": "Subject", "text": text}],
        "namespace": null, "pipelines": [], "context": [], "cascade": true, "settled": true, "explain": false, "now": null,
        "foreign_kinds": [], "foreign_objects": [], "foreign_inputs": [], "foreign_steps": [],
    }))
    .expect("a request");
    let engine = Engine::load(&Settings::default(), false, &[] as &[&str]).expect("an engine");
    let once = || drop(black_box(engine.preview(&[], &request).expect("an answer")));
    let [millis] = in_turns(GROWTH_ROUNDS, [&mut || micros(1, once) / 1e3]);
    report.add("preview of the example fleet, once everything is up", &millis, "ms", Bound::Most(150.0));
}

/// The time of a native call, of one through the component, and of something else.
fn beside(request: &Request, other: &mut dyn FnMut()) -> [Rounds; 3] {
    let reused = Engine::load(&Settings::default(), false, &[] as &[&str]).expect("an engine");
    let native: compose::Request =
        serde_json::from_value(serde_json::to_value(request).expect("JSON")).expect("the same type");
    in_turns(
        BATCHES,
        [
            &mut || micros(CALLS, || drop(black_box(Module::compose(native.clone())))),
            &mut || micros(CALLS, || through(&reused, request)),
            &mut || micros(CALLS, &mut *other),
        ],
    )
}

fn through(engine: &Engine, request: &Request) {
    let kind = tests::wit::kind_of(request);
    drop(black_box(engine.compose(&kind, None, request).expect("the module answers")));
}
