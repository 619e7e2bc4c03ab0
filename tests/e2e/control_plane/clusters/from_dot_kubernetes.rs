//! Clusters of dot-kubernetes become ours, with the commands in `docs/from-dot-kubernetes.md`: nothing is deleted or made anew, and what
//! changes is a row of `docs/differences.md`. Afterwards the function dies and comes back, and they go, without what orders that.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context as _, Result, ensure};
use inference::gpu_cluster::derive::kinds;
use serde_json::{Value, json};
use tests::dot_kubernetes::{LIVE, LiveCluster, all_rows, composed, rows};
use tests::real::processes::{eventually, progress};
use tests::real::watching::Which;

use super::connection::NAMESPACE;
use super::living::{LIMIT, LivingCluster, uids};
use super::managed::is_ready;
use super::stand_in::{RENAMED_CLUSTERS, StandIn};
use super::{deletion, dot_kubernetes, providers};
use crate::composites::condition;
use crate::function::Function;
use crate::names::SOON;
use crate::plane::Plane;
use crate::resources::{COMPOSITE_DEFINITIONS, COMPOSITIONS, CONFIGURATIONS, MANAGED_DEFINITIONS};

const BEFORE: &str = "docs/from-dot-kubernetes.md#before-you-start";
const MOVE: &str = "docs/from-dot-kubernetes.md#move";
/// Our Configuration for its group.
const OURS: &str = "gpu-cluster-devopstoolkit";
/// The policy with which its kinds are active.
const POLICY: &str = "dot-kubernetes";
/// The line that the policy has only later. No other API of ours has the kind.
const LATER: &str = "mainroutetableassociations.ec2.aws.m.upbound.io";
/// The function, and what its Compositions are called, before the provider.
const FUNCTION: &str = "function-clusters";

/// What happens to a cluster of dot-kubernetes.
struct Fate {
    /// The ends of the composition resource names of what is not ready there, because the new cluster does not serve it.
    broken: &'static [&'static str],
    /// The ends of the composition resource names of what hangs without Usages.
    hangs: &'static [&'static str],
}

/// What happens to each.
const FATES: [Fate; LIVE.len()] = [
    Fate {
        broken: &["-app-secret-store", "-secret-my-db"],
        hangs: &["app-secret-store", "config-kubernetes", "creds", "secret-my-db"],
    },
    Fate { broken: &[], hangs: &["app-argo-cd-app", "app-cilium", "config-helm", "config-kubernetes", "creds"] },
    Fate {
        broken: &["-app-secret-store"],
        hangs: &["app-cilium", "app-secret-store", "config-helm", "config-kubernetes", "creds"],
    },
];

/// A cluster that was handed over, with what it had before.
pub(super) struct Moved<'a> {
    composite: LivingCluster<'a>,
    before: BTreeMap<String, Value>,
}

/// Makes the clusters as dot-kubernetes does, and moves them. Its Configuration is deleted then.
pub(super) fn hand_over<'a>(plane: &'a Plane, stand_in: &'a StandIn) -> Result<Vec<Moved<'a>>> {
    let composites = made(plane, stand_in)?;
    let moved = composites.into_iter().map(|mut composite| {
        let before = composite.found()?;
        composite.before = uids(&before);
        Ok(Moved { composite, before })
    });
    let moved = moved.collect::<Result<Vec<_>>>()?;
    progress("clusters: those of dot-kubernetes are there");
    by_commands(plane, &moved)?;
    progress("clusters: those of dot-kubernetes were told to move");
    Ok(moved)
}

/// Everything that happens to the clusters after the move.
pub(super) fn live_on(plane: &Plane, moved: Vec<Moved<'_>>) -> Result<()> {
    let mut changed = BTreeSet::new();
    let mut clusters = Vec::new();
    for (Moved { mut composite, before }, live) in moved.into_iter().zip(&LIVE) {
        composite.settles().context(live.name)?;
        changed.extend(rows(live, &before, &composite.found()?).map_err(anyhow::Error::msg)?);
        clusters.push(composite);
    }
    let all = all_rows();
    ensure!(changed == all, "{changed:?} have changed, and not {all:?}");
    progress("clusters: those of dot-kubernetes have moved");
    // It runs until the last of its clusters is gone.
    let _function = without_function(plane, &mut clusters)?;
    end(plane, &mut clusters)
}

