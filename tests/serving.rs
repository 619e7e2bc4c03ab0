//! Every port, whatever its clients do: they say nothing, they send slowly, they announce much, they are many.
//!
//! The servers run with short limits of their own, and the tests wait for what must happen.

use std::fs;
use std::io::{Read, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use h2::client::{ResponseFuture, SendRequest};
use h2::{RecvStream, SendStream};
use prost::encoding::encode_varint;
use rcgen::ExtendedKeyUsagePurpose;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};
use serde_json::json;
use tests::admission::{a_moment, composite, create, exchange};
use tests::artifacts::{guest, sailplane};
use tests::certificates::{Authority, Directory};
use tests::function::{Client, act, eventually, free_address, get, request, wakes};
use tonic::codegen::Bytes;
use tonic::codegen::http::{HeaderMap, Request};
use tonic::transport::{Certificate, ClientTlsConfig, Endpoint, Identity};

/// What a port serves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Port {
    /// gRPC, plain.
    Grpc,
    /// gRPC with mutual TLS.
    GrpcTls,
    /// Reviews over plain HTTP.
    Reviews,
    /// Reviews over HTTPS.
    ReviewsTls,
    /// The preview page.
    Page,
    /// Probes of the function.
    Health,
    /// Metrics of the function.
    Metrics,
}

use Port::{Grpc, GrpcTls, Health, Metrics, Page, Reviews, ReviewsTls};

const PORTS: [Port; 7] = [Grpc, GrpcTls, Reviews, ReviewsTls, Page, Health, Metrics];

const NOTHING: &str = "says nothing";

/// What a client does before it says nothing more.
const SILENCES: [Silence; 6] = [
    (NOTHING, &[Grpc, GrpcTls, Reviews, ReviewsTls, Page, Health, Metrics], |_| Ok(())),
    ("shakes hands", &[ReviewsTls, GrpcTls], |stream| stream.flush()),
    ("begins a head", &[Reviews, ReviewsTls, Page, Health, Metrics], |stream| stream.write_all(b"GET / HT")),
    ("begins HTTP/2", &[Grpc, GrpcTls, Reviews, ReviewsTls], |stream| stream.write_all(PREFACE)),
    ("got an answer", &[Reviews, ReviewsTls, Page, Health, Metrics], |stream| {
        stream.write_all(b"GET / HTTP/1.1\r\nHost: test\r\n\r\n")?;
        stream.read_exact(&mut [0; 16])
    }),
    ("begins a body", &[Reviews, ReviewsTls], |stream| {
        stream.write_all(b"POST /validate HTTP/1.1\r\nHost: test\r\nContent-Length: 100\r\n\r\n{")
    }),
];

type Silence = (&'static str, &'static [Port], fn(&mut dyn Stream) -> std::io::Result<()>);

/// What a client sends first with HTTP/2: the preface, and empty settings.
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";

trait Stream: Read + std::io::Write + Send {}
impl<T: Read + std::io::Write + Send> Stream for T {}

/// A server with short limits.
struct Subject {
    process: Child,
    port: Port,
    address: SocketAddr,
    health: SocketAddr,
    metrics: SocketAddr,
    authority: Authority,
    _certificates: Directory,
}

impl Subject {
    fn start(port: Port, name: &str, flags: &[&str]) -> Self {
        Self::start_with_files(port, name, flags, None)
    }

