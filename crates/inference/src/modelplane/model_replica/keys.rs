//! Composition resource names.

use toolbox::observed::ReadyWhen;

use crate::modelplane::options::Backend;

/// The route.
pub(super) const ROUTE: &str = "model-route";
/// The InferencePool.
pub(super) const POOL: &str = "inference-pool";
/// The ServiceAccount of the endpoint picker.
pub(super) const PICKER_ACCOUNT: &str = "epp-serviceaccount";
/// Its rights.
pub(super) const PICKER_ROLE: &str = "epp-role";
/// Their binding.
pub(super) const PICKER_BINDING: &str = "epp-rolebinding";
/// Its configuration.
pub(super) const PICKER_CONFIG: &str = "epp-config";
/// The endpoint picker.
pub(super) const PICKER: &str = "epp";
/// Its Service.
pub(super) const PICKER_SERVICE: &str = "epp-service";

/// The object of KServe that serves the whole replica.
pub(super) const KSERVE: &str = "model-serving";

/// What the keys of workloads start with.
const WORKLOADS: &str = "model-serving-";

/// The workload of an engine.
pub(super) fn workload_key(engine: &str) -> String {
    format!("{WORKLOADS}{engine}")
}

/// The claims of a member of an engine.
pub(super) fn claim_key(engine: &str, role: &str) -> String {
    format!("resource-claim-{engine}-{role}")
}

/// The backend that composed the resource with this key, if it tells.
pub(super) fn backend_of(key: &str) -> Option<Backend> {
    match key {
        KSERVE => Some(Backend::Kserve),
        _ => key.starts_with(WORKLOADS).then_some(Backend::Direct),
    }
}

/// When the resource with this key is ready: a workload when it is available, everything else when it exists.
pub(super) fn ready_when(key: &str) -> ReadyWhen {
    if backend_of(key).is_some() { ReadyWhen::Holds("Ready") } else { ReadyWhen::Observed }
}
