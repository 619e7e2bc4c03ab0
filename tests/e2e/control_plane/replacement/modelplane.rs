//! A server that composes the same as the functions of Modelplane v0.3.1: here for standalone models, their cache and their
//! service, on clusters that are all ready, and below for clusters, what they lead to, and gateways. Keys, names and fields are
//! written out, and taken from none of our code.

mod call;
mod clouds;
mod cluster;
mod gateway;
mod stack;
#[cfg(test)]
mod tests;
mod usages;

use anyhow::{Result, bail};
use function_sdk_rust::proto::v1::function_runner_service_server::FunctionRunnerService;
use function_sdk_rust::proto::v1::{Ready, RunFunctionRequest, RunFunctionResponse};
use function_sdk_rust::response::ResourceMatch;
use function_sdk_rust::{resource, response};
use serde_json::{Value, json};
use tonic::{Request, Response, Status};

use self::call::{Call, Composed};
use super::objects;

/// The functions.
pub(super) struct Modelplane;

#[tonic::async_trait]
impl FunctionRunnerService for Modelplane {
    async fn run_function(
        &self,
        request: Request<RunFunctionRequest>,
    ) -> Result<Response<RunFunctionResponse>, Status> {
        let answer = answer(request.into_inner()).map_err(|error| Status::internal(format!("{error:#}")))?;
        Ok(Response::new(answer))
    }
}

/// The answer of the step that a request is for.
fn answer(request: RunFunctionRequest) -> Result<RunFunctionResponse> {
    let mut call = Call::new(request);
    let kind = call.composite["kind"].as_str().unwrap_or_default().to_owned();
    match kind.as_str() {
        _ if call.is_for_usages() => call.usages(),
        "InferenceClass" => call.class(),
        "InferenceCluster" => call.inference_cluster(),
        "InferenceGateway" => call.inference_gateway(),
        "ServingStack" => call.serving_stack(),
        "GKECluster" => call.gke_cluster(),
        "VultrCluster" => call.vultr_cluster(),
        "ModelCache" => call.cache(),
        "ModelDeployment" => call.deployment(),
        "ModelReplica" => call.replica(),
        "ModelEndpoint" => call.endpoint(),
        "ModelService" => call.service(),
        _ => bail!("{kind:?} is none of its kinds"),
    }?;
    Ok(call.response)
}

impl Call {
    fn class(&mut self) -> Composed {
        resource::set_ready(response::desired_composite(&mut self.response), Ready::True);
        self.status(&json!({}))
    }

    /// The clusters of the models: the cache selects them, and where it is, its deployment is.
    fn clusters(&mut self) -> Vec<Value> {
        let own = [("location".to_owned(), "own".to_owned())].into();
        self.require("clusters", "InferenceCluster", Some(ResourceMatch::Labels(own)))
    }

    fn cache(&mut self) -> Composed {
        let clusters = self.clusters();
        let mut phases = Vec::new();
        for cluster in clusters {
            let name = cluster["metadata"]["name"].as_str().unwrap_or_default().to_owned();
            let (claim, job) = (format!("pvc-{name}"), format!("hydrate-{name}"));
            let before = self.composite["status"]["clusters"].as_array().cloned().unwrap_or_default();
            let staged = before.iter().any(|it| it["name"] == *name && it["phase"] == "Ready");
            let done = self.ready(&claim) && (self.ready(&job) || staged);
            self.desired(&claim, &objects::on_cluster(&cluster, objects::claim(), Some(objects::BOUND)), done)?;
            if !done {
                let mut object = objects::on_cluster(&cluster, objects::job(), Some(objects::COMPLETE));
                object["spec"]["managementPolicies"] = json!(["Observe", "Create", "Update", "LateInitialize"]);
                self.desired(&job, &object, false)?;
            }
            phases.push(json!({"name": name, "phase": if done { "Ready" } else { "Hydrating" }}));
        }
        let all = phases.len();
        let ready = phases.iter().filter(|it| it["phase"] == "Ready").count();
        if ready == all && all > 0 {
            resource::set_ready(response::desired_composite(&mut self.response), Ready::True);
        }
        self.status(&json!({"clusters": phases, "summary": {"ready": format!("{ready}/{all}")}}))
    }

