//! Judges what a schema cannot state: what an API server would refuse in a composed object, and what other objects there are.

use contract::admit::{AdmitRequest, Operation, Verdict};
use contract::catalog::{Action, ApiResource, Scope};
use contract::types::{Fault, Problem};
use serde_json::Value;
use toolbox::kind::{AdmissionRow, OTHERS, rule};
use toolbox::resources;

use self::pods::{GATEWAY, HOSTS, INTERVAL, MOUNT_PATH, PICKER_PORT, PORT_NAME, PULL_POLICY, PULL_SECRETS};
use crate::long_names;
use crate::options::Options;
use crate::otterscale::options::OwnClusterConfigKind;
use crate::otterscale::resources::{GATEWAYS, MODEL_ARTIFACTS, MODEL_SERVICES};

mod advice;
mod artifact;
mod containers;
mod pods;
mod policies;
mod siblings;
mod texts;

/// What `admit` does for the kind.
#[rustfmt::skip]
pub(super) const ADMISSION: AdmissionRow = AdmissionRow {
    reads: &[
        GATEWAYS,
        readable(OwnClusterConfigKind::ClusterProviderConfig, "clusterproviderconfigs", Scope::Cluster),
        readable(OwnClusterConfigKind::ProviderConfig, "providerconfigs", Scope::Namespaced),
        MODEL_ARTIFACTS,
        MODEL_SERVICES,
    ],
    defaults: || None,
    judges_deletion: false,
    policies: policies::POLICIES,
    policy_variables: &[],
    rules: &[
        long_names::RULE,
        rule(Action::Deny, "metadata.name", "a new name with which another service has an endpoint picker or a grant", Some(OTHERS)),
        rule(Action::Deny, "spec", "resources that no container can have: a request over its limit, a part of a device, a resource or claim that does not exist", Some(TEXTS)),
        rule(Action::Deny, "spec", "an image with a blank at its start or end", Some(TEXTS)),
        rule(Action::Deny, "spec.engine.env", "variables that no container can have", Some(TEXTS)),
        rule(Action::Deny, "spec", "selectors of nodes, tolerations and annotations that no pod can have", Some(TEXTS)),
        rule(Action::Deny, INTERVAL, "an interval that is no duration of Prometheus", None),
        rule(Action::Deny, PORT_NAME, "a name that is too long for a port", None),
        rule(Action::Deny, PULL_POLICY, "a policy that Kubernetes does not know", None),
        rule(Action::Deny, PICKER_PORT, "a port that the endpoint picker has for something else", None),
        rule(Action::Deny, MOUNT_PATH, "a folder that is taken, or that has a colon", Some(TEXTS)),
        rule(Action::Deny, PULL_SECRETS, "a first Secret without a name", Some(TEXTS)),
        rule(Action::Deny, HOSTS, "host names that no route can have", Some(TEXTS)),
        rule(Action::Deny, GATEWAY, "a gateway that no route can have", Some(TEXTS)),
        rule(Action::Warn, GATEWAY, "a Gateway that does not exist", Some(OTHERS)),
        rule(Action::Warn, "metadata.name", "another service of that name behind the same gateway, without host names that tell them apart", Some(OTHERS)),
        rule(Action::Warn, "spec.inferencePool", "a grant that does not come into being: its configuration does not exist, or a cluster refuses it", Some(OTHERS)),
        rule(Action::Warn, "spec.model.image", "an image that a ModelArtifact pushes, and has not pushed yet", Some(OTHERS)),
        rule(Action::Warn, "spec", "copies in each pod that do not divide all copies", None),
        rule(Action::Warn, "spec", "numbers of devices that the parallelism overwrites", Some(TEXTS)),
        rule(Action::Warn, "spec.engine.args", "arguments that are generated too", Some(TEXTS)),
        rule(Action::Warn, "spec.engine.env", "a port of the side channel that cannot be read", Some(TEXTS)),
        rule(Action::Warn, "spec.prefill", "prefill pods without a proxy, which never get work", None),
        rule(Action::Warn, "spec.routingProxy.certPath", "a folder where nothing is mounted", None),
    ],
};

const TEXTS: &str = "a policy with all of Kubernetes' rules for texts and amounts would be long";

const fn readable(kind: OwnClusterConfigKind, plural: &'static str, scope: Scope) -> ApiResource {
    ApiResource { api_version: resources::OBJECT.0, kind: kind.as_str(), plural, scope }
}

/// Judges an operation. What the stored object has too is tolerated.
pub(super) fn admit(request: &AdmitRequest) -> Result<Verdict, Fault> {
    let options = Options::read(request.input.as_ref())?.model_service;
    let mut verdict = Verdict::default();
    let (object, old) = match &request.operation {
        Operation::Create(object) => (object, None),
        Operation::Update { old, new } => (new, Some(old)),
        Operation::Delete(_) => return Ok(verdict),
    };
    match old {
        None => verdict.denials = long_names::judge(object).into_iter().chain(denials(object)).collect(),
        Some(old) => {
            let before = denials(old);
            verdict.denials = denials(object).into_iter().filter(|problem| !before.contains(problem)).collect();
        }
    }
    verdict.warnings = advice::judge(object);
    siblings::judge(object, old, &options, &request.lookups, &mut verdict);
    artifact::judge(object, old, &request.lookups, &mut verdict);
    Ok(verdict)
}

/// What an API server would refuse in a composed object.
fn denials(object: &Value) -> Vec<Problem> {
    containers::judge(object).into_iter().chain(pods::judge(object)).collect()
}

#[cfg(test)]
mod tests;
