//! How clusters get the kind.

use toolbox::published::{Column, Published};

use super::spec::{StackSpec, StackStatus};
use crate::modelplane::package::{COMMON, composition, schema, step};
use crate::modelplane::usages;

pub(super) const PUBLISHED: Published = Published {
    columns: &[Column { name: "GATEWAY", column_type: "string", path: ".status.gateway.address", priority: 0 }],
    compositions: &[composition(
        "servingstacks.infrastructure.modelplane.ai",
        &[step("compose-serving-stack"), usages::STEP],
    )],
    schema: schema::<StackSpec, StackStatus>,
    ..COMMON
};
