//! Derives every value: an object is a row, and each value in it a rule.

use serde_json::Value;
use toolbox::data;
use toolbox::rule::{Rule, Table, constant, rule};

use self::parts::{EksReleases, EksRow, EksShared, IN_REGION, IN_VPC, NAME, OF_CLUSTER, STORAGE_CLASS};
use super::inputs::EksInputs;
use crate::modelplane::platform::areas;
use crate::modelplane::platform::tables::documented;

pub mod control_plane;
pub mod fabric;
pub mod identities;
pub mod network;
pub mod parts;
pub mod pools;
pub mod storage;

/// The rows, by area.
pub const ROWS: &[&[EksRow]] =
    &[network::ROWS, identities::ROWS, control_plane::ROWS, pools::ROWS, fabric::ROWS, storage::ROWS];

/// What people call the areas, in the order of the rows.
pub const AREA_NAMES: [&str; 6] = ["network", "identities", "control plane", "pools", "fabric", "storage"];

/// The area of a composed resource. `None` when no row has such a key.
pub fn area(composite: &Value, key: &str, _object: &Value) -> Option<usize> {
    areas::area(ROWS, composite, key)
}

/// The status of the composite.
#[rustfmt::skip]
pub const STATUS: &[Rule<EksInputs>] = &[
    rule("secrets", "the Secret with the kubeconfig", NAME, |i| Some(EksShared::secrets(i))),
    constant("cache.storageClassName", "always: the StorageClass for ModelCaches", data!(STORAGE_CLASS)),
];

/// All tables, for documentation.
pub fn tables() -> Vec<Table> {
    let [left, applied] = EksShared::LISTED_LEFT;
    let own = [
        left,
        applied,
        ("every object with a region", IN_REGION),
        ("objects in the network", IN_VPC),
        ("objects of the control plane", OF_CLUSTER),
        ("VPC", network::VPC),
        ("public Subnet", network::PUBLIC_SUBNET),
        ("private Subnet", network::PRIVATE_SUBNET),
        ("EIP", network::ADDRESS),
        ("NATGateway", network::NAT),
        ("public RouteTable", network::PUBLIC),
        ("private RouteTable", network::PRIVATE),
        ("public Route", network::PUBLIC_ROUTE),
        ("private Route", network::PRIVATE_ROUTE),
        ("public RouteTableAssociation", network::PUBLIC_ASSOCIATION),
        ("private RouteTableAssociation", network::PRIVATE_ASSOCIATION),
        ("Role and Policy, metadata", identities::LABELLED),
        ("Role", identities::ROLE),
        ("RolePolicyAttachment", identities::ATTACHMENT),
        ("Policy of the cluster autoscaler", identities::POLICY),
        ("RolePolicyAttachment of the cluster autoscaler", identities::OWN_ATTACHMENT),
        ("PodIdentityAssociation", identities::POD_IDENTITY),
        ("Cluster", control_plane::CLUSTER),
        ("Addon", control_plane::ADDON),
        ("every Release", EksReleases::RELEASE),
        ("values of the cluster autoscaler", control_plane::AUTOSCALER),
        ("every NodeGroup", pools::GROUP),
        ("every NodeGroup, what it has in common", pools::IN_GROUP),
        ("NodeGroup for everything without GPUs, initially", pools::SYSTEM_INITIALLY),
        ("NodeGroup for everything without GPUs", pools::SYSTEM),
        ("other NodeGroups, initially", pools::OWN_INITIALLY),
        ("other NodeGroups", pools::OWN),
        ("LaunchTemplate", pools::TEMPLATE),
        ("SecurityGroup of Elastic Fabric Adapter, metadata", fabric::GROUP_METADATA),
        ("SecurityGroup of Elastic Fabric Adapter", fabric::GROUP),
        ("rules of the SecurityGroup of Elastic Fabric Adapter", fabric::RULE),
        ("values of the driver of Elastic Fabric Adapter", fabric::DRIVER),
        ("FileSystem", storage::FILE_SYSTEM),
        ("SecurityGroup of EFS, metadata", storage::GROUP_METADATA),
        ("SecurityGroup of EFS", storage::GROUP),
        ("SecurityGroupIngressRule of EFS", storage::INGRESS),
        ("MountTarget", storage::MOUNT_TARGET),
        ("StorageClass", storage::STORAGE_CLASS_RULES),
    ];
    documented(&own, STATUS)
}
