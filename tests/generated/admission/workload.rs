//! The Deployment of the webhooks, its Service and network policy, and the Job that makes the certificate.

use serde_json::{Value, json};

use super::common::{MAKER, NAME, SECRET, labels, metadata};
use crate::names;
use crate::pods::{USER, container_security, pod_security};

/// Where the certificate is mounted.
const TLS: &str = "/tls";
/// The port of the API server, unless a parameter says otherwise: that of kubeadm and k3s.
pub(super) const API_SERVER_PORT: u16 = 6443;
/// How many replicas run, unless a parameter says otherwise.
pub(super) const REPLICAS: u16 = 2;

/// The image, unless a parameter says otherwise. An ImageConfig of Crossplane does not concern it.
pub(super) fn image() -> String {
    format!("{}:{}", names::reference(names::FUNCTION), names::TAG)
}

pub(super) const NETWORK_COMMENT: &str = "\
API servers and kubelets have no labels to tell them by, so their ports are open to all; metrics are for pods.
Outwards only the ports of the API server are open: that of its Service, and its own.";

/// Two replicas, on two nodes if possible. A rollout starts a new pod before it stops an old one.
pub(super) fn deployment() -> Value {
    let spread = json!({
        "labelSelector": {"matchLabels": labels()},
        "maxSkew": 1,
        "topologyKey": "kubernetes.io/hostname",
        "whenUnsatisfiable": "ScheduleAnyway",
    });
    let mut security = pod_security();
    security["fsGroup"] = USER.into();
    let pod = json!({
        "containers": [container()],
        "securityContext": security,
        "serviceAccountName": NAME,
        "topologySpreadConstraints": [spread],
        // The pods start when the Secret exists. A changed Secret is read without a restart.
        "volumes": [{"name": "tls", "secret": {"secretName": SECRET, "defaultMode": 0o440}}],
    });
    json!({
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": metadata(NAME),
        "spec": {
            "replicas": REPLICAS,
            "selector": {"matchLabels": labels()},
            "strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1, "maxUnavailable": 0}},
            "template": {"metadata": {"labels": labels()}, "spec": pod},
        },
    })
}

fn container() -> Value {
    let probe = |path: &str| json!({"httpGet": {"path": path, "port": "health"}, "periodSeconds": 5});
    let port = |name: &str, number: u16| json!({"name": name, "containerPort": number});
    json!({
        "name": "admission",
        "image": image(),
        "command": ["/sailplane", "admission"],
        "args": [format!("--tls-certs-dir={TLS}")],
        "ports": [port("webhooks", 9443), port("metrics", 8080), port("health", 8081)],
        "livenessProbe": probe("/livez"),
        "readinessProbe": probe("/readyz"),
        "resources": {"requests": {"cpu": "50m", "memory": "64Mi"}, "limits": {"memory": "512Mi"}},
        "securityContext": container_security(),
        "volumeMounts": [{"name": "tls", "mountPath": TLS, "readOnly": true}],
    })
}

/// The Job that makes the certificate. Its pods have labels of their own, so that the Service does not find them.
pub(super) fn job() -> Value {
    let container = json!({
        "name": "certificate",
        "image": image(),
        "command": ["/sailplane", "admission-certificate"],
        "args": [format!("--delete-bindings={MAKER}")],
        "env": [{"name": "POD_NAMESPACE", "valueFrom": {"fieldRef": {"fieldPath": "metadata.namespace"}}}],
        "resources": {"requests": {"cpu": "50m", "memory": "32Mi"}, "limits": {"memory": "128Mi"}},
        "securityContext": container_security(),
    });
    let pod = json!({
        "containers": [container],
        "restartPolicy": "OnFailure",
        "securityContext": pod_security(),
        "serviceAccountName": MAKER,
    });
    json!({
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": metadata(MAKER),
        "spec": {
            "activeDeadlineSeconds": 600,
            "backoffLimit": 6,
            "template": {"metadata": {"labels": maker_labels()}, "spec": pod},
            // Manifests that are applied again bring the bindings back, so they must bring the Job back too.
            "ttlSecondsAfterFinished": 0,
        },
    })
}

fn maker_labels() -> Value {
    json!({"app.kubernetes.io/name": MAKER})
}

pub(super) fn service() -> Value {
    json!({
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": metadata(NAME),
        "spec": {"selector": labels(), "ports": [{"name": "webhooks", "port": 443, "targetPort": "webhooks"}]},
    })
}

pub(super) fn disruption_budget() -> Value {
    json!({
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": metadata(NAME),
        "spec": {"maxUnavailable": 1, "selector": {"matchLabels": labels()}},
    })
}

pub(super) fn network_policy() -> Value {
    let ingress = json!([
        {"ports": [{"port": "webhooks"}, {"port": "health"}]},
        {"from": [{"namespaceSelector": {}}], "ports": [{"port": "metrics"}]},
    ]);
    policy(NAME, labels(), ingress)
}

/// The Job may reach the API server, and nobody may reach the Job.
pub(super) fn maker_network_policy() -> Value {
    policy(MAKER, maker_labels(), json!([]))
}

fn policy(name: &str, pods: Value, ingress: Value) -> Value {
    json!({
        "apiVersion": "networking.k8s.io/v1",
        "kind": "NetworkPolicy",
        "metadata": metadata(name),
        "spec": {
            "podSelector": {"matchLabels": pods},
            "policyTypes": ["Egress", "Ingress"],
            "ingress": ingress,
            "egress": [{"ports": [{"port": 443}, {"port": API_SERVER_PORT}]}],
        },
    })
}
