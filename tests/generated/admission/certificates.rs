//! Where the certificate comes from: two components of Kustomize, of which an overlay takes one.

use serde_json::{Value, json};

use super::common::{FOLDER, NAME, NAMESPACE, SECRET, cluster_metadata, kustomize, metadata};
use super::parameters::{self, CONFIGURATIONS};
use super::{rbac, workload};
use crate::files::File;

/// The name of the authority, of its certificate and of its Secret.
const AUTHORITY: &str = "sailplane-admission-authority";
/// The annotation that names the certificate whose authority cert-manager writes into a webhook configuration.
const INJECT: &str = "cert-manager.io/inject-ca-from";

/// The component with certificates of cert-manager. Patches have one document each: kubectl 1.32 ends with a panic when a
/// file has more.
pub(super) fn cert_manager() -> Vec<File> {
    let annotation = parameters::part(CONFIGURATIONS, &format!("metadata.annotations.[{INJECT}]"), "/", 0);
    let component = json!({
        "resources": ["certificates.yaml"],
        "components": ["../parameters"],
        "patches": [{"path": "validating.yaml"}, {"path": "mutating.yaml"}],
        "replacements": [parameters::replacement("namespace", &[annotation])],
    });
    let comment = "An authority that lasts, so that a new certificate is trusted at once.";
    vec![
        file("cert-manager/kustomization", "", &[kustomize("Component", component)]),
        file("cert-manager/certificates", comment, &certificates()),
        file("cert-manager/validating", "", &[annotated("ValidatingWebhookConfiguration")]),
        file("cert-manager/mutating", "", &[annotated("MutatingWebhookConfiguration")]),
    ]
}

/// The component with a Job that makes the certificate.
pub(super) fn job() -> Vec<File> {
    let component = json!({
        "resources": ["job.yaml", "network-policy.yaml", "rbac.yaml"],
        "components": ["../parameters"],
    });
    let comment = "Makes the certificate, writes it into its Secret and its authority into the webhook configurations, and \
        ends.";
    let rights = "The rights of the Job. It deletes the bindings at its end.";
    vec![
        file("certificate-job/kustomization", "", &[kustomize("Component", component)]),
        file("certificate-job/job", comment, &[workload::job()]),
        file("certificate-job/network-policy", "", &[workload::maker_network_policy()]),
        file("certificate-job/rbac", rights, &rbac::maker()),
    ]
}

fn file(name: &str, comment: &str, objects: &[Value]) -> File {
    File::yaml(format!("{FOLDER}/{name}.yaml"), comment, objects)
}

fn certificates() -> Vec<Value> {
    let issuer = |name: &str, spec: Value| object("Issuer", name, spec);
    let issuer_ref = |name: &str| json!({"kind": "Issuer", "name": name});
    let authority = json!({
        "isCA": true,
        "commonName": AUTHORITY,
        "secretName": AUTHORITY,
        "duration": "87600h",
        "privateKey": {"algorithm": "ECDSA"},
        "issuerRef": issuer_ref(&format!("{NAME}-root")),
    });
    let serving = json!({
        "secretName": SECRET,
        "dnsNames": [format!("{NAME}.{NAMESPACE}.svc"), format!("{NAME}.{NAMESPACE}.svc.cluster.local")],
        "usages": ["digital signature", "server auth"],
        "privateKey": {"algorithm": "ECDSA", "rotationPolicy": "Always"},
        "issuerRef": issuer_ref(AUTHORITY),
    });
    vec![
        issuer(&format!("{NAME}-root"), json!({"selfSigned": {}})),
        object("Certificate", AUTHORITY, authority),
        issuer(AUTHORITY, json!({"ca": {"secretName": AUTHORITY}})),
        object("Certificate", SECRET, serving),
    ]
}

fn object(kind: &str, name: &str, spec: Value) -> Value {
    json!({"apiVersion": "cert-manager.io/v1", "kind": kind, "metadata": metadata(name), "spec": spec})
}

/// A patch: cert-manager writes the authority into configurations with this annotation.
fn annotated(kind: &str) -> Value {
    let mut metadata = cluster_metadata(NAME);
    metadata["annotations"] = json!({INJECT: format!("{NAMESPACE}/{SECRET}")});
    json!({"apiVersion": "admissionregistration.k8s.io/v1", "kind": kind, "metadata": metadata})
}
