//! How clusters get the kind: package, columns, Compositions.

use serde_json::{Value, json};
use toolbox::published::{Column, Composition, Package, PipelineStep, Published};
use toolbox::structural::schema_of;

use super::inputs::RENAMED;
use super::spec::{CloudClusterSpec, CloudClusterStatus};
use crate::{options, providers};

pub(super) const PUBLISHED: Published = Published {
    package: &package("gpu-cluster"),
    labels: &[("idp", "true")],
    categories: &[],
    columns: &[
        Column { name: "clusterName", column_type: "string", path: ".status.clusterName", priority: 0 },
        Column { name: "controlPlane", column_type: "string", path: ".status.controlPlaneStatus", priority: 0 },
        Column { name: "nodePool", column_type: "string", path: ".status.nodePoolStatus", priority: 0 },
    ],
    scale: None,
    compositions: &[
        Composition {
            name: "cluster-aws",
            labels: &[("cluster", "eks"), ("provider", "aws")],
            default: true,
            steps: &[PipelineStep { name: "compose-cluster", input: Some(|version| works(version, "aws")) }],
        },
        Composition {
            name: "cluster-azure",
            labels: &[("cluster", "aks"), ("provider", "azure")],
            default: false,
            steps: &[PipelineStep { name: "compose-cluster", input: Some(|version| works(version, "azure")) }],
        },
        Composition {
            name: "cluster-google",
            labels: &[("cluster", "gke"), ("provider", "google")],
            default: false,
            steps: &[PipelineStep { name: "compose-cluster", input: Some(|version| works(version, "google")) }],
        },
    ],
    schema,
};

/// The package with the kind in the group of dot-kubernetes 2.0.21.
pub(super) const RENAMED_PACKAGE: Package = package("gpu-cluster-devopstoolkit");

const fn package(name: &'static str) -> Package {
    Package {
        name,
        description: "GPU clusters on EKS, AKS and GKE with their software",
        readme: "One resource becomes a managed cluster on AWS, Azure or Google Cloud, with network, identities, pools of nodes, GPUs, \
                 access, namespaces and applications.",
        crossplane: ">=v2.0.0",
        dependencies: &[
            providers::AWS_EKS.provider,
            providers::AWS_IAM.provider,
            providers::AWS_EC2.provider,
            providers::AZURE_CONTAINERSERVICE.provider,
            providers::GCP_CONTAINER.provider,
        ],
        apart: true,
        activation: None,
    }
}

/// The options that work, where the defaults are those of February 2026. Clusters in the group of dot-kubernetes 2.0.21 keep the sizes
/// that they have.
fn works(api_version: &str, provider: &str) -> Value {
    let mut cluster = json!({"provider": provider, "usages": "always", "externalSecrets": "v1"});
    if provider == "aws" {
        cluster["ebsRights"] = "podIdentity".into();
    }
    if api_version == RENAMED {
        cluster["gpuSizes"] = "by-count".into();
    }
    json!({"apiVersion": options::API_VERSION, "kind": options::KIND, "cluster": cluster})
}

fn schema() -> Value {
    json!({
        "type": "object",
        "required": ["spec"],
        "properties": {"spec": schema_of::<CloudClusterSpec>(), "status": schema_of::<CloudClusterStatus>()},
    })
}
