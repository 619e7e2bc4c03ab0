//! Clusters in clouds.

use anyhow::{Context as _, Result};
use function_sdk_rust::response::ResourceMatch;
use function_sdk_rust::{request, response};
use serde_json::{Value, json};

use super::call::{Call, Composed};
use crate::replacement::rows::child_name;

const GKE: &str = include_str!("../answers/gke-cluster.yaml");
const VULTR: &str = include_str!("../answers/vultr-cluster.yaml");

/// The lookup of the ProviderConfig of Google Cloud.
const CONFIG: &str = "gcp-provider-config";
/// How the workload pool of a project ends.
const POOL: &str = ".svc.id.goog";

impl Call {
    pub(super) fn gke_cluster(&mut self) -> Composed {
        let Some(project) = self.project()? else { return Ok(()) };
        self.rows(GKE, json!({ "project": project }))?;
        let name = self.meta("name");
        let key = json!({
            "type": "GoogleApplicationCredentials", "name": child_name(&name, "sa-key"), "key": "private_key",
        });
        let secrets = json!([kubeconfig(&name), key]);
        self.status(&json!({"secrets": secrets, "cache": {"storageClassName": "modelplane-rwx"}}))
    }

    pub(super) fn vultr_cluster(&mut self) -> Composed {
        self.rows(VULTR, json!({}))?;
        let secrets = json!([kubeconfig(&self.meta("name"))]);
        self.status(&json!({ "secrets": secrets }))
    }

    /// The project of a cluster in Google Cloud.
    fn project(&mut self) -> Result<Option<String>> {
        let credentials = &self.composite["spec"]["credentials"];
        let stated = |field: &str| credentials[field].as_str().filter(|it| !it.is_empty());
        let kind = stated("type").unwrap_or("ClusterProviderConfig").to_owned();
        let name = stated("name").unwrap_or("default").to_owned();
        let namespace = (kind == "ProviderConfig").then(|| self.meta("namespace"));
        let named = Some(ResourceMatch::Name(name.clone()));
        response::require_resources(
            &mut self.response,
            CONFIG,
            "gcp.m.upbound.io/v1beta1",
            kind.as_str(),
            named,
            namespace,
        );
        if let Some(config) = request::get_required_resource(&self.request, CONFIG) {
            let project = config["spec"]["projectID"].as_str().context("the configuration has no projectID")?;
            return Ok((!project.is_empty()).then(|| project.to_owned()));
        }
        let cluster = self.observed("cluster").unwrap_or_default();
        let pool = cluster["spec"]["forProvider"]["workloadIdentityConfig"]["workloadPool"].as_str();
        let project = pool.and_then(|pool| pool.strip_suffix(POOL)).map(str::to_owned);
        let message = if project.is_some() {
            format!("GCP {kind} {name} not found; keeping the project the composed cluster already uses")
        } else {
            format!("Waiting for GCP {kind} {name}")
        };
        response::normal(&mut self.response, message);
        Ok(project)
    }
}

fn kubeconfig(name: &str) -> Value {
    json!({"type": "Kubeconfig", "name": child_name(name, "kubeconfig"), "key": "kubeconfig"})
}
