//! `sailplane admission` as a process: flags, certificates, limits, probes, metrics, and shutdown.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use h2::SendStream;
use h2::client::{ResponseFuture, SendRequest};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};
use serde_json::json;
use tests::admission::{Webhooks, begin, command, composite, create, exchange, finish, puppet};
use tests::artifacts::guest;
use tests::certificates::{Authority, Directory};
use tests::function::{eventually, get};
use tonic::codegen::Bytes;
use tonic::codegen::http::Request;

/// The error message when the server does not start.
fn refused(configure: impl FnOnce(&mut Command) -> &mut Command) -> String {
    let mut command = command();
    let output = configure(&mut command).args(["--metrics-address=", "--health-address="]).output().unwrap();
    assert!(!output.status.success());
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn without_what_it_needs_it_refuses_to_start() {
    let nothing =
        "error: no certificates: give --tls-certs-dir or TLS_SERVER_CERTS_DIR, or serve without any with --insecure\n";
    assert_eq!(refused(|it| it), nothing);
    let missing = refused(|it| it.args(["--no-lookups", "--tls-certs-dir", "missing"]));
    assert_eq!(missing, "error: cannot read missing/tls.crt: No such file or directory (os error 2)\n");
    let outside = Directory::new("outside");
    let nowhere = refused(|it| it.arg("--insecure").env("HOME", outside.path()).env_remove("KUBERNETES_SERVICE_HOST"));
    assert!(nowhere.starts_with("error: no cluster to "), "{nowhere}");
    let taken = Webhooks::start(&[]);
    let refused = refused(|it| it.args(["--insecure", "--no-lookups", "--address"]).arg(taken.address.to_string()));
    assert!(refused.contains(&format!("error: cannot serve on {}: ", taken.address)), "{refused}");
}

/// A client that trusts an authority.
fn client(authority: &Authority) -> Arc<ClientConfig> {
    let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_slice(authority.certificate.as_bytes()).unwrap()).unwrap();
    Arc::new(ClientConfig::builder().with_root_certificates(roots).with_no_client_auth())
}

/// Posts over TLS. An error when the server is not trusted, or closes the connection.
fn post(webhooks: &Webhooks, client: &Arc<ClientConfig>, body: &[u8]) -> std::io::Result<(u16, String)> {
    let name = ServerName::try_from("127.0.0.1").unwrap();
    let connection = ClientConnection::new(Arc::clone(client), name).map_err(std::io::Error::other)?;
    exchange(StreamOwned::new(connection, TcpStream::connect(webhooks.address)?), "/validate", body)
}

#[test]
fn certificates_are_taken_up_without_a_failed_review() {
    let (directory, first, second) = (Directory::new("rotation"), Authority::default(), Authority::default());
    first.write(&directory);
    let webhooks = Webhooks::start_with(|it| it.args(["--no-lookups", "--tls-certs-dir"]).arg(directory.path()));
    let body = create(&composite("qwen")).to_string().into_bytes();
    assert_eq!(post(&webhooks, &client(&first), &body).unwrap().0, 200);
    assert!(post(&webhooks, &client(&second), &body).is_err());
    let plain = exchange(TcpStream::connect(webhooks.address).unwrap(), "/validate", &body);
    assert!(plain.is_err(), "without TLS there is no answer: {plain:?}");

    // A client that trusts both authorities gets no error while certificates change.
    let both = {
        let mut roots = RootCertStore::empty();
        for authority in [&first, &second] {
            roots.add(CertificateDer::from_pem_slice(authority.certificate.as_bytes()).unwrap()).unwrap();
        }
        Arc::new(ClientConfig::builder().with_root_certificates(roots).with_no_client_auth())
    };
    let (stop, answered) = (AtomicBool::new(false), AtomicUsize::new(0));
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    let (code, answer) = post(&webhooks, &both, &body).expect("no review fails");
                    assert_eq!(code, 200, "{answer}");
                    answered.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        // A certificate with the key of another one is not taken up.
        let (certificate, _) = second.sign(rcgen::ExtendedKeyUsagePurpose::ServerAuth);
        std::fs::write(directory.path().join("tls.crt"), certificate).unwrap();
        let reloads = |outcome: &str| {
            format!("sailplane_admission_reloads_total{{what=\"certificate\",outcome=\"{outcome}\"}} 1")
        };
        eventually("the pair is refused", || webhooks.metrics().contains(&reloads("refused")));
        assert!(post(&webhooks, &client(&second), &body).is_err());
        second.write(&directory);
        eventually("the new pair is taken up", || webhooks.metrics().contains(&reloads("taken")));
        let before = answered.load(Ordering::Relaxed);
        eventually("reviews go on", || answered.load(Ordering::Relaxed) > before + 20);
        stop.store(true, Ordering::Relaxed);
    });
    assert!(post(&webhooks, &client(&first), &body).is_err());
    assert_eq!(post(&webhooks, &client(&second), &body).unwrap().0, 200);
}

