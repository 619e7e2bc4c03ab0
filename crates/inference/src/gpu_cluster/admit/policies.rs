//! Rules of admission, and which of them an API server can evaluate by itself. The messages are those of [`super`].

use contract::catalog::Action::{Deny, Warn};
use toolbox::kind::{AdmissionRule, OTHERS, rule};
use toolbox::policy::{PolicyRule, deny};

/// The rules that CEL in an API server can state.
#[rustfmt::skip]
pub(in super::super) const POLICIES: &[PolicyRule] = &[
    deny("!has(object.spec.parameters.namespaces) || object.spec.parameters.namespaces.all(one, object.spec.parameters.namespaces.exists_one(other, other == one))",
        "'a namespace is there twice'"),
    deny("!has(object.spec.parameters.creds) || object.spec.parameters.creds.keys.all(one, object.spec.parameters.creds.keys.exists_one(other, other == one))",
        "'a key of the credentials is there twice'"),
    deny("!has(object.spec.parameters.apps) || !has(object.spec.parameters.apps.openfunction) || !object.spec.parameters.apps.openfunction.enabled || !has(object.spec.parameters.apps.dapr) || !object.spec.parameters.apps.dapr.enabled",
        "'OpenFunction brings Dapr; enable one of them'"),
    PolicyRule { action: Deny, only_new: true, holds: "size(variables.name) <= 63",
        says: "'no managed cluster can be named `' + variables.name + '`: it has more than 63 characters'" },
    PolicyRule { action: Deny, only_new: true, holds: "!variables.name.contains('.')",
        says: "'no managed cluster can be named `' + variables.name + '`: it has a dot'" },
];

/// All rules beyond the schema, in words.
#[rustfmt::skip]
pub(in super::super) const RULES: &[AdmissionRule] = &[
    rule(Deny, "metadata.name", "a new name with a dot, or with more than 63 characters", None),
    rule(Deny, "metadata.name", "a new name that the cloud refuses, with the endings that it gets", Some(CLOUD)),
    rule(Deny, "metadata.name", "the name of another Cluster in the same cloud, in any namespace", Some(OTHERS)),
    rule(Deny, "metadata.name", "a new name whose objects would be those of another Cluster in the namespace: `a-gpu` beside `a` with GPUs", Some(OTHERS)),
    rule(Deny, "spec.crossplane", "another cloud than before", Some(CLOUD)),
    rule(Deny, "spec.crossplane.compositionRef.name", "the Composition of another cloud than the one that the composite selects", Some(CLOUD)),
    rule(Deny, "spec.crossplane.compositionSelector.matchLabels.provider", "a cloud that does not exist", Some(CLOUD)),
    rule(Deny, "spec.parameters.namespaces", "a namespace that is there twice", None),
    rule(Deny, "spec.parameters.creds.keys", "a key that is there twice", None),
    rule(Deny, "spec.parameters.creds", "a secret store without credentials, except on Azure", Some(CLOUD)),
    rule(Deny, "spec.parameters.gpu.accelerator", "an accelerator that the cloud does not have", Some(CLOUD)),
    rule(Deny, "spec.parameters.gpu.machineType", "a machine type of another cloud", Some(CLOUD)),
    rule(Deny, "spec.parameters.zones", "a zone that is there twice or in another region, and a single one on EKS, which wants two", Some(CLOUD)),
    rule(Deny, "spec.parameters.apps.dapr", "Dapr beside OpenFunction", None),
    rule(Deny, "spec.parameters.apps.externalSecrets.secrets", "secrets without a store, or one that is there twice", Some(CLOUD)),
    rule(Deny, "spec.parameters.apps.externalSecrets.azureVaultUrl", "a secret store on Azure without a vault", Some(CLOUD)),
    rule(Deny, "spec.parameters.apps.externalSecrets.googleCredentialsKey", "a secret store on Google Cloud without the key of its credentials", Some(CLOUD)),
    rule(Warn, "metadata", "a deletion that takes models with it", Some(OTHERS)),
    rule(Warn, "spec.parameters.usage.enabled", "no Usages, so that a deletion can hang", Some(CLOUD)),
    rule(Warn, "spec.parameters.minNodeCount", "a number of nodes that is raised, or is for each zone", Some(CLOUD)),
    rule(Warn, "spec.parameters.region", "a change that the cloud cannot make in place: of region, zones, node size, or the machines with GPUs", Some(CLOUD)),
    rule(Warn, "spec.parameters.gpu", "GPUs without the operator that they need, or the operator without GPUs", Some(CLOUD)),
    rule(Warn, "spec.parameters.gpu.maxNodeCount", "the quota that the nodes with GPUs take", Some(CLOUD)),
    rule(Warn, "spec.parameters.zones", "zones without the accelerator, or none on GKE where it is not known which have it", Some(CLOUD)),
    rule(Warn, "spec.parameters.apps.argocd", "a placeholder as repository, a password that everybody knows, no ingress controller, or a namespace that nothing creates", Some(CLOUD)),
];

const CLOUD: &str = "it depends on the platform's options, or on tables that a policy does not have";
