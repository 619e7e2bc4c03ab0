//! `sailplane function` as a process: throughput, start, memory, time for each megabyte of state.

use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use contract::compose::ComposeRequest;
use function_sdk_rust::proto::v1::function_runner_service_client::FunctionRunnerServiceClient;
use function_sdk_rust::proto::v1::{Resource, RunFunctionRequest, RunFunctionResponse, State};
use prost::Message as _;
use prost::bytes::Bytes;
use tokio::runtime::Runtime;
use tonic::transport::Channel;

use crate::clock::{in_turns, millis};
use crate::raw::RawClient;
use crate::report::{Bound, Report};

type Client = FunctionRunnerServiceClient<Channel>;

const CLIENTS: usize = 4;
const ROUNDS: usize = 21;
const ROUND: Duration = Duration::from_millis(500);

pub(crate) fn measure(report: &mut Report) {
    let runtime = Runtime::new().expect("a runtime");
    start(report, &runtime);
    let sailplane = Server::sailplane();
    let client = runtime.block_on(sailplane.client());
    let request = tests::workload::protobuf();
    let response = runtime.block_on(call(&client, &request));
    report.add("resident memory, idle", sailplane.resident(), "MB", Bound::Most(40.0));
    let canned = Server::canned("canned.bin", &response);
    let llm_inference = throughput(report, &runtime, &sailplane, &canned, &request);
    for kind in KINDS {
        first_and_steady(report, &runtime, &sailplane, kind, kind.least.unwrap_or(llm_inference));
    }
    for (what, file, request, least) in SETTLED {
        let request = tests::function::from_domain(&request());
        let response = runtime.block_on(call(&client, &request));
        let canned = Server::canned(&format!("canned-{file}.bin"), &response);
        let [ours, theirs] = in_turns(
            ROUNDS,
            [&mut || runtime.block_on(load(&sailplane, &request)), &mut || runtime.block_on(load(&canned, &request))],
        );
        report.add(format!("RunFunction calls a second, {what}"), &ours, "/s", Bound::None);
        report.add(
            format!("{what} / canned response"),
            &ours.over(&theirs),
            "×",
            Bound::Least(least.unwrap_or(llm_inference)),
        );
    }
    per_megabyte(report, &runtime, &sailplane, &canned);
    memory(report, &runtime);
}

/// The memory after calls: with 2 MB of state, which is as large as a request with 1,000 clusters, and with 10 MB.
fn memory(report: &mut Report, runtime: &Runtime) {
    let sailplane = Server::sailplane();
    let after = |megabytes| {
        runtime.block_on(async { call(&sailplane.client().await, &with_state(megabytes)).await });
        sailplane.resident()
    };
    report.add("resident memory, after 2 MB of state", after(2), "MB", Bound::Most(120.0));
    report.add("resident memory, after 10 MB of state", after(10), "MB", Bound::Most(80.0));
}

fn start(report: &mut Report, runtime: &Runtime) {
    let request = tests::workload::protobuf();
    let mut once = || {
        let begin = Instant::now();
        let server = Server::sailplane();
        runtime.block_on(async { call(&server.client().await, &request).await });
        begin.elapsed().as_secs_f64() * 1e3
    };
    once(); // the first start reads the binary from disk
    let [started] = in_turns(ROUNDS, [&mut once]);
    report.add("process start to first answer", &started, "ms", Bound::Most(30.0));
}

/// The calls that ours answers, as part of those of the canned server.
fn throughput(
    report: &mut Report,
    runtime: &Runtime,
    sailplane: &Server,
    canned: &Server,
    request: &RunFunctionRequest,
) -> f64 {
    let [ours, theirs] = in_turns(
        ROUNDS,
        [&mut || runtime.block_on(load(sailplane, request)), &mut || runtime.block_on(load(canned, request))],
    );
    report.add("RunFunction calls a second, LLMInference", &ours, "/s", Bound::None);
    let ratio = ours.over(&theirs);
    report.add("RunFunction throughput / canned response", &ratio, "×", Bound::Least(0.75));
    ratio.median()
}

/// A kind of composite that becomes many objects.
struct Composites {
    what: &'static str,
    /// The file of the canned responses.
    file: &'static str,
    new: fn() -> ComposeRequest,
    /// The least part of the canned server's calls. `None` is that of LLMInference.
    least: Option<f64>,
}