    /// Starts the server of a port, in a process that may open so many files.
    fn start_with_files(port: Port, name: &str, flags: &[&str], files: Option<u32>) -> Self {
        let (authority, certificates) = (Authority::default(), Directory::new(&format!("serving-{name}-{port:?}")));
        authority.write(&certificates);
        fs::write(certificates.path().join("index.html"), "<!doctype html>").unwrap();
        let [address, health, metrics] = [(); 3].map(|()| free_address());
        let mut command = match files {
            None => Command::new(sailplane()),
            Some(files) => {
                let mut shell = Command::new("sh");
                shell.args(["-c", &format!("ulimit -n {files}; exec \"$0\" \"$@\"")]).arg(sailplane());
                shell
            }
        };
        command.arg(match port {
            Grpc | GrpcTls | Health | Metrics => "function",
            Reviews | ReviewsTls => "admission",
            Page => "preview",
        });
        match port {
            Grpc | Health | Metrics => command.arg("--insecure"),
            Reviews => command.args(["--insecure", "--no-lookups", "--shutdown-delay=0"]),
            GrpcTls => command.arg("--tls-certs-dir").arg(certificates.path()),
            ReviewsTls => {
                command.args(["--no-lookups", "--shutdown-delay=0", "--tls-certs-dir"]).arg(certificates.path())
            }
            Page => command.arg("--files").arg(certificates.path()),
        };
        command.arg("--address").arg(address.to_string()).args(flags).stdin(Stdio::null()).stderr(Stdio::null());
        command.env("METRICS_ADDRESS", metrics.to_string()).env("HEALTH_ADDRESS", health.to_string());
        command.env_remove("TLS_SERVER_CERTS_DIR").env_remove("MAX_RECV_MESSAGE_SIZE");
        let process = command.spawn().expect("the binary can be run");
        eventually("it listens", || TcpStream::connect(address).is_ok() && (port == Page || get_is_ready(health)));
        let address = match port {
            Health => health,
            Metrics => metrics,
            _ => address,
        };
        eventually("it listens there too", || TcpStream::connect(address).is_ok());
        Self { process, port, address, health, metrics, authority, _certificates: certificates }
    }

    /// A connection, after a handshake where there is TLS.
    fn connect(&self) -> std::io::Result<Box<dyn Stream>> {
        let stream = self.tcp();
        if !matches!(self.port, GrpcTls | ReviewsTls) {
            return Ok(Box::new(stream));
        }
        let name = ServerName::try_from("127.0.0.1").unwrap();
        let client = ClientConnection::new(self.client(), name).map_err(std::io::Error::other)?;
        let mut stream = StreamOwned::new(client, stream);
        while stream.conn.is_handshaking() {
            stream.conn.complete_io(&mut stream.sock)?;
        }
        Ok(Box::new(stream))
    }

    fn tcp(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream
    }

    /// A client with a certificate of the authority.
    fn client(&self) -> Arc<ClientConfig> {
        let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
        let certificate = |pem: &str| CertificateDer::from_pem_slice(pem.as_bytes()).unwrap();
        let mut roots = RootCertStore::empty();
        roots.add(certificate(&self.authority.certificate)).unwrap();
        let (own, key) = self.authority.sign(ExtendedKeyUsagePurpose::ClientAuth);
        let key = PrivateKeyDer::from_pem_slice(key.as_bytes()).unwrap();
        let config = ClientConfig::builder().with_root_certificates(roots);
        let mut config = config.with_client_auth_cert(vec![certificate(&own)], key).unwrap();
        if self.port == GrpcTls {
            config.alpn_protocols = vec![b"h2".to_vec()];
        }
        Arc::new(config)
    }

    /// Waits until so many reviews are being read or answered.
    fn eventually_reads(&self, reviews: usize) {
        let line = format!("sailplane_admission_reviews_in_flight {reviews}\n");
        eventually("reviews are being read", || get(self.metrics, "/metrics").1.contains(&line));
    }

    fn signal(&self) {
        let sent = Command::new("kill").arg("-TERM").arg(self.process.id().to_string()).status();
        assert!(sent.expect("kill can be run").success());
    }

    fn wait(mut self) -> ExitStatus {
        let mut ended = None;
        eventually("it ends", || {
            ended = self.process.try_wait().expect("a child can be waited for");
            ended.is_some()
        });
        ended.expect("it has ended")
    }

    /// A gRPC client.
    async fn grpc(&self) -> Client {
        let endpoint = match self.port {
            GrpcTls => {
                let (certificate, key) = self.authority.sign(ExtendedKeyUsagePurpose::ClientAuth);
                let tls = ClientTlsConfig::new()
                    .ca_certificate(Certificate::from_pem(&self.authority.certificate))
                    .identity(Identity::from_pem(certificate, key));
                Endpoint::from_shared(format!("https://{}", self.address)).unwrap().tls_config(tls).unwrap()
            }
            _ => Endpoint::from_shared(format!("http://{}", self.address)).unwrap(),
        };
        Client::new(endpoint.connect().await.unwrap()).max_encoding_message_size(usize::MAX)
    }

