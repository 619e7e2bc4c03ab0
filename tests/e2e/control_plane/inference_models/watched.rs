//! Models that are watched from outside, by what the API server stores: nobody holds more than there is.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use contract::catalog::ApiResource;
use inference::inference_model::resources::{DEPLOYMENTS, INFERENCE_MODELS};
use serde_json::Value;
use tests::real::watching::{Objects, Which};

use super::namespaces::InferenceModels;
use crate::resources::PODS;

/// Models that fit at the same time: into a pool, or into all pools without a name.
pub(super) type Fit = (Option<&'static str>, usize);

/// What is counted.
struct Counted {
    what: &'static str,
    resource: &'static ApiResource,
    /// The pool of an object that counts.
    pool: fn(&Value) -> Option<&str>,
    /// How long there may be more than fit, while processors are free.
    excess: Duration,
}

/// How much longer everything may take while others fill the processors.
const WHEN_BUSY: u32 = 3;

/// Claims may exceed a total until they give way. What is confirmed may not, nor what is ready.
const COUNTED: [Counted; 3] = [
    Counted { what: "confirmed models", resource: &INFERENCE_MODELS, pool: confirmed, excess: Duration::ZERO },
    Counted { what: "desired pods", resource: &DEPLOYMENTS, pool: desired, excess: Duration::from_secs(10) },
    Counted { what: "ready pods", resource: PODS, pool: ready, excess: Duration::ZERO },
];

/// A time in which nobody composes. Nobody gives way either, so what is too much then does not count.
pub(super) type Outage = Option<(Instant, Instant)>;

/// Watches models while `act` runs, which returns an outage too. Fails when there were more than fit, or for too long. Returns what
/// was seen too.
pub(super) fn watched<T>(
    models: &InferenceModels<'_>,
    fit: &[Fit],
    act: impl FnOnce() -> Result<(T, Outage)>,
) -> Result<(T, String)> {
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        let watches = COUNTED.iter().map(|counted| scope.spawn(|| counted.watch(models, fit, &over)));
        let watches: Vec<_> = watches.collect();
        let done = act();
        over.store(true, Ordering::Relaxed);
        let seen = watches.into_iter().map(|watch| watch.join().ok().context("a watch panicked")?);
        let seen = seen.collect::<Result<Vec<_>>>()?;
        let (done, outage) = done?;
        let seen: Vec<_> = seen.into_iter().flatten().collect();
        let words = seen.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        ensure!(seen.iter().all(|seen| seen.is_within(outage)), "more than fit: {words}");
        Ok((done, words))
    })
}

impl Counted {
    fn watch(&'static self, models: &InferenceModels<'_>, fit: &[Fit], over: &AtomicBool) -> Result<Vec<Seen>> {
        let mut seen: Vec<_> = fit.iter().map(|fit| Seen::of(self, *fit)).collect();
        let which = Which::all(self.resource).within(models.namespace);
        let watching = models.plane.administrator.watching()?;
        watching.follow(
            which,
            || over.load(Ordering::Relaxed),
            |objects| seen.iter_mut().for_each(|seen| seen.take(objects)),
        );
        seen.iter_mut().for_each(Seen::end);
        Ok(seen)
    }
}

/// What was seen of what is counted.
struct Seen {
    counted: &'static Counted,
    fit: Fit,
    /// The most at once.
    most: usize,
    /// Since when there are more than fit.
    since: Option<Instant>,
    /// When there were, before.
    times: Vec<(Instant, Instant)>,
}

impl Seen {
    fn of(counted: &'static Counted, fit: Fit) -> Self {
        Self { counted, fit, most: 0, since: None, times: Vec::new() }
    }

    fn take(&mut self, objects: &Objects) {
        let (pool, fit) = self.fit;
        let pools = objects.values().filter_map(self.counted.pool);
        let found = pools.filter(|found| pool.is_none_or(|pool| pool == *found)).count();
        self.most = self.most.max(found);
        if found > fit {
            self.since.get_or_insert_with(Instant::now);
        } else {
            self.end();
        }
    }

    fn end(&mut self) {
        self.times.extend(self.since.take().map(|since| (since, Instant::now())));
    }

    /// Any time is too long where there is to be none.
    fn is_within(&self, outage: Outage) -> bool {
        let most = self.counted.excess * if is_busy() { WHEN_BUSY } else { 1 };
        self.times.iter().all(|time| most > Duration::ZERO && excess(*time, outage) <= most)
    }
}

impl fmt::Display for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (pool, fit) = self.fit;
        write!(f, "{} {} of {fit}", self.most, self.counted.what)?;
        pool.map_or(Ok(()), |pool| write!(f, " of {pool}"))?;
        let longest = self.times.iter().map(|time| excess(*time, None)).max();
        longest.map_or(Ok(()), |longest| write!(f, " (more for {:.1} s)", longest.as_secs_f64()))
    }
}

/// How long a time is, without the part of it that is in the outage.
fn excess((from, to): (Instant, Instant), outage: Outage) -> Duration {
    let whole = to.duration_since(from);
    let lost = outage.map_or(Duration::ZERO, |(lost, back)| to.min(back).saturating_duration_since(from.max(lost)));
    whole.saturating_sub(lost)
}

/// Whether more has wanted to run in the last minute, or in the last five, than there are processors.
fn is_busy() -> bool {
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let averages = load.split(' ').take(2).filter_map(|it| it.parse::<f64>().ok());
    let processors = thread::available_parallelism().map_or(1.0, |it| it.get() as f64);
    averages.fold(0.0, f64::max) > processors
}

/// One that is being deleted holds nothing any more.
fn confirmed(model: &Value) -> Option<&str> {
    if model["metadata"]["deletionTimestamp"].is_string() {
        return None;
    }
    let status = &model["status"];
    let pool = status["reservedPool"].as_str().filter(|_| status["reservation"] == "Confirmed")?;
    pool.split_once('=').map(|(_, pool)| pool)
}

fn desired(deployment: &Value) -> Option<&str> {
    let spec = &deployment["spec"];
    of_nodes(&spec["template"]["spec"]).filter(|_| spec["replicas"].as_u64() > Some(0))
}

fn ready(pod: &Value) -> Option<&str> {
    let mut conditions = pod["status"]["conditions"].as_array()?.iter();
    let is_ready = conditions.any(|it| it["type"] == "Ready" && it["status"] == "True");
    of_nodes(&pod["spec"]).filter(|_| is_ready)
}

fn of_nodes(pod: &Value) -> Option<&str> {
    pod["nodeSelector"]["inference-pool"].as_str()
}
