//! Whether the API server can be reached.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use kube::runtime::watcher::Error;

use crate::admission::client::one_line;

/// What is known of the connection to the API server. All watches tell it how their requests went.
#[derive(Debug)]
pub(super) struct Connection {
    server: String,
    /// Whether there was an answer at some time.
    reached: AtomicBool,
    /// Whether the last request had no answer. It changes together with what the log says: readiness refers to the log.
    lost: Mutex<bool>,
}

impl Connection {
    /// Nothing is known yet of the API server at the URL `server`.
    pub(super) fn new(server: String) -> Self {
        Self { server, reached: AtomicBool::new(false), lost: Mutex::new(false) }
    }

    /// The API server answered.
    pub(super) fn answered(&self) {
        self.reached.store(true, Ordering::Relaxed);
        if std::mem::take(&mut *self.lost()) {
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
        let mut lost = self.lost();
        if no_answer && !*lost {
            tracing::error!(
                server = self.server,
                "cannot reach the API server; if a NetworkPolicy is in the way, it must allow the API server's port: {}",
                one_line(cause)
            );
            *lost = true;
        }
    }

    /// Whether there was an answer at some time.
    pub(super) fn was_reached(&self) -> bool {
        self.reached.load(Ordering::Relaxed)
    }

    /// Whether the last request had no answer.
    pub(super) fn is_lost(&self) -> bool {
        *self.lost()
    }

    fn lost(&self) -> MutexGuard<'_, bool> {
        self.lost.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
