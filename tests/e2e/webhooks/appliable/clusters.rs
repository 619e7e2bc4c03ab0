//! GPU clusters, with what people may write in their fields.

use contract::catalog::ApiResource;
use inference::gpu_cluster::derive::kinds;
use serde_json::json;

use super::subject::{Subject, composed, nothing};

pub(super) const CLUSTERS: Subject = Subject {
    what: "clusters",
    api_version: "devopstoolkitseries.com/v2",
    kind: "Cluster",
    allowed: 200,
    others: || OTHERS.to_vec(),
    named: nothing,
    names: NAMES,
    sections: ("cluster", SECTIONS),
    spec: |_| {
        json!({
            "crossplane": {"compositionSelector": {"matchLabels": {"provider": "aws"}}},
            "parameters": {"nodeSize": "small"},
        })
    },
    fields: FIELDS,
    most: 12,
    beside: BESIDE,
    becomes: composed,
};

/// The kinds of others that clusters and what is on them become. Of External Secrets Operator's kinds there is the version that its
/// chart serves.
#[rustfmt::skip]
const OTHERS: &[ApiResource] = &[
    kinds::AKS_CLUSTERS, kinds::AKS_NODE_POOLS, kinds::RESOURCE_GROUPS, kinds::GKE_CLUSTERS, kinds::GKE_NODE_POOLS,
    kinds::INTERNET_GATEWAYS, kinds::MAIN_ROUTE_TABLE_ASSOCIATIONS, kinds::ROUTES, kinds::ROUTE_TABLES,
    kinds::ROUTE_TABLE_ASSOCIATIONS, kinds::SECURITY_GROUPS, kinds::SECURITY_GROUP_RULES, kinds::SUBNETS, kinds::VPCS,
    kinds::ADDONS, kinds::EKS_CLUSTERS, kinds::CLUSTER_AUTHS, kinds::NODE_GROUPS, kinds::POD_IDENTITY_ASSOCIATIONS,
    kinds::HELM_CONFIGS, kinds::RELEASES, kinds::IAM_ROLES, kinds::ROLE_POLICY_ATTACHMENTS, kinds::USAGES,
    kinds::APPLICATIONS, kinds::EXTERNAL_SECRETS_V1, kinds::SECRET_STORES_V1, kinds::GATEWAYS, kinds::GATEWAY_CLASSES,
];

const NAMES: &[&str] = &[
    "a",
    "team-a",
    "7",
    "sg-a",
    "thirty-six-characters-are-not-many-x",
    "forty-characters-are-some-more-than-that",
    "fifty-characters-are-as-many-as-a-name-may-have-xx",
    "sixty-three-characters-are-more-than-most-clouds-take-for-names",
];

/// Options of the platform.
const SECTIONS: &[&str] = &[
    r#"{"externalSecrets": "v1"}"#,
    r#"{"externalSecrets": "v1", "usages": "always", "ebsRights": "podIdentity", "gpuSizes": "by-count"}"#,
    r#"{"externalSecrets": "v1", "googleGpuTaint": false, "argocdPasswordHash": "$2a$10$a", "chartVersions": {"traefik": "1.2.3"}}"#,
    r#"{"externalSecrets": "v1", "vllmOperatorImage": "registry.example.org/operator@sha256:0", "usages": "asked"}"#,
];

const SIZES: &str = r#"["small", "medium", "large"]"#;
const ENABLED: &str = r#"[{"enabled": true}, {"enabled": false}, {}]"#;

