//! How clusters get the kind. Crossplane adds columns of its own, so Ready and Age of the operator are left out.

use toolbox::published::{Column, Published};

use super::spec::{ArtifactSpec, ArtifactStatus};
use crate::otterscale::package::{COMMON, composition, schema};

pub(super) const PUBLISHED: Published = Published {
    columns: &[
        Column { name: "Phase", column_type: "string", path: ".status.phase", priority: 0 },
        Column { name: "Registry", column_type: "string", path: ".spec.target.registry", priority: 0 },
        Column { name: "Repository", column_type: "string", path: ".spec.target.repository", priority: 0 },
        Column { name: "Digest", column_type: "string", path: ".status.digest", priority: 1 },
    ],
    compositions: &[composition("modelartifacts.model.otterscale.io")],
    schema: schema::<ArtifactSpec, ArtifactStatus>,
    ..COMMON
};
