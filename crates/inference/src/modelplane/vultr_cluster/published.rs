//! How clusters get the kind.

use toolbox::published::{Column, Published};

use super::spec::{VultrClusterSpec, VultrClusterStatus};
use crate::modelplane::package::{COMMON, composition, schema, step};

pub(super) const PUBLISHED: Published = Published {
    columns: &[Column { name: "REGION", column_type: "string", path: ".spec.region", priority: 0 }],
    compositions: &[composition("vultrclusters.infrastructure.modelplane.ai", &[step("compose-vultr-cluster")])],
    schema: schema::<VultrClusterSpec, VultrClusterStatus>,
    ..COMMON
};
