//! What Crossplane has asked of the API server, as that wrote it down.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};

use anyhow::Result;
use inference::KINDS;
use inference::modelplane::resources::{INFERENCE_GATEWAYS, INFRASTRUCTURE};
use serde_json::{Value, json};
use tests::real::access::{name_of, named};

use crate::gpu_clusters::NAMESPACE;

/// Whose requests are written down.
const USER: &str = "system:serviceaccount:crossplane-system:crossplane";
/// An older log would be put aside, where nobody looks.
const MEGABYTES: usize = 2000;

/// A request that has written an object.
pub(crate) struct Write {
    /// The kind of the object, as `PLURAL.GROUP`, and its name.
    pub(crate) object: (String, String),
    /// When it came, and when its answer was complete: both of one format, to the microsecond.
    pub(crate) asked: String,
    pub(crate) answered: String,
    /// Whether the object was not there before.
    pub(crate) creates: bool,
    /// What a composite composes from then on. Crossplane writes that before it applies any of it. `None` in other requests.
    pub(crate) references: Option<Vec<Value>>,
}

/// The arguments of an API server that writes down what Crossplane asks about `resources`, in the folder. They are named
/// `PLURAL.GROUP`. What it writes of clusters and gateways of the fleet is written down too.
pub(crate) fn arguments(dir: &Path, resources: &BTreeSet<String>) -> Result<Vec<String>> {
    let composites = KINDS.rows.iter().filter(|kind| kind.api_version == INFRASTRUCTURE);
    let composed: BTreeSet<_> = composites.clone().flat_map(|kind| kind.composes).map(named).collect();
    let (group, _) = INFRASTRUCTURE.split_once('/').unwrap_or_default();
    let composites: BTreeSet<_> = composites.map(|kind| name_of(kind.plural, group)).collect();
    let written = |level: &str, namespace: &str, resources: &BTreeSet<String>| {
        let resources = selected(resources);
        json!({"level": level, "users": [USER], "verbs": ["patch"], "namespaces": [namespace], "resources": resources})
    };
    let policy = json!({
        "apiVersion": "audit.k8s.io/v1",
        "kind": "Policy",
        // A watch ends late.
        "omitStages": ["RequestReceived"],
        "rules": [
            written("Request", "", &BTreeSet::from([named(&INFERENCE_GATEWAYS)])),
            written("Request", NAMESPACE, &composites),
            written("Metadata", NAMESPACE, &composed),
            {"level": "Metadata", "users": [USER], "resources": selected(resources)},
            {"level": "None"},
        ],
    });
    let file = dir.join("audit-policy.json");
    fs::write(&file, policy.to_string())?;
    Ok(vec![
        format!("--audit-policy-file={}", file.display()),
        format!("--audit-log-path={}", log(dir).display()),
        format!("--audit-log-maxsize={MEGABYTES}"),
    ])
}

/// The resources as a policy selects them.
fn selected(resources: &BTreeSet<String>) -> Vec<Value> {
    let resources = resources.iter().map(|name| {
        let (plural, group) = name.split_once('.').unwrap_or((name, ""));
        json!({"group": group, "resources": [plural]})
    });
    resources.collect()
}

/// The verbs that Crossplane has used, by resource, `PLURAL.GROUP`.
pub(crate) fn asked(dir: &Path) -> Result<BTreeMap<String, BTreeSet<String>>> {
    let mut asked: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
    for line in BufReader::new(File::open(log(dir))?).lines() {
        // The API server may be writing the last one.
        let Ok(event) = serde_json::from_str::<Value>(&line?) else { continue };
        if event["responseStatus"]["code"] != 403 {
            asked.entry(resource_of(&event)).or_default().insert(text(&event, "/verb"));
        }
    }
    Ok(asked)
}

/// What Crossplane has written of objects with one of these in their names, in the order of its requests.
pub(crate) fn written(dir: &Path, parts: &[&str]) -> Result<Vec<Write>> {
    let mut written = Vec::new();
    for line in BufReader::new(File::open(log(dir))?).lines() {
        let line = line?;
        let is_named = |text: &str| parts.iter().any(|part| text.contains(part));
        // Most lines are of others, and it takes long to read one.
        if !is_named(&line) {
            continue;
        }
        // The API server may be writing the last one.
        let Ok(event) = serde_json::from_str::<Value>(&line) else { continue };
        let name = text(&event, "/objectRef/name");
        let is_written = event["verb"] == "patch" && event["objectRef"]["subresource"].is_null();
        if is_written && is_named(&name) && event["responseStatus"]["code"].as_u64().is_some_and(|it| it < 300) {
            written.push(Write {
                object: (resource_of(&event), name),
                asked: text(&event, "/requestReceivedTimestamp"),
                answered: text(&event, "/stageTimestamp"),
                creates: event["responseStatus"]["code"] == 201,
                references: event
                    .pointer("/requestObject/spec/crossplane/resourceRefs")
                    .and_then(Value::as_array)
                    .cloned(),
            });
        }
    }
    written.sort_by(|one, other| one.asked.cmp(&other.asked));
    Ok(written)
}

fn resource_of(event: &Value) -> String {
    name_of(&text(event, "/objectRef/resource"), &text(event, "/objectRef/apiGroup"))
}

fn text(event: &Value, path: &str) -> String {
    event.pointer(path).and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn log(dir: &Path) -> PathBuf {
    dir.join("audit.jsonl")
}
