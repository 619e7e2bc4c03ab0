//! What the rows of all areas have in common.

use contract::catalog::ApiResource;
use serde_json::{Value, json};
use toolbox::builders::selectors::same_composite;
use toolbox::rows::{ObjectRow, Part, RowTable};
use toolbox::rule::{Rule, constant, rule};

use crate::modelplane::eks_cluster::inputs::EksInputs;
use crate::modelplane::platform::releases::Released;
use crate::modelplane::platform::tables::{SAME, Shared};

/// A row: an object of a cluster, or one for each of its zones or pools.
pub type EksRow = ObjectRow<EksInputs>;
/// What the rules about an object of a cluster read.
pub type EksPart = Part<EksInputs>;
/// The tables that clusters in clouds have in common.
pub type EksShared = Shared<EksInputs>;
/// The tables of Releases.
pub type EksReleases = Released<EksInputs>;

/// A row without a name.
pub const fn row(kind: &'static ApiResource, key: &'static str, tables: &'static [RowTable<EksInputs>]) -> EksRow {
    ObjectRow { tables, ..ObjectRow::unnamed(kind, key) }
}

/// The composite's name, as a cause.
pub const NAME: &[&str] = &["metadata.name"];

/// What every object has that is in a region.
#[rustfmt::skip]
pub const IN_REGION: &[Rule<EksPart>] = &[
    rule("region", "the region", &["spec.region"], |p| Some(json!(p.of.cluster.spec.region))),
];

/// What belongs to the network.
#[rustfmt::skip]
pub const IN_VPC: &[Rule<EksPart>] = &[
    constant("vpcIdSelector", "always: the cluster's network", SAME),
];

/// What belongs to the control plane.
#[rustfmt::skip]
pub const OF_CLUSTER: &[Rule<EksPart>] = &[
    constant("clusterNameSelector", "always: the control plane", SAME),
];

/// The StorageClass for ModelCaches.
pub const STORAGE_CLASS: &str = "modelplane-rwx-efs";

/// A selector: the object of this composite with a label.
pub fn labelled(label: &str, value: &str) -> Value {
    same_composite(&[(label, value)])
}
