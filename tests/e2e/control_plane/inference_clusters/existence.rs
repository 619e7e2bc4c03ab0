//! Gates that open as soon as an object exists. They are shut for one pass, which nobody can prolong, so what Crossplane has written
//! shows them: the pass that made the object did not compose what waits for it, and a later one did.

use anyhow::{Context as _, Result, ensure};
use inference::modelplane::resources::INFERENCE_GATEWAYS;
use serde_json::Value;
use tests::real::access::named;
use tests::real::processes::progress;

use super::cascade::{self, Objects};
use super::life::FleetLife;
use crate::audit::{self, Write};
use crate::plane::Plane;

/// What waits until objects exist. All of these are composition resource names with the kind of their composite.
struct ExistenceGate {
    composite: &'static str,
    opens: &'static [&'static str],
    waits: &'static [&'static str],
}

/// Every gate of this sort.
#[rustfmt::skip]
const GATES: &[ExistenceGate] = &[
    gate("AKSCluster", &["cluster"], &["release-network-operator", "storage-class-rwx-fs"]),
    gate("EKSCluster", &["cluster"], &["release-cluster-autoscaler", "release-efa-dra-driver"]),
    gate("InferenceGateway", &["provider-config-helm"], &["metallb", "usage-pc-by-metallb"]),
    gate("NebiusCluster", &["cluster"], &["release-csi-mounted-fs-path", "storage-class-rwx-fs"]),
    gate("ServingStack", &["provider-config-helm", "provider-config-kubernetes"], STACK),
];
/// What is on the cluster, with the Usages that a further step of the pipeline adds for it.
const STACK: &[&str] = &[
    "ai-gateway",
    "ai-gateway-crds",
    "cert-manager",
    "dra-driver",
    "dra-driver-critical-pods-quota",
    "envoy-gateway",
    "gaie-crd-inferenceobjectives.inference.networking.x-k8s.io",
    "gaie-crd-inferencepools.inference.networking.k8s.io",
    "gaie-crd-inferencepools.inference.networking.x-k8s.io",
    "gateway",
    "gateway-class",
    "gateway-namespace",
    "gateway-proxy",
    "leader-worker-set",
    "node-feature-discovery",
    "prometheus",
];

const fn gate(
    composite: &'static str,
    opens: &'static [&'static str],
    waits: &'static [&'static str],
) -> ExistenceGate {
    ExistenceGate { composite, opens, waits }
}

impl FleetLife<'_> {
    /// Each gate was shut, and then open.
    pub(super) fn waited_for_existence(&self) -> Result<()> {
        let found = self.found()?;
        let below: Vec<_> = found.values().filter(|it| cascade::composite(it).is_some()).collect();
        have_waited(self.plane, &[self.source.name], &below, &found)
    }
}

/// Each gate of these composites was shut, and then open. All that they lead to has one of these parts in its name.
pub(crate) fn have_waited(plane: &Plane, parts: &[&str], composites: &[&Value], found: &Objects) -> Result<()> {
    let (written, mut seen) = (audit::written(plane.dir(), parts)?, 0);
    for (composite, gate) in composites.iter().flat_map(|it| GATES.iter().map(move |gate| (*it, gate))) {
        if composite["kind"] != gate.composite {
            continue;
        }
        let object = |key: &str| found.get(&format!("{}/{key}", gate.composite));
        let opens = gate.opens.iter().map(|key| object(key).with_context(|| format!("there is no {key}")));
        let opens = opens.collect::<Result<Vec<_>>>()?;
        for key in gate.waits {
            let waits = object(key).with_context(|| format!("there is no {key}"))?;
            // Not all of them are used through a provider configuration.
            for waits in [Some(waits), object(&format!("usage-pc-{key}"))].into_iter().flatten() {
                check(&written, composite, &opens, waits).with_context(|| format!("{} {key}", gate.composite))?;
                seen += 1;
            }
        }
    }
    progress(&format!("gates: {seen} objects of {} have waited until others existed", parts[0]));
    Ok(())
}

/// Whether an object was composed in a later pass than those that it waits for: what Crossplane says to compose in the pass that makes
/// the last of them is without it.
fn check(written: &[Write], composite: &Value, opens: &[&Value], waits: &Value) -> Result<()> {
    let created = |object: &Value| {
        let identity = identity(object)?;
        let creation = written.iter().find(|it| it.creates && it.object == identity);
        creation.with_context(|| format!("nobody has seen Crossplane create {identity:?}"))
    };
    let opened = opens.iter().map(|it| Ok(&created(it)?.answered)).collect::<Result<Vec<_>>>()?;
    let opened = opened.into_iter().max().context("it waits for nothing")?;
    let waited = created(waits)?;
    ensure!(
        waited.asked > *opened,
        "it was asked for at {}, and what it waits for was there at {opened}",
        waited.asked
    );

    let of_composite = identity(composite)?;
    let passes = written.iter().filter(|it| it.object == of_composite);
    let passes = passes.filter_map(|it| Some((it, it.references.as_ref()?)));
    let (shut, open): (Vec<_>, Vec<_>) = passes.partition(|(pass, _)| pass.asked < *opened);
    let (_, last_shut) = shut.last().context("no pass made what it waits for")?;
    ensure!(opens.iter().all(|it| refers(last_shut, it)), "the pass before makes {last_shut:?}");
    ensure!(!shut.iter().any(|(_, references)| refers(references, waits)), "it was composed before");
    let first = open.iter().find(|(_, references)| refers(references, waits));
    let (first, _) = first.context("no later pass composes it")?;
    ensure!(first.answered < waited.asked, "it was there before Crossplane said so");
    Ok(())
}

/// The kind of an object as requests name it, and its name.
fn identity(object: &Value) -> Result<(String, String)> {
    let name = object["metadata"]["name"].as_str().context("a name")?.to_owned();
    if object["kind"] == INFERENCE_GATEWAYS.kind {
        return Ok((named(&INFERENCE_GATEWAYS), name));
    }
    let kind = cascade::resource(object).context("it is of a kind that nothing here leads to")?;
    Ok((named(kind), name))
}

/// Whether one of the references is to an object.
fn refers(references: &[Value], object: &Value) -> bool {
    references.iter().any(|it| {
        it["apiVersion"] == object["apiVersion"]
            && it["kind"] == object["kind"]
            && it["name"] == object["metadata"]["name"]
    })
}
