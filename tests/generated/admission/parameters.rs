//! The parameters of an installation: values that stand in many places, and where they stand.

use host::admission::LEFT_OUT;
use serde_json::{Value, json};

use super::common::{FOLDER, LABELS, NAMESPACE, SECRET, kustomize};
use super::workload;
use crate::files::File;

/// The ConfigMap with the values. It is for Kustomize alone, and never applied.
const PARAMETERS: &str = "sailplane-admission-parameters";

/// The names of all parameters.
pub(super) const ALL: &[&str] = &["namespace", "crossplaneNamespace", "image", "replicas", "apiServerPort"];

/// The default of a parameter.
fn default(parameter: &str) -> String {
    match parameter {
        "namespace" => NAMESPACE.to_owned(),
        "crossplaneNamespace" => LEFT_OUT[0].to_owned(),
        "image" => workload::image(),
        "replicas" => workload::REPLICAS.to_string(),
        "apiServerPort" => workload::API_SERVER_PORT.to_string(),
        other => panic!("no parameter `{other}`"),
    }
}

/// All defaults, as a file of `folder`.
pub(super) fn defaults(folder: &str) -> File {
    let data: Value = ALL.iter().map(|name| ((*name).to_owned(), Value::from(default(name)))).collect();
    let annotations = json!({"config.kubernetes.io/local-config": "true"});
    let defaults = json!({
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": PARAMETERS, "annotations": annotations},
        "data": data,
    });
    let comment = "The defaults of the parameters. This object is never applied.";
    File::yaml(format!("{folder}/parameters.yaml"), comment, &[defaults])
}

/// The generator of an overlay, with the parameters that it may change.
pub(super) fn generator(parameters: &[&str]) -> Value {
    let literals: Vec<_> = parameters.iter().map(|name| format!("{name}={}", default(name))).collect();
    let options = json!({"disableNameSuffixHash": true});
    json!({"name": PARAMETERS, "behavior": "merge", "literals": literals, "options": options})
}

/// The component that writes the values where they belong.
/// `of_cluster_scope` are the bindings of policies that select no namespaces.
pub(super) fn files(of_cluster_scope: &[String]) -> Vec<File> {
    let component = kustomize("Component", json!({"replacements": replacements(of_cluster_scope)}));
    vec![File::yaml(format!("{FOLDER}/parameters/kustomization.yaml"), COMMENT, &[component])]
}

/// Writes a parameter into `targets`.
pub(super) fn replacement(parameter: &str, targets: &[Vec<Value>]) -> Value {
    let source = json!({"kind": "ConfigMap", "name": PARAMETERS, "fieldPath": format!("data.{parameter}")});
    json!({"source": source, "targets": targets.concat()})
}

/// A field of our objects of some kinds.
pub(super) fn target(kinds: &[&str], field: &str) -> Vec<Value> {
    let labels: Vec<_> = LABELS.iter().map(|(key, value)| format!("{key}={value}")).collect();
    let target =
        |kind: &&str| json!({"select": {"kind": kind, "labelSelector": labels.join(",")}, "fieldPaths": [field]});
    kinds.iter().map(target).collect()
}

/// A part of such a field: the one at `index`, between delimiters.
pub(super) fn part(kinds: &[&str], field: &str, delimiter: &str, index: usize) -> Vec<Value> {
    let mut targets = target(kinds, field);
    for target in &mut targets {
        target["options"] = json!({"delimiter": delimiter, "index": index});
    }
    targets
}

const COMMENT: &str = "\
Writes the parameters where they belong. `package/admission/kustomization.yaml` shows how an overlay sets them.";

/// The kinds of our namespaced objects.
const NAMESPACED: &[&str] = &[
    "Certificate",
    "Deployment",
    "Issuer",
    "Job",
    "NetworkPolicy",
    "PodDisruptionBudget",
    "Role",
    "RoleBinding",
    "Service",
    "ServiceAccount",
];
/// The kinds of webhook configurations.
pub(super) const CONFIGURATIONS: &[&str] = &["ValidatingWebhookConfiguration", "MutatingWebhookConfiguration"];

fn replacements(of_cluster_scope: &[String]) -> Vec<Value> {
    let left_out = "namespaceSelector.matchExpressions.[key=kubernetes.io/metadata.name].values.0";
    let of_webhooks = format!("webhooks.*.{left_out}");
    let of_policies = format!("spec.matchResources.{left_out}");
    let condition = "webhooks.*.matchConditions.[name=not-crossplane].expression";
    vec![
        replacement(
            "namespace",
            &[
                target(NAMESPACED, "metadata.namespace"),
                target(&["ClusterRoleBinding", "RoleBinding"], "subjects.*.namespace"),
                target(CONFIGURATIONS, "webhooks.*.clientConfig.service.namespace"),
                named(part(&["Certificate"], "spec.dnsNames.*", ".", 1), SECRET),
            ],
        ),
        replacement(
            "crossplaneNamespace",
            &[
                target(CONFIGURATIONS, &of_webhooks),
                part(CONFIGURATIONS, condition, ":", 2),
                without(target(&["ValidatingAdmissionPolicyBinding"], &of_policies), of_cluster_scope),
            ],
        ),
        replacement("image", &[target(&["Deployment", "Job"], "spec.template.spec.containers.*.image")]),
        replacement("replicas", &[target(&["Deployment"], "spec.replicas")]),
        replacement("apiServerPort", &[target(&["NetworkPolicy"], "spec.egress.*.ports.1.port")]),
    ]
}

/// Without the objects with these names.
fn without(mut targets: Vec<Value>, names: &[String]) -> Vec<Value> {
    for target in targets.iter_mut().filter(|_| !names.is_empty()) {
        target["reject"] = names.iter().map(|name| json!({"name": name})).collect();
    }
    targets
}

/// Only the object with a name.
fn named(mut targets: Vec<Value>, name: &str) -> Vec<Value> {
    for target in &mut targets {
        target["select"]["name"] = name.into();
    }
    targets
}
