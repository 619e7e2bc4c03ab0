//! Every example can be applied, and gets the expected defaults.

use std::collections::BTreeSet;

use anyhow::{Context as _, Result, ensure};
use contract::types::KindRef;
use inference::KINDS;
use serde_json::{Value, json};
use tests::golden::documents;
use tests::real::processes::eventually;
use tests::real::watching::Which;
use toolbox::kind::Kind;

use crate::lookups::SOON;
use crate::objects::{self, provider_config};
use crate::site::Site;

/// What a kind's examples need and get.
struct Row {
    api_version: &'static str,
    kind: &'static str,
    /// The objects that an example refers to. They must exist.
    refers_to: fn(&Value) -> Vec<Value>,
    /// The fields that get a default when they are absent, with the default.
    defaults: fn(&Value) -> Vec<(&'static str, Value)>,
}

/// A row for every kind whose examples refer to something, or get defaults.
const ROWS: &[Row] = &[CLUSTER, LLM_INFERENCE, GKE_CLUSTER, EKS_CLUSTER, AKS_CLUSTER, NEBIUS_CLUSTER, VULTR_CLUSTER];

const CLUSTER: Row = Row {
    api_version: "devopstoolkitseries.com/v2",
    kind: "Cluster",
    // It makes the ProviderConfig that a model on it names. Nothing is composed here.
    refers_to: |object| {
        let config = provider_config(object["metadata"]["name"].as_str().unwrap_or_default());
        let namespace = object["metadata"]["namespace"].as_str().unwrap_or_default();
        vec![objects::within(namespace, objects::with(config, "/kind", json!("ProviderConfig")))]
    },
    defaults: |object| {
        let mut defaults = vec![
            ("/spec/parameters/nodeSize", json!("small")),
            ("/spec/parameters/minNodeCount", json!(1)),
            ("/spec/parameters/namespaces", json!(["dev", "production"])),
        ];
        let parameters = &object["spec"]["parameters"];
        if parameters["gpu"].is_object() {
            defaults.extend([
                ("/spec/parameters/gpu/enabled", json!(false)),
                ("/spec/parameters/gpu/nodeSize", json!("small")),
                ("/spec/parameters/gpu/minNodeCount", json!(1)),
                ("/spec/parameters/gpu/maxNodeCount", json!(10)),
            ]);
        }
        if parameters["apps"]["argocd"].is_object() {
            defaults.extend([
                ("/spec/parameters/apps/argocd/destinationNamespace", json!("argo-cd")),
                ("/spec/parameters/apps/argocd/sourcePath", json!(".")),
            ]);
        }
        defaults
    },
};

const LLM_INFERENCE: Row = Row {
    api_version: "inference.devopstoolkit.ai/v1alpha1",
    kind: "LLMInference",
    refers_to: |object| {
        let config = provider_config(object["spec"]["providerConfigName"].as_str().unwrap_or_default());
        if object["spec"]["providerConfigKind"] != "ProviderConfig" {
            return vec![config];
        }
        let namespace = object["metadata"]["namespace"].as_str().unwrap_or_default();
        vec![objects::within(namespace, objects::with(config, "/kind", json!("ProviderConfig")))]
    },
    defaults: |object| {
        let namespace = object["metadata"]["namespace"].clone();
        vec![("/spec/providerConfigKind", json!("ClusterProviderConfig")), ("/spec/targetNamespace", namespace)]
    },
};

const GKE_CLUSTER: Row = Row {
    api_version: "infrastructure.modelplane.ai/v1alpha1",
    kind: "GKECluster",
    refers_to: |_| Vec::new(),
    defaults: |_| {
        vec![
            ("/spec/kubernetesVersion", json!("1.35")),
            ("/spec/nodePools/0/diskSizeGb", json!(100)),
            ("/spec/nodePools/0/gpu/acceleratorCount", json!(1)),
        ]
    },
};

const EKS_CLUSTER: Row = Row {
    kind: "EKSCluster",
    defaults: |_| vec![("/spec/kubernetesVersion", json!("1.36")), ("/spec/nodePools/0/fabric", json!("None"))],
    ..GKE_CLUSTER
};

const AKS_CLUSTER: Row = Row {
    kind: "AKSCluster",
    defaults: |_| vec![("/spec/kubernetesVersion", json!("1.34")), ("/spec/nodePools/0/fabric", json!("None"))],
    ..GKE_CLUSTER
};

const NEBIUS_CLUSTER: Row = Row {
    kind: "NebiusCluster",
    defaults: |_| {
        vec![("/spec/kubernetesVersion", json!("1.34")), ("/spec/nodePools/0/gpu/driversPreset", json!("cuda13.0"))]
    },
    ..GKE_CLUSTER
};

const VULTR_CLUSTER: Row =
    Row { kind: "VultrCluster", defaults: |_| vec![("/spec/kubernetesVersion", json!("v1.36.1+3"))], ..GKE_CLUSTER };

/// Every example of every kind.
pub(crate) fn examples(site: &Site) -> Result<()> {
    for kind in KINDS.rows {
        for example in kind.examples {
            all_of(site, kind, example.text).with_context(|| format!("example {}", example.name))?;
        }
    }
    Ok(())
}

/// Applies the objects of an example: first those that may be looked up, then one by one those of the kind.
fn all_of(site: &Site, kind: &Kind, text: &str) -> Result<()> {
    let row = ROWS.iter().find(|row| (row.api_version, row.kind) == (kind.api_version, kind.kind));
    let objects = documents(text)?;
    let namespaces: BTreeSet<_> = objects.iter().filter_map(|it| it["metadata"]["namespace"].as_str()).collect();
    let namespaces = namespaces.into_iter();
    let mut around: Vec<_> =
        namespaces.map(|name| json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})).collect();
    let (own, others): (Vec<_>, Vec<_>) = objects.into_iter().partition(|object| {
        let kind_ref = KindRef::of(object);
        (&*kind_ref.api_version, &*kind_ref.kind) == (kind.api_version, kind.kind)
    });
    around.extend(own.iter().flat_map(|object| row.map_or(Vec::new(), |row| (row.refers_to)(object))));
    for objects in [around, others].iter().filter(|objects| !objects.is_empty()) {
        // What was just made is known a moment later.
        eventually("what is around an example is accepted", SOON, || site.kubectl.apply_all(objects))?;
    }
    own.iter().try_for_each(|object| applied(site, kind, row, object))
}

