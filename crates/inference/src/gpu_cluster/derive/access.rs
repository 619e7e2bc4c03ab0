//! What leads to the new cluster: configurations of the providers that install software on it.

use serde_json::json;
use toolbox::data;
use toolbox::observed::ReadyWhen;
use toolbox::rule::{Rule, constant, rule};

use super::control_plane::google;
use super::kinds::{HELM_CONFIGS, KUBERNETES_CONFIGS};
use super::parts::{ClusterPart, NAME, ObjectRow, kubeconfig};

/// The configurations. They report no state, so they are ready when they are desired.
#[rustfmt::skip]
pub const ROWS: &[ObjectRow] = &[
    ObjectRow { external: "{n}", ready: ReadyWhen::Desired, tables: &[("spec", WITH_KUBECONFIG)], ..ObjectRow::of(&HELM_CONFIGS, "{n}-config-helm", "{n}") },
    ObjectRow { external: "{n}", ready: ReadyWhen::Desired, tables: &[("spec", HERE)], ..ObjectRow::of(&HELM_CONFIGS, "{n}-config-helm-local", "{n}-local") },
    ObjectRow { external: "{n}", ready: ReadyWhen::Desired, tables: &[("spec", WITH_KUBECONFIG)], ..ObjectRow::of(&KUBERNETES_CONFIGS, "{n}-config-kubernetes", "{n}") },
];

#[rustfmt::skip]
pub(super) const WITH_KUBECONFIG: &[Rule<ClusterPart>] = &[
    constant("credentials.source", "always: a Secret", data!("Secret")),
    rule("credentials.secretRef", "the Secret with the kubeconfig", &["metadata.name", "metadata.namespace"], |p| Some(json!({"namespace": p.of.namespace, "name": kubeconfig(&p.of), "key": "kubeconfig"}))),
    rule("identity", "the kubeconfig of Google Cloud has no identity", NAME, |p| google(&p.of).then(|| json!({"type": "GoogleApplicationCredentials", "source": "Secret", "secretRef": {"namespace": "crossplane-system", "name": "gcp-creds", "key": "creds"}}))),
];

#[rustfmt::skip]
pub(super) const HERE: &[Rule<ClusterPart>] = &[
    constant("credentials.source", "always: the cluster that Crossplane runs on", data!("InjectedIdentity")),
];
