//! `package/admission`: everything that runs the admission webhooks, for `kubectl apply -k`.

mod certificates;
mod common;
mod rbac;
mod webhooks;
mod workload;

use serde_json::{Value, json};
use toolbox::kind::Kind;

use self::common::FOLDER;
use crate::files::File;

pub(crate) use rbac::reader_rules;

/// All files.
pub(crate) fn files(kinds: &[Kind]) -> Vec<File> {
    let file =
        |name: &str, comment: &str, objects: &[Value]| File::yaml(format!("{FOLDER}/{name}.yaml"), comment, objects);
    let mut files = vec![
        file("webhooks", webhooks::COMMENT, &webhooks::configurations(kinds)),
        file("deployment", "", &[workload::deployment()]),
        file("service", "", &[workload::service()]),
        file("pod-disruption-budget", "", &[workload::disruption_budget()]),
        file("network-policy", workload::NETWORK_COMMENT, &[workload::network_policy()]),
        file(
            "rbac",
            "What verdicts look up, and nothing else. With --no-lookups only the ServiceAccount is needed.",
            &rbac::reader(kinds),
        ),
        file(
            "rbac-self-signed",
            "For --self-signed: its Secret, and the webhook configurations whose caBundle it writes.",
            &rbac::self_signed(),
        ),
        file("kustomization", KUSTOMIZATION_COMMENT, &[kustomization()]),
        File::new(format!("{FOLDER}/policies.yaml"), policies()),
    ];
    files.extend(certificates::files());
    files
}

const KUSTOMIZATION_COMMENT: &str = "\
The webhooks with certificates of their own making: kubectl apply -k package/admission
With those of cert-manager instead: kubectl apply -k package/admission-cert-manager";

fn kustomization() -> Value {
    let resources =
        ["webhooks", "deployment", "service", "pod-disruption-budget", "network-policy", "rbac", "rbac-self-signed"];
    let resources: Vec<_> = resources.iter().map(|name| format!("{name}.yaml")).collect();
    json!({"apiVersion": "kustomize.config.k8s.io/v1beta1", "kind": "Kustomization", "resources": resources})
}

/// The ValidatingAdmissionPolicies, as `sailplane definitions --admission-policies` prints them.
fn policies() -> String {
    let printed = tests::command::run(&["definitions", "--admission-policies"]);
    assert!(printed.ok, "{}", printed.err);
    format!("# Printed by `sailplane definitions --admission-policies`: run `make generate`.\n{}", printed.out)
}
