//! `EKSCluster`: a cluster in Amazon EKS, with the node pools of an InferenceCluster.
//!
//! It becomes a network with public and private subnets, roles, the cluster with its add-ons and node groups, storage for
//! ModelCaches, an autoscaler, and what leads to the cluster. The kind follows Modelplane v0.3.1.

use std::rc::Rc;

use contract::catalog::{ApiResource, Example};
use contract::compose::{ComposeRequest, ComposeResponse};
use contract::types::Fault;
use toolbox::kind::{Areas, Kind};
use toolbox::reasons::Reasons;
use toolbox::resources::{HELM_CONFIGS, KUBERNETES_CONFIGS, OBJECTS, RELEASES};

use self::read::{definition, read};
use super::platform::advice::CONDITIONS;
use super::platform::gates;
use super::resources::{EKS_CLUSTERS as CLUSTERS, STORAGE_CLASSES};
use crate::clouds::resources::{
    ADDONS, CLUSTER_AUTHS, EFS_FILE_SYSTEMS, EIPS, EKS_CLUSTERS, IAM_POLICIES, IAM_ROLES, INTERNET_GATEWAYS,
    LAUNCH_TEMPLATES, MOUNT_TARGETS, NAT_GATEWAYS, NODE_GROUPS, POD_IDENTITY_ASSOCIATIONS, ROLE_POLICY_ATTACHMENTS,
    ROUTE_TABLE_ASSOCIATIONS, ROUTE_TABLES, ROUTES, SECURITY_GROUP_EGRESS_RULES, SECURITY_GROUP_INGRESS_RULES,
    SECURITY_GROUPS, SUBNETS, VPCS,
};

pub mod admit;
pub mod derive;
pub mod inputs;
mod places;
#[cfg(feature = "generate")]
mod published;
mod read;
pub mod spec;
mod status;
#[cfg(test)]
mod tests;

/// The row of the kind.
pub(crate) const KIND: Kind = Kind {
    short_names: &["eks"],
    api: "modelplane",
    composes: COMPOSES,
    wraps_on_own: &[STORAGE_CLASSES],
    examples: EXAMPLES,
    rules: derive::tables,
    conditions: CONDITIONS,
    areas: Some(Areas { names: &derive::AREA_NAMES, of: derive::area }),
    waits_for: |composite, key| gates::waits_for(derive::ROWS, composite, key),
    admit: admit::admit,
    admission: admit::ADMISSION,
    #[cfg(feature = "generate")]
    published: published::PUBLISHED,
    ..Kind::bare(CLUSTERS.api_version, CLUSTERS.kind, CLUSTERS.plural, definition, compose)
};

const COMPOSES: &[ApiResource] = &[
    EIPS,
    INTERNET_GATEWAYS,
    LAUNCH_TEMPLATES,
    NAT_GATEWAYS,
    ROUTES,
    ROUTE_TABLES,
    ROUTE_TABLE_ASSOCIATIONS,
    SECURITY_GROUPS,
    SECURITY_GROUP_EGRESS_RULES,
    SECURITY_GROUP_INGRESS_RULES,
    SUBNETS,
    VPCS,
    EFS_FILE_SYSTEMS,
    MOUNT_TARGETS,
    ADDONS,
    EKS_CLUSTERS,
    CLUSTER_AUTHS,
    NODE_GROUPS,
    POD_IDENTITY_ASSOCIATIONS,
    HELM_CONFIGS,
    RELEASES,
    IAM_POLICIES,
    IAM_ROLES,
    ROLE_POLICY_ATTACHMENTS,
    OBJECTS,
    KUBERNETES_CONFIGS,
];

const EXAMPLES: &[Example] = &[example!("modelplane", "eks-cluster", "what an InferenceCluster in AWS becomes")];

/// Composes everything that the cluster is made of.
fn compose(request: &ComposeRequest) -> Result<(ComposeResponse, Reasons), Fault> {
    let (inputs, observed) = read(request)?;
    let inputs = Rc::new(inputs);
    let resources = gates::desired(derive::ROWS, &inputs, &observed);
    let reasons = gates::reasons(request, &resources, derive::STATUS, &*inputs);
    Ok((status::respond(request, &observed, &inputs, resources), reasons))
}
