//! Rules that an API server can evaluate by itself. The messages are those of the other files.

use contract::catalog::Action::Warn;
use toolbox::policy::{PolicyRule, deny};

use crate::long_names;
use crate::unless_stored::unless_stored;

/// Whether the copies in each pod of a role divide all copies.
macro_rules! divides {
    ($role:literal) => {
        concat!(
            "!has(object.spec.",
            $role,
            ") || !has(object.spec.",
            $role,
            ".parallelism) || object.spec.",
            $role,
            ".parallelism.data % object.spec.",
            $role,
            ".parallelism.dataLocal == 0"
        )
    };
}

macro_rules! uneven {
    ($role:literal) => {
        concat!(
            "string(object.spec.",
            $role,
            ".parallelism.dataLocal) + ' copies in each pod do not divide ' + string(object.spec.",
            $role,
            ".parallelism.data) + ' copies evenly'"
        )
    };
}

/// The rules that CEL in an API server can state.
#[rustfmt::skip]
pub(super) const POLICIES: &[PolicyRule] = &[
    long_names::POLICY,
    deny(unless_stored!("has(it.monitoring) && has(it.monitoring.podMonitor) && has(it.monitoring.podMonitor.interval) && !it.monitoring.podMonitor.interval.matches('^(0|([0-9]+y)?([0-9]+w)?([0-9]+d)?([0-9]+h)?([0-9]+m)?([0-9]+s)?([0-9]+ms)?)$')"),
        "'no duration of Prometheus; give one like `30s` or `1m30s`'"),
    deny(unless_stored!("has(it.monitoring) && has(it.monitoring.podMonitor) && has(it.monitoring.podMonitor.portName) && size(it.monitoring.podMonitor.portName) > 15"),
        "'the name is longer than 15 characters, and no port of a pod can have it; choose a shorter one'"),
    deny(unless_stored!("has(it.engine.imagePullPolicy) && !(it.engine.imagePullPolicy in ['', 'Always', 'IfNotPresent', 'Never'])"),
        "'no policy that Kubernetes knows; give `Always`, `IfNotPresent` or `Never`'"),
    deny(unless_stored!("has(it.inferencePool) && has(it.inferencePool.endpointPicker.port) && it.inferencePool.endpointPicker.port in [9003, 9090]"),
        "'the endpoint picker has port ' + string(object.spec.inferencePool.endpointPicker.port) + ' for its health or its metrics already; choose another one'"),
    warn(divides!("decode"), uneven!("decode")),
    warn(divides!("prefill"), uneven!("prefill")),
    warn("!has(object.spec.prefill) || has(object.spec.routingProxy)",
        "'prefill pods never get work, because there is no `spec.routingProxy`'"),
    warn("!has(object.spec.routingProxy) || !has(object.spec.routingProxy.certPath) || object.spec.routingProxy.certPath == '' || has(object.spec.routingProxy.certSecretRef)",
        "'nothing is mounted there; name a Secret in `certSecretRef`, unless the image of the proxy has the certificate'"),
];

const fn warn(holds: &'static str, says: &'static str) -> PolicyRule {
    PolicyRule { action: Warn, only_new: false, holds, says }
}
