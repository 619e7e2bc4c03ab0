//! A running function, and messages of its protocol.

use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::ops::Range;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{LazyLock, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use contract::compose::ComposeRequest;
use contract::types::ObservedObject;
use function_sdk_rust::proto::v1::function_runner_service_client::FunctionRunnerServiceClient;
use function_sdk_rust::proto::v1::{
    Capability, RequestMeta, Resource, Resources, RunFunctionRequest, RunFunctionResponse, Severity, State,
};
use function_sdk_rust::resource::{json_to_struct, struct_to_json};
use host::engine::{Engine, Settings};
use host::function::Function;
use pbjson_types::Struct;
use serde_json::{Value, json};
use tonic::transport::{Channel, Endpoint};

use crate::artifacts::{guest, sailplane};

/// How long to wait for an event on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A gRPC client of a function.
pub type Client = FunctionRunnerServiceClient<Channel>;

/// A running `sailplane function`. It is killed when it is dropped.
#[derive(Debug)]
pub struct Server {
    child: Child,
    /// The address for gRPC.
    pub grpc: SocketAddr,
    /// The address for metrics.
    pub metrics: SocketAddr,
    /// The address for probes.
    pub health: SocketAddr,
}

impl Server {
    /// Starts a function without TLS, with further flags, and waits until it listens.
    pub fn start(flags: &[&str]) -> Self {
        Self::start_with(|command| command.arg("--insecure").args(flags))
    }

    /// Starts a function with the settings of `configure`, and waits until it listens. Unless a flag sets it, clients have
    /// a long time to send and to receive, so that a busy machine does not change results.
    pub fn start_with(configure: impl FnOnce(&mut Command) -> &mut Command) -> Self {
        let mut command = command();
        configure(&mut command);
        patient(&mut command);
        Self::run(command)
    }

    /// Runs the command of any `sailplane function`, and waits until it listens.
    pub fn run(mut command: Command) -> Self {
        let [grpc, metrics, health] = [(); 3].map(|()| free_address());
        command.arg("--address").arg(grpc.to_string());
        command.env("METRICS_ADDRESS", metrics.to_string()).env("HEALTH_ADDRESS", health.to_string());
        let mut child = command.spawn().expect("the binary can be run");
        eventually("the function listens", || {
            if let Some(status) = child.try_wait().expect("a child can be waited for") {
                panic!("the function ended: {status}");
            }
            [grpc, metrics, health].iter().all(|address| TcpStream::connect(address).is_ok())
        });
        Self { child, grpc, metrics, health }
    }

    /// A client without TLS, which accepts responses of any size.
    pub async fn client(&self) -> Client {
        connect(self.grpc).await
    }

    /// Sends a signal, by name.
    pub fn signal(&self, name: &str) {
        let sent = Command::new("kill").arg(format!("-{name}")).arg(self.child.id().to_string()).status();
        assert!(sent.expect("kill can be run").success());
    }

    /// Waits for the end of the function.
    pub fn wait(mut self) -> ExitStatus {
        let mut ended = None;
        eventually("the function ends", || {
            ended = self.child.try_wait().expect("a child can be waited for");
            ended.is_some()
        });
        ended.expect("it has ended")
    }

    /// The process ID.
    pub fn process(&self) -> u32 {
        self.child.id()
    }

    /// Its resident memory in bytes.
    pub fn resident_memory(&self) -> u64 {
        self.memory("VmRSS:")
    }

    /// The largest resident memory that it has had, in bytes.
    pub fn peak_memory(&self) -> u64 {
        self.memory("VmHWM:")
    }

    fn memory(&self, field: &str) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).expect("it runs on Linux");
        let line = status.lines().find_map(|line| line.strip_prefix(field)).expect("Linux says so");
        line.trim().trim_end_matches(" kB").parse::<u64>().expect("a number") * 1024
    }

    /// The names of its threads.
    pub fn threads(&self) -> Vec<String> {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", self.child.id())).expect("it runs on Linux");
        let name =
            |task: std::io::Result<std::fs::DirEntry>| std::fs::read_to_string(task.ok()?.path().join("comm")).ok();
        tasks.filter_map(name).map(|name| name.trim_end().to_owned()).collect()
    }

    /// How often its threads have been woken.
    pub fn wakes(&self) -> u64 {
        wakes(self.child.id())
    }

    /// The value of a time series, with its labels. 0 when there is none.
    pub fn metric(&self, series: &str) -> f64 {
        let text = get(self.metrics, "/metrics").1;
        let value = text.lines().find_map(|line| line.strip_prefix(series)?.strip_prefix(' '));
        value.map_or(0.0, |value| value.parse().expect("a number"))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A client of a function in this process, with the default module and the guest. A call has a long deadline, for a
/// busy machine, and 64 MiB.
pub async fn shared_client() -> Client {
    static ADDRESS: LazyLock<SocketAddr> = LazyLock::new(|| serve_here(PATIENCE));
    connect(*ADDRESS).await
}

/// A client of another such function, where the deadline of a call is four seconds.
pub async fn brief_client() -> Client {
    static ADDRESS: LazyLock<SocketAddr> = LazyLock::new(|| serve_here(Duration::from_secs(4)));
    connect(*ADDRESS).await
}

fn serve_here(deadline: Duration) -> SocketAddr {
    let settings = Settings { memory: 64 << 20, deadline, ..Settings::default() };
    let engine = Engine::load(&settings, false, &[guest()]).expect("both modules are sound");
    let address = free_address();
    thread::spawn(move || {
        let runtime = tokio::runtime::Runtime::new().expect("threads can be started");
        let serve = async {
            let services = host::function::services(Function::new(engine), 64 << 20).await.expect("they are described");
            tonic::transport::Server::builder().add_routes(services.into()).serve(address).await
        };
        runtime.block_on(serve).expect("it serves");
    });
    eventually("the function listens", || TcpStream::connect(address).is_ok());
    address
}

async fn connect(address: SocketAddr) -> Client {
    let endpoint = Endpoint::from_shared(format!("http://{address}")).expect("an address is a URL's");
    let channel = endpoint.connect().await.expect("it listens");
    Client::new(channel).max_decoding_message_size(usize::MAX).max_encoding_message_size(usize::MAX)
}

/// How often the threads of a process have been woken.
pub fn wakes(process: u32) -> u64 {
    let tasks = std::fs::read_dir(format!("/proc/{process}/task")).expect("it runs on Linux");
    let statuses = tasks.filter_map(|task| std::fs::read_to_string(task.ok()?.path().join("status")).ok());
    let wakes = |status: String| {
        status.lines().find_map(|line| line.strip_prefix("voluntary_ctxt_switches:")?.trim().parse::<u64>().ok())
    };
    statuses.filter_map(wakes).sum::<u64>()
}

/// `sailplane function`, without its environment variables.
pub fn command() -> Command {
    let mut command = Command::new(sailplane());
    command.arg("function").stdin(Stdio::null());
    for variable in ["TLS_SERVER_CERTS_DIR", "METRICS_ADDRESS", "HEALTH_ADDRESS", "MAX_RECV_MESSAGE_SIZE"] {
        command.env_remove(variable);
    }
    without_traces(&mut command);
    command.env("RUST_LOG", "error");
    command
}

/// Lets a server give its clients a long time to send and to receive, unless a flag sets it.
pub(crate) fn patient(command: &mut Command) {
    for flag in ["--client-timeout", "--idle-timeout"] {
        if command.get_args().all(|it| it != flag) {
            command.args([flag, "600"]);
        }
    }
}

/// Lets a command send no traces, whatever the environment says.
pub(crate) fn without_traces(command: &mut Command) {
    for variable in ["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"] {
        command.env_remove(variable);
    }
}

/// A free address on loopback. Its port is below the ports of outgoing connections and is returned once, so nobody else
/// uses it before the server does.
pub fn free_address() -> SocketAddr {
    const PORTS: Range<u16> = 10_000..32_000;
    static NEXT: LazyLock<Mutex<u16>> = LazyLock::new(|| {
        let spread = std::process::id().wrapping_mul(257) % u32::from(PORTS.end - PORTS.start);
        Mutex::new(PORTS.start + u16::try_from(spread).expect("it is less than there are ports"))
    });
    let mut next = NEXT.lock().expect("nobody panicked");
    for _ in PORTS {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, *next));
        *next = if *next + 1 < PORTS.end { *next + 1 } else { PORTS.start };
        if TcpListener::bind(address).is_ok() {
            return address;
        }
    }
    panic!("loopback has no free port in {PORTS:?}");
}

