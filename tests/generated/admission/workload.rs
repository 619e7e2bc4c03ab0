//! The Deployment of the webhooks, its Service, and its network policy.

use serde_json::{Value, json};

use super::common::{NAME, labels, metadata};
use crate::names;

/// The user ID of the image.
const USER: u32 = 2000;

pub(super) const NETWORK_COMMENT: &str = "\
API servers and kubelets have no labels to tell them by, so their ports are open to all; metrics are for pods.
Outwards only the ports of API servers are open.";

/// Two replicas, on two nodes if possible. A rollout starts a new pod before it stops an old one.
pub(super) fn deployment() -> Value {
    let spread = json!({
        "labelSelector": {"matchLabels": labels()},
        "maxSkew": 1,
        "topologyKey": "kubernetes.io/hostname",
        "whenUnsatisfiable": "ScheduleAnyway",
    });
    let pod = json!({
        "containers": [container()],
        "securityContext": {
            "runAsGroup": USER,
            "runAsNonRoot": true,
            "runAsUser": USER,
            "seccompProfile": {"type": "RuntimeDefault"},
        },
        "serviceAccountName": NAME,
        "topologySpreadConstraints": [spread],
    });
    json!({
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": metadata(NAME),
        "spec": {
            "replicas": 2,
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
        "image": format!("{}:{}", names::reference(names::FUNCTION), names::TAG),
        "command": ["/sailplane", "admission"],
        "args": ["--self-signed"],
        "env": [{"name": "POD_NAMESPACE", "valueFrom": {"fieldRef": {"fieldPath": "metadata.namespace"}}}],
        "ports": [port("webhooks", 9443), port("metrics", 8080), port("health", 8081)],
        "livenessProbe": probe("/livez"),
        "readinessProbe": probe("/readyz"),
        "resources": {"requests": {"cpu": "50m", "memory": "64Mi"}, "limits": {"memory": "512Mi"}},
        "securityContext": {
            "allowPrivilegeEscalation": false,
            "capabilities": {"drop": ["ALL"]},
            "readOnlyRootFilesystem": true,
        },
    })
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
    json!({
        "apiVersion": "networking.k8s.io/v1",
        "kind": "NetworkPolicy",
        "metadata": metadata(NAME),
        "spec": {
            "podSelector": {"matchLabels": labels()},
            "policyTypes": ["Egress", "Ingress"],
            "ingress": [
                {"ports": [{"port": "webhooks"}, {"port": "health"}]},
                {"from": [{"namespaceSelector": {}}], "ports": [{"port": "metrics"}]},
            ],
            "egress": [{"ports": [{"port": 443}, {"port": 6443}]}],
        },
    })
}
