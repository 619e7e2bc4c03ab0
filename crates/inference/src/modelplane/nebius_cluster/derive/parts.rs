//! What the rows of all areas have in common.

use contract::catalog::ApiResource;
use toolbox::rows::{ObjectRow, Part, RowTable};

use crate::modelplane::nebius_cluster::inputs::NebiusInputs;
use crate::modelplane::platform::releases::Released;
use crate::modelplane::platform::tables::Shared;

/// A row: an object of a cluster, or one for each of its node groups.
pub type NebiusRow = ObjectRow<NebiusInputs>;
/// What the rules about an object of a cluster read.
pub type NebiusPart = Part<NebiusInputs>;
/// The tables that clusters in clouds have in common.
pub type NebiusShared = Shared<NebiusInputs>;
/// The tables of Releases.
pub type NebiusReleases = Released<NebiusInputs>;

/// Where the name of the cluster is.
pub const NAME: &[&str] = &["metadata.name"];

/// A row without a name.
pub const fn row(
    kind: &'static ApiResource,
    key: &'static str,
    tables: &'static [RowTable<NebiusInputs>],
) -> NebiusRow {
    ObjectRow { tables, ..ObjectRow::unnamed(kind, key) }
}
