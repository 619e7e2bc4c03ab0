//! `sailplane admission` as a process: reviews in a second over TLS, beside others and beside a large fleet, and the time that
//! webhooks add when objects are created in a real API server. Both are compared with a webhook that allows everything at once.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Barrier;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use contract::types::KindRef;
use serde_json::{Value, json};
use tests::api_server::ApiServer;
use tests::fleet::Fleet;
use tests::real::api_server::RealApiServer;
use tests::real::certificate::ServerCertificates;
use tests::real::http::TlsClient;
use tests::real::processes::{Process, eventually, free_port};
use tests::real::replica::Replica;
use tests::real::tools::Tools;

use crate::clock::{Rounds, in_turns, quantile};
use crate::report::{Bound, Report};

const CLIENTS: usize = 4;
const ROUNDS: usize = 21;
const ROUND: Duration = Duration::from_millis(500);
/// The number of other composites in the cluster, which verdicts look up.
const OTHERS: usize = 100;
/// The number of clusters of a fleet, and how often reviews beside it are measured.
const FLEET: usize = 1_000;
const FLEET_ROUNDS: usize = 11;
/// The number of clients that create objects at the same time. These rounds are longer, because a create takes longer
/// than a review.
const PARALLEL: usize = 50;
const CREATE_ROUNDS: usize = 11;
const CREATES: Duration = Duration::from_secs(3);

pub(crate) fn measure(report: &mut Report) {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bench-webhooks");
    let _ = std::fs::remove_dir_all(&dir);
    let bench = Bench::new(&dir);
    reviews(report, &bench);
    reviews_of_deployments(report, &bench);
    match Tools::find().and_then(|tools| RealApiServer::start(&tools, &dir, &[])) {
        Ok(server) => creates(report, &bench, &server),
        Err(error) => eprintln!("skipped: creates through the API server, for want of one: {error}"),
    }
}

/// The folder and the certificate authority of a run.
pub(crate) struct Bench {
    dir: PathBuf,
    authority: ServerCertificates,
    certificates: PathBuf,
}

impl Bench {
    pub(crate) fn new(dir: &Path) -> Self {
        let certificates = dir.join("certificates");
        std::fs::create_dir_all(&certificates).expect("a folder");
        let authority = ServerCertificates::default();
        authority.issue(&certificates).expect("a certificate");
        Self { dir: dir.to_owned(), authority, certificates }
    }

    /// A server without lookups.
    fn alone(&self) -> Replica {
        let nowhere = self.dir.join("no-kubeconfig");
        Replica::start(&self.certificates, &nowhere, &self.dir, &["--no-lookups"]).expect("it starts")
    }

    /// A server that looks things up in the cluster of a kubeconfig.
    pub(crate) fn looking_up(&self, kubeconfig: &Path) -> Replica {
        Replica::start(&self.certificates, kubeconfig, &self.dir, &[]).expect("it starts")
    }

    /// A server that allows everything at once.
    fn allowing(&self) -> Allowing {
        let port = free_port().expect("a port");
        let mut command = Command::new(std::env::current_exe().expect("this program"));
        command.args(["--allowing", &format!("127.0.0.1:{port}")]).arg(&self.certificates);
        let process = Process::start("allowing", &mut command, &self.dir).expect("it starts");
        eventually("it listens", Duration::from_secs(10), || Ok(std::net::TcpStream::connect(("127.0.0.1", port))?))
            .expect("it listens");
        Allowing { port, _process: process }
    }

    fn connect(&self, port: u16) -> TlsClient {
        TlsClient::connect_tls(port, self.authority.pem(), None).expect("a connection")
    }
}

/// A server that allows everything at once.
struct Allowing {
    port: u16,
    /// It ends when this is dropped.
    _process: Process,
}

