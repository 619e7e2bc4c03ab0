//! Reads a request into the inputs of the rules: the Secret with the credentials, and what exists.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use contract::compose::ComposeRequest;
use contract::types::{Fault, Selector};
use serde_json::Value;
use toolbox::observed::Observed;
use toolbox::path;
use toolbox::validation::Validator;

use super::derive::{CLUSTER_KEY, ROWS};
use super::inputs::{NebiusConfig, NebiusInputs};
use super::spec::NebiusClusterSpec;
use crate::clouds::resources::NEBIUS_FAMILY;
use crate::modelplane::lookups::Answer;
use crate::modelplane::platform::credentials::Credentials;
use crate::modelplane::platform::gates;
use crate::modelplane::platform::judge::root;
use crate::modelplane::platform::releases::shortened;
use crate::modelplane::platform::secrets::{ClusterSecret, NEBIUS};
use crate::modelplane::subject::Subject;

/// The lookup of the provider configuration.
const CONFIG: &str = "nebius-provider-config";

/// The provider configuration on the cluster that has the identity.
const KUBERNETES_CONFIG: &str = "provider-config-kubernetes";

/// The definition of the kind, which validates composites.
pub(super) fn definition() -> &'static Validator {
    static DEFINITION: LazyLock<Validator> = LazyLock::new(|| Validator::read(include_str!("definition.json")));
    &DEFINITION
}

/// Reads the inputs, and the composed resources.
pub(super) fn read(request: &ComposeRequest) -> Result<(NebiusInputs, Observed<'_>), Fault> {
    let cluster: Subject<NebiusClusterSpec> = Subject::read(request, definition())?;
    let observed = gates::observed(request, ROWS, &cluster.name)?;
    let credentials = cluster.spec.credentials.clone().unwrap_or_default();
    let (secret, config) = configured(Answer::of(request, CONFIG), &credentials);
    // What leads to the cluster keeps the identity that it has.
    let secret = secret.or_else(|| observed.get(KUBERNETES_CONFIG).and_then(kept));
    let inputs = NebiusInputs {
        secret: secret.map(|secret| beside(&cluster.namespace, secret)),
        config,
        credentials,
        has_cluster: observed.has(CLUSTER_KEY),
        shortened: shortened(root(request.composite()?), &observed),
        cluster,
    };
    Ok((inputs, observed))
}

/// The lookups: the provider configuration, whose Secret has the identity.
pub(super) fn lookups(inputs: &NebiusInputs) -> BTreeMap<String, Selector> {
    let selector = inputs.credentials.lookup(NEBIUS_FAMILY, &inputs.cluster.namespace);
    BTreeMap::from([(CONFIG.to_owned(), selector)])
}

/// The Secret of the provider configuration, if it says one.
fn configured(answer: Answer<'_>, credentials: &Credentials) -> (Option<ClusterSecret>, NebiusConfig) {
    let Some(config) = answer.first() else { return (None, NebiusConfig::Missing) };
    let Ok(config) = config.object() else { return (None, NebiusConfig::WithoutSecret) };
    let is_secret = path::get(config, "spec.credentials.source").is_some_and(|source| source == "Secret");
    let reference = path::get(config, "spec.credentials.secretRef").filter(|_| is_secret);
    let Some((reference, secret)) = reference.and_then(|it| Some((it, secret(it)?))) else {
        return (None, NebiusConfig::WithoutSecret);
    };
    let namespace = match credentials.config_kind.as_str() {
        "ProviderConfig" => text(config, "metadata.namespace"),
        _ => text(reference, "namespace"),
    };
    match namespace {
        Some(namespace) => {
            (Some(ClusterSecret { namespace: Some(namespace.to_owned()), ..secret }), NebiusConfig::Found)
        }
        None => (None, NebiusConfig::WithoutNamespace),
    }
}

/// The identity that a provider configuration on the cluster has.
fn kept(config: &Value) -> Option<ClusterSecret> {
    let reference = path::get(config, "spec.identity.secretRef")?;
    let namespace = text(reference, "namespace").map(str::to_owned);
    Some(ClusterSecret { namespace, ..secret(reference)? })
}

fn secret(reference: &Value) -> Option<ClusterSecret> {
    Some(ClusterSecret::new(NEBIUS, text(reference, "name")?, text(reference, "key")?))
}

/// Without the namespace, where it is that of the composite.
fn beside(namespace: &str, secret: ClusterSecret) -> ClusterSecret {
    ClusterSecret { namespace: secret.namespace.filter(|it| it != namespace), ..secret }
}

fn text<'v>(object: &'v Value, at: &str) -> Option<&'v str> {
    path::get(object, at)?.as_str().filter(|text| !text.is_empty())
}
