//! The kinds of `modelplane.ai/v1alpha1`: models on a fleet of GPU clusters.
//!
//! A [`model_deployment`] becomes a [`model_replica`] for each replica, on the cluster that the scheduler chose, and a
//! [`model_endpoint`] for each one that serves. A [`model_service`] routes to endpoints, and a [`model_cache`] has weights on
//! clusters before they are needed. [`inference_class`], [`inference_cluster`] and [`inference_gateway`] describe the fleet; a cluster
//! becomes one of its cloud, e.g. a [`gke_cluster`], with a [`serving_stack`] on it.
//! The kinds follow Modelplane v0.3.1. What they share is in the other modules, because no kind uses another one. Where admission of one
//! asks what another one refuses, it is given that here.

use contract::admit::{AdmitRequest, Verdict};
use contract::types::Fault;
use toolbox::kind::Kind;

pub mod aks_cluster;
pub mod backend;
pub mod capacity;
pub mod claims;
pub mod classes;
pub mod cluster;
pub mod conditions;
pub mod crowded;
mod destination;
pub mod eks_cluster;
pub mod engines;
pub mod found_by;
pub mod gke_cluster;
pub mod inference_class;
pub mod inference_cluster;
pub mod inference_gateway;
pub mod labels;
pub mod lookups;
pub mod made_up;
pub mod mentions;
pub mod model_cache;
pub mod model_deployment;
pub mod model_endpoint;
pub mod model_replica;
pub mod model_service;
pub mod nebius_cluster;
pub mod options;
#[cfg(feature = "generate")]
pub(crate) mod package;
pub mod platform;
pub mod queueing;
pub mod refusals;
pub mod resources;
pub mod routes;
pub mod scheduling;
pub mod selectors;
pub mod service_names;
pub mod serving_stack;
pub mod shapes;
pub mod subject;
pub mod usages;
pub mod vultr_cluster;
pub mod wrap;

/// The row of InferenceClusters, which are judged by what the kinds of clouds refuse.
pub(crate) const INFERENCE_CLUSTER: Kind = Kind {
    admit: |request| {
        admitted(&inference_cluster::KIND, request, |request| inference_cluster::admit::admit(request, &CLOUDS))
    },
    ..inference_cluster::KIND
};

/// The row of InferenceClasses, which are judged by the clusters with pools of theirs.
pub(crate) const INFERENCE_CLASS: Kind = Kind {
    admit: |request| {
        admitted(&inference_class::KIND, request, |request| {
            let refused: inference_class::admit::RefusedByClass =
                |cluster, class| inference_cluster::admit::refused_by_class(cluster, class, &CLOUDS);
            inference_class::admit::admit(request, refused)
        })
    },
    ..inference_class::KIND
};

fn admitted(row: &Kind, request: &AdmitRequest, admit: Admit) -> Result<Verdict, Fault> {
    shapes::judge::admitted(row.kind, (row.definition)(), request, admit)
}

type Admit = fn(&AdmitRequest) -> Result<Verdict, Fault>;

/// What the kinds of clouds refuse in a new cluster, by source.
const CLOUDS: [inference_cluster::admit::becomes::Refuses; 5] = [
    ("AKS", aks_cluster::admit::refusals),
    ("EKS", eks_cluster::admit::refusals),
    ("GKE", gke_cluster::admit::refusals),
    ("Nebius", nebius_cluster::admit::refusals),
    ("Vultr", vultr_cluster::admit::refusals),
];
