//! InferenceClusters, with what people may write in their fields, down to what the clusters in clouds become.

use std::fs;

use anyhow::{Result, ensure};
use contract::catalog::ApiResource;
use contract::preview::PreviewRequest;
use inference::KINDS;
use serde_json::{Value, json};
use tests::files::workspace;

use super::subject::Subject;

/// Most have a cloud of their own.
pub(super) const CLUSTERS: Subject = Subject {
    what: "inference clusters",
    api_version: "modelplane.ai/v1alpha1",
    kind: "InferenceCluster",
    allowed: 200,
    others,
    named: classes,
    names: NAMES,
    sections: ("modelplane", &["{}"]),
    spec: |numbers| {
        let (source, block, pool) = numbers.pick(SOURCES);
        let [block, pool]: [Value; 2] = [block, pool].map(|text| serde_json::from_str(text).expect("JSON"));
        json!({"cluster": {"source": source, (source.to_lowercase()): block}, "nodePools": [pool]})
    },
    fields: FIELDS,
    most: 3,
    beside: BESIDE,
    becomes,
};

/// The kinds that make a cluster.
const MADE_BY: [&str; 7] =
    ["AKSCluster", "EKSCluster", "GKECluster", "InferenceCluster", "NebiusCluster", "ServingStack", "VultrCluster"];

/// The kinds of others that clusters become, in targets too.
fn others() -> Vec<ApiResource> {
    let rows = KINDS.rows.iter().filter(|row| MADE_BY.contains(&row.kind));
    let all = rows.flat_map(|row| row.composes.iter().chain(row.wraps).chain(row.wraps_on_own));
    all.copied().collect()
}

fn text() -> Result<String> {
    Ok(fs::read_to_string(workspace().join("examples/modelplane/classes.yaml"))?)
}

/// The classes of the examples, each with a cluster that has it.
fn classes() -> Result<Vec<(Value, Value)>> {
    let read: Result<Vec<Value>, _> = yaml::values(&text()?).into_iter().collect();
    let with = |class: Value| {
        let pool = json!({"name": "own", "className": class["metadata"]["name"]});
        let cluster = json!({
            "apiVersion": CLUSTERS.api_version, "kind": CLUSTERS.kind, "metadata": {"name": "own"},
            "spec": {"cluster": {"source": "Existing", "existing": {"secretRef": {"name": "a"}}}, "nodePools": [pool]},
        });
        (class, cluster)
    };
    Ok(read.map_err(|error| anyhow::anyhow!("{error:?}"))?.into_iter().map(with).collect())
}

/// All that a cluster becomes once everything is up.
fn becomes(stored: &Value, _: &Value) -> Result<Vec<Value>> {
    let documents = format!("{stored}\n---\n{}", text()?);
    let request = PreviewRequest {
        cascade: true,
        settled: true,
        explain: false,
        ..PreviewRequest::about("cluster.yaml", documents)
    };
    let mut objects = Vec::new();
    for composite in module::preview(&request).composites {
        for resource in composite.resources {
            let object = resource.object.object()?.clone();
            // Of what is only observed, a manifest says which object it is.
            let observes = object["spec"]["managementPolicies"] == json!(["Observe"]);
            objects.extend(object.pointer("/spec/forProvider/manifest").filter(|_| !observes).cloned());
            objects.push(stored_again(object));
        }
    }
    ensure!(objects.len() > 1, "{stored} becomes nothing");
    Ok(objects)
}

/// What is applied: a preview shows the status too.
fn stored_again(mut object: Value) -> Value {
    if let Some(fields) = object.as_object_mut() {
        fields.remove("status");
    }
    object
}

/// Names of clusters: too long for some clouds, and for service accounts of Google.
const NAMES: &[&str] = &[
    "gpu-east",
    "a",
    "7",
    "seventeen-letters",
    "twenty-six-characters-long",
    "forty-characters-are-some-more-than-that",
    "sixty-three-characters-are-more-than-most-clouds-take-for-names",
];

