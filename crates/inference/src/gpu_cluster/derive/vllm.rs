//! The operator of the vLLM Production Stack on the new cluster, and definitions that accept everything.

use serde_json::{Value, json};
use toolbox::data;
use toolbox::data::Data;
use toolbox::resources::OBJECTS;
use toolbox::rule::{Rule, constant, rule};

use super::kinds::{
    CLUSTER_ROLE_BINDINGS, CLUSTER_ROLES, CRDS, DEPLOYMENTS, NAMESPACES, ROLE_BINDINGS, ROLES, SERVICE_ACCOUNTS,
    SERVICES,
};
use super::parts::{ClusterPart, Each, LEFT_BEHIND, NAME, ON_CLUSTER, ObjectRow};
use crate::gpu_cluster::inputs::ClusterInputs;
use crate::gpu_cluster::permissive;

/// The objects of the operator. No Usage is about them: they are not deleted on the cluster.
#[rustfmt::skip]
pub const ROWS: &[ObjectRow] = &[
    ObjectRow { external: "production-stack-system", wraps: Some((&NAMESPACES, NAMESPACE)), ..op(&[("ns", &[])]) },
    ObjectRow { key: "{n}-app-vllm-op-crd-{e}", name: "{n}-app-vllm-op-crd-{e}", external: "{e}.production-stack.vllm.ai", wraps: Some((&CRDS, DEFINITION)), ..op(&[("cacheservers", &[]), ("loraadapters", &[]), ("vllmrouters", &[]), ("vllmruntimes", &[])]) },
    ObjectRow { external: "production-stack-controller-manager", wraps: Some((&SERVICE_ACCOUNTS, IN_NAMESPACE)), ..op(&[("sa", &["production-stack-controller-manager"])]) },
    ObjectRow { external: "production-stack-leader-election-role", wraps: Some((&ROLES, LEADER)), ..op(&[("role", &["production-stack-leader-election-role"])]) },
    ObjectRow { external: "production-stack-leader-election-rolebinding", wraps: Some((&ROLE_BINDINGS, LEADER_BINDING)), ..op(&[("rb", &["production-stack-leader-election-rolebinding"])]) },
    ObjectRow { external: "production-stack-manager-role", wraps: Some((&CLUSTER_ROLES, MANAGER)), ..op(&[("cr-manager", &[])]) },
    ObjectRow { external: "production-stack-manager-rolebinding", wraps: Some((&CLUSTER_ROLE_BINDINGS, MANAGER_BINDING)), ..op(&[("crb-manager", &[])]) },
    ObjectRow { external: "production-stack-metrics-auth-role", wraps: Some((&CLUSTER_ROLES, METRICS_AUTH)), ..op(&[("cr-metrics-auth", &[])]) },
    ObjectRow { external: "production-stack-metrics-auth-rolebinding", wraps: Some((&CLUSTER_ROLE_BINDINGS, METRICS_BINDING)), ..op(&[("crb-metrics", &[])]) },
    ObjectRow { external: "production-stack-metrics-reader", wraps: Some((&CLUSTER_ROLES, METRICS_READER)), ..op(&[("cr-metrics-reader", &[])]) },
    ObjectRow { external: "production-stack-controller-manager-metrics-service", wraps: Some((&SERVICES, SERVICE)), ..op(&[("svc", &[])]) },
    ObjectRow { external: "production-stack-production-stack-controller-manager", wraps: Some((&DEPLOYMENTS, DEPLOYMENT)), ..op(&[("deploy", &[])]) },
];

const fn op(names: &'static [(&'static str, &'static [&'static str])]) -> ObjectRow {
    let row = ObjectRow::of(&OBJECTS, "{n}-app-vllm-op-{e}", "{n}-app-vllm-op-{e}");
    ObjectRow { exists: vllm, each: Each::Of(names), tables: &[("", LEFT_BEHIND), ("", ON_CLUSTER)], ..row }
}

const L2: Data = data!({"app.kubernetes.io/managed-by": "kustomize", "app.kubernetes.io/name": "production-stack"});
const L3: Data = data!({"app.kubernetes.io/managed-by": "kustomize", "app.kubernetes.io/name": "production-stack", "control-plane": "controller-manager"});
const ACCOUNT: Data = data!([{"kind": "ServiceAccount", "name": "production-stack-controller-manager", "namespace": "production-stack-system"}]);
const ALL: Data = data!(["create", "delete", "get", "list", "patch", "update", "watch"]);
const STACK: Data = data!(["production-stack.vllm.ai"]);

#[rustfmt::skip]
pub(super) const NAMESPACE: &[Rule<ClusterPart>] = &[
    constant("metadata", "always: the operator's own namespace", data!({"name": "production-stack-system", "labels": L3})),
];

#[rustfmt::skip]
pub(super) const IN_NAMESPACE: &[Rule<ClusterPart>] = &[
    rule("metadata.name", "the operator", &[], |p| Some(p.text(0).into())),
    constant("metadata.namespace", "always: the operator's own namespace", data!("production-stack-system")),
    constant("metadata.labels", "always: those of the operator's release", L2),
];