    fn deployment(&mut self) -> Composed {
        let clusters = self.clusters();
        self.require("all-replicas", "ModelReplica", None);
        let (namespace, deployment) = (self.meta("namespace"), self.meta("name"));
        let mut ready = 0;
        for cluster in &clusters {
            let name = cluster["metadata"]["name"].as_str().unwrap_or_default();
            let (replica, endpoint) = (format!("replica-{name}-0"), format!("endpoint-{name}-0"));
            let serves = self.ready(&replica);
            let object = objects::replica(&self.composite, name);
            self.desired(&replica, &object, serves)?;
            if serves {
                ready += 1;
                let called = objects::replica_name(&deployment, name);
                let address = cluster["status"]["gateway"]["address"].as_str().unwrap_or_default();
                let spec = json!({
                    "url": format!("http://{address}/{namespace}/{called}/v1"),
                    "rewritePath": format!("/{namespace}/{called}/"),
                });
                let object = objects::child("ModelEndpoint", &namespace, &deployment, name, spec);
                let done = self.ready(&endpoint);
                self.desired(&endpoint, &object, done)?;
            }
        }
        self.status(&json!({"replicas": {"total": clusters.len(), "ready": ready}}))
    }

    fn replica(&mut self) -> Composed {
        let name = self.composite["spec"]["clusterName"].as_str().unwrap_or_default().to_owned();
        let Some(cluster) = self.require("cluster", "InferenceCluster", Some(ResourceMatch::Name(name))).pop() else {
            return Ok(());
        };
        for (key, manifest, query) in objects::of_replica(&self.composite) {
            let done = if key == "model-serving-main" { self.ready(key) } else { self.observed(key).is_some() };
            self.desired(key, &objects::on_cluster(&cluster, manifest, Some(query)), done)?;
        }
        Ok(())
    }

    fn endpoint(&mut self) -> Composed {
        let (service, slice) = (self.observed("service"), self.observed("endpointslice"));
        let namespace = self.meta("namespace");
        let ports = json!([{"port": 80, "protocol": "TCP"}]);
        let object = json!({
            "apiVersion": "v1", "kind": "Service", "metadata": {"namespace": namespace}, "spec": {"ports": ports},
        });
        self.desired("service", &object, service.is_some())?;
        let Some(service) = service else { return self.status(&json!({})) };
        let url = self.composite["spec"]["url"].as_str().unwrap_or_default();
        let host = url.split('/').nth(2).unwrap_or_default().to_owned();
        let backend = &service["metadata"]["name"];
        let object = json!({
            "apiVersion": "discovery.k8s.io/v1",
            "kind": "EndpointSlice",
            "metadata": {"namespace": namespace, "labels": {"kubernetes.io/service-name": backend}},
            "addressType": "IPv4",
            "ports": [{"name": "", "port": 80, "protocol": "TCP"}],
            "endpoints": [{"addresses": [host], "conditions": {"ready": true}}],
        });
        self.desired("endpointslice", &object, slice.is_some())?;
        self.status(&if slice.is_some() { json!({"routing": {"backendName": backend}}) } else { json!({}) })
    }

    fn service(&mut self) -> Composed {
        let (namespace, name) = (self.meta("namespace"), self.meta("name"));
        let entries = self.composite["spec"]["endpoints"].as_array().cloned().unwrap_or_default();
        let mut backends = Vec::new();
        for (place, entry) in entries.iter().enumerate() {
            let labels = entry["selector"]["matchLabels"].as_object().into_iter().flatten();
            let labels = labels.filter_map(|(key, value)| Some((key.clone(), value.as_str()?.to_owned()))).collect();
            let lookup = format!("endpoints-{place}");
            let endpoints = self.require(&lookup, "ModelEndpoint", Some(ResourceMatch::Labels(labels)));
            backends.extend(endpoints.iter().filter_map(objects::backend));
        }
        if backends.is_empty() {
            return Ok(());
        }
        let path = json!({"path": {"type": "PathPrefix", "value": format!("/{namespace}/{name}/")}});
        let object = json!({
            "apiVersion": "gateway.networking.k8s.io/v1",
            "kind": "HTTPRoute",
            "metadata": {"namespace": namespace},
            "spec": {
                "parentRefs": [{"name": "modelplane", "namespace": "modelplane-system"}],
                "rules": [{"matches": [path], "backendRefs": backends}],
            },
        });
        let accepted = self.observed("httproute").is_some_and(|it| it["status"]["parents"].is_array());
        self.desired("httproute", &object, accepted)?;
        self.status(&json!({"address": format!("http://198.51.100.7/{namespace}/{name}")}))
    }
}