/// Applies an object, checks what is stored, and deletes it.
fn applied(site: &Site, kind: &Kind, row: Option<&Row>, object: &Value) -> Result<()> {
    let namespace = object["metadata"]["namespace"].as_str();
    crate::lookups::accepted(site, namespace.unwrap_or_default(), object)?;
    site.kubectl.apply(object)?;
    let resource = objects::resource(kind);
    let name = object["metadata"]["name"].as_str().context("an example has a name")?;
    let mut which = Which::all(&resource).named(name);
    if let Some(namespace) = namespace {
        which = which.within(namespace);
    }
    let stored = site.kubectl.only(which)?;
    for (path, default) in row.map_or(Vec::new(), |row| (row.defaults)(object)) {
        let want = object.pointer(path).unwrap_or(&default);
        ensure!(stored.pointer(path) == Some(want), "{name}: {path} of {stored}");
    }
    // To apply the same again changes nothing.
    site.kubectl.apply(object)?;
    let again = site.kubectl.only(which)?;
    ensure!(stored["metadata"]["generation"] == again["metadata"]["generation"], "{name} changed: {again}");
    // Some examples cannot exist together, for example because they use the same host.
    let plural = format!("{}.{}", kind.plural, KindRef::of(object).group());
    let mut delete = vec!["delete", "--wait=false", &plural, name];
    delete.extend(namespace.into_iter().flat_map(|namespace| ["-n", namespace]));
    site.kubectl.run(&delete).map(drop)
}
