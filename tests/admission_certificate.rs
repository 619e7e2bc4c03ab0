//! `sailplane admission-certificate`: makes and renews the certificate of the webhooks, and gives up its rights.

use std::process::{Command, Output};

use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use serde_json::{Value, json};
use tests::api_server::ApiServer;
use tests::artifacts::sailplane;

const SECRETS: &str = "/api/v1/secrets";
const VALIDATING: &str = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
const MUTATING: &str = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations";
const BINDINGS: &str = "/apis/rbac.authorization.k8s.io/v1/rolebindings";
const CLUSTER_BINDINGS: &str = "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings";
const SECRET: &str = "sailplane-admission-tls";
const CONFIGURATION: &str = "sailplane-admission";

fn server(name: &str) -> ApiServer {
    let server = ApiServer::start(name, &[SECRETS, VALIDATING, MUTATING, BINDINGS, CLUSTER_BINDINGS]);
    let webhook = |name: &str| json!({"name": name, "clientConfig": {"service": {"name": "s", "namespace": "n"}}});
    for (collection, webhooks) in [(VALIDATING, vec![webhook("a"), webhook("b")]), (MUTATING, vec![webhook("c")])] {
        server.put(collection, &json!({"metadata": {"name": CONFIGURATION}, "webhooks": webhooks}));
    }
    server
}

/// Runs the command to its end, with further flags.
fn make(server: &ApiServer, flags: &[&str]) -> Output {
    Command::new(sailplane())
        .args(["admission-certificate", "--namespace", "ns"])
        .args(flags)
        .env("KUBECONFIG", server.kubeconfig())
        .output()
        .unwrap()
}

#[track_caller]
fn made(server: &ApiServer, flags: &[&str]) {
    let output = make(server, flags);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// A value of the shared Secret, still encoded.
fn shared(server: &ApiServer, key: &str) -> Option<String> {
    Some(server.get(SECRETS, "ns", SECRET)?["data"][key].as_str()?.to_owned())
}

/// The CA bundle of each webhook.
fn trusted(server: &ApiServer) -> Vec<Value> {
    let bundles = |collection: &str| {
        let configuration = server.get(collection, "", CONFIGURATION).unwrap();
        configuration["webhooks"]
            .as_array()
            .unwrap()
            .iter()
            .map(|it| it["clientConfig"]["caBundle"].clone())
            .collect::<Vec<_>>()
    };
    [bundles(VALIDATING), bundles(MUTATING)].concat()
}

/// It makes a certificate and ends. Another run changes nothing, but gives back what a configuration has lost.
#[test]
fn runs_once() {
    let server = server("once");
    made(&server, &[]);
    let bundle = shared(&server, "ca.crt").expect("the Secret holds it");
    assert_eq!(trusted(&server), [&*bundle; 3]);
    assert_eq!(server.get(SECRETS, "ns", SECRET).unwrap()["type"], "kubernetes.io/tls");

    let written = server.written("").len();
    made(&server, &[]);
    assert_eq!(server.written("").len(), written, "nothing is written without need");
    let mut configuration = server.get(VALIDATING, "", CONFIGURATION).unwrap();
    configuration["webhooks"][1]["clientConfig"]["caBundle"] = "".into();
    server.put(VALIDATING, &configuration);
    made(&server, &[]);
    assert_eq!(trusted(&server), [&*bundle; 3]);
}

/// The bindings that give it its rights are gone at its end, and nothing else is.
#[test]
fn gives_up_its_rights() {
    let server = server("rights");
    for name in ["mine", "other"] {
        server.put(CLUSTER_BINDINGS, &json!({"metadata": {"name": name}}));
        server.put(BINDINGS, &json!({"metadata": {"name": name, "namespace": "ns"}}));
    }
    made(&server, &["--delete-bindings", "mine"]);
    let exist =
        |name: &str| [server.get(CLUSTER_BINDINGS, "", name).is_some(), server.get(BINDINGS, "ns", name).is_some()];
    assert_eq!(exist("mine"), [false, false]);
    assert_eq!(exist("other"), [true, true]);
}

/// The webhook configurations may be applied later. Before both exist, nothing is changed.
#[test]
fn waits_for_the_configurations() {
    let server = server("waits");
    let mutating = server.get(MUTATING, "", CONFIGURATION).unwrap();
    server.remove(MUTATING, "", CONFIGURATION);
    std::thread::scope(|scope| {
        let running = scope.spawn(|| made(&server, &[]));
        std::thread::sleep(std::time::Duration::from_secs(2));
        assert!(server.written("").is_empty(), "{:?}", server.written(""));
        server.put(MUTATING, &mutating);
        running.join().unwrap();
    });
    assert_eq!(trusted(&server), [&*shared(&server, "ca.crt").unwrap(); 3]);
}

/// A certificate that expires soon is replaced, and its authority stays trusted until it expires.
#[test]
fn renewal() {
    let server = server("renewal");
    let (authority, certificate, key) = ending_soon();
    let data = |text: &str| tests::base64::encode(text.as_bytes());
    server.put(
        SECRETS,
        &json!({
            "metadata": {"name": SECRET, "namespace": "ns"},
            "data": {"ca.crt": data(&authority), "tls.crt": data(&certificate), "tls.key": data(&key), "other": data("stays")},
        }),
    );
    made(&server, &[]);
    let bundle = String::from_utf8(tests::base64::decode(&shared(&server, "ca.crt").unwrap())).unwrap();
    assert_eq!(bundle.matches("BEGIN CERTIFICATE").count(), 2);
    assert!(bundle.contains(authority.trim()), "{bundle}");
    assert_ne!(shared(&server, "tls.crt").unwrap(), data(&certificate));
    assert_eq!(shared(&server, "other").unwrap(), data("stays"));
    assert_eq!(trusted(&server), [&*data(&bundle); 3]);
}

/// An authority, a certificate for the Service, and its key. Both certificates expire tomorrow.
fn ending_soon() -> (String, String, String) {
    let tomorrow = std::time::SystemTime::now() + std::time::Duration::from_secs(24 * 60 * 60);
    let mut authority = CertificateParams::default();
    authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    authority.not_after = tomorrow.into();
    let mut server = CertificateParams::new(["sailplane-admission.ns.svc".to_owned()]).unwrap();
    server.not_after = tomorrow.into();
    let (authority_key, key) = (KeyPair::generate().unwrap(), KeyPair::generate().unwrap());
    let bundle = authority.self_signed(&authority_key).unwrap().pem();
    let certificate = server.signed_by(&key, &Issuer::new(authority, authority_key)).unwrap().pem();
    (bundle, certificate, key.serialize_pem())
}
