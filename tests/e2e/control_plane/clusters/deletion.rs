//! A cluster goes in order, because Usages keep what others need.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use inference::gpu_cluster::derive::kinds::{
    AKS_CLUSTERS, CLUSTER_AUTHS, EKS_CLUSTERS, GKE_CLUSTERS, HELM_CONFIGS, KUBERNETES_CONFIGS, USAGES,
};
use inference::gpu_cluster::inputs::CLUSTERS;
use serde_json::Value;
use tests::real::access::named;
use tests::real::processes::{eventually, progress};

use super::connection::NAMESPACE;
use super::stand_in::StandIn;
use super::steps::Cloud;
use super::world::{Key, Moment, Step};
use crate::plane::Plane;

/// Everything is gone after this time.
const LIMIT: Duration = Duration::from_secs(90);

/// Deletes it, and waits until everything is gone. Nothing was asked to go before its last user had gone.
pub(super) fn in_order(plane: &Plane, stand_in: &StandIn, cloud: &Cloud) -> Result<()> {
    let name = cloud.name;
    let composite = stand_in.world.object(&CLUSTERS, name).context("there is none")?;
    let usages: Vec<_> = stand_in.world.composed_by(&composite).into_values().collect();
    let usages: Vec<_> = usages.iter().filter(|it| it["kind"] == USAGES.kind).map(uses).collect();
    ensure!(!usages.is_empty(), "it has no Usages");
    let begin = Instant::now();
    plane.kubectl.run(&["delete", "--wait=false", &named(&CLUSTERS), "-n", NAMESPACE, name])?;
    eventually("everything is gone", LIMIT, || {
        let left = stand_in.world.composed_by(&composite);
        ensure!(left.is_empty(), "left: {:?}", left.keys());
        Ok(())
    })?;
    progress(&format!("clusters: {name} was gone after {:.0} s", begin.elapsed().as_secs_f64()));
    let moments = stand_in.world.moments();
    let moment = |what: &Key, step: Step| {
        let found = moments.iter().find(|it| it.what == *what && it.step == step && it.at > begin);
        found.map(|Moment { at, .. }| *at)
    };
    for (of, by) in &usages {
        let asked = moment(of, Step::Asked).with_context(|| format!("{of:?} was not seen to be asked"))?;
        let gone = moment(by, Step::Gone).with_context(|| format!("{by:?} was not seen to go"))?;
        ensure!(asked > gone, "{of:?} was asked to go {:.1} s before {by:?} had gone", (gone - asked).as_secs_f64());
    }
    Ok(())
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
            inference::gpu_cluster::derive::kinds::RELEASES,
            toolbox::resources::OBJECTS,
        ];
        let found = kinds.iter().find(|it| it.kind == kind && it.group() == group);
        (found.map(named).unwrap_or_default(), name)
    };
    (key(&usage["spec"]["of"]), key(&usage["spec"]["by"]))
}