/// What is measured once all of it is up: its name, the file of the canned responses, the request, and the least part of the canned
/// server's calls. `None` is that of LLMInference.
type Settled = (&'static str, &'static str, fn() -> ComposeRequest, Option<f64>);

const SETTLED: &[Settled] = &[
    ("an EKSCluster", "eks-cluster", || tests::platform::settled("eks-cluster"), None),
    ("a ServingStack", "stack", || tests::platform::settled("stack"), None),
    ("an InferenceGateway", "gateway", || tests::platform::settled("gateway"), None),
    ("a model beside 20", "model", || tests::models::beside(20), Some(0.65)),
];

const KINDS: &[Composites] = &[
    Composites {
        what: "a service of 17 objects",
        file: "service",
        new: tests::workload::new_service,
        least: Some(0.65),
    },
    Composites {
        what: "a cluster with everything",
        file: "cluster",
        new: || tests::workload::new_cluster(4),
        least: None,
    },
];

/// The same for composites that become many objects: the first call, and those once all of it exists.
fn first_and_steady(report: &mut Report, runtime: &Runtime, sailplane: &Server, kind: &Composites, least: f64) {
    let Composites { what, file, new, .. } = *kind;
    let client = runtime.block_on(sailplane.client());
    let (new, objects) = (new(), tests::workload::settled_of(&new()).observed.len());
    let [new, settled] = [new.clone(), tests::workload::settled_of(&new)].map(|request| {
        let request = tests::function::from_domain(&request);
        let response = runtime.block_on(call(&client, &request));
        assert_eq!(response.desired.as_ref().map(|it| it.resources.len()), Some(objects), "{:?}", response.results);
        (request, response)
    });
    let canned = [(format!("canned-{file}-new.bin"), &new), (format!("canned-{file}-settled.bin"), &settled)];
    let [canned_new, canned_settled] = canned.map(|(file, (_, response))| Server::canned(&file, response));
    let [new, new_canned, settled, settled_canned] = in_turns(
        ROUNDS,
        [
            &mut || runtime.block_on(load(sailplane, &new.0)),
            &mut || runtime.block_on(load(&canned_new, &new.0)),
            &mut || runtime.block_on(load(sailplane, &settled.0)),
            &mut || runtime.block_on(load(&canned_settled, &settled.0)),
        ],
    );
    let kind = what.split_once(' ').map_or(what, |(_, rest)| rest);
    report.add(format!("RunFunction calls a second, a new {kind}"), &new, "/s", Bound::None);
    report.add(format!("RunFunction calls a second, {what}"), &settled, "/s", Bound::None);
    report.add(format!("a new {kind} / canned response"), &new.over(&new_canned), "×", Bound::Least(least));
    report.add(format!("{what} / canned response"), &settled.over(&settled_canned), "×", Bound::Least(least));
}

/// The calls in a second that a server answers for a few clients.
async fn load(server: &Server, request: &RunFunctionRequest) -> f64 {
    let mut connected = Vec::new();
    for _ in 0..CLIENTS {
        connected.push(server.client().await);
    }
    let begin = Instant::now();
    let mut clients = Vec::new();
    for mut client in connected {
        let request = request.clone();
        clients.push(tokio::spawn(async move {
            let mut calls = 0u32;
            while begin.elapsed() < ROUND {
                client.run_function(request.clone()).await.expect("an answer");
                calls += 1;
            }
            calls
        }));
    }
    let mut calls = 0;
    for client in clients {
        calls += client.await.expect("no panic");
    }
    f64::from(calls) / begin.elapsed().as_secs_f64()
}

