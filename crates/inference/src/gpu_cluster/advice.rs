//! Conditions about the composite itself. They warn of what may work but should be looked at, and are never fatal.

use contract::types::ConditionStatus::{False, True};
use toolbox::conditions::{ConditionRow, Reported, note, warning};

use super::derive::apps::argocd;
use super::inputs::ClusterInputs;
use super::names;
use super::options::PUBLIC_PASSWORD_HASH;
use super::repeated::repeated;
use super::spec::PLACEHOLDER_REPOSITORY;
use crate::clouds::drivers::Drivers;

/// All conditions with all of their reasons, also for documentation.
pub const CONDITIONS: &[ConditionRow] = &[
    NAME_USABLE,
    NAME_REFUSED,
    GPUS_NOT_WANTED,
    GPUS_USABLE,
    NO_DRIVER,
    NO_DEVICE_PLUGIN,
    NO_NODES_FOR_OPERATOR,
    COUNTS_AS_WRITTEN,
    COUNTS_RAISED,
    POOLS_FILLED,
    POOL_EMPTY,
    ARGO_CD_NOT_WANTED,
    ARGO_CD_CONFIGURED,
    ARGO_CD_TO_CONFIGURE,
    SECRETS_DISTINCT,
    SECRETS_REPEATED,
];

#[rustfmt::skip]
mod rows {
    use super::*;

    pub(super) const NAME_USABLE: ConditionRow = note("NameUsable", True, "Usable", "the cloud takes the composite's name, with the endings that it gets");
    pub(super) const NAME_REFUSED: ConditionRow = warning("NameUsable", False, "Refused", "the cloud refuses the composite's name, or the name with an ending that it gets");

    pub(super) const GPUS_NOT_WANTED: ConditionRow = note("GPUsUsable", True, "NotWanted", "there is no pool with GPUs");
    pub(super) const GPUS_USABLE: ConditionRow = note("GPUsUsable", True, "Usable", "driver and device plugin are installed");
    pub(super) const NO_DRIVER: ConditionRow = warning("GPUsUsable", False, "NoDriver", "nothing installs a driver on the nodes with GPUs");
    pub(super) const NO_DEVICE_PLUGIN: ConditionRow = warning("GPUsUsable", False, "NoDevicePlugin", "nothing installs the device plugin, so no pod can have a GPU");
    pub(super) const NO_NODES_FOR_OPERATOR: ConditionRow = warning("GPUsUsable", False, "NoPool", "the GPU Operator is installed, and there are no nodes with GPUs");

    pub(super) const COUNTS_AS_WRITTEN: ConditionRow = note("CountsAsWritten", True, "AsWritten", "the pools have the numbers of nodes that are written");
    pub(super) const COUNTS_RAISED: ConditionRow = warning("CountsAsWritten", False, "Raised", "a number of nodes was raised to one that the cloud accepts");

    pub(super) const POOLS_FILLED: ConditionRow = note("PoolsFilled", True, "Filled", "every pool has nodes, or the cloud adds them when pods need them");
    pub(super) const POOL_EMPTY: ConditionRow = warning("PoolsFilled", False, "Empty", "a pool on EKS has no nodes, and nothing adds any");

    pub(super) const ARGO_CD_NOT_WANTED: ConditionRow = note("ArgoCDConfigured", True, "NotWanted", "Argo CD is not installed");
    pub(super) const ARGO_CD_CONFIGURED: ConditionRow = note("ArgoCDConfigured", True, "Configured", "Argo CD has a repository, a password and a namespace");
    pub(super) const ARGO_CD_TO_CONFIGURE: ConditionRow = warning("ArgoCDConfigured", False, "ToConfigure", "a setting of Argo CD still is a placeholder, is known to everybody, or leads nowhere");

    pub(super) const SECRETS_DISTINCT: ConditionRow = note("SecretsDistinct", True, "Distinct", "every secret of the store has a name of its own");
    pub(super) const SECRETS_REPEATED: ConditionRow = warning("SecretsDistinct", False, "Repeated", "a name is there twice among the secrets of the store, and only the last secret with it is created");
}
use rows::*;

/// The conditions, in a fixed order, each with the field that it is about.
pub fn advice(inputs: &ClusterInputs) -> Vec<(&'static str, Reported)> {
    vec![
        ("metadata.name", name(inputs)),
        ("spec.parameters.gpu", gpus(inputs)),
        ("spec.parameters.minNodeCount", counts(inputs)),
        empty(inputs),
        ("spec.parameters.apps.argocd", argo_cd(inputs)),
        ("spec.parameters.apps.externalSecrets.secrets", secrets(inputs)),
    ]
}

