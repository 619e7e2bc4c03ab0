//! `sailplane function` as a process: flags, certificates, probes, metrics, and shutdown.

use std::fs;
use std::process::Command;
use std::time::Duration;

use function_sdk_rust::proto::v1::function_runner_service_client::FunctionRunnerServiceClient;
use function_sdk_rust::proto::v1::function_runner_service_server::SERVICE_NAME;
use rcgen::ExtendedKeyUsagePurpose;
use serde_json::json;
use tests::artifacts::guest;
use tests::certificates::{Authority, Directory};
use tests::function::{Server, act, as_struct, command, eventually, free_address, get, refusal, request};
use tonic::Code;
use tonic::transport::{Certificate, Channel, ClientTlsConfig, Endpoint, Identity};
use tonic_health::pb::health_client::HealthClient;
use tonic_health::pb::{HealthCheckRequest, health_check_response::ServingStatus};
use tonic_reflection::pb::v1::ServerReflectionRequest;
use tonic_reflection::pb::v1::server_reflection_client::ServerReflectionClient;
use tonic_reflection::pb::v1::server_reflection_request::MessageRequest;
use tonic_reflection::pb::v1::server_reflection_response::MessageResponse;

async fn channel(server: &Server) -> Channel {
    Endpoint::from_shared(format!("http://{}", server.grpc)).unwrap().connect().await.unwrap()
}

/// The error message when the function does not start.
fn refused(configure: impl FnOnce(&mut Command) -> &mut Command) -> String {
    let output = configure(&mut command()).output().unwrap();
    assert!(!output.status.success());
    String::from_utf8(output.stderr).unwrap()
}

#[tokio::test]
async fn services_beside_the_function() {
    let server = Server::start(&[]);

    let mut health = HealthClient::new(channel(&server).await);
    for service in ["", SERVICE_NAME] {
        let request = HealthCheckRequest { service: service.to_owned() };
        let status = health.check(request).await.unwrap().into_inner().status();
        assert_eq!(status, ServingStatus::Serving, "{service}");
    }

    let ask = ServerReflectionRequest {
        host: String::new(),
        message_request: Some(MessageRequest::ListServices(String::new())),
    };
    let mut reflection = ServerReflectionClient::new(channel(&server).await);
    let mut answers =
        reflection.server_reflection_info(tonic::codegen::tokio_stream::once(ask)).await.unwrap().into_inner();
    let answer = answers.message().await.unwrap().unwrap().message_response.unwrap();
    let MessageResponse::ListServicesResponse(list) = answer else { panic!("no list: {answer:?}") };
    assert!(list.service.iter().any(|service| service.name == SERVICE_NAME), "{list:?}");

    assert_eq!(get(server.health, "/livez").0, 200);
    assert_eq!(get(server.health, "/readyz").0, 200);
    assert_eq!(get(server.health, "/").0, 404);

    server.client().await.run_function(act(&json!("greet"))).await.unwrap();
    let (code, metrics) = get(server.metrics, "/metrics");
    assert_eq!(code, 200);
    let labels = format!("grpc_type=\"unary\",grpc_service=\"{SERVICE_NAME}\",grpc_method=\"RunFunction\"");
    for series in [
        format!("grpc_server_started_total{{{labels}}} 1"),
        format!("grpc_server_msg_received_total{{{labels}}} 1"),
        format!("grpc_server_msg_sent_total{{{labels}}} 1"),
        format!("grpc_server_handled_total{{{labels},grpc_code=\"OK\"}} 1"),
    ] {
        assert!(metrics.contains(&series), "no {series} in\n{metrics}");
    }
}

