//! Metrics for Prometheus.

use std::sync::atomic::AtomicI64;
use std::time::Duration;

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

use crate::engine::Engine;
use crate::metrics::{Counters, Durations, Gauges, Metric, register_common};

const REVIEWS: Metric = Metric::counter(
    "sailplane_admission_reviews",
    &["kind", "operation", "webhook", "mode", "outcome"],
    "Reviews that were answered",
);
const SECONDS: Metric =
    Metric::histogram("sailplane_admission_review_duration_seconds", &["webhook"], "How long reviews took");
const DENIALS: Metric = Metric::counter(
    "sailplane_admission_denials",
    &["kind", "reason"],
    "Mistakes in objects, by the API server's name for the reason, whether the mode refuses or allows them",
);
const LOOKUPS: Metric = Metric::counter(
    "sailplane_admission_lookups",
    &["kind", "outcome"],
    "What verdicts asked for: `answered`, or `unknown` because not all objects of the kind are known",
);
const IN_FLIGHT: Metric =
    Metric::gauge("sailplane_admission_reviews_in_flight", &[], "Reviews under way or waiting for their turn");
const OVERLOADED: Metric =
    Metric::counter("sailplane_admission_reviews_overloaded", &[], "Reviews that found no turn or no room in time");
const SYNCED: Metric = Metric::gauge(
    "sailplane_admission_lookup_synced",
    &["group", "kind"],
    "Whether all objects of a kind that verdicts look up are known",
);
const OBJECTS: Metric =
    Metric::gauge("sailplane_admission_lookup_objects", &["group", "kind"], "Objects of a kind that verdicts look up");
const RELOADS: Metric =
    Metric::counter("sailplane_admission_reloads", &["what", "outcome"], "Files that changed and were read again");
const EXPIRY: Metric = Metric::gauge(
    "sailplane_admission_certificate_expiry_timestamp_seconds",
    &[],
    "When the serving certificate ends, 0 without one",
);

/// The metrics of the webhooks, beside those of every server.
pub const METRICS: &[Metric] =
    &[REVIEWS, SECONDS, DENIALS, LOOKUPS, IN_FLIGHT, OVERLOADED, SYNCED, OBJECTS, RELOADS, EXPIRY];

/// The metrics.
#[derive(Clone, Debug, Default)]
pub(super) struct Metrics {
    reviews: Counters,
    seconds: Durations,
    denials: Counters,
    lookups: Counters,
    /// Reviews in flight. Waiting reviews are counted too.
    pub(super) in_flight: Gauge,
    /// Reviews that found no turn or no room in time.
    pub(super) overloaded: Counter,
    synced: Gauges,
    objects: Gauges,
    reloads: Counters,
    /// When the certificate expires, in seconds since the Unix epoch.
    pub(super) certificate_expiry: Gauge<i64, AtomicI64>,
}

impl Metrics {
    /// Counts a review that has an answer, by kind, operation, webhook, mode and outcome.
    pub(super) fn reviewed(&self, labels: [&str; 5], took: Duration) {
        let [_, _, webhook, ..] = labels;
        self.reviews.get_or_create(&REVIEWS.labelled(labels)).inc();
        self.seconds.observe(&SECONDS.labelled([webhook]), took);
    }

    /// Counts a denial.
    pub(super) fn denied(&self, kind: &str, reason: &str) {
        self.denials.get_or_create(&DENIALS.labelled([kind, reason])).inc();
    }

    /// Counts a lookup.
    pub(super) fn looked_up(&self, kind: &str, answered: bool) {
        let outcome = if answered { "answered" } else { "unknown" };
        self.lookups.get_or_create(&LOOKUPS.labelled([kind, outcome])).inc();
    }

    /// Sets the number of known objects of a kind of a group, and whether these are all. Two groups may have kinds of one name.
    pub(super) fn cached(&self, group: &str, kind: &str, synced: bool, objects: usize) {
        self.synced.get_or_create(&SYNCED.labelled([group, kind])).set(i64::from(synced));
        let objects = i64::try_from(objects).unwrap_or(i64::MAX);
        self.objects.get_or_create(&OBJECTS.labelled([group, kind])).set(objects);
    }

    /// Counts that a file was read again.
    pub(super) fn reloaded(&self, what: &'static str, sound: bool) {
        let outcome = if sound { "taken" } else { "refused" };
        self.reloads.get_or_create(&RELOADS.labelled([what, outcome])).inc();
    }

    /// A registry with all metrics.
    pub(super) fn registry(&self, engine: &Engine) -> Registry {
        let mut registry = Registry::default();
        REVIEWS.register(&mut registry, self.reviews.clone());
        SECONDS.register(&mut registry, self.seconds.family());
        DENIALS.register(&mut registry, self.denials.clone());
        LOOKUPS.register(&mut registry, self.lookups.clone());
        IN_FLIGHT.register(&mut registry, self.in_flight.clone());
        OVERLOADED.register(&mut registry, self.overloaded.clone());
        SYNCED.register(&mut registry, self.synced.clone());
        OBJECTS.register(&mut registry, self.objects.clone());
        RELOADS.register(&mut registry, self.reloads.clone());
        EXPIRY.register(&mut registry, self.certificate_expiry.clone());
        register_common(&mut registry, engine);
        registry
    }
}
