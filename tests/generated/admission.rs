//! `package/admission`: everything that runs the admission webhooks, for `kubectl apply -k`.

mod certificates;
mod common;
mod parameters;
mod policies;
mod rbac;
mod webhooks;
mod workload;

use serde_json::{Value, json};
use toolbox::kind::Kind;

use self::common::{FOLDER, kustomize};
use crate::files::File;

pub(crate) use rbac::reader_rules;

/// All files.
pub(crate) fn files(kinds: &[Kind]) -> Vec<File> {
    let mut files = base(kinds);
    files.extend(parameters::files(&policies::bindings_of_cluster_scope()));
    files.extend(certificates::cert_manager());
    files.extend(certificates::job());
    files.push(overlay(FOLDER, OVERLAY_COMMENT, "base", "cert-manager"));
    let without = format!("{FOLDER}-certificate-job");
    files.push(overlay(&without, JOB_COMMENT, "../admission/base", "../admission/certificate-job"));
    files.extend(policies::files());
    files
}

const OVERLAY_COMMENT: &str = "\
The webhooks, with certificates of cert-manager: kubectl apply -k package/admission
With certificates of a Job instead: kubectl apply -k package/admission-certificate-job
Change the parameters here, or in an overlay of your own, which needs the lines that differ alone.";

const JOB_COMMENT: &str = "\
The webhooks, with certificates of a Job: kubectl apply -k package/admission-certificate-job
Change the parameters here, or in an overlay of your own, which needs the lines that differ alone.";

/// What every installation has. It needs one of the components with a certificate.
fn base(kinds: &[Kind]) -> Vec<File> {
    let rights = "What verdicts look up, and nothing else. With --no-lookups only the ServiceAccount is needed.";
    let objects = [
        ("webhooks", webhooks::COMMENT, webhooks::configurations(kinds)),
        ("deployment", "", vec![workload::deployment()]),
        ("service", "", vec![workload::service()]),
        ("pod-disruption-budget", "", vec![workload::disruption_budget()]),
        ("network-policy", workload::NETWORK_COMMENT, vec![workload::network_policy()]),
        ("rbac", rights, rbac::reader(kinds)),
    ];
    let names = objects.iter().map(|(name, ..)| *name).chain(["parameters"]);
    let resources: Vec<_> = names.map(|name| format!("{name}.yaml")).collect();
    let all = kustomize("Kustomization", json!({"resources": resources}));
    let file = |name: &str, comment: &str, objects: &[Value]| {
        File::yaml(format!("{FOLDER}/base/{name}.yaml"), comment, objects)
    };
    let mut files: Vec<_> = objects.iter().map(|(name, comment, objects)| file(name, comment, objects)).collect();
    files.push(parameters::defaults(&format!("{FOLDER}/base")));
    files.push(file("kustomization", BASE_COMMENT, &[all]));
    files
}

const BASE_COMMENT: &str = "Not for itself: it needs the component `../cert-manager` or `../certificate-job`.";

/// An overlay: the base, a component with the certificate, and the parameters.
fn overlay(folder: &str, comment: &str, base: &str, certificate: &str) -> File {
    let fields = json!({
        "resources": [base],
        "components": [certificate],
        "configMapGenerator": [parameters::generator(parameters::ALL)],
    });
    File::yaml(format!("{folder}/kustomization.yaml"), comment, &[kustomize("Kustomization", fields)])
}
