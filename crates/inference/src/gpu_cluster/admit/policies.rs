//! Rules of admission, and which of them an API server can evaluate by itself. The messages are those of [`super`].
//!
//! A policy knows the cloud by the label `provider` that a composite selects. Where it selects none, every rule about one cloud holds.
//! What is stored is tolerated, as it is there. Names of more than 100 secrets are not compared, because an API server would not
//! spend that much on one rule.

use contract::catalog::Action::{Deny, Warn};
use toolbox::kind::{AdmissionRule, OTHERS, rule};
use toolbox::policy::{PolicyRule, deny};

/// The cloud that an object selects. Empty when it selects none that is known.
macro_rules! selected {
    ($object:literal) => {
        concat!(
            "has(",
            $object,
            ".spec.crossplane) && has(",
            $object,
            ".spec.crossplane.compositionSelector) && has(",
            $object,
            ".spec.crossplane.compositionSelector.matchLabels) && 'provider' in ",
            $object,
            ".spec.crossplane.compositionSelector.matchLabels && ",
            $object,
            ".spec.crossplane.compositionSelector.matchLabels['provider'] in ['aws', 'azure', 'google'] ? ",
            $object,
            ".spec.crossplane.compositionSelector.matchLabels['provider'] : ''"
        )
    };
}

/// What the rules use besides the name.
pub(in super::super) const VARIABLES: &[(&str, &str)] = &[
    ("cloud", selected!("object")),
    ("before", concat!("request.operation == 'UPDATE' && ", selected!("oldObject"))),
    ("usual", "{'aws': 'us-east-1', 'azure': 'eastus', 'google': 'us-east1', '': ''}[variables.cloud]"),
    ("region", "has(object.spec.parameters.region) ? object.spec.parameters.region : variables.usual"),
];

/// No parameters are bad. Those that are bad are tolerated when the stored ones are bad too.
macro_rules! unless_stored {
    ($bad:expr) => {
        concat!(
            "![object.spec.parameters].exists(it, ",
            $bad,
            ") || request.operation == 'UPDATE' && [oldObject.spec.parameters].exists(it, ",
            $bad,
            ")"
        )
    };
}

/// Whether an application is installed.
macro_rules! app {
    ($name:literal) => {
        concat!(
            "has(it.apps) && has(it.apps.",
            $name,
            ") && has(it.apps.",
            $name,
            ".enabled) && it.apps.",
            $name,
            ".enabled"
        )
    };
}

/// Whether there is a pool with GPUs.
macro_rules! gpus {
    () => {
        "has(it.gpu) && has(it.gpu.enabled) && it.gpu.enabled"
    };
}

/// Whether there is a secret store.
macro_rules! store {
    () => {
        concat!(app!("externalSecrets"), " && has(it.apps.externalSecrets.store) && it.apps.externalSecrets.store")
    };
}

/// Whether there are secrets of a store.
macro_rules! secrets {
    () => {
        "has(it.apps) && has(it.apps.externalSecrets) && has(it.apps.externalSecrets.secrets)"
    };
}

/// Whether an object names the Composition of another cloud than the one that it selects.
macro_rules! contradicts {
    ($object:literal, $cloud:literal) => {
        concat!(
            $cloud,
            " != '' && has(",
            $object,
            ".spec.crossplane.compositionRef) && has(",
            $object,
            ".spec.crossplane.compositionRef.name) && ['aws', 'azure', 'google'].exists(other, other != ",
            $cloud,
            " && ",
            $object,
            ".spec.crossplane.compositionRef.name.split('.')[0] == 'cluster-' + other)"
        )
    };
}

