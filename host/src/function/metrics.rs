//! The metrics of calls.

use std::time::Instant;

use prometheus_client::registry::Registry;

use super::counts::{CallCounts, HANDLED, RECEIVED, SENT, STARTED};
use super::messages::{RunFunctionResponse, Severity};
use crate::engine::Engine;
use crate::metrics::{Counters, Durations, Metric, register_common};
use crate::traces;
use crate::wit::compose::{Request, Response};
use crate::wit::types::KindRef;

const SECONDS: Metric = Metric::histogram(
    "sailplane_function_call_duration_seconds",
    &["kind", "outcome"],
    "How long calls of RunFunction took: `composed`, `refused` with a fatal result, `overloaded`, or `given up` by the client",
);
const FATAL: Metric = Metric::counter(
    "sailplane_function_fatal_results",
    &["kind", "reason"],
    "Calls that were answered with a fatal result, by its reason",
);
const LOOKUPS: Metric = Metric::counter(
    "sailplane_function_lookups",
    &["kind", "outcome"],
    "Objects that modules asked for: `asked` without an answer yet, `found` or `absent`",
);

/// The metrics of the function, beside those of every server.
pub const METRICS: &[Metric] = &[STARTED, HANDLED, RECEIVED, SENT, SECONDS, FATAL, LOOKUPS];

/// The metrics.
#[derive(Clone, Debug, Default)]
pub(super) struct CallMetrics {
    counts: CallCounts,
    seconds: Durations,
    fatal: Counters,
    lookups: Counters,
}

impl CallMetrics {
    /// A registry with all metrics.
    pub(super) fn registry(&self, engine: &Engine) -> Registry {
        let mut registry = Registry::default();
        self.counts.register(&mut registry);
        SECONDS.register(&mut registry, self.seconds.family());
        FATAL.register(&mut registry, self.fatal.clone());
        LOOKUPS.register(&mut registry, self.lookups.clone());
        register_common(&mut registry, engine);
        registry
    }

    /// The counts of calls.
    pub(super) fn counts(&self) -> CallCounts {
        self.counts.clone()
    }

    /// Begins a call of a kind.
    pub(super) fn call(&self, engine: &Engine, kind: &KindRef) -> Call {
        Call { metrics: self.clone(), kind: label(engine, kind).to_owned(), begun: Instant::now(), outcome: "given up" }
    }

    /// Counts what a module asked for, and what it was answered.
    pub(super) fn looked_up(&self, engine: &Engine, kind: &KindRef, request: &Request, response: &Response) {
        for lookup in &response.lookups {
            let outcome = match request.lookups.iter().find(|answer| answer.name == lookup.name) {
                None => "asked",
                Some(answer) if answer.objects.is_empty() => "absent",
                Some(_) => "found",
            };
            self.lookups.get_or_create(&LOOKUPS.labelled([label(engine, kind), outcome])).inc();
        }
    }
}

/// The label of a kind: one of those that `engine` serves, or `other`. A client cannot make new labels.
fn label<'a>(engine: &Engine, kind: &'a KindRef) -> &'a str {
    if engine.has(kind) { &kind.kind } else { "other" }
}

/// A call. It is counted when it is dropped.
#[derive(Debug)]
pub(super) struct Call {
    metrics: CallMetrics,
    kind: String,
    begun: Instant,
    outcome: &'static str,
}

impl Call {
    /// The call found no turn.
    pub(super) fn overloaded(mut self) {
        self.outcome = "overloaded";
        traces::ended(self.outcome, None);
    }

    /// The call is answered.
    pub(super) fn answered(mut self, response: &RunFunctionResponse) {
        let fatal = response.results.iter().find(|result| result.severity() == Severity::Fatal);
        self.outcome = if fatal.is_some() { "refused" } else { "composed" };
        if let Some(fatal) = fatal {
            let labels = FATAL.labelled([&self.kind, fatal.reason()]);
            self.metrics.fatal.get_or_create(&labels).inc();
        }
        traces::ended(self.outcome, fatal.map(|fatal| fatal.reason()));
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        let labels = SECONDS.labelled([&self.kind, self.outcome]);
        self.metrics.seconds.observe(&labels, self.begun.elapsed());
    }
}
