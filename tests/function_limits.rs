//! `sailplane function` as a process: how much it takes of memory, threads and time, whatever its clients and modules do.

use std::thread;
use std::time::{Duration, Instant};

use anyhow::ensure;
use contract::compose::ComposeRequest;
use function_sdk_rust::proto::v1::{RunFunctionRequest, State};
use prost::Message as _;
use serde_json::{Value, json};
use tests::admission::Webhooks;
use tests::artifacts::{guest, parents};
use tests::function::{Server, act, eventually, refusal, request, resource};
use tests::real::processes;
use tests::workload::typical_object;

const BUSY: &str = "sailplane_module_instances{module=\"guest\",state=\"busy\"}";
const IDLE: &str = "sailplane_module_instances{module=\"guest\",state=\"idle\"}";

fn with_guest(flags: &[&str]) -> Server {
    let module = guest().to_str().expect("it is UTF-8");
    Server::start(&[&["--module", module, "--no-default-module"], flags].concat())
}

/// A request with so many bytes of observed objects.
fn observed(bytes: usize, act: &str) -> RunFunctionRequest {
    let one = typical_object(0).to_string().len();
    let objects = (0..bytes / one).map(|index| (format!("object-{index}"), resource(&typical_object(index))));
    let mut request = tests::function::act(&json!(act));
    request.observed.get_or_insert_with(State::default).resources = objects.collect();
    request
}

/// Many calls of one module, in endless loops, do not delay the call of another module.
#[tokio::test(flavor = "multi_thread")]
async fn modules_do_not_wait_for_one_another() {
    let server = with_guest(&["--module", parents().to_str().expect("it is UTF-8"), "--call-timeout", "30"]);
    let client = server.client().await;
    let spinning: Vec<_> = (0..60)
        .map(|_| {
            let mut client = client.clone();
            tokio::spawn(async move { client.run_function(act(&json!("spin"))).await })
        })
        .collect();
    let waiting = "sailplane_module_calls_waiting{module=\"guest\"}";
    eventually("all turns are taken", || server.metric(BUSY) >= 16.0 && server.metric(waiting) > 0.0);
    let parent =
        json!({"apiVersion": "cascade.example.org/v1", "kind": "Parent", "metadata": {"name": "a"}, "spec": {}});
    server.client().await.run_function(request(&parent)).await.expect("it is answered");
    assert!(spinning.iter().all(|it| !it.is_finished()), "it waited for those that spin");
}

/// A call that its client has given up ends. Otherwise it would run for its full time.
#[tokio::test(flavor = "multi_thread")]
async fn calls_end_with_their_clients() {
    let server = with_guest(&["--call-timeout", "600"]);
    for _ in 0..2 {
        let client = server.client().await;
        let spinning: Vec<_> = (0..4)
            .map(|_| {
                let mut client = client.clone();
                tokio::spawn(async move { client.run_function(act(&json!("spin"))).await })
            })
            .collect();
        eventually("the calls run", || server.metric(BUSY) == 4.0);
        spinning.iter().for_each(|call| call.abort());
        eventually("the calls end", || server.metric(BUSY) == 0.0);
    }
    let given_up = "sailplane_function_call_duration_seconds_count{kind=\"Puppet\",outcome=\"given up\"}";
    assert_eq!(server.metric(given_up), 8.0);
}

/// After a burst there are few idle instances, and soon as little memory as before.
#[tokio::test(flavor = "multi_thread")]
async fn a_burst_leaves_little_behind() {
    let server = with_guest(&["--call-timeout", "300"]);
    let client = server.client().await;
    client.clone().run_function(act(&json!("greet"))).await.expect("it answers");
    let before = server.resident_memory();
    let burst: Vec<_> = (0..24)
        .map(|index| {
            let mut client = client.clone();
            let request = observed(if index % 8 == 0 { 10 << 20 } else { 1 << 20 }, "greet");
            tokio::spawn(async move { client.run_function(request).await })
        })
        .collect();
    for call in burst {
        call.await.expect("no panic").expect("it answers");
    }
    drop(client);
    assert!(server.metric(IDLE) <= 8.0);
    // Idle instances are given back after a minute, idle threads earlier.
    let given_back = || {
        let after = server.resident_memory();
        ensure!(after < before + (20 << 20), "before {} MB, after {} MB", before >> 20, after >> 20);
        Ok(())
    };
    processes::eventually("the memory is given back", Duration::from_secs(90), given_back).expect("little is kept");
}

