//! What dot-kubernetes 2.0.21 composes of a few clusters, written down in files apart from our code, and what Sailplane makes of
//! the same clusters otherwise.

use std::collections::{BTreeMap, BTreeSet};
use std::{fs, io};

use serde_json::{Map, Value, json};

use crate::files::workspace;
use crate::golden::documents;

/// A cluster that dot-kubernetes has made.
#[derive(Debug)]
pub struct LiveCluster {
    /// The cloud, as the label `provider` says it.
    pub provider: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Its parameters.
    pub parameters: fn() -> Value,
    /// The composition resource names of what Sailplane composes besides, with the row of docs/differences.md that says so.
    pub more: (&'static [&'static str], &'static str),
}

/// One in each cloud.
pub const LIVE: [LiveCluster; 3] = [
    LiveCluster {
        provider: "aws",
        name: "their-eks",
        parameters: || {
            json!({
                "version": "1.31", "nodeSize": "medium", "minNodeCount": 2,
                "gpu": {"enabled": true, "nodeSize": "medium", "maxNodeCount": 4},
                "creds": {"name": "aws-creds", "namespace": "crossplane-system", "keys": ["accessKeyID"]},
                "apps": {
                    "crossplane": {"enabled": true},
                    "nvidia": {"enabled": true},
                    "externalSecrets": {
                        "enabled": true, "store": true,
                        "secrets": [{"fromSecret": "db-password", "toSecret": "my-db", "toNamespace": "production"}],
                    },
                },
            })
        },
        more: (&["addonPodIdentity", "iamattachment-ebs", "iamrole-ebs", "podIdentityEbs"], "rights of the EBS add-on"),
    },
    LiveCluster {
        provider: "azure",
        name: "their-aks",
        parameters: || {
            json!({
                "nodeSize": "small",
                "gpu": {"enabled": true, "nodeSize": "medium"},
                "creds": {"name": "azure-creds", "namespace": "crossplane-system", "keys": ["vaultUrl"]},
                "apps": {
                    "crossplane": {"enabled": true},
                    "externalSecrets": {"enabled": true},
                    "argocd": {"enabled": true, "host": "argocd.example.org", "repoURL": "https://github.com/acme/platform"},
                },
            })
        },
        more: (&[], ""),
    },
    LiveCluster {
        provider: "google",
        name: "their-gke",
        parameters: || {
            json!({
                "version": "1.31", "nodeSize": "large",
                "gpu": {"enabled": true, "minNodeCount": 2},
                "creds": {"name": "gcp-creds", "namespace": "crossplane-system", "keys": ["google-creds"]},
                "apps": {
                    "crossplane": {"enabled": true},
                    "externalSecrets": {"enabled": true, "store": true, "googleCredentialsKey": "google-creds"},
                },
            })
        },
        more: (&[], ""),
    },
];

/// What changes: the end of a composition resource name, the field, and the row of docs/differences.md.
const CHANGES: &[(&str, &str, &str)] = &[
    ("-usage", "spec.replayDeletion", "Usages"),
    ("-app-secret-store", "spec.forProvider.manifest.apiVersion", "External Secrets Operator"),
    ("-secret-my-db", "spec.forProvider.manifest.apiVersion", "External Secrets Operator"),
    ("-app-secret-store", "spec.references[0].patchesFrom.kind", "project of the secret store on Google Cloud"),
    // Which provider-kubernetes writes then.
    (
        "-app-secret-store",
        "spec.forProvider.manifest.spec.provider.gcpsm.projectID",
        "project of the secret store on Google Cloud",
    ),
    ("iamrole-controlplane", "spec.forProvider.assumeRolePolicy", "trust policies of roles on AWS"),
    ("iamrole-nodegroup", "spec.forProvider.assumeRolePolicy", "trust policies of roles on AWS"),
];

/// The row for charts of other versions. It is always there, because a chart may get a new version at any time.
const VERSIONS: (&str, &str) = ("spec.forProvider.chart.version", "versions of charts");

/// What is another in each cloud: the kind of the control plane, and the Secret with credentials and its key.
fn facts(provider: &str) -> Option<[(&'static str, &'static str); 4]> {
    let (api, kind, creds, key) = match provider {
        "aws" => ("eks.aws.m.upbound.io/v1beta1", "Cluster", "aws-creds", "accessKeyID"),
        "azure" => ("containerservice.azure.m.upbound.io/v1beta1", "KubernetesCluster", "azure-creds", "vaultUrl"),
        "google" => ("container.gcp.m.upbound.io/v1beta1", "Cluster", "gcp-creds", "google-creds"),
        _ => return None,
    };
    Some([("API", api), ("KIND", kind), ("CREDS", creds), ("KEY", key)])
}

