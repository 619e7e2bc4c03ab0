//! Traces of the function and of the webhooks, with a collector of the tests' own.

use std::fs::{self, File};
use std::io::Write as _;
use std::net::{TcpListener, TcpStream};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use opentelemetry_proto::tonic::trace::v1::Span;
use opentelemetry_proto::tonic::trace::v1::span::SpanKind;
use opentelemetry_proto::tonic::trace::v1::status::StatusCode;
use rcgen::ExtendedKeyUsagePurpose;
use serde_json::{Value, json};
use tests::admission::{Webhooks, a_moment, create, finish, puppet};
use tests::artifacts::guest;
use tests::certificates::{Authority, Directory};
use tests::collector::{Collector, attributes};
use tests::function::{Server, act, eventually, free_address};
use tonic::transport::{Certificate, Identity, ServerTlsConfig};

const ENDPOINT: &str = "OTEL_EXPORTER_OTLP_ENDPOINT";
/// After how many milliseconds spans are sent.
const DELAY: &str = "OTEL_BSP_SCHEDULE_DELAY";

/// A trace as callers state it: its ID, and that of the caller's span.
const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
const PARENT: &str = "b7ad6b7169203331";

/// A `traceparent` with its flags: `01` when the caller records the trace.
fn trace_parent(flags: &str) -> String {
    format!("00-{TRACE}-{PARENT}-{flags}")
}

/// A function that sends its spans at once.
fn function(endpoint: &str, configure: impl FnOnce(&mut Command) -> &mut Command) -> Server {
    Server::start_with(|it| {
        configure(it.args(["--insecure", "--module"]).arg(guest()).env(ENDPOINT, endpoint).env(DELAY, "20"))
    })
}