/// A server with a certificate that has expired is of no use, so one that is valid stays.
#[test]
fn an_expired_certificate_is_not_taken_up() {
    let (directory, authority) = (Directory::new("expired"), Authority::default());
    authority.write(&directory);
    let webhooks = Webhooks::start_with(|it| it.args(["--no-lookups", "--tls-certs-dir"]).arg(directory.path()));
    let body = create(&composite("qwen")).to_string().into_bytes();
    authority.write_expired(&directory);
    let refused = "sailplane_admission_reloads_total{what=\"certificate\",outcome=\"refused\"} 1";
    eventually("the certificate is refused", || webhooks.metrics().contains(refused));
    assert_eq!(post(&webhooks, &client(&authority), &body).unwrap().0, 200);
    let expiry = "sailplane_admission_certificate_expiry_timestamp_seconds ";
    let metrics = webhooks.metrics();
    let expiry = metrics.lines().find_map(|line| line.strip_prefix(expiry)).unwrap();
    assert!(expiry.parse::<i64>().unwrap() > 1_700_000_000, "{expiry}");
}

/// The kubelet updates a Secret volume by replacing a symbolic link.
#[test]
fn certificates_in_a_volume() {
    let (volume, first, second) = (Directory::new("volume"), Authority::default(), Authority::default());
    let versions = [(&first, Directory::new("volume-1")), (&second, Directory::new("volume-2"))];
    versions.iter().for_each(|(authority, directory)| authority.write(directory));
    let link = volume.path().join("..data");
    std::os::unix::fs::symlink(versions[0].1.path(), &link).unwrap();
    for file in ["tls.crt", "tls.key"] {
        std::os::unix::fs::symlink(format!("..data/{file}"), volume.path().join(file)).unwrap();
    }
    let webhooks = Webhooks::start_with(|it| it.arg("--no-lookups").env("TLS_SERVER_CERTS_DIR", volume.path()));
    let body = create(&composite("qwen")).to_string().into_bytes();
    assert_eq!(post(&webhooks, &client(&first), &body).unwrap().0, 200);
    let next = volume.path().join("..data_tmp");
    std::os::unix::fs::symlink(versions[1].1.path(), &next).unwrap();
    std::fs::rename(&next, &link).unwrap();
    eventually("the new pair is taken up", || post(&webhooks, &client(&second), &body).is_ok());
    let expiry = webhooks.metrics();
    let expiry =
        expiry.lines().find_map(|line| line.strip_prefix("sailplane_admission_certificate_expiry_timestamp_seconds "));
    assert!(expiry.unwrap().parse::<i64>().unwrap() > 1_700_000_000, "{expiry:?}");
}

