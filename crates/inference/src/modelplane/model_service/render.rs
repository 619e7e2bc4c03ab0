//! Makes the HTTPRoute from the tables of rules. It computes no value.

use serde_json::Value;
use toolbox::composed::Composed;
use toolbox::rule::Plan;

use super::derive::{ROUTE, ServiceInputs, WeightedBackend};
use crate::modelplane::resources::{HTTP_ROUTES, kind};
use toolbox::held::held;

/// Composition resource name of the HTTPRoute.
pub(super) const ROUTE_KEY: &str = "httproute";

/// The HTTPRoute, without a name: Crossplane gives it one. `None` when there is nothing to route to, and never was: an
/// observed route stays, without backends, so that the address of the service stays too.
pub(super) fn route(inputs: &ServiceInputs, observed: Option<&Value>) -> Option<Composed> {
    match observed {
        Some(route) if !inputs.resolved => Some(held(ROUTE_KEY, route)),
        None if inputs.matched() == 0 => None,
        _ => {
            let plan = Plan::of_kind(kind(&HTTP_ROUTES)).and(ROUTE, inputs);
            let item = |plan: Plan, backend: &WeightedBackend<'_>| {
                plan.item("spec.rules[0].backendRefs", WeightedBackend::BACKEND, backend)
            };
            Some(Composed::new(ROUTE_KEY, inputs.backends().iter().fold(plan, item)))
        }
    }
}
