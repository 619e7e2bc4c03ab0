//! Sections of the page about `Cluster`: what a size is, and which models fit it.

use inference::clouds::Cloud;
use inference::gpu_cluster::sizes::NodeSize;
use inference::gpu_cluster::sizes::{GpuNodes, general, gpu_nodes};
use inference::llm_inference::weights::weights;

use crate::table::{code, table};

/// Models of several sizes.
const MODELS: &[&str] = &[
    "Qwen/Qwen2.5-1.5B-Instruct",
    "meta-llama/Llama-3.1-8B-Instruct",
    "Qwen/Qwen2.5-32B-Instruct",
    "Qwen/Qwen2.5-72B-Instruct",
    "moonshotai/Kimi-K2.5",
];

/// The sections before the rules.
pub(crate) fn before_rules() -> String {
    format!(
        "## Sizes\n\nGeneral nodes, by `nodeSize`:\n\n{}\nNodes with GPUs, by `gpu.nodeSize`:\n\n{}\nWith option \
         `cluster.gpuSizes: by-count`:\n\n{}\n## Which models fit\n\nBy the weights of a model divided by 0.9, the share of GPU \
         memory that the server may use, on one node:\n\n{}\n{NUMBERS}\n",
        generals(),
        gpus(false),
        gpus(true),
        models(),
    )
}

/// Who changes the number of nodes, as `Cloud::adds_nodes` says it.
const NUMBERS: &str = "\
## Numbers of nodes

On AKS and GKE pools grow from `minNodeCount` to the largest number when pods wait for nodes, and shrink again; a pool with GPUs and
`minNodeCount: 0` is empty while nobody needs it. On EKS nothing adds nodes: a pool has `minNodeCount` of them, the provider goes back to that
number, and a pool of 0 stays empty. The condition `PoolsFilled` and a warning of the webhooks say so.

## Composites in other namespaces

The ProviderConfigs of a cluster are for composites in its namespace. A composite in a namespace cannot compose what has none, so for the
others create a ClusterProviderConfig yourself, once the Secret is there. For a cluster `inference-small` in namespace `a-team`:

```yaml
apiVersion: kubernetes.m.crossplane.io/v1alpha1
kind: ClusterProviderConfig
metadata:
  name: inference-small
spec:
  credentials:
    source: Secret
    secretRef: {namespace: a-team, name: inference-small-cluster, key: kubeconfig}
  # Only for a cluster in Google Cloud:
  # identity: {type: GoogleApplicationCredentials, source: Secret, secretRef: {namespace: crossplane-system, name: gcp-creds, key: creds}}
```

Delete it before the cluster: no Usage keeps the cluster for its users.
";

fn generals() -> String {
    let row = |size: &NodeSize| {
        let [aws, azure, google] = Cloud::ALL.map(|cloud| code(general(cloud, *size)));
        [code(size.as_str()), aws, azure, google]
    };
    table(&["Size", "AWS", "Azure", "Google Cloud"], NodeSize::ALL.iter().map(row))
}

fn gpus(by_count: bool) -> String {
    let cell = |nodes: &GpuNodes| {
        let GpuNodes { machine, accelerator, gpus } = nodes;
        format!("{}: {gpus} × {} with {} GB", code(machine), accelerator.name, accelerator.gigabytes)
    };
    let row = |size: &NodeSize| {
        let [aws, azure, google] = Cloud::ALL.map(|cloud| cell(gpu_nodes(cloud, *size, by_count)));
        [code(size.as_str()), aws, azure, google]
    };
    table(&["Size", "AWS", "Azure", "Google Cloud"], NodeSize::ALL.iter().map(row))
}

fn models() -> String {
    let row = |model: &&str| {
        let needs = weights(model).expect("a model of the table is known").saturating_mul(10) / 9;
        let fits = |cloud: Cloud, by_count: bool| {
            let has = |size: &NodeSize| {
                let nodes = gpu_nodes(cloud, *size, by_count);
                u64::from(nodes.gpus) * nodes.accelerator.gigabytes * 1_000_000_000 >= needs
            };
            let sizes: Vec<String> =
                NodeSize::ALL.iter().filter(|size| has(size)).map(|it| code(it.as_str())).collect();
            if sizes.is_empty() { "none".to_owned() } else { sizes.join(", ") }
        };
        let [aws, azure, google] = Cloud::ALL.map(|cloud| fits(cloud, false));
        let counted = Cloud::ALL.map(|cloud| format!("{}: {}", cloud.service(), fits(cloud, true))).join("; ");
        [code(model), aws, azure, google, counted]
    };
    table(&["Model", "AWS", "Azure", "Google Cloud", "with `by-count`"], MODELS.iter().map(row))
}
