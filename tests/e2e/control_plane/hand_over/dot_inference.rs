//! A function that composes the same as dot-inference 0.1.6.

use std::time::Duration;

use function_sdk_rust::proto::v1::function_runner_service_server::FunctionRunnerService;
use function_sdk_rust::proto::v1::{Ready, RunFunctionRequest, RunFunctionResponse};
use function_sdk_rust::{request, resource, response};
use serde_json::{Value, json};
use tonic::{Request, Response, Status};

/// The function.
pub(crate) struct DotInference;

#[tonic::async_trait]
impl FunctionRunnerService for DotInference {
    async fn run_function(
        &self,
        request: Request<RunFunctionRequest>,
    ) -> Result<Response<RunFunctionResponse>, Status> {
        let request = request.into_inner();
        let composite = request::observed_composite(&request).and_then(|r| r.resource.as_ref());
        let composite = composite.map(resource::struct_to_json).unwrap_or_default();

        let mut response = response::to(&request, Duration::from_secs(60));
        for (key, object) in [("vllm_runtime", runtime(&composite)), ("ingress", ingress(&composite))] {
            let observed = request::observed_composed(&request, key);
            let ready = resource::get_condition(observed, "Ready").status == "True";
            let desired = response::desired_composed(&mut response, key);
            resource::update(desired, &object).map_err(|e| Status::internal(e.to_string()))?;
            if ready {
                resource::set_ready(desired, Ready::True);
            }
        }
        Ok(Response::new(response))
    }
}

/// The runtime of 0.1.6 for one GPU. It has no shared memory, no start-up delay and no arguments for the model.
fn runtime(composite: &Value) -> Value {
    let spec = json!({
        "model": {"modelURL": composite["spec"]["model"], "dtype": "auto"},
        "vllmConfig": {"gpuMemoryUtilization": "0.9"},
        "deploymentConfig": {
            "replicas": 1,
            "image": {"registry": "docker.io", "name": "lmcache/vllm-openai:v0.3.13"},
            "resources": {"cpu": "2", "memory": "8Gi", "gpu": "1"},
        },
    });
    on_cluster(composite, "production-stack.vllm.ai/v1alpha1", "VLLMRuntime", spec)
}

fn ingress(composite: &Value) -> Value {
    let backend = json!({"service": {"name": composite["metadata"]["name"], "port": {"number": 80}}});
    let paths = json!([{"path": "/", "pathType": "Prefix", "backend": backend}]);
    let spec = json!({"rules": [{"host": composite["spec"]["ingressHost"], "http": {"paths": paths}}]});
    on_cluster(composite, "networking.k8s.io/v1", "Ingress", spec)
}

/// An Object that uses a namespaced ProviderConfig, as in 0.1.6.
fn on_cluster(composite: &Value, api_version: &str, kind: &str, spec: Value) -> Value {
    json!({
        "apiVersion": "kubernetes.m.crossplane.io/v1alpha1",
        "kind": "Object",
        "spec": {
            "providerConfigRef": {"kind": "ProviderConfig", "name": composite["spec"]["providerConfigName"]},
            "forProvider": {"manifest": {
                "apiVersion": api_version,
                "kind": kind,
                "metadata": {
                    "name": composite["metadata"]["name"],
                    "namespace": composite["metadata"]["namespace"],
                },
                "spec": spec,
            }},
        },
    })
}