/// The largest requests are answered within the memory that the process may use. When there is no room for the bytes of one,
/// its client asks again.
#[tokio::test(flavor = "multi_thread")]
async fn the_largest_requests_fit_into_the_memory() {
    const MEMORY: u64 = 512 << 20;
    let request = observed(42 << 20, "greet");
    let server = with_guest(&["--memory", "512", "--call-timeout", "300"]);
    let mut calls = Vec::new();
    for _ in 0..3 {
        let (mut client, request) = (server.client().await, request.clone());
        calls.push(tokio::spawn(async move {
            loop {
                match client.run_function(request.clone()).await {
                    Err(status) if status.code() == tonic::Code::ResourceExhausted => {
                        tokio::time::sleep(Duration::from_millis(200)).await;
                    }
                    answer => return answer,
                }
            }
        }));
    }
    for call in calls {
        let answer = call.await.expect("no panic").expect("it answers").into_inner();
        assert!(answer.results.is_empty(), "{:?}", answer.results);
    }
    let peak = server.peak_memory();
    assert!(peak < MEMORY, "{} MB", peak >> 20);
}

#[tokio::test]
async fn limits_follow_from_the_memory() {
    let server = with_guest(&["--memory", "256", "--call-timeout", "300"]);
    let status = server.client().await.run_function(observed(30 << 20, "greet")).await.unwrap_err();
    assert_eq!(status.code(), tonic::Code::OutOfRange, "{status}");
    let gorged = server.client().await.run_function(act(&json!("gorge"))).await.expect("it answers").into_inner();
    assert_eq!(refusal(&gorged), "Puppet `stage/punch`: the module needs more than 96 MiB of memory");
}

/// Idle servers wake no more than once a second.
#[test]
fn idle_servers_sleep() {
    let function = with_guest(&[]);
    let webhooks = Webhooks::start(&[]);
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async { function.client().await.run_function(act(&json!("greet"))).await }).expect("it answers");
    for wakes in [&(|| function.wakes()) as &dyn Fn() -> u64, &|| webhooks.wakes()] {
        eventually("the process rests", || {
            let (begun, before) = (Instant::now(), wakes());
            thread::sleep(Duration::from_secs(3));
            let seconds = begun.elapsed().as_secs_f64();
            // Fewer than before when a thread has ended meanwhile.
            wakes().checked_sub(before).is_some_and(|woken| woken as f64 <= seconds)
        });
    }
}

/// Ten megabytes of pods, none of which says anything that can be read at its end, do not keep an import from its digest.
#[tokio::test(flavor = "multi_thread")]
async fn megabytes_of_odd_pods() {
    let artifact = json!({
        "apiVersion": "model.otterscale.io/v1alpha1", "kind": "ModelArtifact", "metadata": {"name": "opt", "namespace": "ml"},
        "spec": {
            "source": {"huggingFace": {"model": "facebook/opt-125m"}},
            "target": {"registry": "ghcr.io", "repository": "org/opt"}, "storage": {"size": "5Gi"},
        },
    });
    let mut asked = ComposeRequest { composite: Some(artifact.into()), ..ComposeRequest::default() };
    let first = module::compose(&asked).expect("it is composed");
    asked.observed = first
        .resources
        .into_iter()
        .map(|(key, desired)| {
            let mut object = desired.object;
            object["status"] = json!({"succeeded": 1});
            (key, object.into())
        })
        .collect();
    let ended =
        |message: Value| json!({"status": {"containerStatuses": [{"state": {"terminated": {"message": message}}}]}});
    let odd = [json!("x".repeat(4096)), json!("\u{1}sha256:".repeat(500)), json!({"deep": [[[[1]]]]}), json!(1e300)];
    let digest = format!("sha256:{}", "0a".repeat(32));
    let pods = (0..5_200).map(|index| ended(odd[index % odd.len()].clone())).chain([json!({"status": 7})]);
    // The digest is in the newest message.
    let mut last = ended(json!(digest));
    last["status"]["containerStatuses"][0]["state"]["terminated"]["finishedAt"] = json!("2026-01-01T00:00:00Z");
    asked.lookups.insert("pods".to_owned(), pods.chain([last]).map(Into::into).collect());

    let request = tests::function::from_domain(&asked);
    assert!(request.encoded_len() > 10_000_000, "{} bytes", request.encoded_len());
    let server = Server::start(&[]);
    let begin = Instant::now();
    let answer = server.client().await.run_function(request).await.expect("it is answered").into_inner();
    let composite = answer.desired.and_then(|it| it.composite).and_then(|it| it.resource).expect("a composite");
    assert!(format!("{composite:?}").contains(&digest), "{composite:?}");
    assert!(begin.elapsed() < Duration::from_secs(20), "{:?}", begin.elapsed());
}