/// A server that stops under load answers the reviews in flight, and accepts new ones during the shutdown delay.
#[test]
fn it_drains() {
    let webhooks = Webhooks::start(&["--shutdown-delay", DELAY]);
    let sound = create(&composite("qwen")).to_string();
    let (address, stopping) = (webhooks.address, AtomicBool::new(false));
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                while !stopping.load(Ordering::Relaxed) {
                    let answer = exchange(TcpStream::connect(address).unwrap(), "/validate", sound.as_bytes());
                    assert_eq!(answer.expect("no review fails").0, 200);
                }
            });
        }
        eventually("reviews are answered", || webhooks.metrics().contains("outcome=\"allowed\""));
        webhooks.signal("TERM");
        eventually("it says that it stops", || {
            let (code, answer) = get(webhooks.health, "/readyz");
            code == 503 && answer.ends_with("stopping")
        });
        assert_eq!(get(webhooks.health, "/livez").0, 200);
        stopping.store(true, Ordering::Relaxed);
    });
    // This review begins after the signal and ends after the delay.
    let (half, rest) = sound.as_bytes().split_at(sound.len() / 2);
    let mut late = TcpStream::connect(address).unwrap();
    begin(&mut late, "/validate", sound.len()).and_then(|()| late.write_all(half)).unwrap();
    eventually("the delay is over", || TcpStream::connect(address).is_err());
    assert_eq!(finish(late, rest).expect("it is finished").0, 200);
    assert!(webhooks.wait().success());
}

/// The shutdown delay in seconds: long enough for the tests on a busy machine.
const DELAY: &str = "12";

/// API servers keep one connection for many reviews. It stays open until these are answered.
#[tokio::test(flavor = "multi_thread")]
async fn it_drains_kept_connections() {
    let webhooks = Webhooks::start(&["--shutdown-delay", DELAY]);
    let sound = Bytes::from(create(&composite("qwen")).to_string());
    let stream = tokio::net::TcpStream::connect(webhooks.address).await.unwrap();
    let (mut requests, connection) = h2::client::handshake(stream).await.unwrap();
    let connection = tokio::spawn(connection);
    assert_eq!(answered(&mut requests, &sound).await, 200);
    webhooks.signal("TERM");
    eventually("it says that it stops", || get(webhooks.health, "/readyz").0 == 503);
    // This review begins after the signal and ends after the delay.
    let (late, mut rest) = begun(&mut requests).await;
    rest.send_data(sound.slice(..100), false).unwrap();
    assert_eq!(answered(&mut requests, &sound).await, 200);
    eventually("the delay is over", || TcpStream::connect(webhooks.address).is_err());
    rest.send_data(sound.slice(100..), true).unwrap();
    assert_eq!(late.await.unwrap().status(), 200);
    assert!(webhooks.wait().success());
    connection.await.unwrap().expect("it ends in good order");
}

/// The status of the answer to a review.
async fn answered(requests: &mut SendRequest<Bytes>, review: &Bytes) -> u16 {
    let (answer, mut body) = begun(requests).await;
    body.send_data(review.clone(), true).unwrap();
    answer.await.unwrap().status().as_u16()
}

/// A review whose body is still to be sent.
async fn begun(requests: &mut SendRequest<Bytes>) -> (ResponseFuture, SendStream<Bytes>) {
    *requests = requests.clone().ready().await.unwrap();
    requests.send_request(Request::post("http://test/validate").body(()).unwrap(), false).unwrap()
}

