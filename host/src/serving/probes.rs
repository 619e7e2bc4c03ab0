//! Plain-HTTP probes for the kubelet, which cannot speak mutual TLS.

use std::net::SocketAddr;

use axum::Router;
use axum::http::StatusCode;
use axum::routing::get;
use tokio::net::TcpListener;

use super::address::Listen;

/// Whether work may come: what is in the way, when it may not.
pub(crate) type Readiness = Result<(), &'static str>;

/// Answers `/livez` while the process lives, and `/readyz` as `ready` says.
///
/// A port that cannot be listened on is logged, and no more: the work goes on without probes, as the SDK's server
/// does without metrics.
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
