//! The three clouds, and what happens to a cluster in each.

use serde_json::{Value, json};

/// What is merged into `spec.parameters`.
pub(super) type Edit = fn() -> Value;

/// A cloud, with the cluster in it.
pub(super) struct Cloud {
    /// As its Composition is named after `cluster-`.
    pub(super) provider: &'static str,
    /// The name of the cluster.
    pub(super) name: &'static str,
    /// The name of a second one: the API server of the first does not start again.
    pub(super) second: &'static str,
    /// How many objects it has without applications and GPUs.
    pub(super) base: usize,
    /// The object with the general nodes, and that with the nodes with GPUs: `KIND/NAME`.
    pub(super) nodes: &'static str,
    pub(super) gpu_nodes: &'static str,
    /// What the cloud says when there is no quota.
    pub(super) quota: &'static str,
    /// What is edited, one after the other: what it is about, and what is merged into `spec.parameters`.
    pub(super) edits: &'static [(&'static str, Edit)],
    /// A change that the cloud makes only by replacing, and how to take it back. None where there is no such.
    pub(super) replaces: Option<(Edit, Edit)>,
    /// What there is on the new cluster in the end: arguments of `kubectl get`.
    pub(super) brings: &'static [&'static [&'static str]],
    /// Whether a model can be on it in the end.
    pub(super) serves: bool,
}

/// The clouds. Each application is in one or two of them.
pub(super) const CLOUDS: &[Cloud] = &[
    Cloud {
        provider: "aws",
        name: "a-team-eks",
        second: "a-team-eks-2",
        // 33 of dot-kubernetes, and the rights of the EBS add-on: an add-on, a role, its policy and an association.
        base: 37,
        nodes: "NodeGroup/a-team-eks",
        gpu_nodes: "NodeGroup/a-team-eks-gpu",
        quota: "VcpuLimitExceeded: you have requested more vCPU capacity than your current limit of 0",
        edits: &[
            ("counts and version", || json!({"minNodeCount": 3, "version": "1.31"})),
            ("an operator and credentials", || {
                json!({
                    // Its chart brings the namespace of the credentials.
                    "apps": {"vllm": {"enabled": true}, "nvidia": {"enabled": true}, "crossplane": {"enabled": true}},
                    "creds": {"name": "aws-creds", "namespace": "crossplane-system", "keys": ["accessKeyID", "secretAccessKey"]},
                })
            }),
            ("a store and secrets", || {
                json!({"apps": {"externalSecrets": {
                    "enabled": true,
                    "store": true,
                    "secrets": [{"fromSecret": "db-password", "toSecret": "my-db", "toNamespace": "production"}],
                }}})
            }),
            ("more GPUs", || json!({"gpu": {"maxNodeCount": 4}})),
            ("fewer namespaces", || json!({"namespaces": ["production"]})),
            ("no GPUs, no operator", || json!({"gpu": {"enabled": false}, "apps": {"nvidia": {"enabled": false}}})),
        ],
        replaces: Some((|| json!({"nodeSize": "medium"}), || json!({"nodeSize": "small"}))),
        brings: &[
            &["namespace", "dev", "production", "production-stack-system"],
            &["crd", "vllmruntimes.production-stack.vllm.ai", "loraadapters.production-stack.vllm.ai"],
            &["deployment", "-n", "production-stack-system", "production-stack-production-stack-controller-manager"],
            &["clusterrolebinding", "production-stack-manager-rolebinding"],
            &["secret", "-n", "crossplane-system", "aws-creds"],
            &["clustersecretstore", "aws"],
            &["externalsecret", "-n", "production", "my-db"],
        ],
        serves: true,
    },
    Cloud {
        provider: "azure",
        name: "a-team-aks",
        second: "a-team-aks-2",
        base: 11,
        nodes: "KubernetesCluster/a-team-aks",
        gpu_nodes: "KubernetesClusterNodePool/a-team-aks-gpu",
        quota: "ErrCode_InsufficientVCPUQuota: Insufficient vcpu quota requested 4, remaining 0",
        edits: &[
            ("counts and version", || json!({"minNodeCount": 2, "version": "1.31"})),
            ("a repository to follow", || {
                json!({"apps": {
                    "traefik": {"enabled": true},
                    "argocd": {"enabled": true, "host": "argocd.example.org", "repoURL": "https://github.com/acme/platform"},
                }})
            }),
            ("a store", || {
                json!({"apps": {"externalSecrets": {
                    "enabled": true, "store": true, "azureVaultUrl": "https://a-team.vault.azure.net",
                }}})
            }),
            ("no ingress", || json!({"apps": {"traefik": {"enabled": false}}})),
            ("more GPUs", || json!({"gpu": {"minNodeCount": 2}})),
            ("no GPUs", || json!({"gpu": {"enabled": false}})),
        ],
        replaces: Some((|| json!({"nodeSize": "medium"}), || json!({"nodeSize": "small"}))),
        brings: &[
            &["namespace", "dev", "production"],
            &["application", "-n", "argocd", "apps"],
            &["clustersecretstore", "azure"],
        ],
        serves: false,
    },
    Cloud {
        provider: "google",
        name: "a-team-gke",
        second: "a-team-gke-2",
        base: 11,
        nodes: "NodePool/a-team-gke",
        gpu_nodes: "NodePool/a-team-gke-gpu",
        quota: "Insufficient regional quota to satisfy request: resource \"NVIDIA_T4_GPUS\"",
        edits: &[
            (
                "another size, counts and version",
                || json!({"nodeSize": "medium", "minNodeCount": 2, "version": "1.31"}),
            ),
            (
                "gateways and monitors",
                || json!({"apps": {"envoyGateway": {"enabled": true}, "prometheus": {"enabled": true}, "keda": {"enabled": true}}}),
            ),
            ("credentials and a store", || {
                json!({
                    "creds": {"name": "gcp-creds", "namespace": "crossplane-system", "keys": ["google-creds"]},
                    "apps": {
                        "crossplane": {"enabled": true},
                        "externalSecrets": {"enabled": true, "store": true, "googleCredentialsKey": "google-creds"},
                    },
                })
            }),
            ("applications", || json!({"apps": {"openfunction": {"enabled": true}, "traefik": {"enabled": true}}})),
            (
                "others",
                || json!({"apps": {"prometheus": {"enabled": false}, "openfunction": {"enabled": false}, "dapr": {"enabled": true}}}),
            ),
            ("no GPUs", || json!({"gpu": {"enabled": false}})),
        ],
        replaces: None,
        brings: &[
            &["namespace", "dev", "production"],
            &["gateway", "-n", "envoy-gateway-system", "eg"],
            &["gatewayclass", "eg"],
            &["crd", "inferencepools.inference.networking.k8s.io"],
            &["secret", "-n", "crossplane-system", "gcp-creds"],
            &["clustersecretstore", "google"],
        ],
        serves: false,
    },
];
