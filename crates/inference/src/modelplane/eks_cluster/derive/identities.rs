//! Roles, what they may do, and which pods get them.

use serde_json::json;
use toolbox::builders::managed::FOR_PROVIDER;
use toolbox::data;
use toolbox::rows::{Each, ObjectRow};
use toolbox::rule::{Rule, constant, rule};

use super::parts::{EksPart, EksRow, EksShared, IN_REGION, OF_CLUSTER, labelled, row};
use crate::clouds::aws::{
    AUTOSCALER_POLICY, CLUSTER_POLICY, CNI_POLICY, EC2_TRUST, EFS_POLICY, EKS_TRUST, PODS_TRUST, POLICY_PREFIX,
    REGISTRY_POLICY, WORKER_NODE_POLICY,
};
use crate::clouds::resources::{IAM_POLICIES, IAM_ROLES, POD_IDENTITY_ASSOCIATIONS, ROLE_POLICY_ATTACHMENTS};
use crate::modelplane::labels::IAM_ROLE;

/// The objects.
#[rustfmt::skip]
pub(super) const ROWS: &[EksRow] = &[
    each(ROLES, row(&IAM_ROLES, "iam-role-{e}", &[("", EksShared::IN_CLOUD), ("", LABELLED), (FOR_PROVIDER, ROLE)])),
    each(ATTACHMENTS, row(&ROLE_POLICY_ATTACHMENTS, "iam-attach-{e}", &[("", EksShared::IN_CLOUD), (FOR_PROVIDER, ATTACHMENT)])),
    each(&[(AUTOSCALER, &[])], row(&IAM_POLICIES, "iam-policy-{e}", &[("", EksShared::IN_CLOUD), ("", LABELLED), (FOR_PROVIDER, POLICY)])),
    each(&[(AUTOSCALER, &[])], row(&ROLE_POLICY_ATTACHMENTS, "iam-attach-{e}", &[("", EksShared::IN_CLOUD), (FOR_PROVIDER, OWN_ATTACHMENT)])),
    each(SERVICE_ACCOUNTS, row(&POD_IDENTITY_ASSOCIATIONS, "pod-identity-{e}", &[("", EksShared::IN_CLOUD), (FOR_PROVIDER, IN_REGION), (FOR_PROVIDER, OF_CLUSTER), (FOR_PROVIDER, POD_IDENTITY)])),
];

const AUTOSCALER: &str = "cluster-autoscaler";
const EFS: &str = "efs-csi";

type Elements = &'static [(&'static str, &'static [&'static str])];

const fn each(elements: Elements, row: EksRow) -> EksRow {
    ObjectRow { each: Each::Of(elements), ..row }
}

/// Roles, each with its trust document.
const ROLES: Elements =
    &[("cluster", &[EKS_TRUST]), ("node", &[EC2_TRUST]), (EFS, &[PODS_TRUST]), (AUTOSCALER, &[PODS_TRUST])];

/// AWS' own policies, each with the role that gets it.
const ATTACHMENTS: Elements = &[
    ("cluster-policy", &["cluster", CLUSTER_POLICY]),
    ("node-worker", &["node", WORKER_NODE_POLICY]),
    ("node-cni", &["node", CNI_POLICY]),
    ("node-ecr", &["node", REGISTRY_POLICY]),
    (EFS, &[EFS, EFS_POLICY]),
];

/// Roles of pods, each with the ServiceAccount of the pods.
const SERVICE_ACCOUNTS: Elements = &[(EFS, &["efs-csi-controller-sa"]), (AUTOSCALER, &["cluster-autoscaler"])];

#[rustfmt::skip]
pub(super) const LABELLED: &[Rule<EksPart>] = &[
    rule("metadata.labels", "the role `{it}`, by which it is found", &[], |p| Some(json!({IAM_ROLE: p.element}))),
];

#[rustfmt::skip]
pub(super) const ROLE: &[Rule<EksPart>] = &[
    rule("assumeRolePolicy", "the service that takes the role `{it}`", &[], |p| Some(json!(p.text(0)))),
];

#[rustfmt::skip]
pub(super) const ATTACHMENT: &[Rule<EksPart>] = &[
    rule("policyArn", "AWS' own policy for `{it}`", &[], |p| Some(json!(format!("{POLICY_PREFIX}{}", p.text(1))))),
    rule("roleSelector", "the role that gets it", &[], |p| Some(labelled(IAM_ROLE, p.text(0)))),
];

#[rustfmt::skip]
pub(super) const POLICY: &[Rule<EksPart>] = &[
    constant("policy", "always: what the autoscaler reads and changes", data!(AUTOSCALER_POLICY)),
];

#[rustfmt::skip]
pub(super) const OWN_ATTACHMENT: &[Rule<EksPart>] = &[
    rule("policyArnSelector", "the policy `{it}`", &[], |p| Some(labelled(IAM_ROLE, &p.element))),
    rule("roleSelector", "the role `{it}`", &[], |p| Some(labelled(IAM_ROLE, &p.element))),
];

#[rustfmt::skip]
pub(super) const POD_IDENTITY: &[Rule<EksPart>] = &[
    constant("namespace", "always: where the add-ons are", data!("kube-system")),
    rule("serviceAccount", "the ServiceAccount of `{it}`", &[], |p| Some(json!(p.text(0)))),
    rule("roleArnSelector", "the role `{it}`", &[], |p| Some(labelled(IAM_ROLE, &p.element))),
];
