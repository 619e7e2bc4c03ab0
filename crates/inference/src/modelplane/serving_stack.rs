//! `ServingStack`: what serves models, installed on a cluster.
//!
//! Eight charts and eight objects are on every cluster of the fleet: gateways, workloads of several nodes, metrics, and the driver
//! by which pods claim GPUs. An InferenceCluster composes a stack; anybody else may. A second step of its pipeline protects the
//! provider configurations ([`super::usages`]). The kind follows Modelplane v0.3.1.

use std::rc::Rc;

use contract::catalog::Example;
use contract::compose::{ComposeRequest, ComposeResponse};
use contract::types::Fault;
use toolbox::kind::{Areas, Kind};
use toolbox::reasons::Reasons;
use toolbox::resources::{
    CRDS, GATEWAY_CLASSES, GATEWAYS, HELM_CONFIGS, KUBERNETES_CONFIGS, NAMESPACES, OBJECTS, RELEASES, USAGES,
};
use toolbox::rule::Plan;

use self::read::{definition, observed, read};
use super::platform::answer::{Answered, CONDITIONS, fields};
use super::platform::gates;
use super::resources::{ENVOY_PROXIES, RESOURCE_QUOTAS, SERVING_STACKS as STACKS};
use super::{shapes, usages};

mod admit;
pub mod charts;
pub mod derive;
#[cfg(feature = "generate")]
mod published;
mod read;
pub mod spec;
#[cfg(test)]
mod tests;

/// The row of the kind.
pub(crate) const KIND: Kind = Kind {
    short_names: &["ss"],
    api: "modelplane",
    composes: &[HELM_CONFIGS, RELEASES, OBJECTS, KUBERNETES_CONFIGS, USAGES],
    wraps_on_own: &[CRDS, ENVOY_PROXIES, GATEWAYS, GATEWAY_CLASSES, NAMESPACES, RESOURCE_QUOTAS],
    examples: EXAMPLES,
    rules: derive::tables,
    conditions: &CONDITIONS,
    followed_by: Some(&usages::FOLLOWING),
    areas: Some(Areas { names: &derive::AREA_NAMES, of: derive::area }),
    waits_for: |composite, key| gates::waits_for(derive::ROWS, composite, usages::consumer(key)),
    admit: |request| shapes::judge::admitted(STACKS.kind, definition(), request, admit::admit),
    admission: admit::ADMISSION,
    #[cfg(feature = "generate")]
    published: published::PUBLISHED,
    ..Kind::bare(STACKS.api_version, STACKS.kind, STACKS.plural, definition, compose)
};

const EXAMPLES: &[Example] =
    &[example!("modelplane", "stack", "what serves models, on a cluster whose kubeconfig is in a Secret")];

/// Composes the charts and the objects.
fn compose(request: &ComposeRequest) -> Result<(ComposeResponse, Reasons), Fault> {
    let observed = observed(request)?;
    let inputs = Rc::new(read(request, &observed)?);
    let resources = gates::desired(derive::ROWS, &inputs, &observed);
    let reasons = Reasons::of(request, &resources).with_status(derive::STATUS, &*inputs);
    let status = fields(Plan::of(derive::STATUS, &*inputs).into_object());
    let answered = Answered { status, resources, ..Answered::default() };
    Ok((answered.respond_with_reasons(&inputs.stack.options, &observed), reasons))
}