/// Gets `path` over plain HTTP: the status code, and all that follows the status line.
pub fn get(address: SocketAddr, path: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(address).expect("it listens");
    // In one write, because the SDK's server reads only once for a request.
    let request = format!("GET {path} HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).expect("it reads");
    let mut response = String::new();
    stream.read_to_string(&mut response).expect("it answers");
    let code = response.split_whitespace().nth(1).and_then(|code| code.parse().ok());
    (code.expect("it answers in HTTP"), response)
}

/// Waits until `done` returns true.
pub fn eventually(what: &str, mut done: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !done() {
        assert!(begun.elapsed() < PATIENCE, "waited too long until {what}");
        thread::sleep(Duration::from_millis(2));
    }
}

/// The request of Crossplane 2.2 or later for `composite`.
pub fn request(composite: &Value) -> RunFunctionRequest {
    let capabilities = [
        Capability::Capabilities,
        Capability::RequiredResources,
        Capability::Credentials,
        Capability::Conditions,
        Capability::RequiredSchemas,
    ];
    RunFunctionRequest {
        meta: Some(RequestMeta { tag: "a-tag".to_owned(), capabilities: capabilities.map(i32::from).to_vec() }),
        observed: Some(State { composite: Some(resource(composite)), ..State::default() }),
        ..RunFunctionRequest::default()
    }
}

/// A native request as Crossplane sends it: the composite, the observed resources, the step input, and the answers to lookups.
pub fn from_domain(request: &ComposeRequest) -> RunFunctionRequest {
    let state = State {
        composite: request
            .composite
            .as_ref()
            .map(|composite| resource(composite.object().expect("requests of tests are JSON"))),
        resources: request
            .observed
            .iter()
            .map(|(name, it)| (name.clone(), resource(it.object().expect("requests of tests are JSON"))))
            .collect(),
    };
    let found = |objects: &[ObservedObject]| Resources {
        items: objects.iter().map(|it| resource(it.object().expect("requests of tests are JSON"))).collect(),
    };
    RunFunctionRequest {
        observed: Some(state),
        input: request.input.as_ref().filter(|input| input.is_object()).map(as_struct),
        required_resources: request.lookups.iter().map(|(name, objects)| (name.clone(), found(objects))).collect(),
        ..self::request(&json!({}))
    }
}

/// A request for a puppet that does what `act` says; see `tests/guest`.
pub fn act(act: &Value) -> RunFunctionRequest {
    request(&puppet(act))
}

/// A puppet that does what `act` says.
pub fn puppet(act: &Value) -> Value {
    json!({
        "apiVersion": "guest.example.org/v1",
        "kind": "Puppet",
        "metadata": {"namespace": "stage", "name": "punch"},
        "spec": {"act": act},
    })
}

/// A resource of the protocol.
pub fn resource(object: &Value) -> Resource {
    Resource { resource: Some(as_struct(object)), ..Resource::default() }
}

/// A JSON object as a `Struct` of the protocol.
pub fn as_struct(object: &Value) -> Struct {
    json_to_struct(object.as_object().expect("an object"))
}

/// A `Struct` of the protocol as JSON.
pub fn as_json(object: &Struct) -> Value {
    struct_to_json(object)
}

/// The message of the only result of a refused call, which is fatal.
pub fn refusal(response: &RunFunctionResponse) -> &str {
    match response.results.as_slice() {
        [result] if result.severity() == Severity::Fatal => &result.message,
        other => panic!("expected one fatal result, found {other:?}"),
    }
}
