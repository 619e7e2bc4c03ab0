//! Definitions of other projects' kinds, made of their schemas, which no Go module has.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use serde_json::{Value, json};
use tests::files;

use crate::resources::DEFINITIONS;

/// The groups whose plurals the index lacks, and these, as far as Modelplane v0.3.1 activates their kinds.
const LACKS: &[&str] = &["nebius.m.upbound.io", "vultr.m.upbound.io"];
const PLURALS: &[(&str, &str)] = &[
    ("Cluster", "clusters"),
    ("ClusterProviderConfig", "clusterproviderconfigs"),
    ("Filesystem", "filesystems"),
    ("GpuCluster", "gpuclusters"),
    ("Kubernetes", "kubernetes"),
    ("KubernetesNodePool", "kubernetesnodepools"),
    ("Network", "networks"),
    ("NodeGroup", "nodegroups"),
    ("ProviderConfig", "providerconfigs"),
    ("Subnet", "subnets"),
];

/// The folder with schemas, which `SAILPLANE_CRDS` names.
pub(crate) struct Schemas {
    folder: PathBuf,
    index: Vec<Value>,
}

impl Schemas {
    /// Opens the folder. There is none in a checkout alone.
    pub(crate) fn open() -> Result<Option<Self>> {
        let folder = files::schemas();
        if !folder.exists() {
            return Ok(None);
        }
        let mut index = read(&folder.join("index.json"))?;
        let index = index["schemas"].as_array_mut().map(std::mem::take).context("an index of schemas")?;
        Ok(Some(Self { folder, index }))
    }

    /// The definitions of all kinds of a group, with all their versions.
    pub(crate) fn of_group(&self, group: &str) -> Result<Vec<Value>> {
        self.definitions(|entry| entry["group"] == group)
    }

    /// The definition of a kind with one version, which is the only one that is served.
    pub(crate) fn of_kind(&self, api_version: &str, kind: &str) -> Result<Value> {
        let (group, version) = api_version.split_once('/').context("a group")?;
        let mut found =
            self.definitions(|entry| entry["group"] == group && entry["kind"] == kind && entry["version"] == version)?;
        let mut definition = found.pop().with_context(|| format!("no schema of {kind} in {api_version}"))?;
        definition["spec"]["versions"][0]["storage"] = true.into();
        Ok(definition)
    }

    fn definitions(&self, wanted: impl Fn(&Value) -> bool) -> Result<Vec<Value>> {
        let mut kinds: BTreeMap<&str, (&Value, Vec<Value>)> = BTreeMap::new();
        // Definitions of composites are in the index too, without a plural.
        for entry in self.index.iter().filter(|entry| wanted(entry)) {
            let known = || PLURALS.iter().find(|it| entry["kind"] == it.0).map(|it| it.1);
            let lacks = LACKS.iter().any(|group| entry["group"].as_str().is_some_and(|it| it.ends_with(group)));
            let Some(plural) = entry["plural"].as_str().or_else(|| lacks.then(known).flatten()) else { continue };
            let file = entry["file"].as_str().context("a file")?;
            let mut version = json!({
                "name": entry["version"],
                "served": entry["served"],
                "storage": entry["storage"],
                "schema": {"openAPIV3Schema": read(&self.folder.join(file))?},
            });
            if entry["status_subresource"] == true {
                version["subresources"] = json!({"status": {}});
            }
            kinds.entry(plural).or_insert_with(|| (entry, Vec::new())).1.push(version);
        }
        Ok(kinds.into_iter().map(|(plural, (entry, versions))| definition(plural, entry, &versions)).collect())
    }
}

fn definition(plural: &str, entry: &Value, versions: &[Value]) -> Value {
    let (group, kind) = (entry["group"].as_str().unwrap_or_default(), entry["kind"].as_str().unwrap_or_default());
    let names = json!({
        "kind": kind,
        "plural": plural,
        "listKind": format!("{kind}List"),
        "singular": kind.to_lowercase(),
        "categories": ["crossplane"],
    });
    let mut metadata = json!({"name": format!("{plural}.{group}")});
    if group.ends_with(".k8s.io") {
        // Only then does an API server take a group of Kubernetes' own.
        metadata["annotations"] = json!({"api-approved.kubernetes.io": "unapproved, for tests"});
    }
    json!({
        "apiVersion": DEFINITIONS.api_version,
        "kind": DEFINITIONS.kind,
        "metadata": metadata,
        "spec": {"group": group, "scope": entry["scope"], "names": names, "versions": versions},
    })
}

fn read(file: &Path) -> Result<Value> {
    let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    Ok(serde_json::from_str(&text)?)
}