/// The rules that CEL in an API server can state.
#[rustfmt::skip]
pub(in super::super) const POLICIES: &[PolicyRule] = &[
    deny(unless_stored!("has(it.namespaces) && !it.namespaces.all(one, it.namespaces.exists_one(other, other == one))"),
        "'a namespace is there twice'"),
    deny(unless_stored!("has(it.creds) && !it.creds.keys.all(one, it.creds.keys.exists_one(other, other == one))"),
        "'a key of the credentials is there twice'"),
    deny(unless_stored!("has(it.zones) && !it.zones.all(one, it.zones.exists_one(other, other == one))"),
        "'a zone is there twice'"),
    deny(unless_stored!(concat!(secrets!(), " && size(it.apps.externalSecrets.secrets) <= 100 && [it.apps.externalSecrets.secrets.map(one, one.toSecret)].exists(names, !names.all(one, names.indexOf(one) == names.lastIndexOf(one)))")),
        "'a secret is there twice'"),
    deny(unless_stored!(concat!(secrets!(), " && size(it.apps.externalSecrets.secrets) > 0 && !(", store!(), ")")),
        "'secrets come from a store: set `enabled` and `store` too'"),
    deny(unless_stored!(concat!(app!("openfunction"), " && ", app!("dapr"))),
        "'OpenFunction brings Dapr; enable one of them'"),
    deny(unless_stored!(concat!("variables.cloud in ['aws', 'google'] && ", store!(), " && !has(it.creds)")),
        "'missing: a secret store on ' + (variables.cloud == 'aws' ? 'EKS' : 'GKE') + ' needs cloud credentials'"),
    deny(unless_stored!(concat!("variables.cloud == 'azure' && ", store!(), " && (!has(it.apps.externalSecrets.azureVaultUrl) || it.apps.externalSecrets.azureVaultUrl == '')")),
        "'missing: a secret store on AKS needs the URL of its vault'"),
    deny(unless_stored!(concat!("variables.cloud == 'google' && ", store!(), " && (!has(it.apps.externalSecrets.googleCredentialsKey) || it.apps.externalSecrets.googleCredentialsKey == '')")),
        "'missing: a secret store on GKE needs the key of Google\\'s credentials'"),
    deny(unless_stored!("variables.cloud == 'azure' && has(it.zones) && !it.zones.all(zone, zone.matches('^[0-9]+$'))"),
        "'a zone is no zone: on AKS zones are numbers, such as `1`'"),
    deny(unless_stored!("variables.cloud in ['aws', 'google'] && has(it.zones) && ![has(it.region) ? it.region : variables.usual].exists(region, it.zones.all(zone, zone.startsWith(region) && zone != region))"),
        "'a zone is not in region `' + variables.region + '`'"),
    deny(unless_stored!("variables.cloud == 'aws' && has(it.zones) && size(it.zones) == 1"),
        "'a control plane on EKS is in two zones at least; add another'"),
    deny("variables.cloud == '' || variables.before == '' || variables.before == variables.cloud",
        "'the cluster is in `' + variables.before + '`, and `' + variables.cloud + '` would delete it for a new one; make another composite with a new name'"),
    deny(concat!("!(", contradicts!("object", "variables.cloud"), ") || ", contradicts!("oldObject", "variables.before")),
        "'`' + object.spec.crossplane.compositionRef.name + '` is the Composition of another cloud than `' + variables.cloud + '`, which the composite selects; make both the same'"),
    new("size(variables.name) <= 63",
        "'no managed cluster can be named `' + variables.name + '`: it has more than 63 characters'"),
    new("!variables.name.contains('.')",
        "'no managed cluster can be named `' + variables.name + '`: it has a dot'"),
    new("variables.cloud != 'aws' || size(variables.name) <= 50",
        "'EKS refuses the name `' + variables.name + '`: with the endings that names get there at most 50 characters fit'"),
    new("variables.cloud != 'azure' || size(variables.name) <= (75 - size(variables.region)) / 2",
        "'AKS refuses the name `' + variables.name + '`: with the endings that names get there at most ' + string((75 - size(variables.region)) / 2) + ' characters fit'"),
    new(concat!("variables.cloud != 'google' || size(variables.name) <= ([object.spec.parameters].exists(it, ", gpus!(), ") ? 36 : 40)"),
        "'GKE refuses the name `' + variables.name + '`: with the endings that names get there at most 40 characters fit, and 36 where there are GPUs'"),
    new("variables.cloud != 'aws' || !variables.name.startsWith('sg-')",
        "'EKS refuses the name `' + variables.name + '`: no security group may be named so; begin with something else'"),
    new("variables.cloud != 'google' || variables.name.matches('^[a-z]')",
        "'GKE refuses the name `' + variables.name + '`: it must begin with a letter'"),
    warn(concat!("![object.spec.parameters].exists(it, ", app!("nvidia"), " && !(", gpus!(), "))"),
        "'the GPU Operator is installed without nodes with GPUs: set spec.parameters.gpu.enabled'"),
    warn(concat!("!(variables.cloud in ['aws', 'azure']) || ![object.spec.parameters].exists(it, ", gpus!(), " && !(", app!("nvidia"), "))"),
        "(variables.cloud == 'aws' ? 'EKS' : 'AKS') + ' installs no device plugin, so no pod can have a GPU; set spec.parameters.apps.nvidia.enabled'"),
    warn("variables.cloud != 'azure' || !has(object.spec.parameters.minNodeCount) || object.spec.parameters.minNodeCount > 0",
        "'the general nodes of AKS are at least 1, not 0'"),
    warn("variables.cloud == '' || !has(object.spec.parameters.minNodeCount) || object.spec.parameters.minNodeCount <= 10",
        "'there are at most ' + string(object.spec.parameters.minNodeCount) + ' general nodes, as many as at least, and not 10'"),
    warn("variables.cloud != 'google' || has(object.spec.parameters.zones) && size(object.spec.parameters.zones) == 1",
        "'on GKE there are as many nodes in each zone'"),
    warn("variables.cloud != 'aws' || !has(object.spec.parameters.minNodeCount) || object.spec.parameters.minNodeCount > 0",
        "'there are no general nodes, and nothing adds any on EKS; set spec.parameters.minNodeCount to 1 or more'"),
    warn(concat!("variables.cloud != 'aws' || ![object.spec.parameters].exists(it, ", gpus!(), " && has(it.gpu.minNodeCount) && it.gpu.minNodeCount == 0)"),
        "'the pool with GPUs has no nodes, and nothing adds any on EKS; set spec.parameters.gpu.minNodeCount to 1 or more'"),
    warn("request.operation != 'UPDATE' || variables.region == (has(oldObject.spec.parameters.region) ? oldObject.spec.parameters.region : variables.usual)",
        "'the cloud cannot change spec.parameters.region in place'"),
    warn("request.operation != 'UPDATE' || object.spec.parameters.nodeSize == oldObject.spec.parameters.nodeSize",
        "'the cloud cannot change spec.parameters.nodeSize in place: it refuses the change, or makes nodes anew'"),
    warn(concat!("![object.spec.parameters].exists(it, ", app!("argocd"), " && (!has(it.apps.argocd.repoURL) || it.apps.argocd.repoURL == 'https://github.com/vfarcic/SOMETHING'))"),
        "'the repository of Argo CD is a placeholder: set spec.parameters.apps.argocd.repoURL'"),
    warn(concat!("![object.spec.parameters].exists(it, ", app!("argocd"), " && !(", app!("traefik"), "))"),
        "'nothing leads to Argo CD from outside: set spec.parameters.apps.traefik.enabled'"),
];

