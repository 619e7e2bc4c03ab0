//! `Cluster`: a managed cluster in AWS, Azure or Google Cloud, with GPUs and software.
//!
//! One composite becomes network, identities, control plane, pools of nodes, access, namespaces and applications. An object is a row
//! of a table ([`derive`]), so that all clouds have one spelling. The kind follows dot-kubernetes as it was asked to be on
//! 2026-02-10; what its release 2.0.21 (2026-02-28) added is in the options.

use std::rc::Rc;

use contract::catalog::Example;
use contract::compose::{ComposeRequest, ComposeResponse};
use contract::types::Fault;
use toolbox::conditions::ConditionRow;
use toolbox::kind::{Areas, FurtherGroup, Kind};
use toolbox::reasons::Reasons;

use self::inputs::{CLUSTERS, RENAMED};
use self::read::{definition, observed, read};

mod admit;
pub mod advice;
pub mod charts;
pub mod derive;
#[cfg(test)]
mod generated;
pub mod inputs;
pub mod names;
pub mod options;
pub mod permissive;
#[cfg(feature = "generate")]
mod published;
mod read;
mod render;
mod repeated;
pub mod sizes;
pub mod spec;
mod status;
#[cfg(test)]
mod tests;

/// The row of the kind.
pub(crate) const KIND: Kind = Kind {
    further_groups: &[FurtherGroup {
        api_version: RENAMED,
        #[cfg(feature = "generate")]
        package: &published::RENAMED_PACKAGE,
    }],
    api: "gpu-cluster",
    composes: derive::kinds::COMPOSED,
    wraps_on_own: derive::kinds::WRAPPED,
    examples: EXAMPLES,
    rules: derive::tables,
    conditions: CONDITIONS,
    areas: Some(Areas { names: &derive::AREA_NAMES, of: derive::area }),
    found_by: admit::FOUND_BY,
    admit: admit::admit,
    admission: admit::ADMISSION,
    #[cfg(feature = "generate")]
    published: published::PUBLISHED,
    ..Kind::bare(CLUSTERS.api_version, CLUSTERS.kind, CLUSTERS.plural, definition, compose)
};

const CONDITIONS: &[ConditionRow] = &{
    let mut all = [status::CONDITIONS[0]; status::CONDITIONS.len() + advice::CONDITIONS.len()];
    let mut at = 0;
    while at < all.len() {
        let observed = status::CONDITIONS.len();
        all[at] = if at < observed { status::CONDITIONS[at] } else { advice::CONDITIONS[at - observed] };
        at += 1;
    }
    all
};

const EXAMPLES: &[Example] = &[
    example!("gpu-cluster", "aws-eks-gpu", "GPUs on AWS, with the operator that they need"),
    example!("gpu-cluster", "google-gke-gpu", "GPUs on Google Cloud, which needs no operator"),
    example!("gpu-cluster", "azure-aks-gpu", "GPUs on Azure, with the operator that they need"),
    example!("gpu-cluster", "aws-eks", "a general cluster on AWS with an ingress controller"),
    example!("gpu-cluster", "aws-eks-full", "a cluster on AWS that follows a repository"),
    example!("gpu-cluster", "azure-aks", "a general cluster on Azure"),
    example!("gpu-cluster", "google-gke", "a general cluster on Google Cloud"),
    example!("gpu-cluster", "aws-eks-h100", "H100 in another region, as spot capacity"),
    example!("gpu-cluster", "model-on-cluster", "a cluster, and a model on it"),
];

/// Composes everything that the cluster is made of.
fn compose(request: &ComposeRequest) -> Result<(ComposeResponse, Reasons), Fault> {
    let observed = observed(request)?;
    let inputs = Rc::new(read(request, &observed)?);
    let resources = render::resources(&inputs);
    let reasons = Reasons::of(request, &resources).with_status(derive::STATUS, &*inputs);
    Ok((status::respond(request, &observed, &inputs, resources), reasons))
}
