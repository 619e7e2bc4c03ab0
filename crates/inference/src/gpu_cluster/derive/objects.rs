//! Objects on the new cluster: namespaces, credentials, secrets, Argo CD's application and gateways.

use serde_json::{Value, json};
use toolbox::builders::remote;
use toolbox::data;
use toolbox::resources::OBJECTS;
use toolbox::rule::{Rule, constant, rule};

use super::apps::{argocd, envoy, prometheus};
use super::kinds::{
    APPLICATIONS, CRDS, EXTERNAL_SECRETS, EXTERNAL_SECRETS_V1, GATEWAY_CLASSES, GATEWAYS, NAMESPACES, POD_MONITORS,
    SECRET_STORES, SECRET_STORES_V1, SECRETS,
};
use super::parts::{ClusterPart, Each, LEFT_BEHIND, ON_CLUSTER, ObjectRow};
use super::vllm::DEFINITION;
use crate::clouds::Cloud;
use crate::gpu_cluster::inputs::ClusterInputs;
use crate::gpu_cluster::options::SecretsApi;
use crate::gpu_cluster::spec::{SecretsOperator, StoredSecret};

/// The objects.
#[rustfmt::skip]
pub const ROWS: &[ObjectRow] = &[
    ObjectRow { external: "{e}", each: Each::Found(|of| of.parameters.namespaces.clone()), tables: &[("", LEFT_BEHIND), ("", ON_CLUSTER)], wraps: Some((&NAMESPACES, NAMESPACE)), ..ObjectRow::of(&OBJECTS, "{n}-ns-{e}", "{n}-ns-{e}") },
    ObjectRow { external: "{e}", each: Each::Found(|of| of.parameters.creds.iter().map(|it| it.name.clone()).collect()), tables: &[("", REFERENCES), ("", ON_CLUSTER)], wraps: Some((&SECRETS, CREDENTIALS)), needs_cluster: true, ..ObjectRow::of(&OBJECTS, "{n}-creds", "{n}-creds") },
    ObjectRow { wraps: Some((&SECRET_STORES, STORE)), exists: |of| has_store(of) && !is_v1(of), ..STORE_ROW },
    ObjectRow { wraps: Some((&SECRET_STORES_V1, STORE)), exists: |of| has_store(of) && is_v1(of), ..STORE_ROW },
    ObjectRow { wraps: Some((&EXTERNAL_SECRETS, SECRET)), exists: |of| !is_v1(of), ..SECRET_ROW },
    ObjectRow { wraps: Some((&EXTERNAL_SECRETS_V1, SECRET)), exists: is_v1, ..SECRET_ROW },
    ObjectRow { exists: |of| argocd(of).is_some(), wraps: Some((&APPLICATIONS, APPLICATION)), ..app(&[("argo-cd-app", &[])]) },
    ObjectRow { exists: envoy, wraps: Some((&GATEWAY_CLASSES, GATEWAY_CLASS)), ..app(&[("envoy-gateway-class", &[])]) },
    ObjectRow { exists: envoy, wraps: Some((&GATEWAYS, GATEWAY)), ..app(&[("envoy-gateway", &[])]) },
    ObjectRow { exists: envoy, external: "{e}.inference.networking.k8s.io", key: "{n}-app-inference-crd-{e}", name: "{n}-app-inference-crd-{e}", tables: &[("", LEFT_BEHIND), ("", ON_CLUSTER)], wraps: Some((&CRDS, DEFINITION)), ..app(&[("inferencepools", &[])]) },
    ObjectRow { exists: envoy, external: "{e}.inference.networking.x-k8s.io", key: "{n}-app-inference-crd-{e}", name: "{n}-app-inference-crd-{e}", tables: &[("", LEFT_BEHIND), ("", ON_CLUSTER)], wraps: Some((&CRDS, DEFINITION)), ..app(&[("inferenceobjectives", &[])]) },
    ObjectRow { exists: |of| envoy(of) && prometheus(of), wraps: Some((&POD_MONITORS, POD_MONITOR)), ..app(&[("envoy-gateway-pod-monitor", &[])]) },
];

const STORE_ROW: ObjectRow = ObjectRow {
    external: "{e}",
    each: Each::Found(|of| vec![of.provider.as_str().to_owned()]),
    key: "{n}-app-secret-store",
    name: "{n}-app-secret-store",
    tables: &[("", PROJECT), ("", ON_CLUSTER)],
    ..app(&[])
};

const SECRET_ROW: ObjectRow = ObjectRow {
    each: Each::Found(|of| secrets(of).iter().map(|it| it.to_secret.clone()).collect()),
    key: "{n}-secret-{e}",
    name: "{n}-secret-{e}",
    ..app(&[])
};

