//! More models want to run than fit, and each is composed apart: when they are applied at once, when Crossplane is lost meanwhile,
//! when they wake at once, in two pools with a limit for both, and when Crossplane watches nothing.
//!
//! Pods become ready when their first probe is due, as with a kubelet. Crossplane has its own circuit breakers.

use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use inference::inference_model::resources::INFERENCE_MODELS;
use serde_json::{Value, json};
use tests::real::access::named;
use tests::real::processes::{eventually, progress};
use tests::real::watching::Objects;

use super::namespaces::{InferenceModels, reason};
use super::order;
use super::watched::{Fit, Outage, watched};
use crate::composites::{Versions, kept, version};
use crate::names::SOON;
use crate::plane::Plane;

/// All are settled within this time.
const SETTLED: Duration = Duration::from_secs(180);
/// The clients that act at once.
const CLIENTS: usize = 8;
/// The models that fit, of 10Gi each.
const FIT: usize = 10;
/// The models that are deleted in the end, and as many start.
const DELETED: usize = 3;

pub(crate) fn contention(plane: &Plane) -> Result<()> {
    plane.with_default_breakers(|| {
        at_once(plane)?;
        woken(plane)?;
        two_pools(plane)
    })
}

/// Crossplane's engine is killed while models claim memory.
pub(crate) fn engine_lost(plane: &Plane) -> Result<()> {
    plane.with_default_breakers(|| killed(plane))
}

/// Crossplane watches neither what models look up nor what they compose, as without realtime compositions, and before it could: it comes
/// back by itself.
pub(crate) fn polled(plane: &Plane) -> Result<()> {
    plane.without_watches(|| {
        applied(plane, "models-polled", 20, &[(None, FIT)], &json!({"pools": {"a": "100Gi"}}))?;
        takes_turns(plane)
    })
}

/// Two models that need the same memory: one gets it when the other falls asleep, and that one again when the first is gone.
fn takes_turns(plane: &Plane) -> Result<()> {
    let models =
        InferenceModels::start(plane, "models-take-turns", &json!({"startupProbe": true, "pools": {"a": "10Gi"}}))?;
    models.apply("first", "a", &json!({}))?;
    models.are(&[("first", "Deployed")])?;
    models.edit("first", &json!({"cooldownPeriod": "15s"}))?;
    models.apply("second", "a", &json!({}))?;
    models.are(&[("first", "ScaledToZero"), ("second", "Deployed")])?;
    models.wake(&["first"])?;
    models.are(&[("first", "InsufficientMemory"), ("second", "Deployed")])?;
    models.edit("first", &json!({"cooldownPeriod": "10m"}))?;
    models.delete(&["second"])?;
    models.are(&[("first", "Deployed")])?;
    progress("models-take-turns: one runs when the other sleeps, or is gone");
    models.end()
}

fn at_once(plane: &Plane) -> Result<()> {
    applied(plane, "models-at-once", 40, &[(None, FIT)], &json!({"pools": {"a": "100Gi"}}))
}

/// All are applied at once.
fn applied(plane: &Plane, namespace: &'static str, count: usize, fit: &'static [Fit], options: &Value) -> Result<()> {
    let crowd = Crowd::start(plane, namespace, count, fit, options)?;
    crowd.contends(|| crowd.apply(&json!({})).map(|()| None))
}

fn killed(plane: &Plane) -> Result<()> {
    let crowd = Crowd::start(plane, "models-engine-lost", 40, &[(None, FIT)], &json!({"pools": {"a": "100Gi"}}))?;
    crowd.contends(|| {
        crowd.apply(&json!({}))?;
        crowd.models.until_all("some have claimed memory", SETTLED, |models| {
            let claims = models.values().filter(|model| model["status"]["reservedMemory"].is_string()).count();
            ensure!(claims > 4, "{claims} of {}", models.len());
            Ok(())
        })?;
        let lost = Instant::now();
        let before = plane.without_engine(|| plane.kubectl.list(crowd.models.all()))?;
        crowd.models.until_all("Crossplane composes again", SETTLED, |models| {
            ensure!(*models != before, "nothing is written");
            Ok(())
        })?;
        progress(&format!("models-engine-lost: Crossplane was lost for {:.1} s", lost.elapsed().as_secs_f64()));
        Ok(Some((lost, Instant::now())))
    })
}