#[test]
fn deadlines() {
    let webhooks = Webhooks::start(&["--module", guest().to_str().unwrap(), "--timeout", "30"]);
    let begun = Instant::now();
    let (code, _) = webhooks.post("/validate?timeout=1s", create(&puppet(&json!("spin"))).to_string().as_bytes());
    assert_eq!(code, 500);
    let took = begun.elapsed();
    assert!((Duration::from_millis(850)..Duration::from_secs(20)).contains(&took), "{took:?}");

    // A review whose body never ends.
    let mut stream = TcpStream::connect(webhooks.address).unwrap();
    let head = "POST /validate?timeout=1s HTTP/1.1\r\nHost: test\r\nContent-Length: 10\r\nConnection: close\r\n\r\n{";
    stream.write_all(head.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 408 ") && answer.ends_with("the review did not arrive in time\n"), "{answer}");
}

#[test]
fn too_many_at_once() {
    let webhooks = Webhooks::start(&["--module", guest().to_str().unwrap(), "--max-reviews", "1"]);
    let spin = create(&puppet(&json!("spin"))).to_string();
    let sound = create(&composite("qwen")).to_string();
    thread::scope(|scope| {
        let spinning = scope.spawn(|| webhooks.post("/validate?timeout=10s", spin.as_bytes()).0);
        // One review is being answered. A review with a short timeout is refused, one with a long timeout gets its
        // turn.
        let mut told = (200, String::new());
        eventually("the one turn is taken", || {
            told = webhooks.post("/validate?timeout=1s", sound.as_bytes());
            told.0 != 200
        });
        assert_eq!((told.0, told.1.as_str()), (429, "no turn within 0.9 s: too many reviews at once\n"));
        assert_eq!(webhooks.post("/validate?timeout=30s", sound.as_bytes()).0, 200);
        assert_eq!(spinning.join().unwrap(), 500);
    });
    assert!(webhooks.metrics().contains("sailplane_admission_reviews_overloaded_total 1\n"));
}

#[test]
fn metrics() {
    let webhooks = Webhooks::start(&["--module", guest().to_str().unwrap()]);
    let post = |path: &str, review: &serde_json::Value| webhooks.post(path, review.to_string().as_bytes());
    let mut stranger = composite("a");
    stranger["kind"] = "Stranger".into();
    let problem = json!({"path": "spec", "code": "Invalid", "message": "wrong", "fix": null, "hint": null});
    let wrong = puppet(&json!({"deny": [problem]}));
    post("/validate", &create(&composite("qwen")));
    post("/validate", &create(&composite("qwen")));
    post("/mutate/warn", &create(&composite("qwen")));
    post("/validate", &create(&wrong));
    post("/validate/audit", &create(&wrong));
    post("/validate", &create(&stranger));
    post("/validate", &create(&puppet(&json!("trap"))));
    post("/validate", &json!({}));
    let text = webhooks.metrics();
    let labels = |kind: &str, operation: &str, webhook: &str, mode: &str, outcome: &str| {
        format!("kind=\"{kind}\",operation=\"{operation}\",webhook=\"{webhook}\",mode=\"{mode}\",outcome=\"{outcome}\"")
    };
    for (labels, count) in [
        (labels("LLMInference", "CREATE", "validate", "enforce", "allowed"), 2),
        (labels("LLMInference", "CREATE", "mutate", "warn", "allowed"), 1),
        (labels("Puppet", "CREATE", "validate", "enforce", "denied"), 1),
        (labels("Puppet", "CREATE", "validate", "audit", "tolerated"), 1),
        (labels("other", "CREATE", "validate", "enforce", "undecided"), 1),
        (labels("Puppet", "CREATE", "validate", "enforce", "failed"), 1),
        (labels("", "", "validate", "enforce", "malformed"), 1),
    ] {
        let series = format!("sailplane_admission_reviews_total{{{labels}}} {count}\n");
        assert!(text.contains(&series), "no {series} in\n{text}");
    }
    for series in [
        "sailplane_admission_review_duration_seconds_count{webhook=\"validate\"} 7\n",
        "sailplane_admission_denials_total{kind=\"Puppet\",reason=\"FieldValueInvalid\"} 2\n",
        "sailplane_module_instances{module=\"guest\",state=\"busy\"} 0\n",
        "sailplane_admission_reviews_in_flight 0\n",
        "sailplane_admission_reviews_overloaded_total 0\n",
        "sailplane_admission_certificate_expiry_timestamp_seconds 0\n",
    ] {
        assert!(text.contains(series), "no {series} in\n{text}");
    }
    assert!(text.contains("\r\ncontent-type: application/openmetrics-text;") && text.ends_with("# EOF\n"));
}

/// Logs have no values of objects, even with `--debug`.
#[test]
fn logs_say_who_and_never_what() {
    let directory = Directory::new("admission-log");
    let log = directory.path().join("log");
    let file = std::fs::File::create(&log).unwrap();
    let webhooks = Webhooks::start_with(|it| {
        it.args(["--insecure", "--no-lookups", "--debug"]).env("RUST_LOG", "trace").stderr(file)
    });
    let mut object = composite("qwen");
    object["metadata"]["annotations"] = json!({"note": "correct-horse-battery-staple"});
    webhooks.review("/validate", &create(&object));
    webhooks.review("/mutate", &create(&object));
    drop(webhooks);
    let text = std::fs::read_to_string(&log).unwrap();
    assert!(text.contains("LLMInference") && text.contains("team-a") && text.contains("allowed"), "{text}");
    assert!(!text.contains("correct-horse") && !text.contains('\u{1b}'), "{text}");
}

/// Only the author of an object sees its values: the log has the paths and the reasons. Records name no source files.
#[test]
fn verdicts_are_logged_without_values() {
    let directory = Directory::new("admission-verdicts");
    let (log, options) = (directory.path().join("log"), directory.path().join("options.yaml"));
    let sound = "apiVersion: sailplane.fn.crossplane.io/v1alpha1\nkind: Options\n";
    std::fs::write(&options, sound).unwrap();
    let file = std::fs::File::create(&log).unwrap();
    let others = file.try_clone().unwrap();
    let webhooks = Webhooks::start_with(|it| {
        it.args(["--insecure", "--no-lookups", "--module"]).arg(guest()).env("RUST_LOG", "info").stderr(file)
    });
    let with_options = Webhooks::start_with(|it| {
        it.args(["--insecure", "--no-lookups", "--options"]).arg(&options).env("RUST_LOG", "info").stderr(others)
    });
    let secret = "correct-horse-battery-staple";
    let problem = json!({"path": "spec.host", "code": "Invalid", "message": secret, "fix": null, "hint": secret});
    let deny = create(&puppet(&json!({"deny": [problem]})));
    let (_, told) = webhooks.post("/validate", deny.to_string().as_bytes());
    assert!(told.contains(secret));
    webhooks.post("/validate/warn", deny.to_string().as_bytes());
    let fault = json!({"cause": "Input", "problems": [problem], "conditions": []});
    webhooks.review("/validate", &create(&puppet(&json!({"refuse": fault}))));
    webhooks.post("/validate", json!({"apiVersion": 1, "kind": secret, "request": secret}).to_string().as_bytes());
    std::fs::write(&options, format!("{sound}ttl: {secret}\n")).unwrap();
    eventually("the options are refused", || with_options.metrics().contains("outcome=\"refused\"} 1"));
    drop((webhooks, with_options));
    let text = std::fs::read_to_string(&log).unwrap();
    for expected in [
        "denied: spec.host (Invalid)",
        "tolerated: spec.host (Invalid)",
        "undecided: spec.host (Invalid)",
        "malformed: ",
        "options.yaml: ttl (",
    ] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
    for unwanted in [secret, "filename", ".rs\""] {
        assert!(!text.contains(unwanted), "{unwanted}\n{text}");
    }
}

/// A cluster that cannot be reached is one error, said once.
#[test]
fn a_missing_kubeconfig_is_said_once() {
    let outside = Directory::new("no-kubeconfig");
    let refused = refused(|it| {
        it.arg("--insecure").env("HOME", outside.path()).env_remove("KUBERNETES_SERVICE_HOST").env_remove("KUBECONFIG")
    });
    let last = refused.lines().last().unwrap_or_default();
    assert!(last.starts_with("error: no cluster to "), "{refused}");
    assert!(last.matches("os error 2").count() <= 2, "one for each place that was looked at: {refused}");
}

#[test]
fn a_kubeconfig_without_end_is_not_read() {
    let refused = refused(|it| it.arg("--insecure").env("KUBECONFIG", "/dev/zero"));
    let last = refused.lines().last().unwrap_or_default();
    assert_eq!(last, "error: cannot read /dev/zero: it is a device, a pipe or a socket, not a file");
}
