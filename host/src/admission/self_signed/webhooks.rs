//! Writes the authority that the API server must trust into webhook configurations.

use anyhow::{Result, anyhow};
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

/// The result of [`write_bundle`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Configurations {
    /// How many configurations exist.
    pub(super) found: usize,
    /// How many of them had another bundle before.
    pub(super) changed: usize,
}

/// Writes `bundle` into all webhooks of the configurations with the name `name`.
///
/// # Errors
/// When a configuration cannot be read or written.
pub(super) async fn write_bundle(client: &Client, name: &str, bundle: &str) -> Result<Configurations> {
    let bundle = BASE64_STANDARD.encode(bundle);
    let mut configurations = Configurations::default();
    for (kind, plural) in KINDS {
        let api: Api<DynamicObject> = Api::all_with(client.clone(), &resource(kind, plural));
        let failed = |what: &str, error: &kube::Error| anyhow!("cannot {what} {kind} {name}: {}", one_line(error));
        let Some(configuration) = api.get_opt(name).await.map_err(|error| failed("read", &error))? else { continue };
        configurations.found += 1;
        let stale = stale(&configuration.data, &bundle);
        if stale.is_empty() {
            continue;
        }
        // Webhooks are merged by name, so their other fields stay.
        let trusting = |webhook: String| json!({"name": webhook, "clientConfig": {"caBundle": bundle}});
        let patch = json!({"webhooks": stale.into_iter().map(trusting).collect::<Vec<_>>()});
        let params = PatchParams::default();
        api.patch(name, &params, &Patch::Strategic(patch)).await.map_err(|error| failed("write", &error))?;
        tracing::info!("{kind} {name} trusts the authority of this server now");
        configurations.changed += 1;
    }
    Ok(configurations)
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
