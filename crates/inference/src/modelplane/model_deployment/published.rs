//! How clusters get the kind.

use toolbox::published::{Column, Published, Scale};

use super::spec::{DeploymentSpec, DeploymentStatus};
use crate::modelplane::package;
use crate::modelplane::shapes::fields::{self, EarlierDeployment};

pub(super) const PUBLISHED: Published = Published {
    columns: &[Column { name: "REPLICAS", column_type: "string", path: ".status.replicas.ready", priority: 0 }],
    scale: Some(Scale {
        spec_replicas: ".spec.replicas",
        status_replicas: ".status.replicas.total",
        label_selector: Some(".status.selector"),
    }),
    compositions: &[package::composition(
        "modeldeployments.modelplane.ai",
        &[package::best_step("compose-model-deployment")],
    )],
    schema: || fields::with_earlier::<DeploymentSpec, DeploymentStatus, EarlierDeployment>(&["template"]),
    ..package::COMMON
};