/// Sources, each with its block and a pool.
#[rustfmt::skip]
const SOURCES: &[(&str, &str, &str)] = &[
    ("GKE", r#"{"region": "europe-west4"}"#, r#"{"name": "l4", "className": "gke-l4-1x-g2", "zones": ["europe-west4-a"]}"#),
    ("GKE", r#"{"region": "us-central1", "project": "acme-models"}"#, r#"{"name": "a100", "className": "gke-a100-1x-a2", "zones": ["us-central1-a", "us-central1-b"], "maxNodeCount": 4}"#),
    ("EKS", r#"{"region": "us-east-1"}"#, r#"{"name": "l4", "className": "eks-l4-1x-g6", "zones": ["us-east-1a"]}"#),
    ("EKS", r#"{"region": "us-west-2"}"#, r#"{"name": "h200", "className": "eks-h200-8x-efa", "zones": ["us-west-2a"], "fabric": {"type": "EFA"}, "capacityBlock": {"capacityReservationId": "cr-0a1b2c3d4e5f60718"}}"#),
    ("AKS", r#"{"location": "westeurope"}"#, r#"{"name": "h100", "className": "aks-h100-8x-ib", "fabric": {"type": "InfiniBand"}}"#),
    ("AKS", r#"{"location": "eastus"}"#, r#"{"name": "a10", "className": "aks-a10-1x", "zones": ["1", "2"]}"#),
    ("Nebius", "{}", r#"{"name": "h100", "className": "nebius-h100-8x-ib", "fabric": {"type": "InfiniBand", "infiniband": {"fabric": "fabric-2"}}}"#),
    ("Vultr", r#"{"region": "ewr"}"#, r#"{"name": "l40s", "className": "vultr-l40s-1x", "nodeCount": 2}"#),
    ("Existing", r#"{"secretRef": {"name": "kubeconfig"}}"#, r#"{"name": "own", "className": "l4-1x"}"#),
];

/// Fields, each with what people may write there. A block of another source counts for nothing.
#[rustfmt::skip]
const FIELDS: &[(&str, &str)] = &[
    ("/cluster/eks/region", r#"["us-east-1", "eu-central-1", "a-b-c", "US EAST", "r"]"#),
    ("/cluster/eks/kubernetesVersion", VERSIONS),
    ("/cluster/gke/kubernetesVersion", VERSIONS),
    ("/cluster/aks/kubernetesVersion", VERSIONS),
    ("/cluster/nebius/kubernetesVersion", VERSIONS),
    ("/cluster/vultr/kubernetesVersion", VERSIONS),
    ("/cluster/gke/project", r#"["acme-models", "a b c d e f", "123456"]"#),
    ("/cluster/aks/location", r#"["westeurope", "West Europe", "-"]"#),
    ("/cluster/vultr/region", r#"["ewr", "A b"]"#),
    ("/cluster/gke/credentials", CREDENTIALS),
    ("/cluster/eks/credentials", CREDENTIALS),
    ("/cluster/aks/credentials", CREDENTIALS),
    ("/cluster/nebius/credentials", CREDENTIALS),
    ("/cluster/vultr/credentials", CREDENTIALS),
    ("/cluster/existing", r#"[{"secretRef": {"name": "a", "key": "b c"}}, {"secretRef": {"name": "A b"}, "cache": {"storageClassName": "nfs"}},
        {"secretRef": {"name": "a"}, "identitySecretRef": {"name": "b", "type": "AWSWebIdentityCredentials"}, "cache": {"storageClassName": "A b"}}]"#),
    ("/nodePools/0/name", r#"["a", "h100-80gb", "system", "A_b.c", "-a", "a b", "forty-characters-are-some-more-than-that"]"#),
    ("/nodePools/0/nodeCount", COUNTS),
    ("/nodePools/0/minNodeCount", COUNTS),
    ("/nodePools/0/maxNodeCount", COUNTS),
    ("/nodePools/0/zones", r#"[["us-east-1a"], ["us-east-1c", "us-east-1a"], ["us-east-1a", "us-east-1a"], [""], [], ["europe-west4-a"], ["us-east-1f"]]"#),
    ("/nodePools/0/fabric", r#"[{"type": "EFA"}, {"type": "None"}, {"type": "InfiniBand", "infiniband": {"fabric": "a b"}}, {"type": "InfiniBand"}]"#),
    ("/nodePools/0/className", r#"["eks-l4-1x-g6", "eks-h200-8x-efa", "l4-1x", "gke-h200-8x-a3-ib"]"#),
    ("/scheduler", r#"[{"type": "managed-kai"}, {"type": "managed-kueue"}, {"type": "kueue"}, {"type": "KAI"}, {"type": "none"}]"#),
    ("/taints", r#"[[{"key": "drain", "effect": "NoExecute"}], [{"key": "a b", "value": "c d", "effect": "NoSchedule"}], []]"#),
];

/// What a block needs besides.
const BESIDE: &[(&str, &str, &str)] = &[
    ("/cluster/eks/kubernetesVersion", "/cluster/eks/region", r#""us-east-1""#),
    ("/cluster/eks/credentials", "/cluster/eks/region", r#""us-east-1""#),
    ("/cluster/gke/kubernetesVersion", "/cluster/gke/region", r#""us-central1""#),
    ("/cluster/gke/credentials", "/cluster/gke/region", r#""us-central1""#),
    ("/cluster/gke/project", "/cluster/gke/region", r#""us-central1""#),
    ("/cluster/aks/kubernetesVersion", "/cluster/aks/location", r#""eastus""#),
    ("/cluster/aks/credentials", "/cluster/aks/location", r#""eastus""#),
    ("/cluster/vultr/kubernetesVersion", "/cluster/vultr/region", r#""ewr""#),
    ("/cluster/vultr/credentials", "/cluster/vultr/region", r#""ewr""#),
];

const VERSIONS: &str = r#"["1.34", "v1.36.1+3", "latest", "", "1.36.1-eks.1234567"]"#;
const COUNTS: &str = "[0, 1, 2, 7, 1000, 1001]";
const CREDENTIALS: &str = r#"[{"name": "inference"}, {"type": "ProviderConfig"}, {"type": "ProviderConfig", "name": "a.b"}, {"name": "A b"}]"#;
