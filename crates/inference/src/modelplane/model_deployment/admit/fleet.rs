//! What the fleet makes of a new or changed deployment: which replicas have no place now, and which ones move. The answer is
//! that of composing, with the replicas that exist.

use contract::admit::{LookupAnswers, Verdict};
use contract::compose::ComposeRequest;
use contract::types::Problem;
use serde_json::Value;
use toolbox::entries::set;
use toolbox::path;

use super::super::decide::{Body, Candidate, Decision, Why, decide};
use super::super::read::{CLUSTERS, CacheState, DeploymentRead, REPLICAS, read};
use crate::modelplane::mentions::{advice, named};
use crate::modelplane::refusals;
use crate::modelplane::resources::MODEL_REPLICAS;
use crate::modelplane::scheduling::neighbours::{FleetCluster, Neighbour, Neighbours, Sources};

const SPEC: &str = "spec.template.spec";

/// Adds warnings, and the lookups that they need. An edit that changes nothing about places needs none.
pub(super) fn judge(
    object: &Value,
    old: Option<&Value>,
    input: Option<&Value>,
    answers: &LookupAnswers,
    verdict: &mut Verdict,
) {
    if old.is_some_and(|old| places(old) == places(object)) {
        return;
    }
    let request = ComposeRequest {
        composite: Some(object.clone().into()),
        input: input.cloned(),
        lookups: answers.clone(),
        ..ComposeRequest::default()
    };
    // What composing cannot read is refused by the schema, or has no name yet.
    let Ok(mut read) = read(&request) else { return };
    read.tells = true;
    verdict.lookups.extend(read.lookups());
    if matches!(read.cache, CacheState::Unresolved) {
        verdict.unjudged.push("not looked up: whether the ModelCache exists".to_owned());
    }
    if !answers.contains_key(CLUSTERS) || !answers.contains_key(REPLICAS) {
        verdict.unjudged.push("not looked up: whether the fleet has places for the replicas".to_owned());
        return;
    }
    let sources = Sources::of(read.clusters.all(), read.replicas.all(), &[]);
    let neighbours = Neighbours::read(&sources, &read.deployment.name, &read.deployment.namespace);
    let decision = decide(&read, &neighbours);
    verdict.warnings.extend(without_places(&read, &neighbours, &decision));
    if old.is_some() {
        verdict.warnings.extend(moved(&read, &neighbours, &decision));
    }
}

/// The spec without what places do not depend on: labels of replicas, and templates of pods.
fn places(object: &Value) -> Value {
    let mut spec = object["spec"].clone();
    for other in ["crossplane", "template.metadata"] {
        path::set(&mut spec, other, Value::Null);
    }
    for engine in spec.pointer_mut("/template/spec/engines").and_then(Value::as_array_mut).into_iter().flatten() {
        for member in engine.get_mut("members").and_then(Value::as_array_mut).into_iter().flatten() {
            if let Some(fields) = member.as_object_mut() {
                fields.remove("template");
            }
        }
    }
    spec
}

/// What is against the replicas that have no place.
fn without_places(read: &DeploymentRead<'_>, neighbours: &Neighbours<'_>, decision: &Decision<'_>) -> Option<Problem> {
    let wanted = read.deployment.spec.replicas;
    match &decision.why {
        Why::NoClusters => Some(advice(
            format!("{SPEC}.clusterSelector"),
            "there is no InferenceCluster that the deployment may use, so nothing is placed",
        )),
        Why::Conflict(conflict) => Some(advice(
            path::key(&format!("{SPEC}.clusterSelector.matchLabels"), &conflict.key),
            format!(
                "no cluster has both `{}`, which the deployment selects, and `{}`, which its ModelCache selects: nothing new is placed",
                conflict.wanted, conflict.cached
            ),
        )),
        Why::Scheduled if matches!(read.cache, CacheState::Absent) => {
            let cache = &read.deployment.spec.template.spec.model_cache_ref.as_ref()?.name;
            let message = format!("ModelCache `{cache}` does not exist: nothing new is placed until it does");
            Some(advice(format!("{SPEC}.modelCacheRef.name"), message))
        }
        // A cluster without any status was created a moment ago.
        Why::Scheduled if decision.candidates.len() < wanted as usize && !neighbours.clusters.iter().any(is_new) => {
            let sentence = refusals::sentence(decision.candidates.len(), wanted, decision.clusters, &decision.refusals);
            Some(advice("spec.replicas", format!("not all replicas have a place now: {sentence}")))
        }
        Why::Scheduled | Why::Waiting | Why::Mixture | Why::Selector(_) => None,
    }
}

