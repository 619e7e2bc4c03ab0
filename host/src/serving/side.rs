//! The ports beside the one that a server is there for: plain HTTP, for clusters.

use std::future::pending;
use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;

use super::clients::Bounds;
use super::listener::{Listener, Transport};

/// Serves `router` until the process ends. When the server cannot listen on the port, it logs an error, and continues
/// without.
pub(super) fn serve(what: &'static str, address: SocketAddr, bounds: Bounds, router: Router) {
    tokio::spawn(async move {
        match Listener::bind(address, bounds).await {
            Ok(listener) => {
                tracing::info!(%address, "serving {what}");
                listener.serve(Transport::Http(None), router, pending(), Duration::ZERO).await;
            }
            Err(error) => tracing::error!(%address, %error, "cannot serve {what}"),
        }
    });
}