/// A row of objects that must be gone before the cluster goes.
const fn app(names: &'static [(&'static str, &'static [&'static str])]) -> ObjectRow {
    let row = ObjectRow::of(&OBJECTS, "{n}-app-{e}", "{n}-app-{e}");
    ObjectRow { external: "{e}", each: Each::Of(names), tables: &[("", ON_CLUSTER)], needs_cluster: true, ..row }
}

#[rustfmt::skip]
pub(super) const NAMESPACE: &[Rule<ClusterPart>] = &[
    rule("metadata.name", "namespace `{it}`", &["spec.parameters.namespaces[]"], |p| Some(json!(p.element))),
];

#[rustfmt::skip]
pub(super) const CREDENTIALS: &[Rule<ClusterPart>] = &[
    rule("metadata.name", "the name that it has here", &["spec.parameters.creds.name"], |p| Some(json!(p.element))),
    rule("metadata.namespace", "the namespace that it has here", &["spec.parameters.creds.namespace"], |p| p.of.parameters.creds.as_ref().map(|it| json!(it.namespace))),
];

#[rustfmt::skip]
pub(super) const REFERENCES: &[Rule<ClusterPart>] = &[
    rule("spec.references[..]", "each key is copied from the Secret here, and never in the composite", &["spec.parameters.creds.keys", "spec.parameters.creds.name", "spec.parameters.creds.namespace"], references),
];

#[rustfmt::skip]
pub(super) const STORE: &[Rule<ClusterPart>] = &[
    rule("metadata.name", "the cloud", &[], |p| Some(json!(p.element))),
    rule("spec.provider.aws", "Secrets Manager, with the copied credentials", STORE_AWS, aws_store),
    rule("spec.provider.azurekv", "the vault, with the identity of the nodes", &["spec.parameters.apps.externalSecrets.azureVaultUrl"], azure_store),
    rule("spec.provider.gcpsm", "Secret Manager, with the copied credentials", &["spec.parameters.apps.externalSecrets.googleCredentialsKey", "spec.parameters.creds.namespace"], google_store),
];

#[rustfmt::skip]
pub(super) const PROJECT: &[Rule<ClusterPart>] = &[
    rule(remote::REFERENCES, "the project is that of the platform's credentials", &[], |p| (p.of.provider == Cloud::Google).then(|| remote::copied(("gcp.m.upbound.io/v1beta1", "ClusterProviderConfig"), None, "default", "spec.projectID", "spec.provider.gcpsm.projectID"))),
];

#[rustfmt::skip]
pub(super) const SECRET: &[Rule<ClusterPart>] = &[
    rule("metadata.name", "secret `{it}`", &["spec.parameters.apps.externalSecrets.secrets[].toSecret"], |p| Some(json!(p.element))),
    rule("metadata.namespace", "the namespace of `{it}`", &["spec.parameters.apps.externalSecrets.secrets[].toNamespace"], |p| secret(p).map(|it| json!(it.to_namespace))),
    constant("spec.refreshInterval", "always: an hour", data!("1h")),
    rule("spec.secretStoreRef", "the store of the cloud", &[], |p| Some(json!({"kind": "ClusterSecretStore", "name": p.of.provider.as_str()}))),
    rule("spec.target", "the Secret `{it}`", &["spec.parameters.apps.externalSecrets.secrets[].toSecret", "spec.parameters.apps.externalSecrets.secrets[].type"], |p| secret(p).map(|it| json!({"name": it.to_secret, "creationPolicy": "Owner", "template": {"type": it.secret_type}}))),
    rule("spec.dataFrom", "its name in the store", &["spec.parameters.apps.externalSecrets.secrets[].fromSecret"], |p| secret(p).map(|it| json!([{"extract": {"key": it.from_secret}}]))),
];

#[rustfmt::skip]
pub(super) const APPLICATION: &[Rule<ClusterPart>] = &[
    constant("metadata", "always: where Argo CD is; what it applied goes with it", data!({"name": "apps", "namespace": "argocd", "finalizers": ["resources-finalizer.argocd.argoproj.io"]})),
    constant("spec.project", "always", data!("default")),
    rule("spec.source", "the folder of the repository", &["spec.parameters.apps.argocd.repoURL", "spec.parameters.apps.argocd.sourcePath"], |p| argocd(&p.of).map(|it| json!({"repoURL": it.repo_url, "targetRevision": "HEAD", "path": it.source_path}))),
    constant("spec.destination.server", "always: the new cluster", data!("https://kubernetes.default.svc")),
    rule("spec.destination.namespace", "the namespace for what has none", &["spec.parameters.apps.argocd.destinationNamespace"], |p| argocd(&p.of).map(|it| json!(it.destination_namespace))),
    constant("spec.syncPolicy", "always: the cluster follows the repository", data!({"automated": {"selfHeal": true, "prune": true, "allowEmpty": true}})),
];