/// They sleep, because they never ran until now.
fn woken(plane: &Plane) -> Result<()> {
    let crowd = Crowd::start(plane, "models-woken", 20, &[(None, FIT)], &json!({"pools": {"a": "100Gi"}}))?;
    for replicas in [0, 1] {
        crowd.apply(&json!({"maxReplicas": replicas}))?;
        crowd.models.until_all("all sleep", SETTLED, |models| {
            let asleep = order::of(models, "ScaledToZero").len();
            ensure!(asleep == crowd.names.len(), "{asleep} sleep");
            Ok(())
        })?;
    }
    crowd.contends(|| {
        crowd
            .by_clients(|names| {
                let names: Vec<_> = names.iter().map(String::as_str).collect();
                crowd.models.wake(&names)
            })
            .map(|()| None)
    })
}

fn two_pools(plane: &Plane) -> Result<()> {
    let fit = &[(None, FIT), (Some("a"), 7), (Some("b"), 7)];
    let options = json!({"pools": {"a": "70Gi", "b": "70Gi"}, "maxModelMemory": "100Gi"});
    applied(plane, "models-two-pools", 40, fit, &options)
}

/// Models that contend for memory.
struct Crowd<'a> {
    models: InferenceModels<'a>,
    names: Vec<String>,
    fit: &'static [Fit],
}

impl<'a> Crowd<'a> {
    fn start(
        plane: &'a Plane,
        namespace: &'static str,
        count: usize,
        fit: &'static [Fit],
        options: &Value,
    ) -> Result<Self> {
        let models = InferenceModels::start(plane, namespace, options)?;
        Ok(Self { models, names: (0..count).map(|number| format!("model-{number:02}")).collect(), fit })
    }

    /// Applies all, by several clients at once.
    fn apply(&self, spec: &Value) -> Result<()> {
        let pool = |number: usize| if self.fit.len() > 1 && number % 2 == 1 { "b" } else { "a" };
        let model = |name: &String| {
            let number = self.names.iter().position(|it| it == name).unwrap_or_default();
            self.models.model(name, pool(number), spec)
        };
        self.by_clients(|names| {
            let models: Vec<_> = names.iter().map(model).collect();
            self.models.plane.kubectl.apply_all(&models)
        })
    }

    /// Each client acts on its share, and all at once.
    fn by_clients(&self, act: impl Fn(&[String]) -> Result<()> + Sync) -> Result<()> {
        thread::scope(|scope| {
            let clients = self.names.chunks(self.names.len().div_ceil(CLIENTS)).map(|names| {
                let act = &act;
                scope.spawn(move || act(names))
            });
            let clients: Vec<_> = clients.collect();
            clients.into_iter().try_for_each(|client| client.join().ok().context("a client panicked")?)
        })
    }

    /// After `begin` as many run as fit, and no others. When some are deleted, the next of the order start. Then all go.
    fn contends(&self, begin: impl FnOnce() -> Result<Outage>) -> Result<()> {
        let name = self.models.namespace;
        let before = self.opened()?;
        let start = Instant::now();
        let ((settled, moved), seen) = watched(&self.models, self.fit, || {
            let outage = begin()?;
            self.settles(self.names.len())?;
            let settled = start.elapsed();
            self.deleted()?;
            Ok(((settled, start.elapsed() - settled), outage))
        })
        .with_context(|| name.to_owned())?;
        // A new engine counts anew.
        let opened = self.opened()?;
        let opened = if opened < before { opened } else { opened - before };
        progress(&format!(
            "{name}: settled in {:.1} s, and {DELETED} others in {:.1} s; {seen}; {opened} circuit breakers opened",
            settled.as_secs_f64(),
            moved.as_secs_f64(),
        ));
        self.models.end()
    }

