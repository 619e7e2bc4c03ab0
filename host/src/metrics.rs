//! The metrics of the servers: one table of all, and what is the same for each server.

use std::fmt;
use std::time::Duration;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::text::encode;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric as _};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::{ConstGauge, Gauge};
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Metric as Registered, Registry};

use crate::engine::Engine;

/// A metric.
#[derive(Clone, Copy, Debug)]
pub struct Metric {
    /// The name. In the format of Prometheus, a counter ends with `_total`, and a histogram has several series.
    pub name: &'static str,
    /// The type.
    pub kind: MetricKind,
    /// The names of the labels.
    pub labels: &'static [&'static str],
    /// What it is.
    pub help: &'static str,
}

/// The type of a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MetricKind {
    /// A number that only grows.
    Counter,
    /// A number.
    Gauge,
    /// How many observations are below each of some bounds.
    Histogram,
}

impl Metric {
    /// A counter.
    pub(crate) const fn counter(name: &'static str, labels: &'static [&'static str], help: &'static str) -> Self {
        Self { name, kind: MetricKind::Counter, labels, help }
    }

    /// A gauge.
    pub(crate) const fn gauge(name: &'static str, labels: &'static [&'static str], help: &'static str) -> Self {
        Self { name, kind: MetricKind::Gauge, labels, help }
    }

    /// A histogram.
    pub(crate) const fn histogram(name: &'static str, labels: &'static [&'static str], help: &'static str) -> Self {
        Self { name, kind: MetricKind::Histogram, labels, help }
    }

    /// The names of the metric's time series.
    pub fn series(&self) -> Vec<String> {
        let endings: &[&str] = match self.kind {
            MetricKind::Counter => &["_total"],
            MetricKind::Gauge => &[""],
            MetricKind::Histogram => &["_bucket", "_sum", "_count"],
        };
        endings.iter().map(|ending| format!("{}{ending}", self.name)).collect()
    }

    /// Registers the metric.
    pub(crate) fn register(&self, registry: &mut Registry, metric: impl Registered) {
        registry.register(self.name, self.help, metric);
    }

    /// A time series: the names of the labels with these values.
    pub(crate) fn labelled<const N: usize>(&self, values: [&str; N]) -> LabelSet {
        debug_assert_eq!(self.labels.len(), N, "{}", self.name);
        self.labels.iter().copied().zip(values.map(str::to_owned)).collect()
    }
}

/// The labels of a time series, as the library needs them.
pub(crate) type LabelSet = Vec<(&'static str, String)>;
/// Counters by labels.
pub(crate) type Counters = Family<LabelSet, Counter>;
/// Gauges by labels.
pub(crate) type Gauges = Family<LabelSet, Gauge>;

/// Durations by labels.
#[derive(Clone, Debug)]
pub(crate) struct Durations(Family<LabelSet, Histogram, fn() -> Histogram>);

impl Durations {
    /// Buckets of durations: their upper bounds, in seconds.
    const SECONDS: [f64; 11] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 1.0, 5.0, 10.0];

    pub(crate) fn observe(&self, labels: &LabelSet, took: Duration) {
        self.0.get_or_create(labels).observe(took.as_secs_f64());
    }

    /// What is registered.
    pub(crate) fn family(&self) -> Family<LabelSet, Histogram, fn() -> Histogram> {
        self.0.clone()
    }
}

impl Default for Durations {
    fn default() -> Self {
        Self(Family::new_with_constructor(|| Histogram::new(Self::SECONDS)))
    }
}

const BUILD: Metric = Metric::gauge(
    "sailplane_build_info",
    &["version", "commit", "component"],
    "Always 1: the version, the commit when it is known, and the built-in component",
);
const INSTANCES: Metric = Metric::gauge(
    "sailplane_module_instances",
    &["module", "state"],
    "Instances of a module, each `busy` with a call or `idle`",
);
const MEMORY: Metric =
    Metric::gauge("sailplane_module_memory_bytes", &["module"], "Memory of all instances of a module");
const WAITING: Metric =
    Metric::gauge("sailplane_module_calls_waiting", &["module"], "Calls of a module that wait for their turn");

/// The metrics that each server has.
pub const COMMON: &[Metric] = &[BUILD, INSTANCES, MEMORY, WAITING];

/// The text of `--version`: the version, then lines with the commit, when it is known, and the component.
const VERSION: &str = include_str!(concat!(env!("OUT_DIR"), "/version.txt"));

/// All metrics of a registry, in the text format of OpenMetrics.
pub(crate) fn text(registry: &Registry) -> String {
    let mut text = String::new();
    // Writing to a String cannot fail.
    let _ = encode(&mut text, registry);
    text
}

/// Registers the metrics that each server has.
pub(crate) fn register_common(registry: &mut Registry, engine: &Engine) {
    registry.register_collector(Box::new(Common(engine.clone())));
}

/// Reads the state of the engine when metrics are asked for.
struct Common(Engine);

impl fmt::Debug for Common {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Common")
    }
}

impl Collector for Common {
    fn encode(&self, mut encoder: DescriptorEncoder) -> fmt::Result {
        let of_line = |name: &str| VERSION.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default().trim();
        let version = VERSION.lines().next().unwrap_or_default();
        let build = BUILD.labelled([version, of_line("commit:"), of_line("component:")]);
        gauge(&mut encoder, BUILD, [(build, 1)])?;
        let usage = self.0.usage();
        let instances = usage.iter().flat_map(|(module, usage)| {
            [("busy", usage.busy), ("idle", usage.idle)]
                .map(|(state, count)| (INSTANCES.labelled([module, state]), count))
        });
        gauge(&mut encoder, INSTANCES, instances)?;
        gauge(&mut encoder, MEMORY, usage.iter().map(|(module, usage)| (MEMORY.labelled([module]), usage.memory)))?;
        gauge(&mut encoder, WAITING, usage.iter().map(|(module, usage)| (WAITING.labelled([module]), usage.waiting)))
    }
}

fn gauge(
    encoder: &mut DescriptorEncoder,
    metric: Metric,
    series: impl IntoIterator<Item = (LabelSet, usize)>,
) -> fmt::Result {
    let mut encoder = encoder.encode_descriptor(metric.name, metric.help, None, MetricType::Gauge)?;
    for (labels, value) in series {
        let value = ConstGauge::new(i64::try_from(value).unwrap_or(i64::MAX));
        value.encode(encoder.encode_family(&labels)?)?;
    }
    Ok(())
}