    /// Checks that a new client gets an answer.
    async fn answers(&self) {
        match self.port {
            Grpc | GrpcTls => {
                self.grpc().await.run_function(request(&composite("qwen"))).await.expect("it answers");
            }
            _ => {
                let review = create(&composite("qwen")).to_string();
                let answer = exchange(self.connect().unwrap(), "/validate", review.as_bytes());
                assert_eq!(answer.expect("it answers").0, 200);
            }
        }
    }

    /// A line of `/proc/PID/status`, in bytes.
    fn status(&self, what: &str) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.process.id())).expect("it runs on Linux");
        number(&status, what) << 10
    }
}

/// The number in a line of a text.
fn number(text: &str, what: &str) -> u64 {
    let line = text.lines().find_map(|line| line.strip_prefix(what)).expect("Linux says so");
    line.trim_matches(|it: char| !it.is_ascii_digit()).parse().expect("a number")
}

impl Drop for Subject {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn get_is_ready(health: SocketAddr) -> bool {
    TcpStream::connect(health).is_ok() && get(health, "/readyz").0 == 200
}

/// Reads until the server closes the connection, in good order or not.
fn read_to_the_end(stream: &mut dyn Stream) {
    let mut buffer = [0; 1024];
    loop {
        match stream.read(&mut buffer) {
            Ok(0) => return,
            Ok(_) => {}
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => panic!("the connection stays open"),
            Err(_) => return,
        }
    }
}

/// The clients of a port that say nothing more, each with what it did.
fn silent_clients(subject: &Subject) -> Vec<(&'static str, Box<dyn Stream>)> {
    let silences = SILENCES.iter().filter(|(_, ports, _)| ports.contains(&subject.port));
    let clients = silences.map(|(what, _, silence)| {
        let mut stream: Box<dyn Stream> =
            if *what == NOTHING { Box::new(subject.tcp()) } else { subject.connect().unwrap() };
        silence(&mut *stream).unwrap_or_else(|error| panic!("{:?}, who {what}: {error}", subject.port));
        (*what, stream)
    });
    clients.collect()
}

#[test]
fn silent_clients_are_disconnected() {
    for port in PORTS {
        let subject = Subject::start(port, "silent", &["--client-timeout=1", "--idle-timeout=1"]);
        for (what, mut stream) in silent_clients(&subject) {
            println!("{port:?}, who {what}");
            read_to_the_end(&mut *stream);
        }
    }
}

/// A client without a certificate gets no further than the handshake.
#[test]
fn clients_without_a_certificate_are_disconnected() {
    let subject = Subject::start(GrpcTls, "stranger", &["--client-timeout=1"]);
    let mut hello = subject.tcp();
    hello.write_all(&[22, 3, 1, 2, 0, 1, 0]).unwrap(); // the beginning of a ClientHello
    read_to_the_end(&mut hello);
}

#[test]
fn the_signal_ends_every_server_whatever_clients_do() {
    for port in PORTS {
        let flags: &[&str] = match port {
            Reviews | ReviewsTls => &["--timeout=1"],
            Page => &[],
            _ => &["--call-timeout=1"],
        };
        let subject = Subject::start(port, "signal", flags);
        let _clients = silent_clients(&subject);
        subject.signal();
        let begun = Instant::now();
        assert!(subject.wait().success(), "{port:?}");
        let took = begun.elapsed();
        assert!(took < Duration::from_secs(20), "{port:?}: {took:?}");
        println!("{port:?}: {took:?}");
    }
}

/// Many silent clients, and few file descriptors: every port still answers.
#[tokio::test(flavor = "multi_thread")]
async fn many_connections_with_few_descriptors() {
    for port in [Grpc, GrpcTls, Reviews, ReviewsTls] {
        let subject = Subject::start_with_files(port, "many", &[], Some(64));
        let silent = |address: SocketAddr| (0..150).filter_map(move |_| TcpStream::connect(address).ok());
        let mut clients: Vec<_> = silent(subject.address).chain(silent(subject.health)).collect();
        // Others got an answer before they say nothing more.
        for client in clients.iter_mut().rev().take(75) {
            let _ = client.write_all(b"GET /livez HTTP/1.1\r\nHost: test\r\n\r\n"); // it may be cut off already
        }
        for _ in 0..5 {
            assert_eq!(get(subject.health, "/livez").0, 200, "{port:?}");
            subject.answers().await;
        }
        println!("{port:?}: answers beside {} silent connections", clients.len());
    }
}

/// With every seat taken by a request, a new connection waits, and is served when one of them ends.
#[test]
fn connections_have_a_bound() {
    let subject = Subject::start(Reviews, "bound", &["--max-connections=2", "--client-timeout=2"]);
    let busy: Vec<_> = (0..2)
        .map(|_| {
            let mut stream = subject.tcp();
            stream.write_all(b"POST /validate HTTP/1.1\r\nHost: test\r\nContent-Length: 100\r\n\r\n{").unwrap();
            stream
        })
        .collect();
    subject.eventually_reads(2);
    let (begun, sound) = (Instant::now(), create(&composite("qwen")).to_string());
    assert_eq!(exchange(subject.tcp(), "/validate", sound.as_bytes()).unwrap().0, 200);
    assert!(begun.elapsed() > Duration::from_secs(1), "there was a seat at once");
    drop(busy);
}

/// A connection with HTTP/2, which is driven in the background.
async fn http2(subject: &Subject) -> SendRequest<Bytes> {
    let stream = tokio::net::TcpStream::connect(subject.address).await.unwrap();
    let (requests, mut connection) = h2::client::handshake(stream).await.unwrap();
    let mut ping = connection.ping_pong().unwrap();
    tokio::spawn(connection);
    // The settings of the server come before its answer.
    ping.ping(h2::Ping::opaque()).await.unwrap();
    requests.ready().await.unwrap()
}

/// A call whose message is announced and still to be sent.
async fn announced(requests: &mut SendRequest<Bytes>, length: u32) -> (ResponseFuture, SendStream<Bytes>) {
    *requests = requests.clone().ready().await.unwrap();
    let uri = "http://test/apiextensions.fn.proto.v1.FunctionRunnerService/RunFunction";
    let request = Request::post(uri).header("content-type", "application/grpc").header("te", "trailers");
    let (answer, mut body) = requests.send_request(request.body(()).unwrap(), false).unwrap();
    body.send_data([&[0][..], &length.to_be_bytes()].concat().into(), false).unwrap();
    (answer, body)
}

/// The code and the message of the answer to a call.
async fn code(answer: ResponseFuture) -> (u16, String) {
    let (head, mut body): (_, RecvStream) = answer.await.unwrap().into_parts();
    let status = |headers: &HeaderMap| {
        let text = |name| headers.get(name).map(|value| value.to_str().unwrap().replace("%20", " "));
        Some((text("grpc-status")?.parse().unwrap(), text("grpc-message").unwrap_or_default()))
    };
    if let Some(refused) = status(&head.headers) {
        return refused;
    }
    while let Some(data) = body.data().await {
        let length = data.unwrap().len();
        body.flow_control().release_capacity(length).unwrap();
    }
    status(&body.trailers().await.unwrap().unwrap()).unwrap()
}

const RESOURCE_EXHAUSTED: u16 = 8;
const DEADLINE_EXCEEDED: u16 = 4;
const OUT_OF_RANGE: u16 = 11;

/// Announced bytes take no memory before they come, and a call whose bytes do not come ends.
#[tokio::test(flavor = "multi_thread")]
async fn announced_lengths_take_no_memory() {
    let subject = Subject::start(Grpc, "announced", &["--client-timeout=3"]);
    subject.answers().await;
    let before = [subject.status("VmSize:"), subject.status("VmRSS:")];
    let mut connections = Vec::new();
    let mut calls = Vec::new();
    for _ in 0..10 {
        let mut requests = http2(&subject).await;
        for _ in 0..100 {
            let (answer, mut body) = announced(&mut requests, 64 << 20).await;
            body.send_data(Bytes::from_static(&[0; 100]), false).unwrap();
            calls.push((answer, body));
        }
        // The server has said how many calls there may be at once.
        assert_eq!(requests.current_max_send_streams(), 100);
        connections.push(requests);
    }
    // These calls came after all those bytes.
    subject.answers().await;
    let after = [subject.status("VmSize:"), subject.status("VmRSS:")];
    println!("{} calls: size and resident memory {before:?} before, {after:?} after", calls.len());
    assert!(after[0] < before[0] + (2 << 30), "{before:?}, {after:?}");
    assert!(after[1] < before[1] + (64 << 20), "{before:?}, {after:?}");
    let late = "the request did not arrive within 3 s".to_owned();
    for (answer, _body) in calls.into_iter().take(10) {
        assert_eq!(code(answer).await, (DEADLINE_EXCEEDED, late.clone()));
    }
    subject.answers().await;
}

/// Bytes of large requests have room up to a bound. Small requests are answered beside them.
#[tokio::test(flavor = "multi_thread")]
async fn bytes_of_calls_have_a_bound() {
    let flags = ["--max-recv-message-size=1", "--request-memory=1", "--client-timeout=10"];
    let subject = Subject::start(Grpc, "budget", &flags);
    let mut requests = http2(&subject).await;
    let (first, mut first_body) = announced(&mut requests, 1 << 20).await;
    first_body.send_data(vec![0; 700 << 10].into(), false).unwrap();
    let (second, mut second_body) = announced(&mut requests, 1 << 20).await;
    second_body.send_data(vec![0; 700 << 10].into(), false).unwrap();
    let (mut first, mut second) = (Box::pin(code(first)), Box::pin(code(second)));
    // Whichever came later finds no room; the other waits for its bytes.
    let (refused, other) = tokio::select! {
        refused = &mut first => (refused, second),
        refused = &mut second => (refused, first),
    };
    assert_eq!(refused, (RESOURCE_EXHAUSTED, "too many large requests at once; try again".to_owned()));
    subject.answers().await;
    assert_eq!(other.await.0, DEADLINE_EXCEEDED);
    subject.answers().await;
}

/// Bodies of large reviews have room up to a bound. Small reviews are answered beside them.
#[test]
fn bytes_of_reviews_have_a_bound() {
    let flags = ["--max-body=1", "--request-memory=1", "--timeout=30", "--client-timeout=10"];
    let subject = Subject::start(Reviews, "budget", &flags);
    let large = |bytes: usize| {
        let mut stream = subject.tcp();
        let head = format!("POST /validate HTTP/1.1\r\nHost: test\r\nContent-Length: {}\r\n\r\n", 1 << 20);
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(&vec![b' '; bytes]).unwrap();
        stream
    };
    let mut held = large(1000 << 10);
    subject.eventually_reads(1);
    a_moment(); // until what was sent is read
    let mut refused = String::new();
    large(500 << 10).read_to_string(&mut refused).unwrap();
    assert!(refused.starts_with("HTTP/1.1 429 "), "{refused}");
    assert!(refused.contains("\r\nretry-after: 1\r\n"), "{refused}");
    assert!(refused.ends_with("\r\n\r\ntoo many large reviews at once\n"), "{refused}");
    let sound = create(&composite("qwen")).to_string();
    assert_eq!(exchange(subject.tcp(), "/validate", sound.as_bytes()).unwrap().0, 200);
    let mut late = String::new();
    held.read_to_string(&mut late).unwrap();
    assert!(late.starts_with("HTTP/1.1 408 "), "{late}");
}

/// A thousand clients with large bodies, more than there are seats for: memory stays far below that of the pod, and small
/// reviews are answered.
#[test]
fn a_thousand_large_reviews_at_once() {
    const EACH: usize = 512 << 10;
    let subject = Subject::start_with_files(Reviews, "thousand", &["--memory=512"], Some(4096));
    let sound = create(&composite("qwen")).to_string();
    assert_eq!(exchange(subject.tcp(), "/validate", sound.as_bytes()).unwrap().0, 200);
    let before = subject.status("VmRSS:");
    let large = || {
        let mut stream = TcpStream::connect(subject.address)?;
        stream.set_nonblocking(true)?;
        let head = format!("POST /validate HTTP/1.1\r\nHost: test\r\nContent-Length: {}\r\n\r\n", 8 << 20);
        let _ = stream.write(&[head.as_bytes(), &[b' '; EACH]].concat()); // as much as is taken at once
        std::io::Result::Ok(stream)
    };
    // This process may open fewer files.
    let mut clients: Vec<_> = (0..1_000).map_while(|_| large().ok()).collect();
    clients.truncate(clients.len().min(970));
    for _ in 0..3 {
        assert_eq!(exchange(subject.tcp(), "/validate", sound.as_bytes()).unwrap().0, 200);
    }
    let most = subject.status("VmHWM:");
    println!("{} clients: {} MB before, {} MB at most", clients.len(), before >> 20, most >> 20);
    assert!(clients.len() > 600 && most < before + (160 << 20), "{} clients, {before}, {most}", clients.len());
}

/// A refusal arrives, although the client still sends.
#[test]
fn refusals_arrive_before_the_body_is_sent() {
    let subject = Subject::start(Reviews, "refusal", &["--max-body=1"]);
    for _ in 0..20 {
        let (code, why) = exchange(subject.tcp(), "/validate", &vec![b' '; 8 << 20]).unwrap();
        assert_eq!((code, why.as_str()), (413, "the review has more than 1048576 bytes\n"));
    }
}

/// Elements without content take little on the wire, and much once they are decoded.
#[tokio::test(flavor = "multi_thread")]
async fn elements_have_a_bound() {
    let subject = Subject::start(Grpc, "elements", &[]);
    subject.answers().await;
    let before = subject.status("VmRSS:");
    // Of the required resources called `a`, as many items as fit, each of which is empty.
    let items = [10, 0].repeat(30 << 20);
    let field = |key: u8, bytes: Vec<u8>| {
        let mut field = vec![key];
        encode_varint(bytes.len() as u64, &mut field);
        [field, bytes].concat()
    };
    let message = field(66, [vec![10, 1, b'a'], field(18, items)].concat());
    let mut requests = http2(&subject).await;
    let (answer, mut body) = announced(&mut requests, u32::try_from(message.len()).unwrap()).await;
    body.send_data(message.into(), true).unwrap();
    let refused = (OUT_OF_RANGE, "the request has more than 100000 resources and entries".to_owned());
    assert_eq!(code(answer).await, refused);
    let most = subject.status("VmHWM:");
    println!("{} MB before, {} MB at most", before >> 20, most >> 20);
    assert!(most < before + (160 << 20), "{before}, {most}");
}

/// Calls in flight are answered after the signal, on a connection that stays open until then.
#[tokio::test(flavor = "multi_thread")]
async fn the_last_answers_arrive() {
    let module = guest().to_str().unwrap();
    let subject = Subject::start(Grpc, "last", &["--module", module, "--call-timeout=2"]);
    let mut client = subject.grpc().await;
    client.run_function(act(&json!("greet"))).await.unwrap();
    let calls: Vec<_> = (0..5)
        .map(|_| {
            let mut client = client.clone();
            tokio::spawn(async move { client.run_function(act(&json!("spin"))).await })
        })
        .collect();
    eventually("calls are under way", || {
        let metrics = get(subject.metrics, "/metrics").1;
        let started = metrics
            .lines()
            .find(|line| line.starts_with("grpc_server_started_total{grpc_type=\"unary\",grpc_service=\"api"));
        started.is_some_and(|line| line.ends_with("} 6"))
    });
    subject.signal();
    for call in calls {
        call.await.unwrap().expect("it is answered");
    }
    drop(client);
    assert!(subject.wait().success());
}

/// Requests of an idle server's own: none. It wakes no more than once a second.
#[test]
fn idle_servers_sleep() {
    for port in [Grpc, ReviewsTls, Page] {
        let subject = Subject::start(port, "idle", &[]);
        let _kept = subject.connect().unwrap();
        std::thread::sleep(Duration::from_secs(4)); // what the start left to do, and free memory is given back
        assert!(
            port == Page || has_small_pages(subject.process.id()),
            "{port:?}: huge pages take memory that nobody uses"
        );
        let before = wakes(subject.process.id());
        let seconds = 10;
        std::thread::sleep(Duration::from_secs(seconds));
        let woken = wakes(subject.process.id()) - before;
        println!("{port:?}: {woken} times in {seconds} s");
        assert!(woken <= seconds, "{port:?}: {woken} times in {seconds} s");
    }
}

/// Whether the kernel makes no huge pages for a process.
fn has_small_pages(process: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    status.lines().any(|line| line.split_whitespace().eq(["THP_enabled:", "0"]))
}