/// Makes the clusters as dot-kubernetes does. One line of the activation policy is missing at first.
fn made<'a>(plane: &'a Plane, stand_in: &'a StandIn) -> Result<Vec<LivingCluster<'a>>> {
    let administrator = &plane.administrator;
    let clusters: Vec<_> = LIVE
        .iter()
        .map(|live| LivingCluster { plane, stand_in, kind: RENAMED_CLUSTERS, name: live.name, before: BTreeMap::new() })
        .collect();
    for (cluster, live) in clusters.iter().zip(&LIVE) {
        cluster.apply(live.provider, &(live.parameters)())?;
    }
    // The kind of the missing line is not served, and the composite says so.
    clusters[0].says("a kind is not active", |it| {
        let synced = condition(it, "Synced");
        let says = synced["message"]
            .as_str()
            .is_some_and(|it| it.contains("no matches for kind \"MainRouteTableAssociation\""));
        ensure!(synced["status"] == "False" && says, "Synced is {synced}");
        Ok(())
    })?;
    administrator.only(Which::all(MANAGED_DEFINITIONS).named(LATER)).context("its provider has the kind")?;
    progress("clusters: a line that the activation policy lacks was missed");
    administrator.apply(&policy(&dot_kubernetes::activates()?))?;
    for ((cluster, live), fate) in clusters.iter().zip(&LIVE).zip(&FATES) {
        let wanted = composed(live.provider, NAMESPACE, live.name)?;
        let broken = |key: &str| fate.broken.iter().any(|end| key.ends_with(end));
        eventually(&format!("{} is made", live.name), LIMIT, || {
            let found = cluster.found()?;
            ensure!(found.keys().eq(wanted.keys()), "it has {:?}", found.keys());
            for (key, object) in &found {
                let silent = object["kind"] == kinds::USAGES.kind || object["kind"] == kinds::HELM_CONFIGS.kind;
                let as_meant = silent || is_ready(object) != broken(key);
                ensure!(as_meant, "{key}: {}", object["status"]["conditions"]);
            }
            let ready = condition(&cluster.seen()?, "Ready");
            ensure!((ready["status"] == "True") == fate.broken.is_empty(), "Ready is {ready}");
            Ok(())
        })?;
    }
    Ok(clusters)
}

/// The policy of dot-kubernetes' platform. The kinds of a missing line are not active.
fn policy(lines: &[Value]) -> Value {
    json!({
        "apiVersion": "apiextensions.crossplane.io/v1alpha1",
        "kind": "ManagedResourceActivationPolicy",
        "metadata": {"name": POLICY},
        "spec": {"activate": lines},
    })
}

/// Installs dot-kubernetes, with its providers. The policy lacks a line.
pub(super) fn install(plane: &Plane) -> Result<()> {
    let lines = dot_kubernetes::activates()?;
    let without: Vec<_> = lines.iter().filter(|it| **it != LATER).cloned().collect();
    ensure!(without.len() + 1 == lines.len(), "the policy has no line {LATER}");
    plane.administrator.apply(&policy(&without))?;
    dot_kubernetes::install(plane)?;
    providers::healthy(plane)?;
    dot_kubernetes::healthy(plane)?;
    let missing = [kinds::USAGES, kinds::MAIN_ROUTE_TABLE_ASSOCIATIONS];
    let brought = kinds::COMPOSED.iter().filter(|kind| !missing.contains(kind));
    providers::granted(plane, brought.chain([RENAMED_CLUSTERS]))
}

