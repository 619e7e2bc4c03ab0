//! Makes objects from the tables of rules. It computes no value.

use std::rc::Rc;

use toolbox::composed::Composed;
use toolbox::held::held;
use toolbox::observed::Observed;
use toolbox::rule::Plan;

use super::derive::{CLOUD, GUARDS, POOL, POOLS, ROWS};
use super::inputs::{FleetInputs, Stop};
use super::read::is_guard;
use crate::modelplane::platform::gates;
use crate::modelplane::resources::kind;

/// What is desired. While something stands in the way, what is observed stays as it is.
pub(super) fn resources(inputs: &Rc<FleetInputs>, observed: &Observed<'_>) -> Vec<Composed> {
    let mut resources = gates::desired(&[GUARDS], inputs, observed);
    if inputs.stop.is_some() {
        let others = observed.iter().filter(|(key, _)| !is_guard(key));
        resources.extend(others.map(|(key, object)| held(key, object)));
        return resources;
    }
    let cluster = inputs.cloud.zip(cloud_cluster(inputs));
    resources.extend(cluster.map(|(cloud, plan)| Composed::new(cloud.key(), plan)));
    resources.extend(gates::desired(&[ROWS], inputs, observed));
    resources
}

/// Whether a fault must keep what runs, because nothing else would.
pub(super) fn is_fatal(inputs: &FleetInputs, observed: &Observed<'_>) -> bool {
    let runs = observed.iter().any(|(key, _)| !is_guard(key));
    runs && !matches!(inputs.stop, None | Some(Stop::Classes { is_known: false, .. }))
}

/// What makes the cluster in its cloud. `None` for one that exists.
pub(super) fn cloud_cluster(inputs: &FleetInputs) -> Option<Plan> {
    let plan = Plan::of_kind(kind(inputs.cloud?.kind)).and(CLOUD, inputs);
    Some(inputs.pools.iter().fold(plan, |plan, pool| plan.item(POOLS, POOL, pool)))
}
