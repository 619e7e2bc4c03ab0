//! How clusters get the kind: package, columns, Compositions.

use toolbox::published::{Column, Published};

use super::spec::{ReplicaSpec, ReplicaStatus};
use crate::modelplane::package::{COMMON, composition, step};
use crate::modelplane::shapes::fields::{self, EarlierReplica};

pub(super) const PUBLISHED: Published = Published {
    columns: &[Column { name: "CLUSTER", column_type: "string", path: ".spec.clusterName", priority: 0 }],
    compositions: &[composition("modelreplicas.modelplane.ai", &[step("compose-model-replica")])],
    schema: || fields::with_earlier::<ReplicaSpec, ReplicaStatus, EarlierReplica>(&["clusterName"]),
    ..COMMON
};