const fn new(holds: &'static str, says: &'static str) -> PolicyRule {
    PolicyRule { action: Deny, only_new: true, holds, says }
}

const fn warn(holds: &'static str, says: &'static str) -> PolicyRule {
    PolicyRule { action: Warn, only_new: false, holds, says }
}

/// All rules beyond the schema, in words.
#[rustfmt::skip]
pub(in super::super) const RULES: &[AdmissionRule] = &[
    rule(Deny, "metadata.name", "a new name with a dot, or with more than 63 characters", None),
    rule(Deny, "metadata.name", "a new name that the cloud refuses, with the endings that it gets", None),
    rule(Deny, "metadata.name", "the name of another Cluster in the same cloud, in any namespace", Some(OTHERS)),
    rule(Deny, "metadata.name", "a new name whose objects would be those of another Cluster in the namespace: `a-gpu` beside `a` with GPUs", Some(OTHERS)),
    rule(Deny, "spec.crossplane", "another cloud than before", None),
    rule(Deny, "spec.crossplane.compositionRef.name", "the Composition of another cloud than the one that the composite selects", None),
    rule(Deny, "spec.crossplane.compositionSelector.matchLabels.provider", "a cloud that does not exist", Some(OPTIONS)),
    rule(Deny, "spec.parameters.namespaces", "a namespace that is there twice", None),
    rule(Deny, "spec.parameters.creds.keys", "a key that is there twice", None),
    rule(Deny, "spec.parameters.creds", "a secret store without credentials, except on Azure", None),
    rule(Deny, "spec.parameters.gpu.accelerator", "an accelerator that the cloud does not have", Some(TABLES)),
    rule(Deny, "spec.parameters.gpu.machineType", "a machine type of another cloud", Some(TABLES)),
    rule(Deny, "spec.parameters.zones", "a zone that is there twice or in another region, and a single one on EKS, which wants two", None),
    rule(Deny, "spec.parameters.apps.dapr", "Dapr beside OpenFunction", None),
    rule(Deny, "spec.parameters.apps.externalSecrets.secrets", "secrets without a store, or one that is there twice", None),
    rule(Deny, "spec.parameters.apps.externalSecrets.azureVaultUrl", "a secret store on Azure without a vault", None),
    rule(Deny, "spec.parameters.apps.externalSecrets.googleCredentialsKey", "a secret store on Google Cloud without the key of its credentials", None),
    rule(Warn, "metadata", "a deletion that takes models with it", Some(OTHERS)),
    rule(Warn, "spec.parameters.usage.enabled", "no Usages, so that a deletion can hang", Some(OPTIONS)),
    rule(Warn, "spec.parameters.minNodeCount", "a number of nodes that is raised, or is for each zone", None),
    rule(Warn, "spec.parameters.minNodeCount", "no nodes on EKS, general ones or such with GPUs: nothing adds any", None),
    rule(Warn, "spec.parameters.region", "a change of region or node size, which the cloud cannot make in place", None),
    rule(Warn, "spec.parameters.zones", "a change of zones, or of the machines with GPUs, which the cloud cannot make in place", Some(TABLES)),
    rule(Warn, "spec.parameters.gpu", "GPUs without the operator that they need, or the operator without GPUs", None),
    rule(Warn, "spec.parameters.gpu.maxNodeCount", "the quota that the nodes with GPUs take", Some(TABLES)),
    rule(Warn, "spec.parameters.zones", "zones without the accelerator, or none on GKE where it is not known which have it", Some(TABLES)),
    rule(Warn, "spec.parameters.apps.argocd", "a placeholder as repository of Argo CD, or no ingress controller", None),
    rule(Warn, "spec.parameters.apps.argocd", "a password of Argo CD that everybody knows, or a namespace that nothing creates", Some(OPTIONS)),
    rule(Warn, "spec.parameters.apps.externalSecrets.secrets", "a stored secret that is there twice, of which one is created", Some(STORED)),
];

const OPTIONS: &str = "it depends on the platform's options";
const TABLES: &str = "it depends on tables that a policy does not have";
const STORED: &str = "a policy judges what is new";

#[cfg(test)]
mod tests;
