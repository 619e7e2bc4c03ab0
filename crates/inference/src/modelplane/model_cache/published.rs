//! How clusters get the kind.

use toolbox::published::{Column, Published};

use super::spec::{ModelCacheSpec, ModelCacheStatus};
use crate::modelplane::package::{COMMON, composition, schema, step};

pub(super) const PUBLISHED: Published = Published {
    columns: &[
        // `source` is a text, so the column is always empty. It is that of Modelplane v0.3.1.
        Column { name: "SOURCE", column_type: "string", path: ".spec.source.huggingFace.repo", priority: 0 },
        Column { name: "READY", column_type: "string", path: ".status.summary.ready", priority: 0 },
    ],
    compositions: &[composition("modelcaches.modelplane.ai", &[step("compose-model-cache")])],
    schema: schema::<ModelCacheSpec, ModelCacheStatus>,
    ..COMMON
};
