//! How clusters get the kind.

use toolbox::published::{Column, Published};

use super::spec::{EksClusterSpec, EksClusterStatus};
use crate::modelplane::package::{COMMON, composition, schema, step};

pub(super) const PUBLISHED: Published = Published {
    columns: &[Column { name: "REGION", column_type: "string", path: ".spec.region", priority: 0 }],
    compositions: &[composition("eksclusters.infrastructure.modelplane.ai", &[step("compose-eks-cluster")])],
    schema: schema::<EksClusterSpec, EksClusterStatus>,
    ..COMMON
};
