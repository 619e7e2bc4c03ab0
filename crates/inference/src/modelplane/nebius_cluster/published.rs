//! How clusters get the kind.

use toolbox::published::Published;

use super::spec::{NebiusClusterSpec, NebiusClusterStatus};
use crate::modelplane::package::{COMMON, composition, schema, step};

pub(super) const PUBLISHED: Published = Published {
    compositions: &[composition("nebiusclusters.infrastructure.modelplane.ai", &[step("compose-nebius-cluster")])],
    schema: schema::<NebiusClusterSpec, NebiusClusterStatus>,
    ..COMMON
};
