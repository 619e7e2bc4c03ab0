//! Node groups, and launch templates of those that need more than a node group can say.

use serde_json::{Value, json};
use toolbox::builders::managed::{self, FOR_PROVIDER, INIT_PROVIDER};
use toolbox::data;
use toolbox::rows::{Each, ObjectRow, RowTable};
use toolbox::rule::{Rule, constant, rule};

use super::network::PRIVATE_TIER;
use super::parts::{EksPart, EksRow, EksShared, IN_REGION, OF_CLUSTER, labelled, row};
use crate::clouds::Cloud;
use crate::clouds::drivers::{Drivers, GPU_TAINT, PLAIN_IMAGE};
use crate::clouds::fabrics::efa_cards;
use crate::clouds::resources::{LAUNCH_TEMPLATES, NODE_GROUPS};
use crate::modelplane::eks_cluster::inputs::EksInputs;
use crate::modelplane::eks_cluster::spec::{EksCapacityBlock, EksNodePool};
use crate::modelplane::labels::{IAM_ROLE, SUBNET_TIER, SYSTEM_POOL};
use crate::modelplane::platform::names;
use crate::modelplane::platform::pools::{PoolRole, is_system, node_labels};

/// The objects.
#[rustfmt::skip]
pub(super) const ROWS: &[EksRow] = &[
    // A pool of the composite that is called so takes its place, as in Modelplane v0.3.1.
    ObjectRow { exists: |of| !of.pools().iter().any(|it| is_system(&it.name)), ..row(&NODE_GROUPS, "nodegroup-system", SYSTEM_TABLES) },
    ObjectRow { each: Each::Found(|of| named(of, |_| true)), ..row(&NODE_GROUPS, "nodegroup-{e}", OWN_TABLES) },
    ObjectRow { each: Each::Found(|of| named(of, EksNodePool::has_template)), ..row(&LAUNCH_TEMPLATES, "launch-template-{e}", &[("", EksShared::IN_CLOUD), (FOR_PROVIDER, IN_REGION), (FOR_PROVIDER, TEMPLATE)]) },
];

#[rustfmt::skip]
const SYSTEM_TABLES: &[RowTable<EksInputs>] = &[("", EksShared::IN_CLOUD), ("", GROUP), (FOR_PROVIDER, IN_REGION), (FOR_PROVIDER, OF_CLUSTER), (FOR_PROVIDER, IN_GROUP), (INIT_PROVIDER, SYSTEM_INITIALLY), (FOR_PROVIDER, SYSTEM)];
#[rustfmt::skip]
const OWN_TABLES: &[RowTable<EksInputs>] = &[("", EksShared::IN_CLOUD), ("", GROUP), (FOR_PROVIDER, IN_REGION), (FOR_PROVIDER, OF_CLUSTER), (FOR_PROVIDER, IN_GROUP), (INIT_PROVIDER, OWN_INITIALLY), (FOR_PROVIDER, OWN)];

#[rustfmt::skip]
pub(super) const GROUP: &[Rule<EksPart>] = &[
    constant(managed::MANAGEMENT_POLICIES, "always: the autoscaler owns the number of nodes", managed::NOT_INITIALIZED_LATE),
];

#[rustfmt::skip]
pub(super) const IN_GROUP: &[Rule<EksPart>] = &[
    rule("nodeRoleArnSelector", "the role of nodes", &[], |_| Some(labelled(IAM_ROLE, "node"))),
];

#[rustfmt::skip]
pub(super) const SYSTEM_INITIALLY: &[Rule<EksPart>] = &[
    constant("scalingConfig.desiredSize", "always: a node to begin with", data!(1)),
];

#[rustfmt::skip]
pub(super) const SYSTEM: &[Rule<EksPart>] = &[
    constant("amiType", "always: the image without drivers", data!(PLAIN_IMAGE)),
    constant("instanceTypes", "always: enough for what serves models", data!(["m6i.xlarge"])),
    constant("scalingConfig", "always: one or two nodes", data!({"minSize": 1, "maxSize": 2})),
    rule("subnetIdSelector", "the private subnets", &[], |_| Some(labelled(SUBNET_TIER, PRIVATE_TIER))),
    rule("labels", "always: the name of the pool", &[], |_| Some(node_labels(SYSTEM_POOL, None))),
];

#[rustfmt::skip]
pub(super) const OWN_INITIALLY: &[Rule<EksPart>] = &[
    rule("scalingConfig.desiredSize", "the number of nodes of `{it}` to begin with", &["spec.nodePools[].nodeCount"], |p| Some(json!(pool(p)?.size.node_count))),
];

const COUNTS: &[&str] = &["spec.nodePools[].minNodeCount", "spec.nodePools[].maxNodeCount"];
const ROLE: &[&str] = &["spec.nodePools[].role"];
const LABELS: &[&str] = &["spec.nodePools[].name", "spec.nodePools[].role", "spec.nodePools[].gpu.acceleratorType"];
const BLOCK: &[&str] = &["spec.nodePools[].capacityBlock"];
const TEMPLATED: &[&str] = &["spec.nodePools[].capacityBlock", "spec.nodePools[].fabric"];

