//! What the rows of all areas have in common.

use contract::catalog::ApiResource;
use serde_json::json;
use toolbox::rows::{Gate, ObjectRow, Part};
use toolbox::rule::{Rule, rule};

use crate::modelplane::gke_cluster::inputs::GkeInputs;
use crate::modelplane::platform::tables::Shared;

/// A row: an object of a cluster, or one for each of its pools.
pub type GkeRow = ObjectRow<GkeInputs>;
/// What the rules about an object of a cluster read.
pub type GkePart = Part<GkeInputs>;
/// The tables that clusters in clouds have in common.
pub type GkeShared = Shared<GkeInputs>;

/// Nothing is created while the project is not known. What exists stays.
pub const KNOWN_PROJECT: Gate<GkeInputs> = Gate::Until("the project", |of| of.project.name().is_some());

/// A row without a name.
pub const fn row(kind: &'static ApiResource, key: &'static str) -> GkeRow {
    ObjectRow { gate: KNOWN_PROJECT, ..ObjectRow::unnamed(kind, key) }
}

/// What objects of a project have.
#[rustfmt::skip]
pub const IN_PROJECT: &[Rule<GkePart>] = &[
    rule("project", "the project, where the composite says one: otherwise it is that of the credentials", &["spec.project"], |p| p.of.cluster.spec.project.as_ref().map(|it| json!(it))),
];

/// What is in the region.
#[rustfmt::skip]
pub const LOCATED: &[Rule<GkePart>] = &[
    rule("location", "the region", &["spec.region"], |p| Some(json!(p.of.cluster.spec.region))),
];