/// Reviews of the largest composite, without lookups and with lookups among others in a cluster.
fn reviews(report: &mut Report, bench: &Bench) {
    let cluster = cluster(OTHERS);
    let (alone, looking_up, allowing) = (bench.alone(), bench.looking_up(&cluster.kubeconfig()), bench.allowing());
    let review = review().to_string();
    let (mut of_alone, mut of_looking_up) = (Vec::new(), Vec::new());
    let judged = |port, slow: &mut Vec<f64>| {
        let (rate, times) = load(bench, port, &review, CLIENTS);
        slow.push(quantile(times, 0.99));
        rate
    };
    let [without, with, at_once] = in_turns(
        ROUNDS,
        [&mut || judged(alone.port, &mut of_alone), &mut || judged(looking_up.port, &mut of_looking_up), &mut || {
            load(bench, allowing.port, &review, CLIENTS).0
        }],
    );
    report.add("reviews a second over TLS, allowed at once", &at_once, "/s", Bound::None);
    report.add("reviews a second over TLS, without lookups", &without, "/s", Bound::None);
    report.add("reviews a second over TLS, beside 100 composites", &with, "/s", Bound::None);
    report.add("reviews without lookups / allowed at once", &without.over(&at_once), "×", Bound::None);
    report.add("reviews beside 100 composites / allowed at once", &with.over(&at_once), "×", Bound::None);
    report.add("reviews without lookups, 99 of 100 within", &Rounds::of(of_alone), "ms", Bound::None);
    report.add("reviews beside 100 composites, 99 of 100 within", &Rounds::of(of_looking_up), "ms", Bound::None);
    let cluster = tests::workload::new_cluster(4);
    let cluster = cluster.composite().expect("it has a composite");
    for (what, plural, composite) in
        [("services", "modelservices", &tests::workload::service()), ("clusters", "clusters", cluster)]
    {
        let review = review_of(plural, composite).to_string();
        let [judged, at_once] = in_turns(
            ROUNDS,
            [&mut || load(bench, alone.port, &review, CLIENTS).0, &mut || {
                load(bench, allowing.port, &review, CLIENTS).0
            }],
        );
        report.add(format!("reviews of {what} a second over TLS, without lookups"), &judged, "/s", Bound::None);
        report.add(format!("reviews of {what} / allowed at once"), &judged.over(&at_once), "×", Bound::Least(0.7));
    }
    report.add("resident memory of admission, loaded", looking_up.resident().expect("procfs"), "MB", Bound::None);
}

/// Reviews of a ModelDeployment, which has to find places on a watched fleet, and of one in a cluster without a fleet.
fn reviews_of_deployments(report: &mut Report, bench: &Bench) {
    let (none, fleet) = (fleet(0), fleet(FLEET));
    let (beside_none, beside_fleet) = (bench.looking_up(&none.kubeconfig()), bench.looking_up(&fleet.kubeconfig()));
    let known = format!("lookup_objects{{group=\"modelplane.ai\",kind=\"InferenceCluster\"}} {FLEET}\n");
    assert!(beside_fleet.metrics().expect("metrics").contains(&known), "the watch does not know all clusters");
    let review = review_of("modeldeployments", &tests::fleet::deployment()).to_string();
    let (mut of_none, mut of_fleet) = (Vec::new(), Vec::new());
    let judged = |port, slow: &mut Vec<f64>| {
        let (rate, times) = load(bench, port, &review, CLIENTS);
        slow.push(quantile(times, 0.99));
        rate
    };
    let [without, with] = in_turns(
        FLEET_ROUNDS,
        [&mut || judged(beside_none.port, &mut of_none), &mut || judged(beside_fleet.port, &mut of_fleet)],
    );
    report.add("reviews of deployments a second, without clusters", &without, "/s", Bound::None);
    report.add("reviews of deployments a second, beside 1,000 clusters", &with, "/s", Bound::None);
    report.add("  99 of 100 without clusters within", &Rounds::of(of_none), "ms", Bound::None);
    report.add("  99 of 100 beside 1,000 clusters within", &Rounds::of(of_fleet), "ms", Bound::Most(100.0));
    let resident = beside_fleet.resident().expect("procfs");
    report.add("resident memory of admission, 1,000 clusters", resident, "MB", Bound::None);
}

/// A cluster with so many InferenceClusters, and without replicas.
fn fleet(clusters: usize) -> ApiServer {
    let path = |plural: &str| format!("/apis/modelplane.ai/v1alpha1/{plural}");
    let plurals = ["inferenceclusters", "inferenceclasses", "modelcaches", "modeldeployments", "modelreplicas"];
    let paths = plurals.map(path);
    let server = ApiServer::start("bench-fleet", &paths.each_ref().map(String::as_str));
    for cluster in Fleet::of(clusters).objects() {
        server.put(&path("inferenceclusters"), &cluster);
    }
    server
}

/// A cluster with other composites, and with the provider configuration that the composite names.
pub(crate) fn cluster(others: usize) -> ApiServer {
    const COMPOSITES: &str = "/apis/inference.devopstoolkit.ai/v1alpha1/llminferences";
    const CONFIGS: &str = "/apis/kubernetes.m.crossplane.io/v1alpha1/clusterproviderconfigs";
    const NAMESPACED: &str = "/apis/kubernetes.m.crossplane.io/v1alpha1/providerconfigs";
    let cluster = ApiServer::start("bench", &[COMPOSITES, CONFIGS, NAMESPACED]);
    cluster.put(CONFIGS, &config());
    for index in 0..others {
        cluster.put(COMPOSITES, &other(index));
    }
    cluster
}

/// The provider configuration that the composite names.
pub(crate) fn config() -> Value {
    let name = &tests::workload::composite()["spec"]["providerConfigName"];
    let (api_version, kind) = ("kubernetes.m.crossplane.io/v1alpha1", "ClusterProviderConfig");
    json!({"apiVersion": api_version, "kind": kind, "metadata": {"name": name}, "spec": {}})
}

/// Another composite, with a host of its own.
pub(crate) fn other(index: usize) -> Value {
    let mut other = tests::workload::composite();
    other["metadata"] = json!({"name": format!("other-{index}"), "namespace": "default"});
    other["spec"]["ingressHost"] = format!("other-{index}.example.org").into();
    other
}

