//! How clusters get the kind. Crossplane adds columns of its own, so Ready and Age of the operator are left out.

use toolbox::published::{Column, Published, Scale};

use super::spec::{ServingSpec, ServingStatus};
use crate::otterscale::package::{COMMON, composition, schema};

pub(super) const PUBLISHED: Published = Published {
    columns: &[
        Column { name: "Phase", column_type: "string", path: ".status.phase", priority: 0 },
        Column { name: "Model", column_type: "string", path: ".spec.model.name", priority: 0 },
        Column { name: "Decode", column_type: "string", path: ".status.decodeReady", priority: 1 },
        Column { name: "Prefill", column_type: "string", path: ".status.prefillReady", priority: 1 },
    ],
    // The pods that answer. Autoscalers scale the Deployments, which have selectors.
    scale: Some(Scale {
        spec_replicas: ".spec.decode.replicas",
        status_replicas: ".status.decodeReplicas",
        label_selector: None,
    }),
    compositions: &[composition("modelservices.model.otterscale.io")],
    schema: schema::<ServingSpec, ServingStatus>,
    ..COMMON
};
