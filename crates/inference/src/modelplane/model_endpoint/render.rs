//! Makes Kubernetes objects from the tables of rules. It computes no value.

use toolbox::composed::Composed;
use toolbox::observed::ReadyWhen;
use toolbox::rule::Plan;

use super::derive::{EndpointInputs, HELD_SERVICE, HELD_SLICE, SERVICE_KEY, SLICE_KEY};
use crate::modelplane::resources::{self, ENDPOINT_SLICES, SERVICES};

/// The Service, and the EndpointSlice when the Service has a name. What cannot be known is held: a typo in the URL must not
/// take away what serves.
pub(super) fn resources(inputs: &EndpointInputs<'_>) -> Vec<Composed> {
    let service = inputs.destination.as_ref().map(|_| EndpointInputs::SERVICE);
    let slice = inputs.destination.as_ref().and(inputs.service()).map(|_| EndpointInputs::SLICE);
    let rows = [(SERVICE_KEY, SERVICES, service, HELD_SERVICE), (SLICE_KEY, ENDPOINT_SLICES, slice, HELD_SLICE)];
    let composed = rows.into_iter().filter_map(|(key, resource, known, held)| {
        let plan = Plan::of_kind(resources::kind(&resource));
        let plan = match known {
            Some(rules) => plan.and(rules, inputs),
            None => plan.and(held, inputs.observed.get(key)?),
        };
        Some(Composed::new(key, plan).ready(ReadyWhen::Observed))
    });
    composed.collect()
}
