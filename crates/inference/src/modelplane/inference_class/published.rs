//! How clusters get the kind.

use toolbox::published::Published;

use super::spec::{ClassSpec, ClassStatus};
use crate::modelplane::package;

pub(super) const PUBLISHED: Published = Published {
    compositions: &[package::composition(
        "inferenceclasses.modelplane.ai",
        &[package::step("compose-inference-class")],
    )],
    schema: package::schema::<ClassSpec, ClassStatus>,
    ..package::COMMON
};
