//! Storage for ModelCaches: a file system that all nodes mount.

use serde_json::json;
use toolbox::builders::managed::{self, FOR_PROVIDER};
use toolbox::data;
use toolbox::rows::{Gate, ObjectRow};
use toolbox::rule::{Rule, constant, rule};

use super::network::{in_zones, zone};
use super::parts::{EksPart, EksRow, EksShared, IN_REGION, IN_VPC, NAME, STORAGE_CLASS, labelled, row};
use crate::clouds::resources::{EFS_FILE_SYSTEMS, MOUNT_TARGETS, SECURITY_GROUP_INGRESS_RULES, SECURITY_GROUPS};
use crate::modelplane::labels::SG_ROLE;
use crate::modelplane::platform::names;
use crate::modelplane::platform::tables::SAME;
use crate::modelplane::resources::STORAGE_CLASSES;

/// Composition resource name of the file system.
pub const FILE_SYSTEM_KEY: &str = "efs-filesystem";
/// Composition resource name of the security group.
pub const GROUP_KEY: &str = "efs-security-group";

/// The objects.
#[rustfmt::skip]
pub(super) const ROWS: &[EksRow] = &[
    row(&EFS_FILE_SYSTEMS, FILE_SYSTEM_KEY, &[("", EksShared::IN_CLOUD), (FOR_PROVIDER, IN_REGION), (FOR_PROVIDER, FILE_SYSTEM)]),
    row(&SECURITY_GROUPS, GROUP_KEY, &[("", EksShared::IN_CLOUD), ("metadata", GROUP_METADATA), (FOR_PROVIDER, IN_REGION), (FOR_PROVIDER, IN_VPC), (FOR_PROVIDER, GROUP)]),
    row(&SECURITY_GROUP_INGRESS_RULES, "efs-security-group-ingress", &[("", EksShared::IN_CLOUD), (FOR_PROVIDER, IN_REGION), (FOR_PROVIDER, INGRESS)]),
    in_zones(row(&MOUNT_TARGETS, "efs-mount-target-{e}", &[("", EksShared::IN_CLOUD), (FOR_PROVIDER, IN_REGION), (FOR_PROVIDER, MOUNT_TARGET)])),
    ObjectRow { gate: Gate::Known("the id of the file system", |of| of.seen.file_system.is_some()), wraps: Some((&STORAGE_CLASSES, STORAGE_CLASS_RULES)), ..EksShared::storage_class("storage-class-rwx-efs") },
];

const EFS: &str = "efs";

#[rustfmt::skip]
pub(super) const FILE_SYSTEM: &[Rule<EksPart>] = &[
    constant("throughputMode", "always: as fast as pods read", data!("elastic")),
    constant("encrypted", "always", data!(true)),
];

#[rustfmt::skip]
pub(super) const GROUP_METADATA: &[Rule<EksPart>] = &[
    rule("labels", "what it is for, by which others find it", &[], |_| Some(json!({SG_ROLE: EFS}))),
];

#[rustfmt::skip]
pub(super) const GROUP: &[Rule<EksPart>] = &[
    rule("name", "the cluster", NAME, |p| Some(json!(format!("{}-efs", p.of.cluster.name)))),
    constant("description", "always", data!("NFS access to the ModelCache EFS mount targets")),
    rule("description", "as it is: AWS would make the group anew for another", &[], |p| p.of.seen.descriptions.get(&p.key).map(|it| json!(it))),
];

#[rustfmt::skip]
pub(super) const INGRESS: &[Rule<EksPart>] = &[
    constant("ipProtocol", "always: NFS", data!("tcp")),
    constant("fromPort", "always: NFS", data!(2049)),
    constant("toPort", "always: NFS", data!(2049)),
    rule("cidrIpv4", "the whole network", &["spec.networking.vpcCidr"], |p| Some(json!(p.of.networking.vpc_cidr))),
    rule("securityGroupIdSelector", "the group", &[], |_| Some(labelled(SG_ROLE, EFS))),
];

#[rustfmt::skip]
pub(super) const MOUNT_TARGET: &[Rule<EksPart>] = &[
    constant("fileSystemIdSelector", "always: the cluster's file system", SAME),
    rule("subnetIdRef", "the private subnet of the zone with number `{it}`", &["metadata.name", "spec.region"], |p| Some(managed::named(&names::private_subnet(&p.of.cluster.name, &zone(p)?.name)))),
    rule("securityGroupsSelector", "the group", &[], |_| Some(labelled(SG_ROLE, EFS))),
];

#[rustfmt::skip]
pub(super) const STORAGE_CLASS_RULES: &[Rule<EksPart>] = &[
    constant("metadata.name", "always: the status says it", data!(STORAGE_CLASS)),
    constant("provisioner", "always: EFS", data!("efs.csi.aws.com")),
    constant("parameters.provisioningMode", "always: a folder of its own for each volume", data!("efs-ap")),
    rule("parameters.fileSystemId", "the cluster's file system, as AWS calls it", &[], |p| p.of.seen.file_system.as_ref().map(|it| json!(it))),
    constant("parameters.directoryPerms", "always: only its owner", data!("700")),
    constant("volumeBindingMode", "always: a volume is there before its first pod", data!("Immediate")),
];