#[rustfmt::skip]
pub(super) const LEADER: &[Rule<ClusterPart>] = &[
    rule("metadata.name", "the operator", &[], |p| Some(p.text(0).into())),
    constant("metadata.namespace", "always: the operator's own namespace", data!("production-stack-system")),
    constant("metadata.labels", "always: those of the operator's release", L2),
    constant("rules", "always: one of its pods leads", data!([
        {"apiGroups": [""], "resources": ["configmaps"], "verbs": ["get", "list", "watch", "create", "update", "patch", "delete"]},
        {"apiGroups": ["coordination.k8s.io"], "resources": ["leases"], "verbs": ["get", "list", "watch", "create", "update", "patch", "delete"]},
        {"apiGroups": [""], "resources": ["events"], "verbs": ["create", "patch"]},
    ])),
];

#[rustfmt::skip]
pub(super) const LEADER_BINDING: &[Rule<ClusterPart>] = &[
    rule("metadata.name", "the operator", &[], |p| Some(p.text(0).into())),
    constant("metadata.namespace", "always: the operator's own namespace", data!("production-stack-system")),
    constant("metadata.labels", "always: those of the operator's release", L2),
    constant("roleRef", "always: one of its pods leads", data!({"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "production-stack-leader-election-role"})),
    constant("subjects", "always: the operator", ACCOUNT),
];

#[rustfmt::skip]
pub(super) const MANAGER: &[Rule<ClusterPart>] = &[
    constant("metadata.name", "always: the operator", data!("production-stack-manager-role")),
    constant("rules", "always: what the operator makes of its kinds", data!([
        {"apiGroups": [""], "resources": ["configmaps", "persistentvolumeclaims", "secrets", "serviceaccounts", "services"], "verbs": ALL},
        {"apiGroups": [""], "resources": ["pods"], "verbs": ["get", "list", "watch"]},
        {"apiGroups": ["apps"], "resources": ["deployments"], "verbs": ALL},
        {"apiGroups": ["networking.k8s.io"], "resources": ["ingresses"], "verbs": ALL},
        {"apiGroups": STACK, "resources": ["cacheservers", "loraadapters", "vllmrouters", "vllmruntimes"], "verbs": ALL},
        {"apiGroups": STACK, "resources": ["cacheservers/finalizers", "loraadapters/finalizers", "vllmrouters/finalizers", "vllmruntimes/finalizers"], "verbs": ["update"]},
        {"apiGroups": STACK, "resources": ["cacheservers/status", "loraadapters/status", "vllmrouters/status", "vllmruntimes/status"], "verbs": ["get", "patch", "update"]},
        {"apiGroups": ["rbac.authorization.k8s.io"], "resources": ["rolebindings", "roles"], "verbs": ALL},
    ])),
];

#[rustfmt::skip]
pub(super) const MANAGER_BINDING: &[Rule<ClusterPart>] = &[
    constant("metadata", "always: the operator", data!({"name": "production-stack-manager-rolebinding", "labels": L2})),
    constant("roleRef", "always: what the operator makes of its kinds", data!({"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "production-stack-manager-role"})),
    constant("subjects", "always: the operator", ACCOUNT),
];

#[rustfmt::skip]
pub(super) const METRICS_AUTH: &[Rule<ClusterPart>] = &[
    constant("metadata.name", "always: the operator", data!("production-stack-metrics-auth-role")),
    constant("rules", "always: it asks who may read its metrics", data!([
        {"apiGroups": ["authentication.k8s.io"], "resources": ["tokenreviews"], "verbs": ["create"]},
        {"apiGroups": ["authorization.k8s.io"], "resources": ["subjectaccessreviews"], "verbs": ["create"]},
    ])),
];

#[rustfmt::skip]
pub(super) const METRICS_BINDING: &[Rule<ClusterPart>] = &[
    constant("metadata.name", "always: the operator", data!("production-stack-metrics-auth-rolebinding")),
    constant("roleRef", "always: it asks who may read its metrics", data!({"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "production-stack-metrics-auth-role"})),
    constant("subjects", "always: the operator", ACCOUNT),
];

#[rustfmt::skip]
pub(super) const METRICS_READER: &[Rule<ClusterPart>] = &[
    constant("metadata.name", "always: the operator", data!("production-stack-metrics-reader")),
    constant("rules", "always: for those who read its metrics", data!([{"nonResourceURLs": ["/metrics"], "verbs": ["get"]}])),
];

#[rustfmt::skip]
pub(super) const SERVICE: &[Rule<ClusterPart>] = &[
    constant("metadata", "always: the operator", data!({"name": "production-stack-controller-manager-metrics-service", "namespace": "production-stack-system", "labels": L3})),
    constant("spec", "always: its metrics", data!({
        "ports": [{"name": "https", "port": 8443, "protocol": "TCP", "targetPort": 8443}],
        "selector": {"app.kubernetes.io/name": "production-stack", "control-plane": "controller-manager"},
    })),
];

#[rustfmt::skip]
pub(super) const DEPLOYMENT: &[Rule<ClusterPart>] = &[
    constant("metadata", "always: the operator", data!({"name": "production-stack-production-stack-controller-manager", "namespace": "production-stack-system", "labels": {
        "app.kubernetes.io/component": "manager", "app.kubernetes.io/created-by": "production-stack", "app.kubernetes.io/instance": "production-stack",
        "app.kubernetes.io/managed-by": "kustomize", "app.kubernetes.io/name": "production-stack", "app.kubernetes.io/part-of": "production-stack",
    }})),
    constant("spec.replicas", "always: one is enough", data!(1)),
    constant("spec.selector", "always: its pods", data!({"matchLabels": {"app.kubernetes.io/component": "manager", "app.kubernetes.io/instance": "production-stack", "app.kubernetes.io/name": "production-stack"}})),
    // The Service for metrics selects by the last one.
    constant("spec.template.metadata.labels", "always: its Deployment and its Service find it", data!({"app.kubernetes.io/component": "manager", "app.kubernetes.io/instance": "production-stack", "app.kubernetes.io/name": "production-stack", "control-plane": "controller-manager"})),
    constant("spec.template.spec.serviceAccountName", "always: its rights", data!("production-stack-controller-manager")),
    constant("spec.template.spec.terminationGracePeriodSeconds", "always: it has nothing to finish", data!(10)),
    constant("spec.template.spec.securityContext", "always: it needs no rights on its node", data!({"runAsNonRoot": true, "seccompProfile": {"type": "RuntimeDefault"}})),
    constant("spec.template.spec.containers[0].name", "always", data!("manager")),
    rule("spec.template.spec.containers[0].image", "the platform's operator", &["input.cluster.vllmOperatorImage"], |p| Some(json!(p.of.options.vllm_operator_image))),
    constant("spec.template.spec.containers[0].imagePullPolicy", "always: an image with a version stays the same", data!("IfNotPresent")),
    constant("spec.template.spec.containers[0].command", "always", data!(["/manager"])),
    constant("spec.template.spec.containers[0].args", "always: metrics, one leader, probes", data!(["--metrics-bind-address=:8443", "--leader-elect", "--health-probe-bind-address=:8081"])),
    constant("spec.template.spec.containers[0].livenessProbe", "always: every 20 s", data!({"httpGet": {"path": "/healthz", "port": 8081}, "initialDelaySeconds": 15, "periodSeconds": 20})),
    constant("spec.template.spec.containers[0].readinessProbe", "always: every 10 s", data!({"httpGet": {"path": "/readyz", "port": 8081}, "initialDelaySeconds": 5, "periodSeconds": 10})),
    constant("spec.template.spec.containers[0].resources", "always: it is small", data!({"requests": {"cpu": "10m", "memory": "64Mi"}, "limits": {"cpu": "500m", "memory": "128Mi"}})),
    constant("spec.template.spec.containers[0].securityContext", "always: it needs no rights on its node", data!({"allowPrivilegeEscalation": false, "capabilities": {"drop": ["ALL"]}})),
];

/// A definition that accepts everything of its kind.
#[rustfmt::skip]
pub const DEFINITION: &[Rule<ClusterPart>] = &[
    rule("", "what it is about accepts everything, so that its operator decides", NAME, crd),
];

fn vllm(of: &ClusterInputs) -> bool {
    of.parameters.apps.vllm.enabled
}

/// The definition of the kind whose plural is the element.
fn crd(part: &ClusterPart) -> Option<Value> {
    let row = permissive::ROWS.iter().find(|row| row.plural == part.element)?;
    let mut names = json!({
        "kind": row.kind,
        "listKind": format!("{}List", row.kind),
        "plural": row.plural,
        "singular": row.kind.to_lowercase(),
    });
    if !row.short_name.is_empty() {
        names["shortNames"] = json!([row.short_name]);
    }
    let mut schema = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
    if let Some((path, port)) = row.default_port {
        let field = json!({"type": "integer", "format": "int32", "default": port});
        let inside = path.iter().rev().fold(field, |inner, name| {
            json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true, "properties": {*name: inner}})
        });
        schema = inside;
    }
    let mut version = json!({
        "name": row.version,
        "served": true,
        "storage": true,
        "subresources": {"status": {}},
        "schema": {"openAPIV3Schema": schema},
    });
    if let Some((name, path)) = row.column {
        let age = json!({"name": "Age", "type": "date", "jsonPath": ".metadata.creationTimestamp"});
        version["additionalPrinterColumns"] = json!([{"name": name, "type": "string", "jsonPath": path}, age]);
    }
    let mut metadata = json!({"name": format!("{}.{}", row.plural, row.group)});
    if !row.bundle.is_empty() {
        metadata["annotations"] = json!({
            "api-approved.kubernetes.io": permissive::APPROVED,
            "inference.networking.k8s.io/bundle-version": row.bundle,
        });
    }
    Some(json!({
        "apiVersion": CRDS.api_version,
        "kind": CRDS.kind,
        "metadata": metadata,
        "spec": {"group": row.group, "names": names, "scope": "Namespaced", "versions": [version]},
    }))
}
