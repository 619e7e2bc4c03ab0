//! The kinds of Sailplane.
//!
//! [`KINDS`] is the only table of kinds. A new kind is a module here and a row in the table.

use toolbox::kind::Kinds;

/// An example of an API: a file in `examples/`.
macro_rules! example {
    ($api:literal, $name:literal, $title:literal) => {
        Example {
            name: $name,
            title: $title,
            text: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/", $api, "/", $name, ".yaml")),
        }
    };
}

pub mod clouds;
pub mod dns_labels;
pub mod envoy;
pub mod gpu_cluster;
pub mod inference_model;
pub mod label_texts;
pub mod llm_inference;
pub mod long_names;
pub mod modelplane;
pub mod object_state;
pub mod options;
pub mod otterscale;
#[cfg(feature = "generate")]
pub mod providers;
pub mod served;
mod unless_stored;
pub mod vendored;

/// The table of kinds, sorted by API version and kind, with every kind of step input.
pub const KINDS: Kinds = Kinds {
    rows: &[
        gpu_cluster::KIND,
        llm_inference::KIND,
        inference_model::KIND,
        modelplane::aks_cluster::KIND,
        modelplane::eks_cluster::KIND,
        modelplane::gke_cluster::KIND,
        modelplane::nebius_cluster::KIND,
        modelplane::serving_stack::KIND,
        modelplane::vultr_cluster::KIND,
        otterscale::model_artifact::KIND,
        otterscale::model_service::KIND,
        modelplane::INFERENCE_CLASS,
        modelplane::INFERENCE_CLUSTER,
        modelplane::inference_gateway::KIND,
        modelplane::model_cache::KIND,
        modelplane::model_deployment::KIND,
        modelplane::model_endpoint::KIND,
        modelplane::model_replica::KIND,
        modelplane::model_service::KIND,
    ],
    inputs: &[inference_model::samples::INPUT, options::INPUT, modelplane::usages::INPUT],
};