    /// Waits until everything is at rest: as many run as fit, and all others wait for memory.
    fn settles(&self, count: usize) -> Result<Objects> {
        let models = self.models.until_all("as many run as fit", SETTLED, |models| {
            let (run, wait) = (order::of(models, "Deployed"), order::of(models, "InsufficientMemory"));
            let holds = |model: &&Value| model["status"]["reservedMemory"].is_string();
            let (holders, all) = (models.values().filter(holds).count(), models.len());
            let confirmed = models.values().filter(|model| reason(model, "MemoryReserved") == "Confirmed").count();
            let found = [run.len(), confirmed, holders, wait.len(), all];
            let wanted = [FIT, FIT, FIT, count - FIT, count];
            ensure!(found == wanted, "running, confirmed, holding, waiting and all are {found:?}, not {wanted:?}");
            Ok(models.clone())
        })?;
        let deployments = self.models.plane.administrator.list(self.models.deployments())?;
        let run = deployments.values().filter(|it| it["spec"]["replicas"] == 1).count();
        ensure!(run == FIT, "{run} Deployments have pods");
        Ok(models)
    }

    /// Deletes some that run. The next of the order start, and nobody else moves.
    fn deleted(&self) -> Result<()> {
        let models = self.settles(self.names.len())?;
        let (run, wait) = (order::of(&models, "Deployed"), order::of(&models, "InsufficientMemory"));
        let (going, staying) = run.split_at(DELETED);
        let next = self.next(&models, going, &wait)?;
        let before = self.versions(|name| !going.contains(name) && !next.contains(name))?;
        self.models.delete(&going.iter().map(String::as_str).collect::<Vec<_>>())?;
        let after = order::of(&self.settles(self.names.len() - DELETED)?, "Deployed");
        let mut wanted = [staying, &next].concat();
        wanted.sort();
        let mut found = after;
        found.sort();
        ensure!(found == wanted, "{found:?} run, and not {wanted:?}");
        let now = self.versions(|name| before.contains_key(&format!("Deployment/{name}")))?;
        kept(&before, &now)?;
        let moved =
            before.iter().filter(|(name, before)| now.get(*name).map(|it| it.generation) != Some(before.generation));
        let moved: Vec<_> = moved.map(|(name, _)| name).collect();
        ensure!(moved.is_empty(), "these moved: {moved:?}");
        Ok(())
    }

    /// Who starts when these go: the oldest that wait, as far as they fit into their pool.
    fn next(&self, models: &Objects, going: &[String], wait: &[String]) -> Result<Vec<String>> {
        let pool = |name: &String| {
            let model = models.get(&format!("{}/{name}", self.models.namespace)).context("a model is missing")?;
            let pool = model["spec"]["nodeSelector"]["inference-pool"].as_str();
            pool.map(str::to_owned).context("it has no pool")
        };
        let mut run: Vec<_> = order::of(models, "Deployed");
        run.retain(|name| !going.contains(name));
        let mut pools = run.iter().map(pool).collect::<Result<Vec<_>>>()?;
        let mut next = Vec::new();
        for name in wait {
            let own = pool(name)?;
            let fits = self.fit.iter().all(|(pool, fit)| {
                pools.iter().filter(|it| pool.is_none_or(|pool| pool == *it)).count() < *fit
                    || pool.is_some_and(|pool| pool != own)
            });
            if fits {
                pools.push(own);
                next.push(name.clone());
            }
        }
        if next.len() != DELETED {
            bail!("{next:?} would start");
        }
        Ok(next)
    }

    /// The versions of some Deployments.
    fn versions(&self, ours: impl Fn(&String) -> bool) -> Result<Versions> {
        let deployments = self.models.plane.administrator.list(self.models.deployments())?;
        let ours =
            deployments.values().filter(|it| it["metadata"]["name"].as_str().is_some_and(|it| ours(&it.to_owned())));
        ours.map(version).collect()
    }

    /// How often a circuit breaker of a model has opened, since Crossplane's engine has started.
    fn opened(&self) -> Result<u64> {
        let kind = named(&INFERENCE_MODELS);
        let plane = self.models.plane;
        let lines = eventually("the engine has metrics", SOON, || plane.engine_metrics("circuit_breaker_opens_total"))?;
        let values = lines.iter().filter(|line| line.contains(&kind)).filter_map(|line| line.rsplit(' ').next());
        Ok(values.filter_map(|value| value.parse::<u64>().ok()).sum())
    }
}