#[rustfmt::skip]
pub(super) const OWN: &[Rule<EksPart>] = &[
    rule("amiType", "the image with drivers for GPUs, or the one without", ROLE, |p| image(pool(p)?)),
    rule("scalingConfig", "the bounds of `{it}`", COUNTS, |p| pool(p).map(|it| json!({"minSize": it.size.min_node_count, "maxSize": it.size.max_node_count}))),
    rule("subnetIdRefs", "the private subnets of the zones of `{it}`", &["spec.nodePools[].zones"], |p| pool(p)?.zones.as_ref().map(|zones| zones.iter().map(|zone| managed::named(&names::private_subnet(&p.of.cluster.name, zone))).collect())),
    rule("subnetIdSelector", "the private subnets of all zones, because `{it}` names none", &["spec.nodePools[].zones"], |p| pool(p)?.zones.is_none().then(|| labelled(SUBNET_TIER, PRIVATE_TIER))),
    rule("labels", "pool and accelerator of `{it}`", LABELS, |p| pool(p).map(labels)),
    rule("taint", "pods that do not tolerate GPUs stay away", ROLE, |p| taint(pool(p)?)),
    rule("instanceTypes", "the instance type of `{it}`, unless its launch template says it", &["spec.nodePools[].instanceType"], |p| plain(p).map(|it| json!([it.instance_type]))),
    rule("diskSize", "the disk of `{it}`, unless its launch template says it", &["spec.nodePools[].diskSizeGb"], |p| plain(p).map(|it| json!(it.size.disk_size_gb))),
    rule("launchTemplate", "the launch template of `{it}`", TEMPLATED, |p| pool(p).filter(|it| it.has_template()).map(|it| json!({"name": names::launch_template(&p.of.cluster.name, &it.name), "version": "$Latest"}))),
    rule("capacityType", "nodes come from the Capacity Block", BLOCK, |p| pool(p)?.capacity_block.as_ref().map(|_| "CAPACITY_BLOCK".into())),
];

// Not every pool has a template, so the place of a template is not that of its pool.
const TYPE: &[&str] = &["spec.nodePools"];

/// A launch template. Its subnets are those of the node group.
#[rustfmt::skip]
pub(super) const TEMPLATE: &[Rule<EksPart>] = &[
    rule("name", "cluster and pool `{it}`", &["metadata.name", "spec.nodePools"], |p| Some(json!(names::launch_template(&p.of.cluster.name, &p.element)))),
    rule("instanceType", "the instance type of `{it}`", TYPE, |p| Some(json!(named_pool(p)?.instance_type))),
    rule("blockDeviceMappings", "the disk of `{it}`", TYPE, |p| named_pool(p).map(|it| json!([{"deviceName": "/dev/xvda", "ebs": {"volumeSize": it.size.disk_size_gb}}]))),
    rule("instanceMarketOptions.marketType", "nodes come from the Capacity Block", TYPE, |p| block(p).map(|_| "capacity-block".into())),
    rule("capacityReservationSpecification", "the reservation of the Capacity Block, and nothing else", TYPE, |p| block(p).map(|it| json!({"capacityReservationPreference": "capacity-reservations-only", "capacityReservationTarget": {"capacityReservationId": it.capacity_reservation_id}}))),
    rule("networkInterfaces", "an interface of Elastic Fabric Adapter for each network card, of which the first one is an ordinary one too; AWS attaches no security group to them by itself", TYPE, interfaces),
];

/// The names of the pools that have something.
fn named(of: &EksInputs, has: fn(&EksNodePool) -> bool) -> Vec<String> {
    of.pools().iter().filter(|pool| has(pool)).map(|pool| pool.name.clone()).collect()
}

fn pool(part: &EksPart) -> Option<&EksNodePool> {
    part.of.pools().get(part.place())
}

/// The pool of a launch template.
fn named_pool(part: &EksPart) -> Option<&EksNodePool> {
    part.of.pools().iter().find(|pool| pool.name == part.element)
}

fn block(part: &EksPart) -> Option<&EksCapacityBlock> {
    named_pool(part)?.capacity_block.as_ref()
}

/// The pool, unless its launch template says what its machines are.
fn plain(part: &EksPart) -> Option<&EksNodePool> {
    pool(part).filter(|pool| !pool.has_template())
}

fn image(pool: &EksNodePool) -> Option<Value> {
    match pool.role {
        PoolRole::Gpu => Some(json!(Drivers::of(Cloud::Aws)?.image?)),
        PoolRole::System => Some(json!(PLAIN_IMAGE)),
    }
}

fn labels(pool: &EksNodePool) -> Value {
    let gpu = pool.gpu.as_ref().filter(|_| pool.role == PoolRole::Gpu);
    node_labels(&pool.name, gpu.map(|it| it.accelerator_type.as_str()))
}

fn taint(pool: &EksNodePool) -> Option<Value> {
    let effect = Drivers::of(Cloud::Aws)?.no_schedule;
    (pool.role == PoolRole::Gpu).then(|| json!([{"key": GPU_TAINT.0, "value": GPU_TAINT.1, "effect": effect}]))
}

fn interfaces(part: &EksPart) -> Option<Value> {
    let pool = named_pool(part).filter(|pool| pool.has_efa())?;
    let groups = part.of.security_groups(&part.key);
    let interface = |card: u8| {
        let mut interface = json!({
            "networkCardIndex": card,
            "deviceIndex": if card == 0 { 0 } else { 1 },
            "interfaceType": if card == 0 { "efa" } else { "efa-only" },
        });
        if !groups.is_empty() {
            interface["securityGroups"] = json!(groups);
        }
        interface
    };
    Some((0..efa_cards(&pool.instance_type)).map(interface).collect())
}