fn name(inputs: &ClusterInputs) -> Reported {
    names::refused(inputs).map_or_else(|| NAME_USABLE.report(""), |why| NAME_REFUSED.report(why))
}

fn gpus(inputs: &ClusterInputs) -> Reported {
    let operator = inputs.parameters.apps.nvidia.enabled;
    let service = inputs.provider.service();
    let plugin = Drivers::of(inputs.provider).is_some_and(|it| it.device_plugin);
    match (inputs.gpu().is_some(), operator) {
        (false, true) => NO_NODES_FOR_OPERATOR
            .report("the GPU Operator is installed without nodes with GPUs: set spec.parameters.gpu.enabled"),
        (false, false) => GPUS_NOT_WANTED.report(""),
        (true, false) if inputs.drivers_by_operator() => NO_DRIVER.report(
            "nothing installs a driver: the platform leaves it to the GPU Operator; set spec.parameters.apps.nvidia.enabled",
        ),
        (true, false) if !plugin => NO_DEVICE_PLUGIN.report(format!(
            "{service} installs no device plugin, so no pod can have a GPU; set spec.parameters.apps.nvidia.enabled"
        )),
        (true, _) => GPUS_USABLE.report(""),
    }
}

fn counts(inputs: &ClusterInputs) -> Reported {
    let written = inputs.parameters.min_node_count;
    let mut words = Vec::new();
    if inputs.least_nodes() != written {
        words.push(format!("the general nodes of AKS are at least {}, not {written}", inputs.least_nodes()));
    }
    if inputs.least_nodes() == inputs.most_nodes() && written > 10 {
        words.push(format!("there are at most {written} general nodes, as many as at least, and not 10"));
    }
    if words.is_empty() { COUNTS_AS_WRITTEN.report("") } else { COUNTS_RAISED.report(words.join("; ")) }
}

fn empty(inputs: &ClusterInputs) -> (&'static str, Reported) {
    const GENERAL: &str = "spec.parameters.minNodeCount";
    const GPUS: &str = "spec.parameters.gpu.minNodeCount";
    let stays = |what: &str, field: &str| {
        let service = inputs.provider.service();
        POOL_EMPTY.report(format!("{what}, and nothing adds any on {service}; set {field} to 1 or more"))
    };
    let no_gpus = inputs.gpu().is_some_and(|pool| pool.min_node_count == 0);
    match (inputs.least_nodes() == 0, no_gpus) {
        _ if inputs.provider.adds_nodes() => (GENERAL, POOLS_FILLED.report("")),
        (true, _) => (GENERAL, stays("there are no general nodes", GENERAL)),
        (false, true) => (GPUS, stays("the pool with GPUs has no nodes", GPUS)),
        (false, false) => (GENERAL, POOLS_FILLED.report("")),
    }
}

fn secrets(inputs: &ClusterInputs) -> Reported {
    let operator = inputs.parameters.apps.external_secrets.as_ref();
    let names = operator.into_iter().flat_map(|it| &it.secrets).map(|it| it.to_secret.as_str());
    match repeated(names) {
        Some(name) => {
            SECRETS_REPEATED.report(format!("secret `{name}` is there twice, and only the last one is created"))
        }
        None => SECRETS_DISTINCT.report(""),
    }
}

fn argo_cd(inputs: &ClusterInputs) -> Reported {
    let Some(it) = argocd(inputs) else { return ARGO_CD_NOT_WANTED.report("") };
    let mut words = Vec::new();
    if it.repo_url == PLACEHOLDER_REPOSITORY {
        words.push("its repository is a placeholder: set spec.parameters.apps.argocd.repoURL".to_owned());
    }
    if inputs.options.argocd_password_hash == PUBLIC_PASSWORD_HASH {
        words.push("everybody knows its password: set the option cluster.argocdPasswordHash".to_owned());
    }
    let namespace = &it.destination_namespace;
    if namespace != "argocd" && !inputs.parameters.namespaces.contains(namespace) {
        words.push(format!("nothing creates its namespace `{namespace}`: add it to spec.parameters.namespaces"));
    }
    if !inputs.parameters.apps.traefik.enabled {
        words.push("nothing leads to it from outside: set spec.parameters.apps.traefik.enabled".to_owned());
    }
    if words.is_empty() { ARGO_CD_CONFIGURED.report("") } else { ARGO_CD_TO_CONFIGURE.report(words.join("; ")) }
}
