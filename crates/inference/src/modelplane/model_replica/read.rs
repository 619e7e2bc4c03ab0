//! Reads a request into the inputs of the rules, by the definition of the kind.

use std::sync::LazyLock;

use contract::compose::ComposeRequest;
use contract::types::Fault;
use serde_json::Value;
use toolbox::observed::Observed;
use toolbox::resources::OBJECT;
use toolbox::validation::Validator;

use super::inputs::ReplicaInputs;
use super::keys::backend_of;
use super::spec::ReplicaSpec;
use crate::modelplane::cluster::Cluster;
use crate::modelplane::lookups::{Answer, Source};
use crate::modelplane::options::Backend;
use crate::modelplane::queueing::Queueing;
use crate::modelplane::resources::MODEL_REPLICAS;
use crate::modelplane::subject::Subject;

/// Name of the lookup of the cluster.
pub(super) const CLUSTER: &str = "cluster";

/// What a request says.
pub(super) struct ReplicaRead<'a> {
    /// The inputs of the rules.
    pub(super) inputs: ReplicaInputs,
    /// Where the replica runs.
    pub(super) place: ReplicaPlace,
    /// The composed resources that are ours.
    pub(super) observed: Observed<'a>,
}

/// Where a replica runs, as far as it is known.
pub(super) enum ReplicaPlace {
    /// The cluster was not looked up yet, or does not exist.
    Cluster,
    /// The cluster does not name its provider configuration.
    ProviderConfig,
    /// The name of the cluster's provider configuration.
    Known(String),
}

/// The definition of the kind, which validates composites.
pub(super) fn definition() -> &'static Validator {
    static DEFINITION: LazyLock<Validator> = LazyLock::new(|| Validator::read(include_str!("definition.json")));
    &DEFINITION
}

/// Reads a request.
pub(super) fn read(request: &ComposeRequest) -> Result<ReplicaRead<'_>, Fault> {
    let subject = Subject::<ReplicaSpec>::read_shaped(MODEL_REPLICAS.kind, request, definition(), |_| None)?;
    let Subject { name, namespace, spec, options, .. } = subject;
    // What an earlier step desires is its own, so it is not held.
    let observed = Observed::of(request, |key| !request.desired.resources.contains_key(key))?;
    let running = || observed.iter().find_map(|(key, _)| backend_of(key));
    let backend = Backend::noted(request.composite()?).or_else(running).unwrap_or(options.modelplane.backend);
    let backend = backend.serving(spec.serving.unwrap_or_default().mode, spec.engines.len());
    let inputs = ReplicaInputs { name, namespace, spec, options, backend, queueing: queueing(request) };
    Ok(ReplicaRead { inputs, place: place(request), observed })
}

/// Whether an observed resource is an Object, as all resources of a replica are.
pub(super) fn is_object(resource: &Value) -> bool {
    (resource["apiVersion"].as_str(), resource["kind"].as_str()) == (Some(OBJECT.0), Some(OBJECT.1))
}

fn place(request: &ComposeRequest) -> ReplicaPlace {
    let Some(cluster) = Answer::of(request, CLUSTER).first() else { return ReplicaPlace::Cluster };
    let source = Source::of(cluster);
    match Cluster::read(&source).map(|cluster| cluster.provider_config) {
        None | Some("") => ReplicaPlace::ProviderConfig,
        Some(name) => ReplicaPlace::Known(name.to_owned()),
    }
}

/// What admits pods on the cluster. A cluster that does not say so has no queues.
fn queueing(request: &ComposeRequest) -> Queueing {
    let cluster = Answer::of(request, CLUSTER).first().and_then(|cluster| cluster.object().ok());
    cluster.map(Queueing::of_cluster).unwrap_or_default()
}