/// A review of the largest composite.
pub(crate) fn review() -> Value {
    review_of("llminferences", &tests::workload::composite())
}

/// A review of an object that somebody creates.
fn review_of(resource: &str, object: &Value) -> Value {
    let kind = KindRef::of(object);
    let (group, version) = kind.api_version.split_once('/').expect("an API version with a group");
    json!({
        "apiVersion": "admission.k8s.io/v1",
        "kind": "AdmissionReview",
        "request": {
            "uid": "705ab4f5-6393-11e8-b7cc-42010a800002",
            "kind": {"group": group, "version": version, "kind": kind.kind},
            "resource": {"group": group, "version": version, "resource": resource},
            "operation": "CREATE",
            "namespace": object["metadata"]["namespace"].as_str().unwrap_or("default"),
            "userInfo": {"username": "somebody"},
            "object": object,
        },
    })
}

/// The reviews in a second with several clients, and the milliseconds that each of the reviews took.
pub(crate) fn load(bench: &Bench, port: u16, review: &str, clients: usize) -> (f64, Vec<f64>) {
    let connected: Vec<_> = (0..clients).map(|_| bench.connect(port)).collect();
    let begin = Instant::now();
    let client = |mut client: TlsClient| {
        let mut times = Vec::new();
        while begin.elapsed() < ROUND {
            let start = Instant::now();
            let (status, answer, _) = client.exchange("POST", "/validate", review.as_bytes()).expect("an answer");
            times.push(start.elapsed().as_secs_f64() * 1e3);
            assert!(status == 200 && is_allowed(&answer), "{status} {}", String::from_utf8_lossy(&answer));
        }
        times
    };
    let client = &client;
    let times: Vec<f64> = thread::scope(|scope| {
        let clients: Vec<_> = connected.into_iter().map(|it| scope.spawn(move || client(it))).collect();
        clients.into_iter().flat_map(|client| client.join().expect("no panic")).collect()
    });
    (times.len() as f64 / begin.elapsed().as_secs_f64(), times)
}

/// Whether a review is allowed. It searches the text, because to parse JSON would take a large part of the measured
/// time.
fn is_allowed(answer: &[u8]) -> bool {
    const ALLOWED: &[u8] = b"\"allowed\":true";
    answer.windows(ALLOWED.len()).any(|it| it == ALLOWED)
}

/// The groups of three kinds with the same schema: without a webhook, with a webhook that allows at once, and ours.
const GROUPS: [&str; 3] = ["none.sailplane.test", "allowed.sailplane.test", "inference.devopstoolkit.ai"];

/// Creates objects at half of the rate that the API server reaches without webhooks.
fn creates(report: &mut Report, bench: &Bench, server: &RealApiServer) {
    let (allowing, judging) = (bench.allowing(), bench.alone());
    for group in GROUPS {
        server.kubectl().apply(&definition(group)).expect("a definition");
    }
    server.kubectl().run(&["wait", "--for=condition=Established", "crds", "--all"]).expect("definitions are served");
    for (group, port) in [(GROUPS[1], allowing.port), (GROUPS[2], judging.port)] {
        server.kubectl().apply(&configuration(group, port, bench.authority.pem())).expect("a webhook");
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
    // The median and the 99th percentile of each round.
    let mut slow = GROUPS.map(|_| Vec::new());
    let [slow_none, slow_at_once, slow_judged] = &mut slow;
    let one = |group, slow: &mut Vec<f64>| {
        let times = create(server, group, &made, Some(alone / 2.0));
        slow.push(quantile(times.clone(), 0.99));
        quantile(times, 0.5)
    };
    let [none, at_once, judged] = in_turns(
        CREATE_ROUNDS,
        [&mut || one(GROUPS[0], slow_none), &mut || one(GROUPS[1], slow_at_once), &mut || one(GROUPS[2], slow_judged)],
    );
    report.add("a create without webhooks", &none, "ms", Bound::None);
    report.add_difference("  what allowing at once adds to it", &at_once.minus(&none), "ms", Bound::None);
    report.add_difference(
        "  what judging adds to that, without lookups",
        &judged.minus(&at_once),
        "ms",
        Bound::Most(5.0),
    );
    let [none, at_once, judged] = slow.map(Rounds::of);
    report.add("creates without webhooks, 99 of 100 within", &none, "ms", Bound::None);
    report.add_difference("  what allowing at once adds to those", &at_once.minus(&none), "ms", Bound::None);
    let bound = Bound::Most((none.median() * 0.1).max(5.0));
    report.add_difference("  what judging adds to those, without lookups", &judged.minus(&at_once), "ms", bound);
}

/// Creates objects from many clients, as fast as possible or at a rate in a second. Returns the milliseconds that each
/// took, from the moment when it was due.
fn create(server: &RealApiServer, group: &str, made: &AtomicU64, rate: Option<f64>) -> Vec<f64> {
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