/// Runs the commands of the documents.
fn by_commands(plane: &Plane, clusters: &[Moved<'_>]) -> Result<()> {
    let aws = format!("{} -n {NAMESPACE}", clusters[0].composite.name);
    let names = [("NAME -n NAMESPACE", aws.as_str())];
    let next = || plane.shown.next_with(MOVE, &names);
    plane.publish_again(OURS, &format!("sailplane/{OURS}"))?;
    plane.shown.run_with(BEFORE, &names)?;
    next()?; // composites stay with their revision of the Composition
    next()?; // dot-kubernetes' Configuration is told not to change its revisions
    next()?; // it does not
    next()?; // it releases its objects
    next()?; // ours is installed
    next().inspect_err(|_| progress(&plane.revisions()))?; // it is healthy
    controls_definition(plane)?;
    next()?; // shows who controls the definition
    for Moved { composite, .. } in clusters {
        let composition = &composite.stored()?["spec"]["crossplane"]["compositionRef"]["name"];
        ensure!(composition.as_str().is_some_and(|it| !it.contains('.')), "{} has {composition}", composite.name);
    }
    next()?; // one moves
    next()?; // all others move
    next()?; // shows by what they are composed
    plane.shown.run_with(MOVE, &names)?; // dot-kubernetes is deleted
    let administrator = &plane.administrator;
    administrator.gone(Which::all(CONFIGURATIONS).named(dot_kubernetes::CONFIGURATION), SOON)?;
    administrator.run(&["delete", "functions.pkg.crossplane.io", dot_kubernetes::FUNCTION])?;
    administrator.run(&["delete", "managedresourceactivationpolicies", POLICY])?;
    // Ours for the other group have the same names.
    administrator.gone(Which::all(COMPOSITIONS).named("cluster-aws"), SOON)
}

/// Waits until our Configuration controls the definition.
fn controls_definition(plane: &Plane) -> Result<()> {
    let definition = Which::all(COMPOSITE_DEFINITIONS).named("clusters.devopstoolkit.ai");
    plane.administrator.until_it("ours controls the definition", definition, SOON, |definition| {
        let owners = definition["metadata"]["ownerReferences"].as_array().cloned().unwrap_or_default();
        let controller = owners.iter().find(|owner| owner["controller"] == true).map(|it| it["name"].clone());
        let ours =
            controller.as_ref().and_then(Value::as_str).is_some_and(|it| it.starts_with(&format!("sailplane-{OURS}-")));
        ensure!(ours, "it is controlled by {controller:?}");
        Ok(())
    })
}

/// The function dies while the clusters are edited, and comes back. It is one of this scenario, which others do not need.
fn without_function(plane: &Plane, clusters: &mut [LivingCluster<'_>]) -> Result<Function> {
    let function = plane.start_function(FUNCTION)?;
    plane.install_function(FUNCTION, function.port)?;
    for (cluster, live) in clusters.iter().zip(&LIVE) {
        own_composition(plane, live, |_| ())?;
        let reference = json!({"name": composition(live)});
        cluster
            .patch(&json!({"spec": {"crossplane": {"compositionRef": reference, "compositionRevisionRef": null}}}))?;
    }
    for cluster in clusters.iter_mut() {
        function.called(NAMESPACE, cluster.name, 1, SOON)?;
        cluster.settles()?;
    }
    function.take()?.kill();
    progress("clusters: the function is dead");
    for cluster in clusters.iter() {
        cluster.edit(&json!({"minNodeCount": 4, "namespaces": ["dev", "production", "staging"]}))?;
    }
    function.missed()?;
    for cluster in clusters.iter() {
        let found = cluster.found()?;
        ensure!(uids(&found) == cluster.before, "{}: it has {:?}", cluster.name, found.keys());
        let kept = found.values().all(|it| it["metadata"]["deletionTimestamp"].is_null());
        ensure!(kept, "{}: something is deleted", cluster.name);
    }
    function.restart()?;
    clusters.iter_mut().try_for_each(|cluster| cluster.settles().context(cluster.name))?;
    progress("clusters: the function is back");
    Ok(function)
}

/// They go without Usages.
fn end(plane: &Plane, clusters: &mut [LivingCluster<'_>]) -> Result<()> {
    for (cluster, live) in clusters.iter_mut().zip(&LIVE) {
        own_composition(plane, live, |input| input["cluster"]["usages"] = "asked".into())?;
        cluster.settles().context(live.name)?;
    }
    let failures = std::thread::scope(|scope| {
        let end = |cluster, fate: &Fate| deletion::hangs(cluster, fate.hangs).context(cluster.name);
        let ends = clusters.iter().zip(&FATES).map(|(cluster, fate)| scope.spawn(move || end(cluster, fate)));
        let ends: Vec<_> = ends.collect();
        let ended = ends.into_iter().map(|it| it.join().unwrap_or_else(|_| Err(anyhow::anyhow!("it panicked"))));
        ended.filter_map(|it| it.err().map(|error| format!("{error:#}"))).collect::<Vec<_>>()
    });
    ensure!(failures.is_empty(), "{}", failures.join("\n"));
    LIVE.iter().try_for_each(|live| plane.administrator.run(&["delete", "composition", &composition(live)]).map(drop))
}

/// The Composition of a cluster that calls the function of this scenario.
fn composition(live: &LiveCluster) -> String {
    format!("moved-{}", live.provider)
}

/// Applies a copy of ours, which calls the function of this scenario, after `edit` has changed its options.
fn own_composition(plane: &Plane, live: &LiveCluster, edit: impl Fn(&mut Value)) -> Result<()> {
    let ours = format!("cluster-{}.devopstoolkit.ai", live.provider);
    let mut ours = plane.kubectl.only(Which::all(COMPOSITIONS).named(&ours))?;
    let step = &mut ours["spec"]["pipeline"][0];
    step["functionRef"]["name"] = FUNCTION.into();
    edit(&mut step["input"]);
    plane.kubectl.apply(&json!({
        "apiVersion": ours["apiVersion"],
        "kind": ours["kind"],
        "metadata": {"name": composition(live)},
        "spec": ours["spec"],
    }))
}

/// Uninstalls ours, and dot-kubernetes where it is left.
pub(super) fn uninstall(plane: &Plane) -> Result<()> {
    let ours = format!("sailplane-{OURS}");
    for configuration in [&*ours, dot_kubernetes::CONFIGURATION] {
        plane.administrator.run(&[
            "delete",
            "--ignore-not-found",
            "configurations.pkg.crossplane.io",
            configuration,
        ])?;
    }
    for function in [FUNCTION, dot_kubernetes::FUNCTION] {
        plane.administrator.run(&["delete", "--ignore-not-found", "functions.pkg.crossplane.io", function])?;
    }
    plane.administrator.run(&["delete", "--ignore-not-found", "managedresourceactivationpolicies", POLICY])?;
    plane.administrator.gone(Which::all(COMPOSITE_DEFINITIONS).named("clusters.devopstoolkit.ai"), SOON)
}
