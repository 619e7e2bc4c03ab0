//! `sailplane admission` as a process: reviews a second over TLS, and what webhooks add to creates through a real API
//! server.

use std::collections::BTreeMap;
use std::env;
use std::path::{Path, PathBuf};
use std::sync::Barrier;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tests::real::api_server::Server;
use tests::real::certificate::Authority;
use tests::real::http::TlsClient;
use tests::real::processes::eventually;
use tests::real::replica::Replica;
use tests::real::tools::Tools;

use crate::clock::median;
use crate::report::{Bound, Report};

const CLIENTS: usize = 4;
const ROUND: Duration = Duration::from_millis(1500);
/// Clients that create objects at once.
const PARALLEL: usize = 50;
const CREATES: Duration = Duration::from_secs(10);

pub(crate) fn measure(report: &mut Report) {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bench-webhooks");
    let _ = std::fs::remove_dir_all(&dir);
    let bench = Bench::new(&dir);
    reviews(report, &bench);
    match Tools::find().and_then(|tools| Server::start(&tools, &dir, &[])) {
        Ok(server) => creates(report, &bench, &server),
        Err(error) => eprintln!("skipped: creates through the API server, for want of one: {error}"),
    }
}

/// Where it runs, and who signs its certificate.
struct Bench {
    dir: PathBuf,
    authority: Authority,
    certificates: PathBuf,
}

impl Bench {
    fn new(dir: &Path) -> Self {
        let certificates = dir.join("certificates");
        std::fs::create_dir_all(&certificates).expect("a folder");
        let authority = Authority::default();
        authority.issue(&certificates).expect("a certificate");
        Self { dir: dir.to_owned(), authority, certificates }
    }

    /// A server without lookups, so that there is nothing to wait for.
    fn start(&self) -> Replica {
        let nowhere = self.dir.join("no-kubeconfig");
        Replica::start(&self.certificates, &nowhere, &self.dir, &["--no-lookups"]).expect("it starts")
    }
}

/// The largest composite, judged and not: a kind that nobody serves is allowed without a look at it.
fn reviews(report: &mut Report, bench: &Bench) {
    let server = bench.start();
    let judged = review("LLMInference");
    let passed = review("LLMOther_____");
    let (mut ours, mut theirs, mut slowest) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..7 {
        let (rate, mut times) = load(bench, &server, &judged);
        times.sort_by(f64::total_cmp);
        slowest.push(times[times.len() * 99 / 100]);
        ours.push(rate);
        theirs.push(load(bench, &server, &passed).0);
    }
    let (ours, theirs) = (median(ours), median(theirs));
    report.add("reviews a second over TLS, LLMInference", ours, "/s", Bound::None);
    report.add("reviews / the same server allowing at once", ours / theirs, "×", Bound::Least(0.7));
    report.add("reviews, 99 of 100 within", median(slowest), "ms", Bound::None);
    report.add("resident memory of admission, loaded", server.resident().expect("procfs"), "MB", Bound::None);
}

fn review(kind: &str) -> Value {
    let mut object = tests::workload::composite();
    object["kind"] = kind.into();
    json!({
        "apiVersion": "admission.k8s.io/v1",
        "kind": "AdmissionReview",
        "request": {
            "uid": "705ab4f5-6393-11e8-b7cc-42010a800002",
            "kind": {"group": "inference.devopstoolkit.ai", "version": "v1alpha1", "kind": kind},
            "resource": {"group": "inference.devopstoolkit.ai", "version": "v1alpha1", "resource": "llminferences"},
            "operation": "CREATE",
            "namespace": "default",
            "userInfo": {"username": "somebody"},
            "object": object,
        },
    })
}

/// Reviews a second, and how many milliseconds each took.
fn load(bench: &Bench, server: &Replica, review: &Value) -> (f64, Vec<f64>) {
    let roots = bench.authority.pem();
    let begin = Instant::now();
    let client = || {
        let mut client = TlsClient::connect_tls(server.port, roots, None).expect("a connection");
        let mut times = Vec::new();
        while begin.elapsed() < ROUND {
            let start = Instant::now();
            let (status, answer) = client.send("POST", "/validate", Some(review)).expect("an answer");
            assert!(status == 200 && answer["response"]["allowed"] == true, "{status} {answer}");
            times.push(start.elapsed().as_secs_f64() * 1e3);
        }
        times
    };
    let times: Vec<f64> = thread::scope(|scope| {
        let clients: Vec<_> = (0..CLIENTS).map(|_| scope.spawn(client)).collect();
        clients.into_iter().flat_map(|client| client.join().expect("no panic")).collect()
    });
    (times.len() as f64 / begin.elapsed().as_secs_f64(), times)
}

