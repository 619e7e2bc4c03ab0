//! Probes over plain HTTP, because the kubelet has no client certificate.

use axum::Router;
use axum::http::StatusCode;
use axum::routing::get;

use super::address::Monitoring;
use super::clients::Clients;
use super::side;

/// Whether the server is ready, or why not.
pub(crate) type Readiness = Result<(), &'static str>;

/// Serves `/livez`, which always succeeds, and `/readyz`, which succeeds when `ready` does.
pub(crate) fn probes(
    at: &Monitoring,
    clients: &Clients,
    ready: impl Fn() -> Readiness + Clone + Send + Sync + 'static,
) {
    let Some(address) = at.health_address.0 else { return };
    let readyz = move || {
        let ready = ready();
        async move {
            match ready {
                Ok(()) => (StatusCode::OK, "ok"),
                Err(what) => (StatusCode::SERVICE_UNAVAILABLE, what),
            }
        }
    };
    let probes = Router::new().route("/livez", get(|| async { "ok" })).route("/readyz", get(readyz));
    side::serve("/livez and /readyz", address, clients.side_bounds(), probes);
}
