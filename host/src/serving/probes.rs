//! Probes over plain HTTP, because the kubelet has no client certificate.

use std::net::SocketAddr;

use axum::Router;
use axum::http::StatusCode;
use axum::routing::get;
use tokio::net::TcpListener;

use super::address::Listen;

/// Whether the server is ready, or why not.
pub(crate) type Readiness = Result<(), &'static str>;

/// Serves `/livez`, which always succeeds, and `/readyz`, which succeeds when `ready` does.
///
/// When the server cannot listen on the port, it logs an error and continues without probes. The SDK's server does the
/// same with metrics.
pub(crate) fn probes(Listen(address): Listen, ready: impl Fn() -> Readiness + Clone + Send + Sync + 'static) {
    let Some(address) = address else { return };
    tokio::spawn(async move {
        if let Err(error) = serve(address, ready).await {
            tracing::error!(%address, %error, "cannot serve /livez and /readyz");
        }
    });
}

async fn serve(
    address: SocketAddr,
    ready: impl Fn() -> Readiness + Clone + Send + Sync + 'static,
) -> std::io::Result<()> {
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
    let listener = TcpListener::bind(address).await?;
    tracing::info!(%address, "serving /livez and /readyz");
    axum::serve(listener, probes).await
}
