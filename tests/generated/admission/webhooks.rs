//! The webhook configurations: when an API server calls the webhooks, and what happens without an answer.

use std::collections::BTreeMap;

use contract::catalog::Scope;
use host::admission::{LEFT_OUT, MODE_LABEL};
use serde_json::{Value, json};
use toolbox::kind::Kind;

use super::common::{NAME, NAMESPACE, cluster_metadata};

/// The domain of the names of webhooks.
const DOMAIN: &str = "sailplane.fn.crossplane.io";
/// Longer than the deadline of a review in the webhook, so that the webhook can still answer.
const TIMEOUT_SECONDS: u8 = 5;

pub(super) const COMMENT: &str = "\
Namespaces choose what follows from a verdict with the label sailplane.fn.crossplane.io/admission: enforce, warn or
audit. Without it --mode counts.

Creating and changing fails while there is no answer (failurePolicy Fail): what is stored was judged. Only people meet
that, since Crossplane is not asked, and what runs keeps running. Write Ignore to let objects pass unjudged instead;
compositions then say what is wrong in their conditions. Deleting and defaults never wait for an answer (Ignore):
verdicts on deletions are warnings, and a namespace must be able to go away.";

/// The label of the namespaces that an entry is for, and the path that serves it.
struct Entry {
    /// The prefix of its name.
    prefix: &'static str,
    /// Operator and values of the label. Cluster-scoped objects have no such label and use the entry for unlabelled
    /// namespaces.
    label: (&'static str, &'static [&'static str]),
    path: &'static str,
    unlabelled: bool,
}

const fn entry(prefix: &'static str, values: &'static [&'static str], path: &'static str) -> Entry {
    Entry { prefix, label: ("In", values), path, unlabelled: false }
}

const fn unlabelled(path: &'static str) -> Entry {
    Entry { prefix: "", label: ("NotIn", &["enforce", "warn", "audit"]), path, unlabelled: true }
}

const VALIDATE: &[Entry] = &[
    unlabelled("/validate"),
    entry("enforce.", &["enforce"], "/validate/enforce"),
    entry("warn.", &["warn"], "/validate/warn"),
    entry("audit.", &["audit"], "/validate/audit"),
];

/// In mode audit no defaults are written.
const MUTATE: &[Entry] = &[unlabelled("/mutate"), entry("labelled.", &["enforce", "warn"], "/mutate/enforce")];

/// Both configurations.
pub(super) fn configurations(kinds: &[Kind]) -> Vec<Value> {
    let judged: Vec<_> = kinds.iter().collect();
    let deleted: Vec<_> = kinds.iter().filter(|kind| kind.admission.judges_deletion).collect();
    let defaulted: Vec<_> = kinds.iter().filter(|kind| (kind.admission.defaults)().is_some()).collect();
    let changes = ["CREATE", "UPDATE"];
    let validating = VALIDATE.iter().flat_map(|entry| {
        [
            webhook("validate", entry, &judged, &changes, "Fail"),
            webhook("delete", entry, &deleted, &["DELETE"], "Ignore"),
        ]
    });
    let mutating = MUTATE.iter().filter_map(|entry| {
        let mut webhook = webhook("mutate", entry, &defaulted, &changes, "Ignore")?;
        webhook["reinvocationPolicy"] = "Never".into();
        Some(webhook)
    });
    vec![
        configuration("ValidatingWebhookConfiguration", validating.flatten().collect()),
        configuration("MutatingWebhookConfiguration", mutating.collect()),
    ]
}

fn configuration(kind: &str, webhooks: Vec<Value>) -> Value {
    json!({
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": kind,
        "metadata": cluster_metadata(NAME),
        "webhooks": webhooks,
    })
}

/// One webhook, or `None` when it has no rules.
fn webhook(door: &str, entry: &Entry, kinds: &[&Kind], operations: &[&str], failure: &str) -> Option<Value> {
    let rules = rules(entry, kinds, operations);
    if rules.is_empty() {
        return None;
    }
    let (operator, values) = entry.label;
    Some(json!({
        "name": format!("{}{door}.{DOMAIN}", entry.prefix),
        "admissionReviewVersions": ["v1"],
        "clientConfig": {"service": {"name": NAME, "namespace": NAMESPACE, "path": entry.path, "port": 443}},
        "rules": rules,
        "namespaceSelector": {"matchExpressions": [
            {"key": "kubernetes.io/metadata.name", "operator": "NotIn", "values": LEFT_OUT},
            {"key": MODE_LABEL, "operator": operator, "values": values},
        ]},
        "matchConditions": conditions(operations),
        "matchPolicy": "Equivalent",
        "failurePolicy": failure,
        "sideEffects": "None",
        "timeoutSeconds": TIMEOUT_SECONDS,
    }))
}

/// The rules: one for each group, version and scope.
fn rules(entry: &Entry, kinds: &[&Kind], operations: &[&str]) -> Vec<Value> {
    let mut plurals: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
    for kind in kinds {
        let scope = match kind.scope {
            Scope::Namespaced => "Namespaced",
            Scope::Cluster if entry.unlabelled => "Cluster",
            Scope::Cluster => continue,
        };
        for api_version in kind.api_versions() {
            plurals.entry((api_version, scope)).or_default().push(kind.plural);
        }
    }
    let rule = |((api_version, scope), plurals): ((&str, &str), Vec<&str>)| {
        let (group, version) = api_version.split_once('/').expect("a group and a version");
        json!({
            "apiGroups": [group],
            "apiVersions": [version],
            "operations": operations,
            "resources": plurals,
            "scope": scope,
        })
    };
    plurals.into_iter().map(rule).collect()
}

/// Match conditions. Objects of Crossplane itself are not judged, since that would only delay it. Updates of status,
/// finalizers or owner references change nothing that is judged.
fn conditions(operations: &[&str]) -> Value {
    let accounts = format!("!request.userInfo.username.startsWith('system:serviceaccount:{NAMESPACE}:')");
    let mut conditions = vec![json!({"name": "not-crossplane", "expression": accounts})];
    if operations.contains(&"UPDATE") {
        let changed = ["object.?spec", "object.metadata.?labels", "object.metadata.?annotations"];
        let changed: Vec<_> = changed.iter().map(|field| format!("{field} != oldO{}", &field[1..])).collect();
        let expression = format!("request.operation != 'UPDATE' || {}", changed.join(" || "));
        conditions.push(json!({"name": "something-changed", "expression": expression}));
    }
    conditions.into()
}
