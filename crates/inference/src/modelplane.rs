//! The kinds of `modelplane.ai/v1alpha1`: models on a fleet of GPU clusters.
//!
//! A [`model_deployment`] becomes a [`model_replica`] for each replica, on the cluster that the scheduler chose, and a
//! [`model_endpoint`] for each one that serves. A [`model_service`] routes to endpoints, and a [`model_cache`] has weights on
//! clusters before they are needed. [`inference_class`], [`inference_cluster`] and [`inference_gateway`] describe the fleet; a cluster
//! becomes one of its cloud, e.g. a [`gke_cluster`], with a [`serving_stack`] on it.
//! The kinds follow Modelplane v0.3.1. What they share is in the other modules, because no kind uses another one.

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
