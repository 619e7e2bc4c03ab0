//! Makes Kubernetes objects from the tables of rules. It computes no value.

use toolbox::composed::Composed;
use toolbox::observed::ReadyWhen;
use toolbox::path;
use toolbox::rule::Plan;

use super::derive::{self, ModelInputs, ModelObjects};
use super::read::{DEPLOYMENT, SERVICE};
use super::resources::{DEPLOYMENTS, SERVICES, kind};

const LABELS: &str = "metadata.labels";
const POD_LABELS: &str = "spec.template.metadata.labels";
const CONTAINER: &str = "spec.template.spec.containers[0]";

/// The objects of a model.
pub(super) fn resources(inputs: &ModelInputs) -> Vec<Composed> {
    let ModelObjects { deployment, service, is_up } = inputs.objects;
    let deployment =
        deployment.then(|| Composed::new(DEPLOYMENT, self::deployment(inputs)).ready(ReadyWhen::Given(is_up)));
    let service = service.then(|| Composed::new(SERVICE, self::service(inputs)).ready(ReadyWhen::Observed));
    deployment.into_iter().chain(service).collect()
}

fn deployment(inputs: &ModelInputs) -> Plan {
    let gpus = |list: &str| path::key(&format!("{CONTAINER}.resources.{list}"), &inputs.options.gpu_resource_name);
    Plan::of_kind(kind(&DEPLOYMENTS))
        .and(derive::DEPLOYMENT, inputs)
        .at(LABELS, derive::LABELS, inputs)
        .at("metadata.annotations", derive::ANNOTATIONS, inputs)
        .at("spec.selector.matchLabels", derive::SELECTOR, inputs)
        .at(POD_LABELS, derive::LABELS, inputs)
        .at(CONTAINER, derive::CONTAINER, inputs)
        .at(&gpus("requests"), derive::REQUESTED_GPUS, inputs)
        .at(&gpus("limits"), derive::LIMITED_GPUS, inputs)
}

fn service(inputs: &ModelInputs) -> Plan {
    Plan::of_kind(kind(&SERVICES)).and(derive::SERVICE, inputs).at(LABELS, derive::LABELS, inputs).at(
        "spec.selector",
        derive::SELECTOR,
        inputs,
    )
}
