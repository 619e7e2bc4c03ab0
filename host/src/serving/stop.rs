//! How a process is told to stop.

use anyhow::{Context as _, Result};
use tokio::signal::unix::{SignalKind, signal};

/// Ends with the first SIGTERM or SIGINT.
///
/// # Errors
/// When signals cannot be listened to.
pub(crate) fn told_to_stop() -> Result<impl Future<Output = ()>> {
    let mut terminate = signal(SignalKind::terminate()).context("cannot listen to SIGTERM")?;
    let mut interrupt = signal(SignalKind::interrupt()).context("cannot listen to SIGINT")?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}
