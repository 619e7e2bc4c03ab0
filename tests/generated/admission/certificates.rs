//! The variant with certificates of cert-manager: a component of Kustomize, and a folder that uses it.

use serde_json::{Value, json};

use super::common::{FOLDER, NAME, NAMESPACE, SECRET, cluster_metadata, metadata};
use crate::files::File;

/// The name of the authority, of its certificate and of its Secret.
const AUTHORITY: &str = "sailplane-admission-authority";
/// Where the certificate is mounted.
const DIR: &str = "/tls";
/// The folder of the variant.
const VARIANT: &str = "package/admission-cert-manager";

pub(super) fn files() -> Vec<File> {
    let file = |name: &str, comment: &str, objects: &[Value]| {
        File::yaml(format!("{FOLDER}/cert-manager/{name}.yaml"), comment, objects)
    };
    let use_it = json!({
        "apiVersion": "kustomize.config.k8s.io/v1beta1",
        "kind": "Kustomization",
        "resources": ["../admission"],
        "components": ["../admission/cert-manager"],
    });
    let comment = "The webhooks with certificates of cert-manager: kubectl apply -k package/admission-cert-manager";
    vec![
        file("kustomization", "", &[component()]),
        file("certificates", "An authority that lasts, so that a new certificate is trusted at once.", &certificates()),
        file("deployment", "", &[deployment()]),
        file("webhooks", "", &webhooks()),
        file("without-self-signed", "", &without_self_signed()),
        File::yaml(format!("{VARIANT}/kustomization.yaml"), comment, &[use_it]),
    ]
}

fn component() -> Value {
    let patches = ["deployment", "webhooks", "without-self-signed"].map(|name| json!({"path": format!("{name}.yaml")}));
    json!({
        "apiVersion": "kustomize.config.k8s.io/v1alpha1",
        "kind": "Component",
        "resources": ["certificates.yaml"],
        "patches": patches,
    })
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

fn deployment() -> Value {
    let container = json!({
        "name": "admission",
        "args": [format!("--tls-certs-dir={DIR}")],
        "volumeMounts": [{"name": "tls", "mountPath": DIR, "readOnly": true}],
    });
    json!({
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": NAME, "namespace": NAMESPACE},
        "spec": {"template": {"spec": {
            "containers": [container],
            "volumes": [{"name": "tls", "secret": {"secretName": SECRET, "defaultMode": 0o440}}],
            "securityContext": {"fsGroup": 2000},
        }}},
    })
}

/// cert-manager writes the authority into configurations with this annotation.
fn webhooks() -> Vec<Value> {
    let configuration = |kind: &str| {
        let mut metadata = cluster_metadata(NAME);
        metadata["annotations"] = json!({"cert-manager.io/inject-ca-from": format!("{NAMESPACE}/{SECRET}")});
        json!({"apiVersion": "admissionregistration.k8s.io/v1", "kind": kind, "metadata": metadata})
    };
    ["ValidatingWebhookConfiguration", "MutatingWebhookConfiguration"].map(configuration).into()
}

fn without_self_signed() -> Vec<Value> {
    let remove = |object: Value| {
        let metadata = json!({"name": object["metadata"]["name"], "namespace": object["metadata"]["namespace"]});
        let mut metadata = metadata;
        metadata.as_object_mut().expect("an object").retain(|_, value| !value.is_null());
        json!({"$patch": "delete", "apiVersion": object["apiVersion"], "kind": object["kind"], "metadata": metadata})
    };
    super::rbac::self_signed().into_iter().map(remove).collect()
}
