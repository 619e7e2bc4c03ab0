//! Plain-HTTP probes for the kubelet, which cannot speak mutual TLS.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context as _, Result};
use axum::Router;
use axum::http::StatusCode;
use axum::routing::get;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};

use super::Listen;

/// Answers `/livez` while the process lives, and `/readyz` until it is told to stop: the calls in flight are
/// then finished, and no new ones should come.
///
/// A port that cannot be listened on is logged, and no more: composing goes on without probes, as the
/// SDK's server does without metrics.
///
/// # Errors
/// When signals cannot be listened to.
pub(super) fn spawn(Listen(address): Listen) -> Result<()> {
    let Some(address) = address else { return Ok(()) };
    let ready = Arc::new(AtomicBool::new(true));
    tokio::spawn(until_told_to_stop(Arc::clone(&ready))?);
    tokio::spawn(async move {
        if let Err(error) = serve(address, ready).await {
            tracing::error!(%address, %error, "cannot serve /livez and /readyz");
        }
    });
    Ok(())
}

async fn serve(address: SocketAddr, ready: Arc<AtomicBool>) -> std::io::Result<()> {
    let readyz = move || {
        let ready = ready.load(Ordering::Relaxed);
        async move { if ready { (StatusCode::OK, "ok") } else { (StatusCode::SERVICE_UNAVAILABLE, "stopping") } }
    };
    let probes = Router::new().route("/livez", get(|| async { "ok" })).route("/readyz", get(readyz));
    let listener = TcpListener::bind(address).await?;
    tracing::info!(%address, "serving /livez and /readyz");
    axum::serve(listener, probes).await
}

fn until_told_to_stop(ready: Arc<AtomicBool>) -> Result<impl Future<Output = ()>> {
    let mut terminate = signal(SignalKind::terminate()).context("cannot listen to SIGTERM")?;
    let mut interrupt = signal(SignalKind::interrupt()).context("cannot listen to SIGINT")?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        ready.store(false, Ordering::Relaxed);
    })
}
