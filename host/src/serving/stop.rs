//! The signals that stop a server.

use anyhow::{Context as _, Result};
use tokio::signal::unix::{SignalKind, signal};

/// Completes at the first SIGTERM or SIGINT.
///
/// # Errors
/// When the process cannot listen to signals.
pub(crate) fn stop_signal() -> Result<impl Future<Output = ()>> {
    let mut terminate = signal(SignalKind::terminate()).context("cannot listen to SIGTERM")?;
    let mut interrupt = signal(SignalKind::interrupt()).context("cannot listen to SIGINT")?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}
