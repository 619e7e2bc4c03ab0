//! The life of a cluster of the fleet.

use std::collections::{BTreeMap, BTreeSet};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use inference::modelplane::resources::INFERENCE_CLUSTERS;
use serde_json::{Value, json};
use tests::real::processes::{eventually, progress};
use tests::real::watching::Which;
use toolbox::resources::USAGES;

use super::cascade::{self, Objects};
use super::outage::DeadFunction;
use super::sources::Source;
use super::stand_in::FleetStandIn;
use super::targets::ADDRESS;
use crate::clusters::managed::is_ready;
use crate::gpu_clusters::NAMESPACE;
use crate::plane::Plane;

/// The time limit for everything: provider-kubernetes tries less and less often what has failed.
pub(super) const LIMIT: Duration = Duration::from_secs(900);
/// For so long nothing is written.
const QUIET: Duration = Duration::from_secs(60);

/// A part of a life.
type FleetChapter<L> = fn(&L) -> Result<()>;

/// A cluster.
pub(super) struct FleetLife<'a> {
    pub(super) plane: &'a Plane,
    pub(super) stand_in: &'a FleetStandIn,
    pub(super) outage: &'a DeadFunction<'a>,
    pub(super) source: &'static Source,
}

impl FleetLife<'_> {
    /// From nothing to nothing.
    pub(super) fn run(&self) -> Result<()> {
        let name = self.source.name;
        let steps: &[(&str, FleetChapter<Self>)] = &[
            ("its gates open one after another", Self::passes_gates),
            ("it is ready", Self::becomes_ready),
            ("what waited until others existed", Self::waited_for_existence),
            ("it is quiet", Self::is_quiet),
            ("the function is dead, and back", Self::outlives_function),
            ("what is not ready any more stays", Self::keeps_what_is_unready),
            ("a class that is gone takes nothing along", Self::keeps_without_class),
            ("nor does one that is of another cloud", Self::keeps_without_block),
            ("what its source needs cannot be taken away", Self::keeps_its_source),
            ("nor do pools that its cloud cannot have", Self::keeps_with_invalid_pools),
            ("nor a configuration of a provider that is gone", Self::keeps_without_provider),
            ("pools come, grow and go", Self::changes_pools),
            ("an edit of its class changes what is there", Self::follows_its_class),
            ("a replica and a cache hold it", Self::is_held),
            ("it goes", Self::goes),
        ];
        for (what, step) in steps {
            let start = Instant::now();
            step(self).inspect_err(|_| self.outage.call_off()).with_context(|| format!("{name}: {what}"))?;
            progress(&format!("platform: {name}: {what}, after {:.0} s", start.elapsed().as_secs_f64()));
        }
        Ok(())
    }

    /// It ends where `render --settled` ends.
    fn becomes_ready(&self) -> Result<()> {
        self.settles(&self.source.manifest()?)?;
        let cluster = self.stored()?;
        let status = &cluster["status"];
        let (_, settled) = cascade::settled(&self.source.manifest()?)?;
        // What provider-kubernetes finds on a cluster is not what a preview takes for granted.
        let is_real = !self.source.example.ends_with("nebius");
        let address = if is_real { json!(ADDRESS) } else { settled["gateway"]["address"].clone() };
        ensure!(status["gateway"]["address"] == address, "the gateway is {}", status["gateway"]);
        for field in ["cache", "gpuPools", "namespace", "providerConfigRef"] {
            ensure!(status[field] == settled[field], "{field} is {}, and not {}", status[field], settled[field]);
        }
        Ok(())
    }

    fn is_quiet(&self) -> Result<()> {
        eventually("nothing is written", LIMIT, || {
            let before = self.found()?;
            sleep(QUIET);
            let written = written(&before, &self.found()?);
            ensure!(written.is_empty(), "written: {written:?}");
            Ok(())
        })
    }

    /// Waits until it is ready, and has exactly what `render --settled` says, all of it ready.
    pub(super) fn settles(&self, manifest: &Value) -> Result<()> {
        let (expected, _) = cascade::settled(manifest)?;
        eventually("it settles", LIMIT, || {
            let found = self.found()?;
            let keys: BTreeSet<_> = found.keys().cloned().collect();
            let wanted: BTreeSet<_> = expected.keys().cloned().collect();
            let surplus: Vec<_> = keys.difference(&wanted).collect();
            let missing: Vec<_> = wanted.difference(&keys).collect();
            ensure!(surplus.is_empty() && missing.is_empty(), "surplus: {surplus:?}, missing: {missing:?}");
            for (key, object) in &expected {
                let (wanted, told) = (cascade::sizes(object), cascade::sizes(&found[key]));
                ensure!(wanted == told, "{key} has {told:?}, and not {wanted:?}");
            }
            let not_ready: Vec<_> = found
                .iter()
                .filter(|(_, it)| it["status"]["conditions"].is_array() && !is_ready(it) && it["kind"] != USAGES.kind)
                .map(|(key, it)| format!("{key}: {}", it["status"]["conditions"]))
                .collect();
            ensure!(not_ready.is_empty(), "not ready: {not_ready:#?}");
            let cluster = self.stored()?;
            ensure!(is_ready(&cluster), "it says {}", cluster["status"]["conditions"]);
            Ok(())
        })
    }

    /// Has Crossplane look at it again now: it does so every minute, and does not watch what was looked up.
    pub(super) fn nudge(&self) -> Result<()> {
        self.nudge_any(INFERENCE_CLUSTERS.plural, self.source.name)
    }

    /// The same for an object in the namespace of all that a cluster leads to.
    pub(super) fn nudge_any(&self, plural: &str, name: &str) -> Result<()> {
        let now = format!("tests.sailplane/at={}", self.stand_in.started.elapsed().as_millis());
        let args = ["annotate", "--overwrite", "--namespace", NAMESPACE, plural, name, &now];
        self.plane.administrator.run(&args).map(drop)
    }

    pub(super) fn found(&self) -> Result<Objects> {
        cascade::found(&self.plane.administrator, self.source.name)
    }

    pub(super) fn stored(&self) -> Result<Value> {
        self.plane.administrator.only(Which::all(&INFERENCE_CLUSTERS).named(self.source.name))
    }

    pub(super) fn says(&self, what: &str, decide: impl FnMut(&Value) -> Result<()>) -> Result<()> {
        let which = Which::all(&INFERENCE_CLUSTERS).named(self.source.name);
        self.plane.administrator.until_it(what, which, LIMIT, decide)
    }
}

/// The uid of each.
pub(super) fn uids(of: &Objects) -> BTreeMap<String, Value> {
    of.iter().map(|(key, object)| (key.clone(), object["metadata"]["uid"].clone())).collect()
}

/// What was written in between, or has come or gone.
pub(super) fn written(before: &Objects, after: &Objects) -> Vec<String> {
    let version = |of: &Objects, key: &String| of.get(key).map(|it| it["metadata"]["resourceVersion"].clone());
    let keys: BTreeSet<_> = before.keys().chain(after.keys()).collect();
    keys.into_iter().filter(|key| version(before, key) != version(after, key)).cloned().collect()
}
