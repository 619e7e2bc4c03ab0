//! How clusters go: in order, because Usages keep what others need; and without Usages.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use inference::gpu_cluster::derive::kinds::{
    AKS_CLUSTERS, CLUSTER_AUTHS, EKS_CLUSTERS, GKE_CLUSTERS, HELM_CONFIGS, KUBERNETES_CONFIGS, RELEASES, USAGES,
};
use serde_json::{Value, json};
use tests::real::access::named;
use tests::real::kubectl::Kubectl;
use tests::real::processes::{eventually, progress};
use toolbox::resources::OBJECTS;

use super::connection::NAMESPACE;
use super::living::LivingCluster;
use super::managed;
use super::world::{Key, Moment, Step};
use crate::composites::condition;

/// Everything is gone after this time, a multiple of what it takes. Crossplane's Usages look every 30 s whether what uses has gone,
/// and without replay Kubernetes' garbage collector repeats a refused deletion after about 41, 82 and 164 s.
const LIMIT: Duration = Duration::from_secs(300);
/// How long something must hang to count as hanging.
const HANGS: Duration = Duration::from_secs(15);

/// Deletes it, and waits until everything is gone. Nothing was asked to go before its last user had gone.
pub(super) fn in_order(composite: &LivingCluster<'_>, how: &str) -> Result<()> {
    goes_in_order(composite, how, |composite| composite.delete())
}

/// The same with Usages that do not repeat the deletions that they refuse, as those of dot-kubernetes.
pub(super) fn without_replay(composite: &LivingCluster<'_>) -> Result<()> {
    // Otherwise Crossplane writes the Usages as they were.
    composite.patch(&paused(Some("true")))?;
    composite.says("it is paused", |it| {
        let synced = condition(it, "Synced");
        ensure!(synced["reason"] == "ReconcilePaused", "Synced is {synced}");
        Ok(())
    })?;
    for usage in composite.found()?.values().filter(|it| it["kind"] == USAGES.kind) {
        let args = [&*named(&USAGES), "-n", NAMESPACE, name(usage)];
        composite.plane.administrator.patch(&args, &json!({"spec": {"replayDeletion": null}}))?;
    }
    goes_in_order(composite, "without replay", |composite| {
        composite.delete()?;
        composite.patch(&paused(None))
    })
}

fn paused(value: Option<&str>) -> Value {
    json!({"metadata": {"annotations": {"crossplane.io/paused": value}}})
}