#[rustfmt::skip]
pub(super) const GATEWAY_CLASS: &[Rule<ClusterPart>] = &[
    constant("metadata.name", "always: gateways name it", data!("eg")),
    constant("spec.controllerName", "always: Envoy Gateway", data!("gateway.envoyproxy.io/gatewayclass-controller")),
];

#[rustfmt::skip]
pub(super) const GATEWAY: &[Rule<ClusterPart>] = &[
    constant("metadata", "always: where Envoy Gateway is", data!({"name": "eg", "namespace": "envoy-gateway-system"})),
    constant("spec", "always: every namespace may have routes", data!({"gatewayClassName": "eg", "listeners": [{"name": "http", "protocol": "HTTP", "port": 80, "allowedRoutes": {"namespaces": {"from": "All"}}}]})),
];

#[rustfmt::skip]
pub(super) const POD_MONITOR: &[Rule<ClusterPart>] = &[
    constant("metadata", "always: Prometheus finds it by its label", data!({"name": "envoy-gateway-proxy", "namespace": "envoy-gateway-system", "labels": {"release": "kube-prometheus-stack"}})),
    constant("spec", "always: the proxies", data!({"selector": {"matchLabels": {"app.kubernetes.io/component": "proxy"}}, "podMetricsEndpoints": [{"port": "metrics", "path": "/stats/prometheus"}]})),
];

const STORE_AWS: &[&str] = &[
    "spec.parameters.apps.externalSecrets.awsAccessKeyIDKey",
    "spec.parameters.apps.externalSecrets.awsSecretAccessKeyKey",
    "spec.parameters.creds.name",
    "spec.parameters.creds.namespace",
    "spec.parameters.region",
];

/// External Secrets Operator, if it is installed.
fn operator(of: &ClusterInputs) -> Option<&SecretsOperator> {
    of.parameters.apps.external_secrets.as_ref()
}

/// Whether there is a store of the cloud.
pub fn has_store(of: &ClusterInputs) -> bool {
    operator(of).is_some_and(|it| it.enabled && it.store == Some(true))
}

fn is_v1(of: &ClusterInputs) -> bool {
    of.options.external_secrets == SecretsApi::V1
}

fn secrets(of: &ClusterInputs) -> &[StoredSecret] {
    operator(of).map_or(&[], |it| &it.secrets)
}

fn secret(part: &ClusterPart) -> Option<&StoredSecret> {
    secrets(&part.of).get(part.index[0])
}

fn references(part: &ClusterPart) -> Option<Value> {
    let of = part.of.parameters.creds.as_ref()?;
    let copied = |key: &String| {
        // A dot would lead into a field of the value.
        let field = if key.contains('.') { format!("data[{key}]") } else { format!("data.{key}") };
        remote::copied(("v1", "Secret"), Some(&of.namespace), &of.name, &field, &field)
    };
    Some(of.keys.iter().map(copied).collect())
}

fn aws_store(part: &ClusterPart) -> Option<Value> {
    let (of, creds) = (operator(&part.of)?, part.of.parameters.creds.as_ref()?);
    let key = |key: &str| json!({"name": creds.name, "key": key, "namespace": creds.namespace});
    (part.of.provider == Cloud::Aws).then(|| {
        json!({
            "service": "SecretsManager",
            "region": part.of.region(),
            "auth": {"secretRef": {
                "accessKeyIDSecretRef": key(&of.aws_access_key_id_key),
                "secretAccessKeySecretRef": key(&of.aws_secret_access_key_key),
            }},
        })
    })
}

fn azure_store(part: &ClusterPart) -> Option<Value> {
    let url = operator(&part.of)?.azure_vault_url.as_deref();
    (part.of.provider == Cloud::Azure).then(|| json!({"authType": "ManagedIdentity", "vaultUrl": url}))
}

/// The name of the Secret is the one that the platform's own credentials have.
fn google_store(part: &ClusterPart) -> Option<Value> {
    let (of, creds) = (operator(&part.of)?, part.of.parameters.creds.as_ref()?);
    let mut key = json!({"name": "gcp-creds", "namespace": creds.namespace});
    if let Some(name) = &of.google_credentials_key {
        key["key"] = json!(name);
    }
    (part.of.provider == Cloud::Google).then(|| json!({"auth": {"secretRef": {"secretAccessKeySecretRef": key}}}))
}