/// What dot-kubernetes composes of the live cluster of a cloud, with this name, by composition resource name.
///
/// # Errors
/// When the cloud is unknown, or a file cannot be read.
pub fn composed(provider: &str, namespace: &str, name: &str) -> io::Result<BTreeMap<String, Value>> {
    let facts = facts(provider).ok_or_else(|| io::Error::other(format!("{provider} is none of its clouds")))?;
    let mut all = BTreeMap::new();
    for file in [provider, "common"] {
        let text = fs::read_to_string(workspace().join(format!("tests/e2e/fixtures/dot-kubernetes/{file}.yaml")))?;
        let text = text.replace("NAMESPACE", namespace).replace("NAME", name);
        let text = facts.iter().fold(text, |text, (from, to)| text.replace(from, to));
        for document in documents(&text)? {
            all.extend(document.as_object().cloned().unwrap_or_default());
        }
    }
    Ok(all)
}

/// Every row that the live clusters must show.
pub fn all_rows() -> BTreeSet<&'static str> {
    let more = LIVE.iter().map(|live| live.more.1).filter(|row| !row.is_empty());
    CHANGES.iter().map(|(_, _, row)| *row).chain(more).collect()
}

/// The rows of docs/differences.md that tell how a cluster has changed.
///
/// # Errors
/// When something has changed of which no row tells, or the document has no such row.
pub fn rows(
    live: &LiveCluster,
    before: &BTreeMap<String, Value>,
    after: &BTreeMap<String, Value>,
) -> Result<BTreeSet<&'static str>, String> {
    let mut rows = BTreeSet::new();
    let (keys, row) = live.more;
    let new: Vec<_> = after.keys().filter(|key| !before.contains_key(*key)).collect();
    if new != keys {
        return Err(format!("{}: these are new: {new:?}", live.name));
    }
    rows.extend((!new.is_empty()).then_some(row));
    for (key, object) in before {
        let after = after.get(key).ok_or_else(|| format!("{}: {key} is gone", live.name))?;
        for field in differing(&written(object), &written(after)) {
            if field == VERSIONS.0 {
                continue;
            }
            let known = CHANGES.iter().find(|(end, path, _)| key.ends_with(end) && field == *path);
            let (_, _, row) = known.ok_or_else(|| format!("{}: {key}: {field} has changed", live.name))?;
            rows.insert(*row);
        }
    }
    let text = fs::read_to_string(workspace().join("docs/differences.md")).map_err(|error| error.to_string())?;
    let section = text.split_once("## From dot-kubernetes").map_or("", |(_, section)| section);
    let missing = rows.iter().copied().chain([VERSIONS.1]).find(|row| !section.contains(&format!("\n| {row} |")));
    match missing {
        Some(row) => Err(format!("docs/differences.md has no row {row:?} about dot-kubernetes")),
        None => Ok(rows),
    }
}

/// What a function writes of an object. Providers note in annotations when they create something, and provider-kubernetes writes its
/// default of `readiness`.
fn written(object: &Value) -> Value {
    let metadata = &object["metadata"];
    let mut annotations = metadata["annotations"].clone();
    if let Some(annotations) = annotations.as_object_mut() {
        annotations.retain(|key, _| !key.starts_with("crossplane.io/external-create-"));
    }
    let mut spec = object["spec"].clone();
    if let Some(spec) = spec.as_object_mut() {
        spec.remove("readiness");
    }
    json!({
        "apiVersion": object["apiVersion"],
        "kind": object["kind"],
        "metadata": {"name": metadata["name"], "labels": metadata["labels"], "annotations": annotations},
        "spec": spec,
    })
}

/// The paths of the fields in which two objects differ.
fn differing(before: &Value, after: &Value) -> Vec<String> {
    let mut paths = Vec::new();
    differ("", before, after, &mut paths);
    paths
}

fn differ(path: &str, before: &Value, after: &Value, paths: &mut Vec<String>) {
    match (before, after) {
        (Value::Object(before), Value::Object(after)) => {
            let keys: BTreeSet<_> = before.keys().chain(after.keys()).collect();
            let child = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
            let value = |of: &Map<String, Value>, key: &str| of.get(key).cloned().unwrap_or_default();
            for key in keys {
                differ(&child(key), &value(before, key), &value(after, key), paths);
            }
        }
        (Value::Array(before), Value::Array(after)) if before.len() == after.len() => {
            for (place, (before, after)) in before.iter().zip(after).enumerate() {
                differ(&format!("{path}[{place}]"), before, after, paths);
            }
        }
        _ if before == after => {}
        _ => paths.push(path.to_owned()),
    }
}
