//! `sailplane admission --self-signed`: replicas that make, share and renew their certificates.

use std::process::Command;

use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use serde_json::{Value, json};
use tests::admission::Webhooks;
use tests::api_server::ApiServer;
use tests::function::eventually;

const SECRETS: &str = "/api/v1/secrets";
const VALIDATING: &str = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
const MUTATING: &str = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations";
const SECRET: &str = "sailplane-admission-tls";
const CONFIGURATION: &str = "sailplane-admission";

fn server(name: &str) -> ApiServer {
    let server = ApiServer::start(name, &[SECRETS, VALIDATING, MUTATING]);
    let webhook = |name: &str| json!({"name": name, "clientConfig": {"service": {"name": "s", "namespace": "n"}}});
    for (collection, webhooks) in [(VALIDATING, vec![webhook("a"), webhook("b")]), (MUTATING, vec![webhook("c")])] {
        server.put(collection, &json!({"metadata": {"name": CONFIGURATION}, "webhooks": webhooks}));
    }
    server
}

fn replica(server: &ApiServer) -> Webhooks {
    Webhooks::start_with(|command: &mut Command| {
        command.args(["--self-signed", "--no-lookups", "--namespace", "ns"]).env("KUBECONFIG", server.kubeconfig())
    })
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

#[test]
fn replicas_share_one_certificate() {
    let server = server("shared");
    let [first, second] = std::thread::scope(|scope| {
        [(); 2].map(|()| scope.spawn(|| replica(&server))).map(|started| started.join().unwrap())
    });
    let bundle = shared(&server, "ca.crt").expect("the Secret holds it");
    assert_eq!(trusted(&server), [&*bundle; 3]);
    assert_eq!(server.get(SECRETS, "ns", SECRET).unwrap()["type"], "kubernetes.io/tls");
    assert_eq!(
        first.metrics().lines().rfind(|line| line.contains("certificate_expiry")),
        second.metrics().lines().rfind(|line| line.contains("certificate_expiry"))
    );
    let created = server.written("secrets").into_iter().filter(|(verb, _)| verb == "POST");
    assert!(created.count() <= 2);
    assert!(server.written("secrets").iter().all(|(verb, _)| verb == "POST"), "nothing is replaced");

    // A third replica has nothing to change. A configuration that loses its bundle gets it back.
    let written = server.written("webhookconfigurations").len();
    let third = replica(&server);
    assert_eq!(server.written("webhookconfigurations").len(), written, "nothing is written without need");
    let mut configuration = server.get(VALIDATING, "", CONFIGURATION).unwrap();
    configuration["webhooks"][1]["clientConfig"]["caBundle"] = "".into();
    server.put(VALIDATING, &configuration);
    eventually("the bundle is back", || trusted(&server) == [&*bundle; 3]);
    drop(third);
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
    let _replica = replica(&server);
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