fn is_new(cluster: &FleetCluster<'_>) -> bool {
    let read = &cluster.read;
    !read.ready && read.gateway.is_empty() && read.pools.is_empty() && read.provider_config.is_empty()
}

/// The replicas that do not stay in their pools. Those that are surplus go because fewer are wanted.
fn moved(read: &DeploymentRead<'_>, neighbours: &Neighbours<'_>, decision: &Decision<'_>) -> Option<Problem> {
    if decision.why != Why::Scheduled {
        return None;
    }
    let place = |replica: &Neighbour<'_>| {
        let same = |it: &&Candidate<'_>| it.cluster == replica.cluster && it.index == replica.index;
        decision.candidates.iter().find(same)
    };
    let ours = || neighbours.replicas.iter().filter(|it| it.ours && !it.evicted && !it.cluster.is_empty());
    let is_known =
        |candidate: &Candidate<'_>| ours().any(|it| it.cluster == candidate.cluster && it.index == candidate.index);
    let complete = decision.candidates.len() >= read.deployment.spec.replicas as usize;
    let surplus = complete && decision.candidates.iter().all(is_known);
    let goes = |replica: &&Neighbour<'_>| match place(replica) {
        None => !surplus,
        Some(Candidate { body: Body::Placed(engines), .. }) => {
            let now = engines.iter().flat_map(|engine| &engine.members).map(|member| member.pool);
            let before = replica.engines.iter().flatten().flat_map(|engine| engine.members());
            let before = before.filter_map(|member| member.node_pool_name);
            replica.engines.is_some() && set(now) != set(before)
        }
        Some(_) => false,
    };
    let replicas = named(MODEL_REPLICAS.kind, ours().filter(goes).map(|it| it.object), |_| true)?;
    let message = format!("the edit moves {replicas} to other pools or clusters, or nowhere");
    Some(advice(SPEC, message))
}

#[cfg(test)]
mod tests {
    use contract::types::ObservedObject;
    use serde_json::json;

    use super::*;

