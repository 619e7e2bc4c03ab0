//! How clusters get the kind.

use toolbox::published::{Column, Published};

use super::spec::{AksClusterSpec, AksClusterStatus};
use crate::modelplane::package::{COMMON, composition, schema, step};

pub(super) const PUBLISHED: Published = Published {
    columns: &[Column { name: "LOCATION", column_type: "string", path: ".spec.location", priority: 0 }],
    compositions: &[composition("aksclusters.infrastructure.modelplane.ai", &[step("compose-aks-cluster")])],
    schema: schema::<AksClusterSpec, AksClusterStatus>,
    ..COMMON
};