/// Fields of a cluster, each with what people may write there.
#[rustfmt::skip]
const FIELDS: &[(&str, &str)] = &[
    ("/crossplane/compositionSelector/matchLabels/provider", r#"["aws", "azure", "google", "azure", "google"]"#),
    ("/parameters/version", r#"["1.33", "1.34.1", "latest", "", "a b"]"#),
    ("/parameters/nodeSize", SIZES),
    ("/parameters/minNodeCount", "[0, 1, 3, 12, 1000]"),
    ("/parameters/region", r#"["eu-west-1", "westeurope", "europe-west4", "us-east-1", "a-b-c"]"#),
    ("/parameters/zones", r#"[["us-east-1a", "us-east-1b"], ["1", "2"], ["us-east1-b"], ["1", "1"]]"#),
    ("/parameters/namespaces", r#"[["dev"], ["dev", "production", "7"], [], ["a.b"], ["kube-system"]]"#),
    ("/parameters/usage", ENABLED),
    ("/parameters/gpu", r#"[{"enabled": true}, {"enabled": true, "nodeSize": "large"}, {"enabled": false}]"#),
    ("/parameters/gpu/nodeSize", SIZES),
    ("/parameters/gpu/accelerator", r#"["T4", "A10G", "L4", "L40S", "A100", "H100", "H200", "B200"]"#),
    ("/parameters/gpu/machineType", r#"["g6.xlarge", "p5.48xlarge", "Standard_NC24ads_A100_v4", "a3-highgpu-8g", "a b", ""]"#),
    ("/parameters/gpu/capacity", r#"["OnDemand", "Spot"]"#),
    ("/parameters/gpu/minNodeCount", "[0, 1, 2]"),
    ("/parameters/gpu/maxNodeCount", "[1, 2, 1000]"),
    ("/parameters/apps/crossplane", ENABLED),
    ("/parameters/apps/argocd", r#"[{"enabled": true}, {"enabled": true, "host": "argocd.example.org"}, {"enabled": true, "host": "A b\n"}]"#),
    ("/parameters/apps/argocd/repoURL", r#"["https://github.com/acme/platform", "git@github.com:acme/a.git", "a b", ""]"#),
    ("/parameters/apps/argocd/destinationNamespace", r#"["apps", "A b", ""]"#),
    ("/parameters/apps/argocd/sourcePath", r#"["apps", "", "../a"]"#),
    ("/parameters/apps/openfunction", ENABLED),
    ("/parameters/apps/dapr", ENABLED),
    ("/parameters/apps/traefik", ENABLED),
    ("/parameters/apps/nvidia", ENABLED),
    ("/parameters/apps/vllm", ENABLED),
    ("/parameters/apps/keda", ENABLED),
    ("/parameters/apps/envoyGateway", ENABLED),
    ("/parameters/apps/prometheus", ENABLED),
    ("/parameters/apps/externalSecrets", r#"[{"enabled": true}, {"enabled": true, "store": true}]"#),
    ("/parameters/apps/externalSecrets/azureVaultUrl", r#"["https://acme.vault.azure.net", "a b"]"#),
    ("/parameters/apps/externalSecrets/googleCredentialsKey", r#"["gcpCreds", "a b", ".."]"#),
    ("/parameters/apps/externalSecrets/awsAccessKeyIDKey", r#"["id", "a/b"]"#),
    ("/parameters/apps/externalSecrets/secrets", r#"[[{"fromSecret": "a/b", "toSecret": "c", "toNamespace": "dev"}],
        [{"fromSecret": "a b", "toSecret": "c.d", "toNamespace": "dev"}, {"fromSecret": "", "toSecret": "e", "toNamespace": "dev", "type": "Opaque"}],
        [{"fromSecret": "a", "toSecret": "x", "toNamespace": "a"}, {"fromSecret": "b", "toSecret": "x-usage", "toNamespace": "a"}]]"#),
    ("/parameters/creds", r#"[{"name": "aws", "keys": ["id", "key"]}, {"name": "gcp.a", "namespace": "crossplane-system", "keys": ["gcpCreds"]},
        {"name": "a", "keys": []}, {"name": "a", "keys": ["a b", ".."]}]"#),
];

/// Fields that want another one beside them.
const BESIDE: &[(&str, &str, &str)] = &[
    ("/parameters/gpu/nodeSize", "/parameters/gpu/enabled", "true"),
    ("/parameters/gpu/accelerator", "/parameters/gpu/enabled", "true"),
    ("/parameters/gpu/machineType", "/parameters/gpu/enabled", "true"),
    ("/parameters/gpu/capacity", "/parameters/gpu/enabled", "true"),
    ("/parameters/gpu/minNodeCount", "/parameters/gpu/enabled", "true"),
    ("/parameters/gpu/maxNodeCount", "/parameters/gpu/enabled", "true"),
    ("/parameters/apps/argocd/repoURL", "/parameters/apps/argocd/enabled", "true"),
    ("/parameters/apps/argocd/destinationNamespace", "/parameters/apps/argocd/enabled", "true"),
    ("/parameters/apps/argocd/sourcePath", "/parameters/apps/argocd/enabled", "true"),
    ("/parameters/apps/externalSecrets", "/parameters/creds", r#"{"name": "cloud", "keys": ["gcpCreds"]}"#),
    ("/parameters/apps/externalSecrets/secrets", "/parameters/apps/externalSecrets/enabled", "true"),
    ("/parameters/apps/externalSecrets/secrets", "/parameters/apps/externalSecrets/store", "true"),
    ("/parameters/apps/externalSecrets/secrets", "/parameters/creds", r#"{"name": "cloud", "keys": ["gcpCreds"]}"#),
    ("/parameters/apps/externalSecrets/azureVaultUrl", "/parameters/apps/externalSecrets/enabled", "true"),
    ("/parameters/apps/externalSecrets/azureVaultUrl", "/parameters/apps/externalSecrets/store", "true"),
    ("/parameters/apps/externalSecrets/googleCredentialsKey", "/parameters/apps/externalSecrets/enabled", "true"),
    ("/parameters/apps/externalSecrets/googleCredentialsKey", "/parameters/apps/externalSecrets/store", "true"),
    ("/parameters/apps/externalSecrets/awsAccessKeyIDKey", "/parameters/apps/externalSecrets/enabled", "true"),
    ("/parameters/apps/externalSecrets/awsAccessKeyIDKey", "/parameters/apps/externalSecrets/store", "true"),
];
