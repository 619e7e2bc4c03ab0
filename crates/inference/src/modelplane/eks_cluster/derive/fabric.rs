//! What pools with Elastic Fabric Adapter need.

use serde_json::{Value, json};
use toolbox::builders::helm;
use toolbox::builders::managed::FOR_PROVIDER;
use toolbox::data;
use toolbox::rows::{Gate, ObjectRow};
use toolbox::rule::{Rule, constant, rule};

use super::parts::{EksPart, EksReleases, EksRow, EksShared, IN_REGION, IN_VPC, NAME, labelled, row};
use crate::clouds::resources::{SECURITY_GROUP_EGRESS_RULES, SECURITY_GROUP_INGRESS_RULES, SECURITY_GROUPS};
use crate::modelplane::eks_cluster::inputs::EksInputs;
use crate::modelplane::labels::FABRIC;
use crate::modelplane::platform::names;
use crate::modelplane::platform::tables::GPU_TOLERATIONS;

/// Composition resource name of the security group.
pub const GROUP_KEY: &str = "efa-security-group";

const WANTED: fn(&EksInputs) -> bool = EksInputs::has_efa;

/// The objects.
#[rustfmt::skip]
pub(super) const ROWS: &[EksRow] = &[
    ObjectRow { exists: WANTED, ..row(&SECURITY_GROUPS, GROUP_KEY, &[("", EksShared::IN_CLOUD), ("metadata", GROUP_METADATA), (FOR_PROVIDER, IN_REGION), (FOR_PROVIDER, IN_VPC), (FOR_PROVIDER, GROUP)]) },
    ObjectRow { exists: WANTED, ..row(&SECURITY_GROUP_INGRESS_RULES, "efa-security-group-ingress", &[("", EksShared::IN_CLOUD), (FOR_PROVIDER, IN_REGION), (FOR_PROVIDER, RULE)]) },
    ObjectRow { exists: WANTED, ..row(&SECURITY_GROUP_EGRESS_RULES, "efa-security-group-egress", &[("", EksShared::IN_CLOUD), (FOR_PROVIDER, IN_REGION), (FOR_PROVIDER, RULE)]) },
    ObjectRow { exists: WANTED, gate: Gate::Until("the control plane", |of| of.seen.has_cluster), tables: &[("", EksShared::ON_CLUSTER), ("", EksShared::LEFT_BEHIND), ("", EksReleases::RELEASE), (helm::VALUES, DRIVER)], ..EksReleases::row(&[("efa-dra-driver", &[])]) },
];

const EFA: &str = "EFA";

#[rustfmt::skip]
pub(super) const GROUP_METADATA: &[Rule<EksPart>] = &[
    rule("name", "the cluster", NAME, |p| Some(json!(names::efa_security_group(&p.of.cluster.name)))),
    rule("labels", "the fabric, by which its rules find it", &[], |_| Some(json!({FABRIC: EFA}))),
];

#[rustfmt::skip]
pub(super) const GROUP: &[Rule<EksPart>] = &[
    rule("name", "the cluster", NAME, |p| Some(json!(format!("{}-efa", p.of.cluster.name)))),
    constant("description", "always", data!("EFA OS-bypass traffic between gang nodes")),
    rule("description", "as it is: AWS would make the group anew for another", &[], |p| p.of.seen.descriptions.get(&p.key).map(|it| json!(it))),
];

#[rustfmt::skip]
pub(super) const RULE: &[Rule<EksPart>] = &[
    constant("ipProtocol", "always: everything, for what passes the operating system by", data!("-1")),
    rule("securityGroupIdSelector", "the group", &[], |_| Some(group())),
    rule("referencedSecurityGroupIdSelector", "the same group: nodes talk with each other", &[], |_| Some(group())),
];

#[rustfmt::skip]
pub(super) const DRIVER: &[Rule<EksPart>] = &[
    constant("tolerations", "always: it runs on nodes with GPUs", GPU_TOLERATIONS),
];

fn group() -> Value {
    labelled(FABRIC, EFA)
}
