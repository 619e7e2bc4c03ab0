//! Reads a request into the inputs of the rules: the project, and what Google has chosen.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use contract::compose::ComposeRequest;
use contract::types::{Fault, Selector};
use serde_json::Value;
use toolbox::builders::managed;
use toolbox::entries::by_key;
use toolbox::observed::Observed;
use toolbox::path;
use toolbox::validation::Validator;

use super::derive::{ACCOUNT_KEY, CLUSTER_KEY, NETWORK_KEY, ROWS};
use super::inputs::{GkeInputs, GkeProject};
use super::spec::GkeClusterSpec;
use crate::clouds::google;
use crate::clouds::resources::{GCP_FAMILY, GKE_NODE_POOLS};
use crate::modelplane::lookups::Answer;
use crate::modelplane::platform::credentials::Credentials;
use crate::modelplane::platform::gates;
use crate::modelplane::subject::Subject;

/// The lookup of the provider configuration.
const CONFIG: &str = "gcp-provider-config";

/// The definition of the kind, which validates composites.
pub(super) fn definition() -> &'static Validator {
    static DEFINITION: LazyLock<Validator> = LazyLock::new(|| Validator::read(include_str!("definition.json")));
    &DEFINITION
}

/// What was looked up of the provider configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GkeConfig {
    /// Nobody needs it, because the composite says the project.
    NotNeeded,
    /// It is not there, or nobody has looked yet.
    Missing,
    /// It says no project.
    WithoutProject,
    /// It says the project.
    Found,
}

/// Reads the composed resources and the inputs.
pub(super) fn read(request: &ComposeRequest) -> Result<(GkeInputs, GkeConfig, Observed<'_>), Fault> {
    let cluster: Subject<GkeClusterSpec> = Subject::read(request, definition())?;
    let observed = gates::observed(request, ROWS, &cluster.name)?;
    let (project, config) = project(&cluster, Answer::of(request, CONFIG), &observed);
    let pools = observed.iter().filter(|(_, object)| object["kind"] == GKE_NODE_POOLS.kind);
    let inputs = GkeInputs {
        credentials: credentials(&cluster),
        networking: cluster.spec.networking.clone().unwrap_or_default(),
        email: observed.get(ACCOUNT_KEY).and_then(|account| text(account, "status.atProvider.email")),
        network: observed.get(NETWORK_KEY).and_then(managed::external_name).map(str::to_owned),
        begun: by_key(pools.filter_map(|(key, pool)| Some((key.to_owned(), begun(pool)?)))),
        project,
        cluster,
    };
    Ok((inputs, config, observed))
}

/// The lookups: the provider configuration, which has the project.
pub(super) fn lookups(inputs: &GkeInputs) -> BTreeMap<String, Selector> {
    let mut lookups = BTreeMap::new();
    if inputs.cluster.spec.project.is_none() {
        let selector = inputs.credentials.lookup(GCP_FAMILY, &inputs.cluster.namespace);
        lookups.insert(CONFIG.to_owned(), selector);
    }
    lookups
}

fn credentials(cluster: &Subject<GkeClusterSpec>) -> Credentials {
    cluster.spec.credentials.clone().unwrap_or_default()
}

fn project(cluster: &Subject<GkeClusterSpec>, config: Answer<'_>, observed: &Observed<'_>) -> (GkeProject, GkeConfig) {
    if let Some(project) = &cluster.spec.project {
        return (GkeProject::Stated(project.clone()), GkeConfig::NotNeeded);
    }
    let found = config.first().and_then(|config| config.object().ok());
    if let Some(project) = found.and_then(|config| text(config, "spec.projectID")) {
        return (GkeProject::Configured(project), GkeConfig::Found);
    }
    let state = if config.first().is_some() { GkeConfig::WithoutProject } else { GkeConfig::Missing };
    let pool = |cluster| path::get(cluster, "spec.forProvider.workloadIdentityConfig.workloadPool")?.as_str();
    let kept = observed.get(CLUSTER_KEY).and_then(pool).and_then(google::project);
    (kept.map_or(GkeProject::Unknown, |project| GkeProject::Kept(project.to_owned())), state)
}

/// The number of nodes that a pool has begun with: as Google says it, or else as it was composed.
fn begun(pool: &Value) -> Option<u64> {
    let number = |at: &str| path::get(pool, at)?.as_u64();
    number("status.atProvider.initialNodeCount").or_else(|| number("spec.forProvider.initialNodeCount"))
}

fn text(object: &Value, at: &str) -> Option<String> {
    path::get(object, at)?.as_str().filter(|text| !text.is_empty()).map(str::to_owned)
}