/// The time that a megabyte of state adds to a call, also as part of the time of the canned server, which only decodes it
/// to the SDK's own messages.
fn per_megabyte(report: &mut Report, runtime: &Runtime, sailplane: &Server, canned: &Server) {
    let mut cost = |megabytes: usize, whole, part| {
        let request = Bytes::from(with_state(megabytes).encode_to_vec());
        let size = request.len() as f64 / 1e6;
        let [mut ours, mut theirs] = [sailplane, canned].map(|server| runtime.block_on(server.raw_client()));
        let send = |client: &mut RawClient| millis(|| runtime.block_on(client.send(&request))).0 / size;
        // The first calls have to get memory from the system.
        for _ in 0..2 {
            send(&mut ours);
            send(&mut theirs);
        }
        let [ours, theirs] = in_turns(ROUNDS, [&mut || send(&mut ours), &mut || send(&mut theirs)]);
        report.add(whole, &ours, "ms/MB", Bound::Most(6.0));
        report.add(part, &ours.over(&theirs), "×", Bound::None);
    };
    cost(1, "1 MB of state, from the wire and back to it", "1 MB of state / the same to a canned response");
    cost(4, "4 MB of state, from the wire and back to it", "4 MB of state / the same to a canned response");
    cost(10, "10 MB of state, from the wire and back to it", "10 MB of state / the same to a canned response");
}

/// The usual request, with so many megabytes of observed resources, which look like objects of a cluster.
pub(crate) fn with_state(megabytes: usize) -> RunFunctionRequest {
    let mut request = tests::workload::protobuf();
    let observed = request.observed.get_or_insert_with(State::default);
    let mut size = 0;
    for index in 0.. {
        if size > megabytes * 1_000_000 {
            break;
        }
        let object = tests::workload::typical_object(index);
        let mut resource = Resource::default();
        function_sdk_rust::resource::update(&mut resource, &object).expect("an object");
        size += resource.encoded_len();
        observed.resources.insert(format!("other-{index}"), resource);
    }
    request
}

async fn call(client: &Client, request: &RunFunctionRequest) -> RunFunctionResponse {
    client.clone().run_function(request.clone()).await.expect("an answer").into_inner()
}

/// A server process. It is killed when this is dropped.
pub(crate) struct Server {
    process: Child,
    address: String,
}

impl Server {
    pub(crate) fn sailplane() -> Self {
        let address = free_address();
        let mut command = Command::new(tests::artifacts::sailplane());
        command.args(["function", "--insecure", "--metrics-address=", "--health-address=", "--address", &address]);
        Self::spawn(command, address)
    }

    /// A server that answers every call with `response`, from this file: `tests/canned`, which `make bench` builds.
    fn canned(file: &str, response: &RunFunctionResponse) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let file = folder.join(file);
        fs::write(&file, response.encode_to_vec()).expect("the recorded response");
        let address = free_address();
        let mut command = Command::new(folder.with_file_name("canned/release/canned"));
        command.arg(&address).arg(file);
        Self::spawn(command, address)
    }

    fn spawn(mut command: Command, address: String) -> Self {
        let process = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the server starts");
        Self { process, address }
    }

    /// A client. It waits until the server listens.
    async fn client(&self) -> Client {
        Client::new(self.channel().await).max_decoding_message_size(64 << 20)
    }

    /// A client that sends encoded bytes, so that only the work of the server is measured.
    pub(crate) async fn raw_client(&self) -> RawClient {
        RawClient::new(self.channel().await)
    }

    async fn channel(&self) -> Channel {
        let endpoint = Channel::from_shared(format!("http://{}", self.address)).expect("an address");
        loop {
            match endpoint.connect().await {
                Ok(channel) => return channel,
                Err(_) => tokio::time::sleep(Duration::from_micros(500)).await,
            }
        }
    }

    /// The resident memory of the server in megabytes.
    pub(crate) fn resident(&self) -> f64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.process.id())).expect("procfs");
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).expect("VmRSS");
        let kilobytes: f64 = line.split_whitespace().nth(1).expect("a figure").parse().expect("a number");
        kilobytes * 1024.0 / 1e6
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn free_address() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("its address").to_string()
}

/// A request, encoded in advance, and its client.
pub(crate) struct Call<'r> {
    runtime: &'r Runtime,
    client: RawClient,
    request: Bytes,
}

impl<'r> Call<'r> {
    pub(crate) fn of(server: &Server, runtime: &'r Runtime, request: &ComposeRequest) -> Self {
        let request = Bytes::from(tests::function::from_domain(request).encode_to_vec());
        let mut call = Self { runtime, client: runtime.block_on(server.raw_client()), request };
        // The first call has to get memory from the system.
        call.millis();
        call
    }

    pub(crate) fn millis(&mut self) -> f64 {
        let Self { runtime, client, request } = self;
        millis(|| runtime.block_on(client.send(request))).0
    }
}