/// Calls the function, with metadata.
async fn call(server: &Server, what: &Value, metadata: &[(&'static str, &str)]) {
    let mut request = tonic::Request::new(act(what));
    for (key, value) in metadata {
        request.metadata_mut().insert(*key, value.parse().unwrap());
    }
    server.client().await.run_function(request).await.unwrap();
}

/// The spans of servers and those of modules.
fn of_kinds(spans: Vec<Span>) -> (Vec<Span>, Vec<Span>) {
    spans.into_iter().partition(|span| span.kind() == SpanKind::Server)
}

fn error(span: &Span) -> Option<&str> {
    span.status.as_ref().filter(|status| status.code() == StatusCode::Error).map(|status| status.message.as_str())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[tokio::test]
async fn a_call_is_in_the_trace_of_its_caller() {
    let collector = Collector::start();
    let server = function(&collector.url(), |it| {
        it.env("OTEL_EXPORTER_OTLP_HEADERS", "api-key=a%20b")
            .env("OTEL_RESOURCE_ATTRIBUTES", "service.name=shadowed,k8s.pod.name=one")
            .env("OTEL_SERVICE_NAME", "composer")
    });
    call(&server, &json!("greet"), &[("traceparent", &trace_parent("01")), ("tracestate", "a=b")]).await;
    let (calls, modules) = of_kinds(collector.wait_for(2));
    let ([span], [module]) = (&calls[..], &modules[..]) else { panic!("{calls:#?} {modules:#?}") };

    assert_eq!(span.name, "apiextensions.fn.proto.v1.FunctionRunnerService/RunFunction");
    assert_eq!((hex(&span.trace_id), hex(&span.parent_span_id)), (TRACE.to_owned(), PARENT.to_owned()));
    assert_eq!((span.trace_state.as_str(), error(span)), ("a=b", None));
    let expected = [
        "rpc.grpc.status_code=0",
        "rpc.method=RunFunction",
        "rpc.service=apiextensions.fn.proto.v1.FunctionRunnerService",
        "rpc.system=grpc",
        "sailplane.object.api_version=guest.example.org/v1",
        "sailplane.object.kind=Puppet",
        "sailplane.object.name=punch",
        "sailplane.object.namespace=stage",
        "sailplane.outcome=composed",
    ];
    assert_eq!(attributes(&span.attributes), expected);
    assert!(span.events.is_empty() && span.links.is_empty(), "{span:#?}");

    assert_eq!((module.name.as_str(), module.kind()), ("compose", SpanKind::Internal));
    assert_eq!((&module.trace_id, &module.parent_span_id), (&span.trace_id, &span.span_id));
    assert_eq!(attributes(&module.attributes), ["sailplane.module=guest"]);
    assert!(span.start_time_unix_nano <= module.start_time_unix_nano, "{span:#?} {module:#?}");
    assert!(module.end_time_unix_nano <= span.end_time_unix_nano, "{span:#?} {module:#?}");

    let batch = collector.batches().remove(0);
    assert_eq!(batch.metadata.get("api-key").unwrap(), "a b");
    for attribute in ["service.name=composer", "k8s.pod.name=one", "telemetry.sdk.name=opentelemetry"] {
        assert!(batch.resource.iter().any(|it| it == attribute), "no {attribute} in {:?}", batch.resource);
    }
}

#[tokio::test]
async fn failures_of_calls_are_errors() {
    let collector = Collector::start();
    let server = function(&collector.url(), |it| it);
    let fault = json!({"cause": "Composite", "problems": [], "conditions": []});
    //    act                         of the call                of the module
    for (index, (what, of_call, of_module)) in [
        (json!("greet"), None, None),
        (json!({"refuse": fault}), Some("InvalidComposite"), None),
        (json!("trap"), Some("ModuleFailed"), Some("trap")),
    ]
    .into_iter()
    .enumerate()
    {
        call(&server, &what, &[]).await;
        let spans = collector.wait_for(2 * (index + 1)).split_off(2 * index);
        let (calls, modules) = of_kinds(spans);
        assert_eq!((error(&calls[0]), error(&modules[0])), (of_call, of_module), "{what}");
        assert!(calls[0].parent_span_id.is_empty(), "it begins a trace of its own");
        let outcome = if of_call.is_some() { "sailplane.outcome=refused" } else { "sailplane.outcome=composed" };
        assert!(attributes(&calls[0].attributes).iter().any(|it| it == outcome), "{what}: {:#?}", calls[0]);
    }
}

/// Posts a review with headers of its own, and returns the status.
fn post(webhooks: &Webhooks, path: &str, headers: &str, body: &str) -> u16 {
    let mut stream = TcpStream::connect(webhooks.address).unwrap();
    let length = body.len();
    let head = format!("POST {path} HTTP/1.1\r\nHost: test\r\n{headers}Content-Length: {length}\r\n");
    stream.write_all(format!("{head}Connection: close\r\n\r\n").as_bytes()).unwrap();
    finish(stream, body.as_bytes()).unwrap().0
}

#[test]
fn a_review_is_in_the_trace_of_its_caller() {
    let collector = Collector::start();
    let webhooks = Webhooks::start_with(|it| {
        it.args(["--insecure", "--no-lookups", "--module"])
            .arg(guest())
            .env("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", collector.url())
            .env(DELAY, "20")
    });
    let review = create(&puppet(&json!("allow"))).to_string();
    let header = format!("traceparent: {}\r\n", trace_parent("01"));
    assert_eq!(post(&webhooks, "/validate/warn", &header, &review), 200);
    let (reviews, modules) = of_kinds(collector.wait_for(2));
    let ([span], [module]) = (&reviews[..], &modules[..]) else { panic!("{reviews:#?} {modules:#?}") };
    assert_eq!((span.name.as_str(), error(span)), ("POST /validate/{mode}", None));
    assert_eq!((hex(&span.trace_id), hex(&span.parent_span_id)), (TRACE.to_owned(), PARENT.to_owned()));
    assert_eq!((&module.trace_id, &module.parent_span_id), (&span.trace_id, &span.span_id));
    assert_eq!(
        (module.name.as_str(), attributes(&module.attributes)),
        ("admit", vec!["sailplane.module=guest".to_owned()])
    );
    let expected = [
        "http.request.method=POST",
        "http.response.status_code=200",
        "http.route=/validate/{mode}",
        "sailplane.mode=warn",
        "sailplane.object.api_version=guest.example.org/v1",
        "sailplane.object.kind=Puppet",
        "sailplane.object.name=punch",
        "sailplane.object.namespace=stage",
        "sailplane.operation=CREATE",
        "sailplane.outcome=allowed",
        "sailplane.webhook=validate",
        "url.path=/validate/warn",
        "url.scheme=http",
    ];
    assert_eq!(attributes(&span.attributes), expected);
    assert!(collector.batches()[0].resource.iter().any(|it| it == "service.name=sailplane-admission"));

    // What the sender of a review did wrong is no error of the webhooks; what the module does is one.
    let trapped = create(&puppet(&json!("trap"))).to_string();
    for (body, status, outcome, why) in [("{", 400, "malformed", None), (&*trapped, 500, "failed", Some("500"))] {
        let before = collector.spans().len();
        assert_eq!(post(&webhooks, "/validate", "", body), status);
        let mut found = None;
        eventually("the span is there", || {
            found = of_kinds(collector.spans().split_off(before)).0.pop();
            found.is_some()
        });
        let span = found.unwrap();
        assert_eq!((span.name.as_str(), error(&span)), ("POST /validate", why));
        let outcome = format!("sailplane.outcome={outcome}");
        assert!(attributes(&span.attributes).contains(&outcome), "{span:#?}");
    }
}

#[tokio::test]
async fn what_is_not_asked_for_is_not_sent() {
    const THREAD: &str = "OpenTelemetry.T"; // as much of its name as Linux keeps
    let collector = Collector::start();
    let not_recorded = trace_parent("00");
    let sampler = ("OTEL_TRACES_SAMPLER", "always_off");
    //    variables                                                   traceparent    is there a thread?
    for (variables, parent, thread) in [
        (&[][..], None, false),
        (&[(ENDPOINT, collector.url().as_str()), ("OTEL_SDK_DISABLED", "true")], None, false),
        (&[(ENDPOINT, &collector.url()), ("OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf")], None, false),
        (&[(ENDPOINT, &collector.url()), sampler], None, true),
        (&[(ENDPOINT, &collector.url())], Some(("traceparent", not_recorded.as_str())), true),
    ] {
        let server = Server::start_with(|it| {
            it.args(["--insecure", "--module"]).arg(guest()).env(DELAY, "20").envs(variables.iter().copied())
        });
        call(&server, &json!("greet"), parent.as_slice()).await;
        a_moment();
        assert_eq!(server.threads().iter().any(|name| name == THREAD), thread, "{variables:?}");
        assert!(collector.spans().is_empty(), "{variables:?} {parent:?}");
    }
}

#[tokio::test]
async fn an_endpoint_that_is_away_is_said_once() {
    let outside = Directory::new("traces-away");
    let log = outside.path().join("log");
    let address = free_address();
    let file = File::create(&log).unwrap();
    let server = function(&format!("http://{address}"), |it| {
        it.env("RUST_LOG", "info").env("OTEL_EXPORTER_OTLP_TIMEOUT", "50").stderr(file)
    });
    // Each is a batch of its own.
    for _ in 0..10 {
        call(&server, &json!("greet"), &[]).await;
        thread::sleep(Duration::from_millis(100));
    }
    let collector = Collector::start_at(address, None);
    let begun = Instant::now();
    while collector.spans().is_empty() {
        assert!(begun.elapsed() < Duration::from_secs(60), "spans are not sent again");
        call(&server, &json!("greet"), &[]).await;
        thread::sleep(Duration::from_millis(20));
    }
    let count = |what: &str| fs::read_to_string(&log).unwrap().lines().filter(|line| line.contains(what)).count();
    eventually("the log says so", || count("traces are sent again") == 1);
    assert_eq!((count("traces cannot be sent"), count("sending traces")), (1, 1));
}

#[tokio::test]
async fn an_endpoint_that_does_not_answer_holds_nobody_up() {
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let server = function(&format!("http://{}", silent.local_addr().unwrap()), |it| {
        it.args(["--call-timeout", "1"]).env("OTEL_BSP_MAX_QUEUE_SIZE", "16").env("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "8")
    });
    let before = server.resident_memory();
    let mut client = server.client().await;
    let begun = Instant::now();
    for _ in 0..300 {
        client.run_function(act(&json!("greet"))).await.unwrap();
    }
    // Nobody waits for the batches, of which each takes the 10 s until it is given up.
    assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", begun.elapsed());
    assert!(server.resident_memory() < before + (16 << 20), "{before} {}", server.resident_memory());
    drop(client);
    let stopped = Instant::now();
    server.signal("TERM");
    assert!(server.wait().success());
    assert!(stopped.elapsed() < Duration::from_secs(1 + 5 + 2), "{:?}", stopped.elapsed());
}

#[tokio::test]
async fn the_last_spans_are_sent_at_the_end() {
    let collector = Collector::start();
    let server = function(&collector.url(), |it| it.env(DELAY, "600000"));
    call(&server, &json!("greet"), &[]).await;
    a_moment();
    assert!(collector.spans().is_empty());
    server.signal("TERM");
    assert!(server.wait().success());
    assert_eq!(collector.spans().len(), 2);

    let webhooks = Webhooks::start_with(|it| {
        it.args(["--insecure", "--no-lookups", "--shutdown-delay", "0"])
            .env(ENDPOINT, collector.url())
            .env(DELAY, "600000")
    });
    assert_eq!(post(&webhooks, "/mutate", "", &create(&puppet(&json!("allow"))).to_string()), 200);
    webhooks.signal("TERM");
    assert!(webhooks.wait().success());
    assert!(collector.spans().iter().any(|span| span.name == "POST /mutate"), "{:#?}", collector.spans());
}

#[tokio::test]
async fn endpoints_with_tls() {
    let (files, authority) = (Directory::new("traces-tls"), Authority::default());
    authority.write(&files);
    let file = |name: &str| files.path().join(name);
    let read = |name: &str| fs::read_to_string(file(name)).unwrap();
    let (certificate, key) = authority.sign(ExtendedKeyUsagePurpose::ClientAuth);
    fs::write(file("client.crt"), certificate).unwrap();
    fs::write(file("client.key"), key).unwrap();
    let tls = ServerTlsConfig::new()
        .identity(Identity::from_pem(read("tls.crt"), read("tls.key")))
        .client_ca_root(Certificate::from_pem(&authority.certificate));
    let collector = Collector::start_at(free_address(), Some(tls));
    // Without a scheme, an endpoint has TLS.
    for endpoint in [format!("https://{}", collector.address), collector.address.to_string()] {
        let before = collector.spans().len();
        let server = function(&endpoint, |it| {
            it.env("OTEL_EXPORTER_OTLP_CERTIFICATE", file("ca.crt"))
                .env("OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE", file("client.crt"))
                .env("OTEL_EXPORTER_OTLP_CLIENT_KEY", file("client.key"))
        });
        call(&server, &json!("greet"), &[]).await;
        collector.wait_for(before + 2);
    }
}