fn goes_in_order(
    composite: &LivingCluster<'_>,
    how: &str,
    delete: impl FnOnce(&LivingCluster<'_>) -> Result<()>,
) -> Result<()> {
    let world = &composite.stand_in.world;
    let seen = composite.seen()?;
    let usages: Vec<_> = world.composed_by(&seen).into_values().collect();
    let usages: Vec<_> = usages.iter().filter(|it| it["kind"] == USAGES.kind).map(uses).collect();
    ensure!(!usages.is_empty(), "it has no Usages");
    let begin = Instant::now();
    delete(composite)?;
    all_gone(composite, &seen)?;
    let took = begin.elapsed().as_secs_f64();
    progress(&format!("clusters: {} was gone after {took:.0} s, {how}", composite.name));
    let moments = world.moments();
    let moment = |what: &Key, step: Step| {
        let found = moments.iter().find(|it| it.what == *what && it.step == step && it.at > begin);
        found.map(|Moment { version, .. }| *version)
    };
    for (of, by) in &usages {
        let asked = moment(of, Step::Asked).with_context(|| format!("{of:?} was not seen to be asked"))?;
        let gone = moment(by, Step::Gone).with_context(|| format!("{by:?} was not seen to go"))?;
        ensure!(asked > gone, "{of:?} was asked to go at {asked}, before {by:?} had gone at {gone}");
    }
    Ok(())
}

/// Deletes a cluster that has no Usages, and waits until these of its objects are left, and nothing else: what must be deleted
/// from the new cluster, which is gone, and the configurations that it uses. Then they go in the way that documents show.
pub(super) fn hangs(composite: &LivingCluster<'_>, hanging: &[&str]) -> Result<()> {
    let (stand_in, administrator) = (composite.stand_in, &composite.plane.administrator);
    let (seen, found) = (composite.seen()?, composite.found()?);
    ensure!(found.values().all(|it| it["kind"] != USAGES.kind), "it has Usages");
    let slow: BTreeMap<_, _> = found.into_iter().filter(|(_, it)| is_deleted_there(it)).collect();
    let target = stand_in.clusters.kubectl(composite.name).context("the new cluster runs")?;
    // On the new cluster they take longer than the cloud takes to delete that.
    for object in slow.values() {
        stand_in.hold(&held(object));
        keep(&target, object)?;
    }
    composite.delete()?;
    eventually("the new cluster is gone", LIMIT, || {
        ensure!(stand_in.clusters.kubectl(composite.name).is_none(), "it runs");
        Ok(())
    })?;
    slow.values().for_each(|object| stand_in.relent(&held(object)));

    let wanted: Vec<_> = hanging.iter().map(|key| format!("{}-{key}", composite.name)).collect();
    let only = |left: &BTreeMap<String, Value>| {
        ensure!(left.keys().eq(&wanted), "left: {:?}, and not {wanted:?}", left.keys());
        Ok(())
    };
    eventually("only these are left", LIMIT, || only(&stand_in.world.composed_by(&seen)))?;
    std::thread::sleep(HANGS);
    only(&stand_in.world.composed_by(&seen))?;
    progress(&format!("clusters: {} without Usages: {} objects hang", composite.name, wanted.len()));
    for (key, object) in slow {
        let kind = if object["kind"] == RELEASES.kind { &RELEASES } else { &OBJECTS };
        let policies = json!({"spec": {"managementPolicies": ["Create", "Update", "Observe"]}});
        administrator.patch(&[&named(kind), "-n", NAMESPACE, name(&object)], &policies).context(key)?;
    }
    all_gone(composite, &seen)
}

fn all_gone(composite: &LivingCluster<'_>, seen: &Value) -> Result<()> {
    eventually("everything is gone", LIMIT, || {
        let left = composite.stand_in.world.composed_by(seen);
        ensure!(left.is_empty(), "left: {:?}", left.keys());
        Ok(())
    })
}

/// Whether an object is one of the new cluster, and is deleted from there when it is deleted here.
fn is_deleted_there(object: &Value) -> bool {
    (object["kind"] == RELEASES.kind || object["kind"] == OBJECTS.kind) && managed::may_delete(object)
}

/// What the stand-in calls it.
fn held(object: &Value) -> String {
    format!("{}/{}", object["kind"].as_str().unwrap_or_default(), name(object))
}

/// Makes an object of the new cluster stay when it is deleted.
fn keep(target: &Kubectl, object: &Value) -> Result<()> {
    let manifest = &object["spec"]["forProvider"]["manifest"];
    let (Some(kind), Some(name)) = (manifest["kind"].as_str(), manifest["metadata"]["name"].as_str()) else {
        return Ok(());
    };
    let mut args = vec![kind, name];
    if let Some(namespace) = manifest["metadata"]["namespace"].as_str() {
        args.extend(["-n", namespace]);
    }
    target.patch(&args, &json!({"metadata": {"finalizers": ["tests.sailplane/slow"]}}))
}

fn name(object: &Value) -> &str {
    object["metadata"]["name"].as_str().unwrap_or_default()
}

/// What a Usage keeps, and for whom.
fn uses(usage: &Value) -> (Key, Key) {
    let key = |part: &Value| {
        let group = part["apiVersion"].as_str().and_then(|it| it.split('/').next()).unwrap_or_default();
        let kind = part["kind"].as_str().unwrap_or_default();
        let name = part["resourceRef"]["name"].as_str().unwrap_or_default().to_owned();
        let kinds = [
            AKS_CLUSTERS,
            CLUSTER_AUTHS,
            EKS_CLUSTERS,
            GKE_CLUSTERS,
            HELM_CONFIGS,
            KUBERNETES_CONFIGS,
            RELEASES,
            OBJECTS,
        ];
        let found = kinds.iter().find(|it| it.kind == kind && it.group() == group);
        (found.map(named).unwrap_or_default(), name)
    };
    (key(&usage["spec"]["of"]), key(&usage["spec"]["by"]))
}
