//! Whether the API server can be reached.

use std::sync::atomic::{AtomicBool, Ordering};

use kube::runtime::watcher::Error;

use crate::admission::client::one_line;

/// What is known of the connection to the API server. All watches tell it how their requests went.
#[derive(Debug)]
pub(super) struct Connection {
    server: String,
    /// Whether there was an answer at some time.
    reached: AtomicBool,
    /// Whether the last request had no answer.
    lost: AtomicBool,
}

impl Connection {
    /// Nothing is known yet of the API server at the URL `server`.
    pub(super) fn new(server: String) -> Self {
        Self { server, reached: AtomicBool::new(false), lost: AtomicBool::new(false) }
    }

    /// The API server answered.
    pub(super) fn answered(&self) {
        self.reached.store(true, Ordering::Relaxed);
        if self.lost.swap(false, Ordering::Relaxed) {
            tracing::info!(server = self.server, "the API server can be reached again");
        }
    }

    /// A watch failed, perhaps because there was no answer. That is logged once.
    pub(super) fn failed(&self, error: &Error) {
        let (Error::InitialListFailed(cause) | Error::WatchStartFailed(cause)) = error else { return };
        if matches!(cause, kube::Error::Api(_)) {
            return self.answered();
        }
        let no_answer = matches!(cause, kube::Error::HyperError(_) | kube::Error::Service(_));
        if no_answer && !self.lost.swap(true, Ordering::Relaxed) {
            tracing::error!(
                server = self.server,
                "cannot reach the API server; if a NetworkPolicy is in the way, it must allow the API server's port: {}",
                one_line(cause)
            );
        }
    }

    /// Whether there was an answer at some time.
    pub(super) fn was_reached(&self) -> bool {
        self.reached.load(Ordering::Relaxed)
    }

    /// Whether the last request had no answer.
    pub(super) fn is_lost(&self) -> bool {
        self.lost.load(Ordering::Relaxed)
    }
}
