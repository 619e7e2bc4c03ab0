//! Metrics for Prometheus.

use std::sync::atomic::AtomicI64;
use std::time::Duration;

use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;

/// Buckets of durations: their upper bounds, in seconds.
const SECONDS: [f64; 10] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 1.0, 5.0];

/// The labels of a time series, as the library needs them.
type LabelSet = Vec<(&'static str, String)>;
/// The labels of a time series: names and values.
pub(super) type Labels<const N: usize> = [(&'static str, String); N];

/// The metrics.
#[derive(Clone, Debug, Default)]
pub(super) struct Metrics {
    reviews: Family<LabelSet, Counter>,
    seconds: Durations,
    /// Reviews in flight. Waiting reviews are counted too.
    pub(super) in_flight: Gauge,
    /// Reviews that found no turn or no room in time.
    pub(super) overloaded: Counter,
    synced: Family<LabelSet, Gauge>,
    objects: Family<LabelSet, Gauge>,
    reloads: Family<LabelSet, Counter>,
    /// When the certificate expires, in seconds since the Unix epoch.
    pub(super) certificate_expiry: Gauge<i64, AtomicI64>,
}

#[derive(Clone, Debug)]
struct Durations(Family<LabelSet, Histogram, fn() -> Histogram>);

impl Default for Durations {
    fn default() -> Self {
        Self(Family::new_with_constructor(|| Histogram::new(SECONDS)))
    }
}

impl Metrics {
    /// Counts a review that has an answer.
    pub(super) fn reviewed(&self, labels: Labels<5>, webhook: &'static str, took: Duration) {
        self.reviews.get_or_create(&labels.into()).inc();
        self.seconds.0.get_or_create(&vec![("webhook", webhook.to_owned())]).observe(took.as_secs_f64());
    }

    /// Sets the number of known objects of a kind, and whether these are all.
    pub(super) fn cached(&self, kind: &str, synced: bool, objects: usize) {
        let labels = vec![("kind", kind.to_owned())];
        self.synced.get_or_create(&labels).set(i64::from(synced));
        self.objects.get_or_create(&labels).set(i64::try_from(objects).unwrap_or(i64::MAX));
    }

    /// Counts that a file was read again.
    pub(super) fn reloaded(&self, what: &'static str, sound: bool) {
        let outcome = if sound { "taken" } else { "refused" };
        self.reloads.get_or_create(&vec![("what", what.to_owned()), ("outcome", outcome.to_owned())]).inc();
    }

    /// All metrics in the text format of OpenMetrics.
    pub(super) fn text(&self) -> String {
        let mut registry = Registry::with_prefix("sailplane_admission");
        registry.register("reviews", "Reviews that were answered", self.reviews.clone());
        registry.register("review_duration_seconds", "How long reviews took", self.seconds.0.clone());
        registry.register("reviews_in_flight", "Reviews under way or waiting for their turn", self.in_flight.clone());
        registry.register(
            "reviews_overloaded",
            "Reviews that found no turn or no room in time",
            self.overloaded.clone(),
        );
        registry.register(
            "lookup_synced",
            "Whether all objects of a kind that verdicts look up are known",
            self.synced.clone(),
        );
        registry.register("lookup_objects", "Objects of a kind that verdicts look up", self.objects.clone());
        registry.register("reloads", "Files that changed and were read again", self.reloads.clone());
        registry.register(
            "certificate_expiry_timestamp_seconds",
            "When the serving certificate ends, 0 without one",
            self.certificate_expiry.clone(),
        );
        let mut text = String::new();
        // Writing to a String cannot fail.
        let _ = encode(&mut text, &registry);
        text
    }
}
