//! How clusters get the kind.

use toolbox::published::{Column, Published};

use super::spec::{ClusterSpec, ClusterStatus};
use crate::modelplane::package;

pub(super) const PUBLISHED: Published = Published {
    columns: &[
        Column { name: "SOURCE", column_type: "string", path: ".spec.cluster.source", priority: 0 },
        Column { name: "GATEWAY", column_type: "string", path: ".status.gateway.address", priority: 0 },
    ],
    compositions: &[package::composition(
        "inferenceclusters.modelplane.ai",
        &[package::best_step("compose-inference-cluster")],
    )],
    schema: package::schema::<ClusterSpec, ClusterStatus>,
    ..package::COMMON
};