    /// A deployment with so many replicas, each of which needs a node with devices of so many Gi.
    fn deployment(replicas: u32, memory: u32) -> Value {
        let cel = format!(r#"device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("{memory}Gi")) >= 0"#);
        let template = json!({"spec": {"containers": [{"name": "engine", "image": "vllm"}]}});
        let devices = json!([{"name": "gpu", "count": 8, "selectors": [{"cel": cel}]}]);
        let members = json!([{"role": "Standalone", "nodeSelector": {"devices": devices}, "template": template}]);
        let spec = json!({"engines": [{"name": "main", "members": members}]});
        json!({
            "apiVersion": "modelplane.ai/v1alpha1", "kind": "ModelDeployment",
            "metadata": {"name": "llama", "namespace": "ml"},
            "spec": {"replicas": replicas, "template": {"spec": spec}},
        })
    }

    /// A cluster with one pool of two nodes, whose devices have so many Gi.
    fn cluster(name: &str, memory: u32) -> Value {
        let capacity = json!({"memory": {"value": format!("{memory}Gi")}});
        let device = json!({"name": "gpu", "driver": "gpu.nvidia.com", "count": 8, "capacity": capacity});
        let pools = json!([{"name": "p", "nodes": 2, "devices": [device]}]);
        let ready = json!([{"type": "Ready", "status": "True"}]);
        json!({
            "metadata": {"name": name},
            "status": {"conditions": ready, "gateway": {"address": "203.0.113.7"}, "gpuPools": pools},
        })
    }

    fn replica(cluster: &str, index: u32, pool: &str) -> Value {
        let member = json!({"role": "Standalone", "nodePoolName": pool, "deviceRequests": [{"name": "gpu"}]});
        let labels = json!({"modelplane.ai/deployment": "llama", "modelplane.ai/replica-index": index.to_string()});
        json!({
            "metadata": {"name": format!("llama-{cluster}-{index}"), "namespace": "ml", "labels": labels},
            "spec": {"clusterName": cluster, "engines": [{"name": "main", "members": [member]}]},
        })
    }

    /// The warnings as `path: message`, the lookups, and how much is not judged.
    fn judged(object: &Value, old: Option<&Value>, found: &[(&str, &[Value])]) -> (Vec<String>, Vec<String>, usize) {
        let objects = |all: &[Value]| all.iter().cloned().map(ObservedObject::from).collect();
        let answers = found.iter().map(|(name, all)| ((*name).to_owned(), objects(all))).collect();
        let mut verdict = Verdict::default();
        judge(object, old, None, &answers, &mut verdict);
        let shown = verdict.warnings.iter().map(|it| format!("{}: {}", it.path, it.message)).collect();
        (shown, verdict.lookups.into_keys().collect(), verdict.unjudged.len())
    }

    #[track_caller]
    fn check(object: &Value, old: Option<&Value>, found: &[(&str, &[Value])], want: &[&str]) {
        let (warnings, _, unjudged) = judged(object, old, found);
        assert_eq!((warnings, unjudged), (want.iter().map(|&it| it.to_owned()).collect(), 0));
    }

    #[test]
    fn lookups() {
        let all = ["all-replicas".to_owned(), "clusters".to_owned()];
        let (one, two) = (deployment(1, 80), deployment(2, 80));
        assert_eq!(judged(&one, None, &[]), (Vec::new(), all.to_vec(), 1));
        assert_eq!(judged(&two, Some(&one), &[]), (Vec::new(), all.to_vec(), 1));
        // What does not change places needs no lookup.
        let mut image = one.clone();
        path::set(&mut image, "spec.template.spec.engines[0].members[0].template.spec", json!({"containers": []}));
        assert_eq!(judged(&image, Some(&one), &[]), (Vec::new(), Vec::new(), 0));
        let mut cached = one;
        path::set(&mut cached, "spec.template.spec.modelCacheRef", json!({"name": "weights"}));
        let (_, lookups, unjudged) = judged(&cached, None, &[]);
        assert_eq!(
            (lookups.as_slice(), unjudged),
            (["all-replicas", "cache", "clusters"].map(str::to_owned).as_slice(), 2)
        );
        let missing = "spec.template.spec.modelCacheRef.name: ModelCache `weights` does not exist: nothing new is placed until it does";
        let found: &[(&str, &[Value])] = &[("cache", &[]), ("clusters", &[cluster("a", 80)]), ("all-replicas", &[])];
        check(&cached, None, found, &[missing]);
    }

    #[test]
    fn replicas_without_places() {
        let check = |replicas, memory, clusters: &[Value], want: &[&str]| {
            check(&deployment(replicas, memory), None, &[("clusters", clusters), ("all-replicas", &[])], want);
        };
        check(2, 80, &[cluster("a", 80)], &[]);
        check(
            3,
            80,
            &[cluster("a", 80)],
            &[
                "spec.replicas: not all replicas have a place now: 2 of 3 replicas scheduled; of 1 cluster 1 lacks nodes (nearest a/p: 0 free, 1 needed)",
            ],
        );
        check(
            1,
            80,
            &[],
            &[
                "spec.template.spec.clusterSelector: there is no InferenceCluster that the deployment may use, so nothing is placed",
            ],
        );
        // Nobody knows what a new cluster will have.
        check(3, 80, &[cluster("a", 80), json!({"metadata": {"name": "new"}})], &[]);
        let (found, ..) =
            judged(&deployment(1, 141), None, &[("clusters", &[cluster("a", 80)]), ("all-replicas", &[])]);
        assert!(found.len() == 1 && found[0].contains("no device for request gpu"), "{found:?}");
    }

    #[test]
    fn replicas_that_move() {
        let clusters = [cluster("a", 80), cluster("b", 141)];
        let replicas = [replica("a", 0, "p"), replica("b", 0, "p")];
        let found: &[(&str, &[Value])] = &[("clusters", &clusters), ("all-replicas", &replicas)];
        let old = deployment(2, 80);
        let moves = |names: &str| {
            format!("spec.template.spec: the edit moves ModelReplica {names} to other pools or clusters, or nowhere")
        };
        check(&deployment(3, 80), Some(&old), found, &[]);
        check(&deployment(1, 80), Some(&old), found, &[]);
        check(&deployment(2, 100), Some(&old), found, &[&moves("`ml/llama-a-0`")]);
        let mut selecting = old.clone();
        path::set(&mut selecting, "spec.template.spec.clusterSelector", json!({"matchLabels": {"tier": "a"}}));
        check(
            &selecting,
            Some(&old),
            &[("clusters", &clusters[..1]), ("all-replicas", &replicas)],
            &[&moves("`ml/llama-b-0`")],
        );
        // The same cluster and index, and another pool.
        let gone: &[(&str, &[Value])] = &[("clusters", &clusters[..1]), ("all-replicas", &[replica("a", 0, "gone")])];
        check(&deployment(1, 70), Some(&old), gone, &[&moves("`ml/llama-a-0`")]);
        // While nothing is selected, everything stays.
        let none = "spec.template.spec.clusterSelector: there is no InferenceCluster that the deployment may use, so nothing is placed";
        check(&selecting, Some(&old), &[("clusters", &[]), ("all-replicas", &replicas)], &[none]);
    }
}