/// Three kinds of the same shape: one without webhooks, one whose webhook allows at once, and ours.
const GROUPS: [&str; 3] = ["none.sailplane.test", "allowed.sailplane.test", "inference.devopstoolkit.ai"];

/// Creates at half the rate that the API server sustains alone.
fn creates(report: &mut Report, bench: &Bench, server: &Server) {
    let webhook = bench.start();
    for group in GROUPS {
        server.kubectl().apply(&definition(group)).expect("a definition");
    }
    server.kubectl().run(&["wait", "--for=condition=Established", "crds", "--all"]).expect("definitions are served");
    for group in &GROUPS[1..] {
        server.kubectl().apply(&configuration(group, webhook.port, bench.authority.pem())).expect("a webhook");
    }
    let made = AtomicU64::new(0);
    eventually("the webhook is asked", Duration::from_secs(30), || {
        let mut client = server.client()?;
        let (status, _) =
            client.send("POST", &format!("{}?dryRun=All", path(GROUPS[2])), Some(&object(GROUPS[2], "7b")))?;
        anyhow::ensure!(status == 422, "{status}");
        Ok(())
    })
    .expect("it is registered");

    let alone = create(server, GROUPS[0], &made, None).len() as f64 / CREATES.as_secs_f64();
    report.add("creates a second that the API server sustains alone", alone, "/s", Bound::None);
    let mut rounds: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for _ in 0..3 {
        for group in GROUPS {
            let mut times = create(server, group, &made, Some(alone / 2.0));
            times.sort_by(f64::total_cmp);
            rounds.entry(group).or_default().push(times[times.len() * 99 / 100]);
        }
    }
    let [none, allowed, ours] = GROUPS.map(|group| median(rounds.remove(group).unwrap_or_default()));
    report.add("creates, 99 of 100 within, no webhook", none, "ms", Bound::None);
    report.add("creates, 99 of 100 within, allowed at once", allowed, "ms", Bound::None);
    report.add("creates, 99 of 100 within, judged", ours, "ms", Bound::Most((none * 1.1).max(none + 5.0)));
}

/// Creates objects from many clients, as fast as they are taken or at a rate a second: how many milliseconds each
/// took from the moment it was due.
fn create(server: &Server, group: &str, made: &AtomicU64, rate: Option<f64>) -> Vec<f64> {
    let ready = Barrier::new(PARALLEL);
    let client = |index: usize| {
        let mut client = server.direct().expect("a connection");
        ready.wait();
        let (begin, mut times) = (Instant::now(), Vec::new());
        let pause = rate.map(|rate| Duration::from_secs_f64(PARALLEL as f64 / rate));
        let mut due = begin + pause.map(|pause| pause.mul_f64(index as f64 / PARALLEL as f64)).unwrap_or_default();
        while begin.elapsed() < CREATES {
            match pause {
                Some(_) => thread::sleep(due.saturating_duration_since(Instant::now())),
                None => due = Instant::now(),
            }
            let name = format!("made-{}", made.fetch_add(1, Ordering::Relaxed));
            let (status, answer) = client.send("POST", &path(group), Some(&object(group, &name))).expect("an answer");
            assert_eq!(status, 201, "{answer}");
            times.push(due.elapsed().as_secs_f64() * 1e3);
            due += pause.unwrap_or_default();
        }
        times
    };
    let client = &client;
    thread::scope(|scope| {
        let clients: Vec<_> = (0..PARALLEL).map(|index| scope.spawn(move || client(index))).collect();
        clients.into_iter().flat_map(|client| client.join().expect("no panic")).collect()
    })
}

fn path(group: &str) -> String {
    format!("/apis/{group}/v1alpha1/namespaces/default/llminferences")
}

fn object(group: &str, name: &str) -> Value {
    let mut object = tests::workload::composite();
    object["apiVersion"] = format!("{group}/v1alpha1").into();
    object["metadata"] = json!({"name": name, "namespace": "default"});
    object
}

fn definition(group: &str) -> Value {
    let mut definition = tests::real::installed::definition("llm-inference").expect("a definition");
    definition["metadata"]["name"] = format!("llminferences.{group}").into();
    definition["spec"]["group"] = group.into();
    definition
}

fn configuration(group: &str, port: u16, ca: &str) -> Value {
    json!({
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "ValidatingWebhookConfiguration",
        "metadata": {"name": group},
        "webhooks": [{
            "name": format!("validate.{group}"),
            "clientConfig": {"url": format!("https://127.0.0.1:{port}/validate"), "caBundle": tests::base64::encode(ca.as_bytes())},
            "rules": [{"apiGroups": [group], "apiVersions": ["*"], "operations": ["CREATE"], "resources": ["llminferences"]}],
            "admissionReviewVersions": ["v1"],
            "sideEffects": "None",
            "failurePolicy": "Fail",
        }],
    })
}