#[tokio::test]
async fn addresses() {
    // The function listens on all interfaces, and serves neither metrics nor probes.
    let port = free_address().port();
    let _server = Spawned(
        command()
            .args(["--insecure", "--metrics-address=", "--health-address=", "--address"])
            .arg(format!(":{port}"))
            .spawn()
            .unwrap(),
    );
    eventually("it listens", || std::net::TcpStream::connect(("127.0.0.1", port)).is_ok());

    // When the port for gRPC is in use, the function fails. When the port for probes is in use, it continues.
    let server = Server::start(&[]);
    let taken = refused(|it| {
        it.args(["--insecure", "--metrics-address=", "--health-address=", "--address"]).arg(server.grpc.to_string())
    });
    assert!(taken.starts_with("error: cannot serve") || taken.contains("\nerror: cannot serve"), "{taken}");
    assert!(taken.contains("in use"), "{taken}");
    for wrong in ["nowhere", ":http", "127.0.0.1"] {
        let refused = refused(|it| it.args(["--insecure", "--address", wrong]));
        assert!(refused.starts_with(&format!("error: invalid value '{wrong}' for '--address")), "{refused}");
    }
}

struct Spawned(std::process::Child);

impl Drop for Spawned {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn without_certificates_it_refuses_to_start() {
    let nothing =
        "error: no certificates: give --tls-certs-dir or TLS_SERVER_CERTS_DIR, or serve without any with --insecure\n";
    assert_eq!(refused(|it| it), nothing);
    let missing = refused(|it| it.args(["--tls-certs-dir", "missing", "--metrics-address=", "--health-address="]));
    assert!(missing.contains("cannot read TLS certificate or key from missing/tls.crt"), "{missing}");
}

#[tokio::test]
async fn mutual_tls() {
    let (certificates, authority) = (Directory::new("mtls"), Authority::default());
    authority.write(&certificates);
    let server = Server::start_with(|it| it.env("TLS_SERVER_CERTS_DIR", certificates.path()));
    let tls = || ClientTlsConfig::new().ca_certificate(Certificate::from_pem(&authority.certificate));
    let client = |authority: &Authority| {
        let (certificate, key) = authority.sign(ExtendedKeyUsagePurpose::ClientAuth);
        Identity::from_pem(certificate, key)
    };
    let stranger = Authority::default();
    for (who, tls, welcome) in [
        ("a client of the authority", tls().identity(client(&authority)), true),
        ("a client without a certificate", tls(), false),
        ("a client of another authority", tls().identity(client(&stranger)), false),
    ] {
        let endpoint = Endpoint::from_shared(format!("https://{}", server.grpc)).unwrap().tls_config(tls).unwrap();
        // With TLS 1.3, a refused client gets the error at its first read.
        let answered = match endpoint.connect().await {
            Ok(channel) => FunctionRunnerServiceClient::new(channel).run_function(request(&json!({}))).await.is_ok(),
            Err(_) => false,
        };
        assert_eq!(answered, welcome, "{who}");
    }
    let plain = Endpoint::from_shared(format!("http://{}", server.grpc)).unwrap().connect().await;
    let answered = match plain {
        Ok(channel) => FunctionRunnerServiceClient::new(channel).run_function(request(&json!({}))).await.is_ok(),
        Err(_) => false,
    };
    assert!(!answered, "a client without TLS");
    // Probes need no client certificate.
    assert_eq!(get(server.health, "/readyz").0, 200);
}

#[tokio::test]
async fn insecure_wins_over_certificates() {
    let server = Server::start_with(|it| it.args(["--insecure", "--tls-certs-dir", "missing"]));
    server.client().await.run_function(request(&json!({}))).await.unwrap();
}

#[tokio::test]
async fn requests_over_the_limit_are_refused() {
    let padded = |bytes: usize| {
        let mut request = act(&json!("greet"));
        request.input = Some(as_struct(&json!({"padding": "x".repeat(bytes)})));
        request
    };
    let by_default = Server::start(&[]);
    let mut client = by_default.client().await;
    client.run_function(padded(63 << 20)).await.expect("63 MiB are accepted");
    let status = client.run_function(padded(65 << 20)).await.unwrap_err();
    assert_eq!(status.code(), Code::OutOfRange, "{status}");

    let server = Server::start_with(|it| it.arg("--insecure").env("MAX_RECV_MESSAGE_SIZE", "1"));
    let mut client = server.client().await;
    client.run_function(padded(1000 << 10)).await.expect("less than 1 MiB is accepted");
    assert_eq!(client.run_function(padded(1100 << 10)).await.unwrap_err().code(), Code::OutOfRange);
    client.run_function(padded(0)).await.expect("it keeps serving");
}

/// After SIGTERM, the calls in flight are answered and the readiness probe fails.
#[tokio::test(flavor = "multi_thread")]
async fn it_drains() {
    let module = guest().to_str().unwrap();
    let server = Server::start(&["--module", module, "--no-default-module", "--call-timeout", "10"]);
    let mut client = server.client().await;
    let in_flight = tokio::spawn(async move { client.run_function(act(&json!("spin"))).await });
    eventually_called(&server);
    server.signal("TERM");
    let health = server.health;
    eventually("it says that it stops", || get(health, "/readyz").0 == 503);
    assert_eq!(get(server.health, "/livez").0, 200);
    let answer = in_flight.await.unwrap().expect("it is finished").into_inner();
    assert_eq!(refusal(&answer), "Puppet `stage/punch`: the module did not answer within 10 s");
    assert!(server.wait().success());
}

/// Waits until the metrics count a call.
fn eventually_called(server: &Server) {
    let series = format!(
        "grpc_server_started_total{{grpc_type=\"unary\",grpc_service=\"{SERVICE_NAME}\",grpc_method=\"RunFunction\"}} 1"
    );
    eventually("a call is under way", || get(server.metrics, "/metrics").1.contains(&series));
    std::thread::sleep(Duration::from_millis(100)); // from being counted to being computed
}

/// Logs have no values of objects, even with `--debug`.
#[tokio::test]
async fn logs_say_who_and_never_what() {
    let log = std::env::temp_dir().join(format!("sailplane-log-{}", std::process::id()));
    let file = fs::File::create(&log).unwrap();
    let server = Server::start_with(|it| it.args(["--insecure", "--debug"]).env("RUST_LOG", "trace").stderr(file));
    let mut request = act(&json!("greet"));
    let secret = "correct-horse-battery-staple";
    let data = [(secret.to_owned(), secret.as_bytes().to_vec())].into();
    request.credentials = [(
        "creds".to_owned(),
        function_sdk_rust::proto::v1::Credentials {
            source: Some(function_sdk_rust::proto::v1::credentials::Source::CredentialData(
                function_sdk_rust::proto::v1::CredentialData { data },
            )),
        },
    )]
    .into();
    request.observed.as_mut().unwrap().composite.as_mut().unwrap().connection_details =
        [("k".to_owned(), secret.as_bytes().to_vec())].into();
    server.client().await.run_function(request).await.unwrap();
    drop(server);
    let text = fs::read_to_string(&log).unwrap();
    fs::remove_file(&log).unwrap();
    assert!(text.contains("Puppet") && text.contains("punch") && text.contains("request_bytes"), "{text}");
    assert!(!text.contains(secret), "{text}");
    assert!(!text.contains('\u{1b}'), "colours are for terminals: {text}");
}

/// Only the author of an object sees its values: the log has the paths and the reasons. Records name no source files.
#[tokio::test]
async fn refusals_are_logged_without_values() {
    let log = std::env::temp_dir().join(format!("sailplane-refusals-{}", std::process::id()));
    for debug in [false, true] {
        let file = fs::File::create(&log).unwrap();
        let module = guest().to_str().unwrap();
        let server = Server::start_with(|it| {
            let flags = ["--insecure", "--no-default-module", "--module", module];
            it.args(flags).args(debug.then_some("--debug")).env("RUST_LOG", "debug").stderr(file)
        });
        let mut client = server.client().await;
        let secret = "correct-horse-battery-staple";
        let problem = json!({"path": "spec.host", "code": "Invalid", "message": secret, "fix": null, "hint": secret});
        let fault = json!({"cause": "Composite", "problems": [problem], "conditions": []});
        let answer = client.run_function(act(&json!({"refuse": fault}))).await.unwrap().into_inner();
        assert!(refusal(&answer).contains(secret));
        for request in [act(&json!({"nonsense": secret})), act(&json!("trap"))] {
            client.run_function(request).await.unwrap();
        }
        drop(server);
        let text = fs::read_to_string(&log).unwrap();
        for expected in ["refused: spec.host (Invalid)", "refused: spec.act (Invalid)", "refused: the module stopped"] {
            assert!(text.contains(expected), "{expected}\n{text}");
        }
        for unwanted in [secret, "filename", ".rs", "\u{1b}"] {
            assert!(!text.contains(unwanted), "{unwanted}\n{text}");
        }
    }
    fs::remove_file(&log).unwrap();
}

#[tokio::test]
async fn metrics_of_calls() {
    let server = Server::start(&["--module", guest().to_str().unwrap()]);
    let mut client = server.client().await;
    let found = |mut request: function_sdk_rust::proto::v1::RunFunctionRequest| {
        let item = tests::function::resource(&json!({"apiVersion": "v1", "kind": "ConfigMap"}));
        let items = function_sdk_rust::proto::v1::Resources { items: vec![item] };
        request.required_resources = [("step-0".to_owned(), items)].into();
        request
    };
    let mut stranger = tests::function::puppet(&json!("greet"));
    stranger["kind"] = "Stranger".into();
    let calls =
        [act(&json!("greet")), act(&json!("greet")), act(&json!("trap")), act(&json!("wander")), request(&stranger)];
    for call in calls.into_iter().chain([found(act(&json!("wander")))]) {
        client.run_function(call).await.unwrap();
    }
    let called = "sailplane_function_call_duration_seconds_count";
    for (series, expected) in [
        (format!("{called}{{kind=\"Puppet\",outcome=\"composed\"}}"), 4.0),
        (format!("{called}{{kind=\"Puppet\",outcome=\"refused\"}}"), 1.0),
        (format!("{called}{{kind=\"other\",outcome=\"refused\"}}"), 1.0),
        ("sailplane_function_fatal_results_total{kind=\"Puppet\",reason=\"ModuleFailed\"}".to_owned(), 1.0),
        ("sailplane_function_fatal_results_total{kind=\"other\",reason=\"UnknownKind\"}".to_owned(), 1.0),
        ("sailplane_function_lookups_total{kind=\"Puppet\",outcome=\"asked\"}".to_owned(), 2.0),
        ("sailplane_module_instances{module=\"guest\",state=\"idle\"}".to_owned(), 1.0),
        ("sailplane_module_instances{module=\"guest\",state=\"busy\"}".to_owned(), 0.0),
        ("sailplane_module_calls_waiting{module=\"guest\"}".to_owned(), 0.0),
    ] {
        assert_eq!(server.metric(&series), expected, "{series}\n{}", get(server.metrics, "/metrics").1);
    }
    let text = get(server.metrics, "/metrics").1;
    let version = concat!("sailplane_build_info{version=\"", env!("CARGO_PKG_VERSION"), "\",commit=");
    assert!(text.contains(version) && text.contains(",component=\"sha256:"), "{text}");
}

/// An instance that took a large fleet is used again: it has less memory than what is given back at once.
#[tokio::test]
async fn an_instance_serves_a_large_fleet_again() {
    let server = Server::start(&[]);
    let mut client = server.client().await;
    let fleet = tests::fleet::Fleet::of(1_000);
    for request in [fleet.new_replicas(), fleet.retained_replicas(), fleet.new_replicas()] {
        let answer = client.run_function(tests::function::from_domain(&request)).await.unwrap().into_inner();
        assert_eq!(answer.desired.unwrap().resources.len(), 3);
        let instances = "sailplane_module_instances{module=\"sailplane\",state=\"idle\"}";
        let memory = server.metric("sailplane_module_memory_bytes{module=\"sailplane\"}");
        assert!(server.metric(instances) == 1.0 && memory > 4e6, "{memory} bytes");
    }
}

/// Each cause of an error is said once.
#[test]
fn errors_are_said_once() {
    let missing = refused(|it| it.args(["--tls-certs-dir", "missing", "--metrics-address=", "--health-address="]));
    assert_eq!(missing.matches("os error 2").count(), 1, "{missing}");
    let module = refused(|it| it.args(["--insecure", "--module", "missing.wasm"]));
    let expected = "error: cannot load module missing.wasm: cannot read it: No such file or directory (os error 2)";
    assert_eq!(module.lines().last(), Some(expected));
}
