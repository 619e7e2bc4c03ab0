//! How clusters get the kind.

use toolbox::published::{Column, Published};

use super::spec::{EndpointSpec, EndpointStatus};
use crate::modelplane::package;

pub(super) const PUBLISHED: Published = Published {
    columns: &[Column { name: "URL", column_type: "string", path: ".spec.url", priority: 0 }],
    compositions: &[package::composition("modelendpoints.modelplane.ai", &[package::step("compose-model-endpoint")])],
    schema: package::schema::<EndpointSpec, EndpointStatus>,
    ..package::COMMON
};
