//! How clusters get the kind.

use toolbox::published::{Column, Published};

use super::spec::{GatewaySpec, GatewayStatus};
use crate::modelplane::package;

pub(super) const PUBLISHED: Published = Published {
    columns: &[
        Column { name: "GATEWAY", column_type: "string", path: ".spec.backend", priority: 0 },
        Column { name: "ADDRESS", column_type: "string", path: ".status.address", priority: 0 },
    ],
    compositions: &[package::composition(
        "inferencegateways.modelplane.ai",
        &[package::step("compose-inference-gateway")],
    )],
    schema: package::schema::<GatewaySpec, GatewayStatus>,
    ..package::COMMON
};
