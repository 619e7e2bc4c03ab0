//! Which objects exist, and which API groups of others they need.

use contract::catalog::ApiResource;

use super::inputs::ServingInputs;
use crate::otterscale::options::GatewayProvider;
use crate::otterscale::resources::{
    CLUSTER_ROLE_BINDINGS, CLUSTER_ROLES, CONFIG_MAPS, DEPLOYMENTS, DESTINATION_RULES, HTTP_ROUTES, INFERENCE_POOLS,
    POD_DISRUPTION_BUDGETS, POD_MONITORS, ROLE_BINDINGS, ROLES, SECRETS, SERVICE_ACCOUNTS, SERVICE_MONITORS, SERVICES,
};

/// An object that a service may have.
#[derive(Clone, Copy, Debug)]
pub struct ServiceObject {
    /// Its composition resource name.
    pub key: &'static str,
    /// Its kind.
    pub kind: ApiResource,
    /// Whether it should exist.
    pub exists: fn(&ServingInputs) -> bool,
}

/// All objects that a service may have.
#[rustfmt::skip]
pub const OBJECTS: &[ServiceObject] = &[
    ServiceObject { key: "decode", kind: DEPLOYMENTS, exists: |_| true },
    ServiceObject { key: "prefill", kind: DEPLOYMENTS, exists: ServingInputs::is_divided },
    ServiceObject { key: "disruption-budget-decode", kind: POD_DISRUPTION_BUDGETS, exists: |i| i.service.spec.decode.disruption_budget.is_some() },
    ServiceObject { key: "disruption-budget-prefill", kind: POD_DISRUPTION_BUDGETS, exists: |i| i.service.spec.prefill.as_ref().is_some_and(|it| it.disruption_budget.is_some()) },
    ServiceObject { key: "epp-service-account", kind: SERVICE_ACCOUNTS, exists: |_| true },
    ServiceObject { key: "epp-config", kind: CONFIG_MAPS, exists: |_| true },
    ServiceObject { key: "epp", kind: DEPLOYMENTS, exists: |_| true },
    ServiceObject { key: "epp-service", kind: SERVICES, exists: |_| true },
    ServiceObject { key: "epp-metrics-token", kind: SECRETS, exists: ServingInputs::has_token },
    ServiceObject { key: "epp-role", kind: ROLES, exists: |_| true },
    ServiceObject { key: "epp-role-binding", kind: ROLE_BINDINGS, exists: |_| true },
    ServiceObject { key: "epp-cluster-role", kind: CLUSTER_ROLES, exists: ServingInputs::composes_grant },
    ServiceObject { key: "epp-cluster-role-binding", kind: CLUSTER_ROLE_BINDINGS, exists: ServingInputs::composes_grant },
    ServiceObject { key: "inference-pool", kind: INFERENCE_POOLS, exists: |_| true },
    ServiceObject { key: "http-route", kind: HTTP_ROUTES, exists: |i| i.gateway().is_some() },
    ServiceObject { key: "destination-rule", kind: DESTINATION_RULES, exists: |i| i.options.provider == GatewayProvider::Istio },
    ServiceObject { key: "pod-monitor-decode", kind: POD_MONITORS, exists: has_monitors },
    ServiceObject { key: "pod-monitor-prefill", kind: POD_MONITORS, exists: |i| has_monitors(i) && i.is_divided() },
    ServiceObject { key: "epp-service-monitor", kind: SERVICE_MONITORS, exists: |i| i.options.monitoring.enabled && i.service.spec.inference_pool.is_some() && i.pod_monitor().is_some_and(|it| it.enabled) },
];

/// Without the object `podMonitor` there are monitors; with it only when it says so.
fn has_monitors(inputs: &ServingInputs) -> bool {
    inputs.options.monitoring.enabled && inputs.pod_monitor().is_none_or(|it| it.enabled)
}

impl ServiceObject {
    /// Whether the cluster is known not to have its kind.
    pub fn is_missing(&self, inputs: &ServingInputs) -> bool {
        inputs.missing.contains(&self.kind.group())
    }
}

/// API groups that not every cluster has, with the APIService of the version that is composed.
pub const OPTIONAL: &[(&str, &str)] = &[
    ("gateway.networking.k8s.io", "v1.gateway.networking.k8s.io"),
    ("inference.networking.k8s.io", "v1.inference.networking.k8s.io"),
    ("monitoring.coreos.com", "v1.monitoring.coreos.com"),
    ("networking.istio.io", "v1beta1.networking.istio.io"),
];

/// The API groups of others that the objects of a service need, each with its APIService.
pub fn needed(inputs: &ServingInputs) -> impl Iterator<Item = &'static (&'static str, &'static str)> + '_ {
    let needs = |group: &str| OBJECTS.iter().any(|row| row.kind.group() == group && (row.exists)(inputs));
    OPTIONAL.iter().filter(move |(group, _)| needs(group))
}
