//! dot-kubernetes 2.0.21: its Configuration, and a function that composes the same for three clusters. What it composes stands in
//! files, and is taken from none of our code.

use std::fs;
use std::time::Duration;

use anyhow::{Context as _, Result};
use function_sdk_rust::proto::v1::function_runner_service_server::FunctionRunnerService;
use function_sdk_rust::proto::v1::{Ready, RunFunctionRequest, RunFunctionResponse};
use function_sdk_rust::{request, resource, response};
use serde_json::{Value, json};
use tests::files::{schemas, workspace};
use tests::real::processes::free_port;
use tests::real::watching::Which;
use tests::{dot_kubernetes, golden};
use tonic::{Request, Response, Status};

use crate::names::SOON;
use crate::packages::{PUBLIC_REGISTRY, package};
use crate::plane::Plane;
use crate::resources::{COMPOSITE_DEFINITIONS, CONFIGURATIONS};
use crate::served::serve;

/// The Configuration.
pub(super) const CONFIGURATION: &str = "dot-kubernetes";
const REPOSITORY: &str = "dot-kubernetes/dot-kubernetes";
const TAG: &str = "v2.0.21";
pub(super) const FUNCTION: &str = "function-dot-kubernetes";
/// The API version of its clusters.
const API_VERSION: &str = "devopstoolkit.ai/v2";
/// The providers that it depends on.
const PROVIDERS: &[&str] = &[
    "provider-aws-eks",
    "provider-aws-iam",
    "provider-aws-ec2",
    "provider-azure-containerservice",
    "provider-gcp-container",
];

/// Installs it with its dependencies. It has no activation policy.
pub(super) fn install(plane: &Plane) -> Result<()> {
    let port = free_port()?;
    serve(DotKubernetes, port, plane.certificates())?;
    plane.install_function(FUNCTION, port)?;
    let folder = plane.folder("dot-kubernetes")?;
    let dependency = |name: &&str| {
        let package = format!("{PUBLIC_REGISTRY}/crossplane-contrib/{name}");
        json!({"apiVersion": "pkg.crossplane.io/v1", "kind": "Provider", "package": package, "version": ">=v2.3.0"})
    };
    let metadata = json!({
        "apiVersion": "meta.pkg.crossplane.io/v1",
        "kind": "Configuration",
        "metadata": {"name": CONFIGURATION},
        "spec": {
            "crossplane": {"version": ">=v2.0.0"},
            "dependsOn": PROVIDERS.iter().map(dependency).collect::<Vec<_>>(),
        },
    });
    fs::write(folder.join("crossplane.yaml"), metadata.to_string())?;
    fs::copy(schemas().join("devopstoolkit.ai/clusters.yaml"), folder.join("definition.yaml"))?;
    for (provider, cluster) in [("aws", "eks"), ("azure", "aks"), ("google", "gke")] {
        let composition = json!({
            "apiVersion": "apiextensions.crossplane.io/v1",
            "kind": "Composition",
            "metadata": {"name": format!("cluster-{provider}"), "labels": {"provider": provider, "cluster": cluster}},
            "spec": {
                "compositeTypeRef": {"apiVersion": API_VERSION, "kind": "Cluster"},
                "mode": "Pipeline",
                "pipeline": [{"step": provider, "functionRef": {"name": FUNCTION}}],
            },
        });
        fs::write(folder.join(format!("{provider}.yaml")), composition.to_string())?;
    }
    plane.publish_folder(&folder, REPOSITORY, TAG)?;
    plane.administrator.apply(&package("Configuration", CONFIGURATION, REPOSITORY, TAG))
}

/// Waits until it is installed.
pub(super) fn healthy(plane: &Plane) -> Result<()> {
    let kubectl = &plane.administrator;
    kubectl.condition("Healthy", Which::all(CONFIGURATIONS).named(CONFIGURATION), SOON)?;
    kubectl.condition("Established", Which::all(COMPOSITE_DEFINITIONS).named("clusters.devopstoolkit.ai"), SOON)
}

/// The function. There it is three functions, one after the other.
struct DotKubernetes;

#[tonic::async_trait]
impl FunctionRunnerService for DotKubernetes {
    async fn run_function(
        &self,
        request: Request<RunFunctionRequest>,
    ) -> Result<Response<RunFunctionResponse>, Status> {
        answer(&request.into_inner()).map(Response::new).map_err(|error| Status::internal(format!("{error:#}")))
    }
}

fn answer(request: &RunFunctionRequest) -> Result<RunFunctionResponse> {
    let composite = request::observed_composite(request).and_then(|it| it.resource.as_ref());
    let composite = composite.map(resource::struct_to_json).unwrap_or_default();
    let text = |pointer: &str| composite.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned();
    let (namespace, name) = (text("/metadata/namespace"), text("/metadata/name"));
    let provider = text("/spec/crossplane/compositionSelector/matchLabels/provider");
    let mut response = response::to(request, Duration::from_secs(60));
    for (key, mut object) in dot_kubernetes::composed(&provider, &namespace, &name)? {
        let observed = request::observed_composed(request, &key);
        let nodes = request::observed_composed(request, &format!("{name}-nodepool"));
        if key == format!("{name}-app-cilium") && provider == "google" && nodes.is_some() {
            object["spec"]["forProvider"]["set"][6]["value"] = text("/status/field1").into();
        }
        // These say nothing about themselves.
        let silent = object["kind"] == "Usage" || object["kind"] == "ProviderConfig";
        let ready = silent || resource::get_condition(observed, "Ready").status == "True";
        let desired = response::desired_composed(&mut response, &key);
        resource::update(desired, &object)?;
        if ready {
            resource::set_ready(desired, Ready::True);
        }
    }
    let (control_plane, nodes) = match provider.as_str() {
        "aws" => ("ekscluster".to_owned(), "eksnodegroup".to_owned()),
        "azure" => (format!("{name}-cluster"), format!("{name}-cluster")),
        _ => (format!("{name}-cluster"), format!("{name}-nodepool")),
    };
    let observed = |key: &str| {
        let found = request::observed_composed(request, key).and_then(|it| it.resource.as_ref());
        found.map(resource::struct_to_json).unwrap_or_default()
    };
    let mut status = json!({"clusterName": name});
    // Whichever condition is the first.
    for (field, key) in [("controlPlaneStatus", &control_plane), ("nodePoolStatus", &nodes)] {
        if let Some(reason) = observed(key)["status"]["conditions"][0]["reason"].as_str() {
            status[field] = reason.into();
        }
    }
    if let Some(range) = observed(&control_plane)["status"]["atProvider"]["clusterIpv4Cidr"].as_str() {
        status["field1"] = range.into();
    }
    resource::update_status(response::desired_composite(&mut response), &status)?;
    Ok(response)
}

/// The lines of the policy with which its kinds are active. There it is a file beside it, with wider patterns.
pub(super) fn activates() -> Result<Vec<Value>> {
    let ours = fs::read_to_string(workspace().join("package/gpu-cluster-devopstoolkit/activation-policy.yaml"))?;
    let mut policy = golden::documents(&ours)?.pop().context("an empty policy")?;
    policy["spec"]["activate"].as_array_mut().map(std::mem::take).context("no lines")
}
