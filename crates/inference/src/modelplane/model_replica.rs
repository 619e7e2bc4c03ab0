//! `ModelReplica`: one serving instance of a model, on one cluster.
//!
//! A deployment composes it. Each engine becomes a Deployment, or a LeaderWorkerSet when it runs on several nodes, and the
//! pods of all engines are one InferencePool with a route. The endpoint picker of the pool chooses a pod for each request.
//! provider-kubernetes applies all objects to the cluster.

use contract::catalog::Example;
use contract::compose::{ComposeRequest, ComposeResponse};
use contract::types::Fault;
use toolbox::composed::Composed;
use toolbox::kind::Kind;
use toolbox::reasons::Reasons;
use toolbox::resources::OBJECTS;

use self::read::{ReplicaPlace, ReplicaRead, definition, read};
use super::resources::{
    CONFIG_MAPS, DEPLOYMENTS, HTTP_ROUTES, INFERENCE_CLUSTERS, INFERENCE_POOLS, LEADER_WORKER_SETS,
    LLM_INFERENCE_SERVICES, MODEL_REPLICAS, RESOURCE_CLAIM_TEMPLATES, ROLE_BINDINGS, ROLES, SERVICE_ACCOUNTS, SERVICES,
};
use super::shapes;

mod admit;
pub mod derive;
mod held;
pub mod inputs;
mod keys;
#[cfg(feature = "generate")]
mod published;
mod read;
mod render;
pub mod spec;
mod status;
#[cfg(test)]
mod tests;

/// The row of the kind.
pub(crate) const KIND: Kind = Kind {
    short_names: &["mr"],
    api: "modelplane",
    composes: &[OBJECTS],
    wraps: &[
        DEPLOYMENTS,
        HTTP_ROUTES,
        INFERENCE_POOLS,
        LEADER_WORKER_SETS,
        LLM_INFERENCE_SERVICES,
        ROLES,
        ROLE_BINDINGS,
        RESOURCE_CLAIM_TEMPLATES,
        CONFIG_MAPS,
        SERVICES,
        SERVICE_ACCOUNTS,
    ],
    looks_up: &[INFERENCE_CLUSTERS],
    found_by: &[super::found_by::CLUSTER],
    examples: EXAMPLES,
    rules: derive::tables,
    conditions: status::CONDITIONS,
    admit: |request| shapes::judge::admitted(MODEL_REPLICAS.kind, definition(), request, admit::admit),
    admission: admit::ADMISSION,
    #[cfg(feature = "generate")]
    published: published::PUBLISHED,
    ..Kind::bare(MODEL_REPLICAS.api_version, MODEL_REPLICAS.kind, MODEL_REPLICAS.plural, definition, compose)
};

const EXAMPLES: &[Example] = &[example!("modelplane", "replica-qwen", "one replica, pinned to a cluster")];

/// Composes the workloads of the engines and what routes to them, or holds what exists while the cluster is not known.
fn compose(request: &ComposeRequest) -> Result<(ComposeResponse, Reasons), Fault> {
    let read = read(request)?;
    let resources = resources(&read)?;
    let reasons = Reasons::of(request, &resources);
    Ok((status::respond(request, &read, resources), reasons))
}

fn resources(read: &ReplicaRead<'_>) -> Result<Vec<Composed>, Fault> {
    match &read.place {
        ReplicaPlace::Known(provider_config) => render::resources(&read.inputs, provider_config),
        ReplicaPlace::Cluster | ReplicaPlace::ProviderConfig => Ok(held::resources(&read.observed)),
    }
}
