//! How clusters get the kind.

use toolbox::published::{Column, Published};

use super::spec::{ModelServiceSpec, ModelServiceStatus};
use crate::modelplane::package::{COMMON, composition, schema, step};

pub(super) const PUBLISHED: Published = Published {
    columns: &[Column { name: "ADDRESS", column_type: "string", path: ".status.address", priority: 0 }],
    compositions: &[composition("modelservices.modelplane.ai", &[step("compose-model-service")])],
    schema: schema::<ModelServiceSpec, ModelServiceStatus>,
    ..COMMON
};
