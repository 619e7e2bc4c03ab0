//! ModelDeployments on large fleets, from gRPC to gRPC.

use contract::compose::ComposeRequest;
use tests::fleet::{Fleet, with_selectors};
use tests::platform;
use tokio::runtime::Runtime;

use crate::clock::in_turns;
use crate::report::{Bound, Report};
use crate::server::{Call, Server};

const ROUNDS: usize = 21;
/// Rounds of what takes long.
const FEW: usize = 5;

pub(crate) fn measure(report: &mut Report) {
    let runtime = Runtime::new().expect("a runtime");
    times(report, &runtime);
    clusters(report, &runtime);
    hostile(report, &runtime);
    memory(report, &runtime);
}

/// What placing takes, and how it grows with the fleet.
fn times(report: &mut Report, runtime: &Runtime) {
    let server = Server::sailplane();
    let mut sizes = [10, 100, 1_000].map(|clusters| Call::of(&server, runtime, &Fleet::of(clusters).new_replicas()));
    let [small, medium, large] = &mut sizes;
    let mut retained = Call::of(&server, runtime, &Fleet::of(1_000).retained_replicas());
    let mut stored = Call::of(&server, runtime, &Fleet { managed: true, ..Fleet::of(1_000) }.new_replicas());
    let [small, medium, large, retained, stored] = in_turns(
        ROUNDS,
        [
            &mut || small.millis(),
            &mut || medium.millis(),
            &mut || large.millis(),
            &mut || retained.millis(),
            &mut || stored.millis(),
        ],
    );
    report.add("3 replicas placed, 10 clusters", &small, "ms", Bound::None);
    report.add("3 replicas placed, 100 clusters", &medium, "ms", Bound::None);
    report.add("3 replicas placed, 1,000 clusters", &large, "ms", Bound::Most(60.0));
    report.add("3 replicas retained, 1,000 clusters", &retained, "ms", Bound::Most(30.0));
    report.add("3 replicas placed, 1,000 clusters with managedFields", &stored, "ms", Bound::None);
    report.add("1,000 clusters / 100 clusters", &large.over(&medium), "×", Bound::Most(11.0));
    let mut large = Call::of(&server, runtime, &Fleet::of(1_000).new_replicas());
    let mut largest = Call::of(&server, runtime, &Fleet::of(5_000).new_replicas());
    let [large, largest] = in_turns(FEW, [&mut || large.millis(), &mut || largest.millis()]);
    report.add("3 replicas placed, 5,000 clusters", &largest, "ms", Bound::None);
    report.add("5,000 clusters / 1,000 clusters", &largest.over(&large), "×", Bound::Most(5.5));
}

/// Six clusters of the fleet, with all that makes and equips them up, reconciled once together, beside the steady fleet.
fn clusters(report: &mut Report, runtime: &Runtime) {
    let server = Server::sailplane();
    let clouds = ["eks-cluster", "gke-cluster", "aks-cluster", "nebius-cluster", "vultr-cluster"];
    let requests = clouds.map(platform::settled).into_iter();
    let equipped = (0..6).flat_map(|_| [platform::settled("stack"), platform::with_replicas(3)]);
    let requests: Vec<_> = requests.chain(equipped).collect();
    let objects: usize = requests.iter().map(|request| request.observed.len()).sum();
    let mut calls: Vec<_> = requests.iter().map(|request| Call::of(&server, runtime, request)).collect();
    let mut steady = Call::of(&server, runtime, &Fleet::of(1_000).retained_replicas());
    let [calls, steady] = in_turns(ROUNDS, [&mut || calls.iter_mut().map(Call::millis).sum(), &mut || steady.millis()]);
    report.add("objects of six clusters", objects as f64, "", Bound::None);
    report.add("six clusters reconciled once", &calls, "ms", Bound::None);
    report.add("six clusters / 3 replicas retained, 1,000 clusters", &calls.over(&steady), "×", Bound::None);
}

/// Fleets and selectors that cost most.
fn hostile(report: &mut Report, runtime: &Runtime) {
    let server = Server::sailplane();
    let distinct = Fleet { distinct: true, ..Fleet::of(1_667) };
    let mut pools = Call::of(&server, runtime, &distinct.new_replicas());
    let last = r#"device.driver == "gpu.nvidia.com" && device.attributes["gpu.nvidia.com"].index == -1"#;
    let late = ComposeRequest { composite: Some(with_selectors(&[last; 8]).into()), ..distinct.new_replicas() };
    let deep = deep();
    for (request, why) in [(&late, "have no device for request gpu"), (&deep, "not searched to the end")] {
        let response = module::compose(request).expect("it is valid");
        let said = response.conditions.iter().find(|it| it.condition_type == "ReplicasScheduled").expect("it is said");
        assert!(said.message.as_ref().is_some_and(|message| message.contains(why)), "{:?}", said.message);
    }
    let [mut late, mut deep] = [late, deep].map(|request| Call::of(&server, runtime, &request));
    let [pools, late, deep] = in_turns(FEW, [&mut || pools.millis(), &mut || late.millis(), &mut || deep.millis()]);
    report.add("5,000 pools of distinct devices", &pools, "ms", Bound::Most(1_000.0));
    report.add("8 selectors that no device of 5,000 pools suits", &late, "ms", Bound::Most(1_000.0));
    report.add("the deepest search, 1,000 clusters", &deep, "ms", Bound::Most(1_000.0));
}

/// Eight engines that find a place each, and not together: they need ten nodes, and every cluster has nine at most.
fn deep() -> ComposeRequest {
    let mut deployment = with_selectors(&["device.driver == \"gpu.nvidia.com\""]);
    let engine = deployment["spec"]["template"]["spec"]["engines"][0].take();
    let engines = (0..8).map(|number| {
        let mut engine = engine.clone();
        engine["name"] = format!("engine-{number}").into();
        engine["copies"] = if number == 7 { 3 } else { 1 }.into();
        engine["members"][0]["nodeSelector"]["devices"][0]["count"] = 1.into();
        engine
    });
    deployment["spec"]["template"]["spec"]["engines"] = engines.collect();
    let mut request = Fleet::of(1_000).new_replicas();
    request.composite = Some(deployment.into());
    // A node for each pod.
    if let Some(input) = &mut request.input {
        input["modelplane"]["accounting"] = "nodes".into();
    }
    request
}

/// The memory after calls, each in a process of its own.
fn memory(report: &mut Report, runtime: &Runtime) {
    let after = |clusters| {
        let server = Server::sailplane();
        Call::of(&server, runtime, &Fleet::of(clusters).new_replicas()).millis();
        server.resident()
    };
    report.add("resident memory, after 1,000 clusters", after(1_000), "MB", Bound::Most(120.0));
    report.add("resident memory, after 5,000 clusters", after(5_000), "MB", Bound::Most(250.0));
}
