//! Writes the authority that the API server must trust into webhook configurations.

use anyhow::{Context as _, Result, anyhow};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use kube::api::{Patch, PatchParams};
use kube::core::{ApiResource, DynamicObject};
use kube::{Api, Client};
use serde_json::{Value, json};

use crate::admission::client::one_line;

/// Kinds of webhook configurations, with their plurals.
const KINDS: [(&str, &str); 2] = [
    ("ValidatingWebhookConfiguration", "validatingwebhookconfigurations"),
    ("MutatingWebhookConfiguration", "mutatingwebhookconfigurations"),
];

/// Writes `bundle` into all webhooks of both configurations with the name `name`.
///
/// # Errors
/// When a configuration does not exist, or cannot be read or written. When one does not exist, none is changed.
pub(super) async fn write_bundle(client: &Client, name: &str, bundle: &str) -> Result<()> {
    let bundle = BASE64_STANDARD.encode(bundle);
    let failed =
        |what: &str, kind: &str, error: &kube::Error| anyhow!("cannot {what} {kind} {name}: {}", one_line(error));
    let mut configurations = Vec::new();
    for (kind, plural) in KINDS {
        let api: Api<DynamicObject> = Api::all_with(client.clone(), &resource(kind, plural));
        let configuration = api.get_opt(name).await.map_err(|error| failed("read", kind, &error))?;
        let configuration = configuration.with_context(|| format!("there is no {kind} {name}"))?;
        configurations.push((kind, api, configuration));
    }
    for (kind, api, configuration) in configurations {
        let stale = stale(&configuration.data, &bundle);
        if stale.is_empty() {
            continue;
        }
        // Webhooks are merged by name, so their other fields stay.
        let trusting = |webhook: String| json!({"name": webhook, "clientConfig": {"caBundle": bundle}});
        let patch = json!({"webhooks": stale.into_iter().map(trusting).collect::<Vec<_>>()});
        let params = PatchParams::default();
        api.patch(name, &params, &Patch::Strategic(patch)).await.map_err(|error| failed("write", kind, &error))?;
        tracing::info!("wrote the authority into {kind} {name}");
    }
    Ok(())
}

/// The names of the webhooks that have another bundle.
fn stale(configuration: &Value, bundle: &str) -> Vec<String> {
    let webhooks = configuration["webhooks"].as_array().into_iter().flatten();
    let stale = webhooks.filter(|webhook| webhook["clientConfig"]["caBundle"].as_str() != Some(bundle));
    stale.filter_map(|webhook| Some(webhook["name"].as_str()?.to_owned())).collect()
}

fn resource(kind: &str, plural: &str) -> ApiResource {
    let (group, version) = ("admissionregistration.k8s.io", "v1");
    ApiResource {
        group: group.to_owned(),
        version: version.to_owned(),
        api_version: format!("{group}/{version}"),
        kind: kind.to_owned(),
        plural: plural.to_owned(),
    }
}
