//! Reads a request into the inputs of the rules.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use contract::compose::ComposeRequest;
use contract::types::{Cause, Code, Fault, ObservedObject, Problem, Selector};
use serde_json::Value;
use toolbox::builders::selectors::{lookup_all, lookup_of};
use toolbox::conditions;
use toolbox::entries::{by_key, set};
use toolbox::observed::Observed;
use toolbox::path;
use toolbox::validation::Validator;

use super::conditions::SOURCE_CHANGED;
use super::derive::{CONFIG_KEY, GUARDS, ROWS, STACK_KEY, storage_class};
use super::inputs::{FleetInputs, FleetPool, LivePool, SeenCluster, Stop};
use super::pools;
use super::sources::{CLOUD_SOURCES, CloudSource, EXISTING, cloud_fields};
use super::spec::ClusterSpec;
use crate::modelplane::labels;
use crate::modelplane::lookups::Answer;
use crate::modelplane::platform::answer::reason_of;
use crate::modelplane::platform::names;
use crate::modelplane::platform::secrets::{ClusterSecret, KUBECONFIG};
use crate::modelplane::resources::{INFERENCE_CLASSES, INFERENCE_CLUSTERS, MODEL_CACHES, MODEL_REPLICAS, kind};
use crate::modelplane::shapes;
use crate::modelplane::subject::Subject;

/// The lookup of replicas on the cluster.
const REPLICAS: &str = "model-replicas";
/// The lookup of all caches.
const CACHES: &str = "model-caches";

/// The definition of the kind, which validates objects.
pub(super) fn definition() -> &'static Validator {
    static DEFINITION: LazyLock<Validator> = LazyLock::new(|| Validator::read(include_str!("definition.json")));
    &DEFINITION
}

/// The composed resources of a request.
pub(super) fn observed(request: &ComposeRequest) -> Result<Observed<'_>, Fault> {
    let is_cluster = |key: &str| CLOUD_SOURCES.iter().any(|cloud| cloud.key() == key);
    let may_be = |key: &str| [GUARDS, ROWS].iter().any(|rows| rows.iter().any(|row| row.may_have("", key)));
    Observed::of(request, |key| is_cluster(key) || may_be(key))
}

/// Whether a composed resource only keeps the cluster from being deleted.
pub(super) fn is_guard(key: &str) -> bool {
    GUARDS.iter().any(|row| row.key == key)
}

/// What a cluster looks up: the replicas on it, its classes, and where it has storage for caches or is kept for some the caches.
/// What was found does not matter: Crossplane gives up on lookups that come and go.
pub(super) fn lookups(inputs: &FleetInputs) -> BTreeMap<String, Selector> {
    let mut lookups = BTreeMap::new();
    let labels = [(labels::CLUSTER, inputs.cluster.name.as_str())];
    lookups.insert(REPLICAS.to_owned(), lookup_all(kind(&MODEL_REPLICAS), None, &labels));
    if storage_class(inputs).is_some() || inputs.seen.is_kept_for_caches {
        lookups.insert(CACHES.to_owned(), lookup_all(kind(&MODEL_CACHES), None, &[]));
    }
    for class in class_names(&inputs.cluster.spec) {
        lookups.insert(class_lookup(class), lookup_of(kind(&INFERENCE_CLASSES), None, class));
    }
    lookups
}

/// The name of the lookup of a class.
pub(super) fn class_lookup(class: &str) -> String {
    format!("class-{class}")
}

fn class_names(spec: &ClusterSpec) -> impl Iterator<Item = &str> {
    let pools = spec.node_pools.iter().flatten();
    set(pools.map(|pool| pool.class_name.as_deref().unwrap_or_default())).into_iter()
}

/// Reads the inputs.
pub(super) fn read(request: &ComposeRequest, observed: &Observed<'_>) -> Result<FleetInputs, Fault> {
    let cluster: Subject<ClusterSpec> = Subject::read_shaped(INFERENCE_CLUSTERS.kind, request, definition(), |_| None)?;
    let cloud = CloudSource::of(&cluster.spec.cluster.source);
    if let Some(other) = other_source(cloud, observed, &cluster.name) {
        let message = format!(
            "the cluster is one of {other}, and {} would take its place; delete this InferenceCluster, or make another with a new name",
            cluster.spec.cluster.source,
        );
        let conditions = vec![SOURCE_CHANGED.report(message.as_str()).condition];
        let problem = Problem::new("spec.cluster.source", Code::Forbidden, message);
        return Err(Fault { conditions, ..Fault::new(Cause::Composite, problem) });
    }
    let fields = cloud_fields(&cluster.spec);
    let has_block = fields.is_some() || cloud.is_none() && cluster.spec.cluster.existing.is_some();
    let mut inputs = FleetInputs {
        cloud,
        fields: fields.unwrap_or_default(),
        pools: Vec::new(),
        stop: None,
        oddities: Vec::new(),
        seen: seen(cloud, observed),
        cluster,
    };
    guard(request, observed, &mut inputs);
    let (classes, missing, is_known) = classes(request, &inputs.cluster.spec);
    if !missing.is_empty() {
        inputs.stop = Some(Stop::Classes { missing, is_known });
        return Ok(inputs);
    }
    if !has_block {
        inputs.stop = Some(Stop::NoBlock);
        return Ok(inputs);
    }
    for (at, pool) in inputs.cluster.spec.node_pools.iter().flatten().enumerate() {
        let class = classes.get(pool.class_name.as_deref().unwrap_or_default());
        let (class, is_earlier) = class.cloned().unwrap_or_default();
        let live = inputs.seen.live_pools.get(&pool.name).copied();
        inputs.pools.push(FleetPool { pool: pool.clone(), index: [at], cloud, class, is_earlier, live });
    }
    let judged = pools::judge(&inputs);
    (inputs.stop, inputs.oddities) = (judged.stop, judged.oddities);
    Ok(inputs)
}

/// The source that the cluster was made by, if it is not this one any more. What leads to one that existed has the kubeconfig of its
/// author.
fn other_source(cloud: Option<&'static CloudSource>, observed: &Observed<'_>, name: &str) -> Option<&'static str> {
    if let Some(other) = CLOUD_SOURCES.iter().find(|it| Some(*it) != cloud && observed.has(&it.key())) {
        return Some(other.source);
    }
    cloud.filter(|cloud| !observed.has(&cloud.key()))?;
    let of_stack = observed.get(STACK_KEY).map(|stack| ClusterSecret::all(stack, "spec.secrets")).unwrap_or_default();
    let of_stack = ClusterSecret::first(&of_stack, KUBECONFIG).map(|secret| secret.name.clone());
    let of_config =
        || observed.get(CONFIG_KEY).and_then(|it| path::get(it, "spec.credentials.secretRef.name")?.as_str());
    let kubeconfig = of_stack.or_else(|| of_config().map(str::to_owned))?;
    (kubeconfig != names::kubeconfig(name)).then_some(EXISTING)
}

/// The classes by name, each with whether it was written in an earlier shape; those that are missing, sorted; and whether nobody
/// has looked for one of these yet.
type Classes<'a> = BTreeMap<&'a str, (Value, bool)>;

fn classes<'a>(request: &ComposeRequest, spec: &'a ClusterSpec) -> (Classes<'a>, Vec<String>, bool) {
    let (mut classes, mut missing, mut is_known) = (BTreeMap::new(), Vec::new(), true);
    for name in class_names(spec) {
        let answer = Answer::of(request, &class_lookup(name));
        let object = answer.first().and_then(|object| object.object().ok());
        // What is looked up by name has it.
        match object.filter(|it| it["kind"] == INFERENCE_CLASSES.kind && it["metadata"]["name"] == name) {
            Some(object) => {
                let shaped = shapes::of(INFERENCE_CLASSES.kind, object);
                let earlier = shaped.ok().flatten().map(|shaped| shaped.object);
                let is_earlier = earlier.is_some();
                classes.insert(name, (earlier.unwrap_or_else(|| object.clone()), is_earlier));
            }
            None => {
                missing.push(name.to_owned());
                is_known = is_known && answer.is_resolved();
            }
        }
    }
    (classes, missing, is_known)
}

/// Whether replicas or caches are on the cluster, or count as if they were. What guards it stays while nobody has looked, and until what they had there is
/// gone: a composite goes before its objects, and these can no more be deleted once the stack has taken their kinds along.
fn guard(request: &ComposeRequest, observed: &Observed<'_>, inputs: &mut FleetInputs) {
    let replicas = Answer::of(request, REPLICAS);
    let is_kept = observed.has("usage-replicas");
    let users = observed.get(CONFIG_KEY).and_then(|it| path::get(it, "status.users")?.as_u64()).unwrap_or_default();
    let is_used = users > 0;
    inputs.seen.has_replicas =
        if replicas.is_resolved() { !replicas.all().is_empty() || is_kept && is_used } else { is_kept };
    let caches = Answer::of(request, CACHES);
    let is_on = |cache: &Value| {
        let clusters = path::get(cache, "status.clusters").and_then(Value::as_array).into_iter().flatten();
        clusters.into_iter().any(|it| it["name"] == inputs.cluster.name.as_str())
    };
    let any = || caches.all().iter().filter_map(|it| it.object().ok()).any(is_on);
    inputs.seen.is_kept_for_caches = observed.has("usage-caches");
    inputs.seen.has_caches = if caches.is_resolved() {
        any() || inputs.seen.is_kept_for_caches && is_used
    } else {
        inputs.seen.is_kept_for_caches
    };
    // Crossplane repeats a refused deletion once for each guard that goes, at once. Of two that go together both are refused because of
    // the other, and the deletion is forgotten, so one goes after the other.
    inputs.seen.has_replicas |= is_kept && inputs.seen.is_kept_for_caches && !inputs.seen.has_caches;
    let was_tried = request.composite().is_ok_and(|it| !it["metadata"]["annotations"][DELETION_TRIED].is_null());
    if was_tried {
        let held =
            [holders(MODEL_REPLICAS.kind, replicas.all(), |_| true), holders(MODEL_CACHES.kind, caches.all(), is_on)];
        inputs.seen.holders = held.into_iter().flatten().collect::<Vec<_>>().join("; ");
        if inputs.seen.holders.is_empty() && (is_kept || inputs.seen.is_kept_for_caches) && is_used {
            inputs.seen.holders = format!("{users} Objects on it that are still being deleted");
        }
    }
}

/// The annotation by which Crossplane remembers a deletion that a Usage has refused.
const DELETION_TRIED: &str = "usage.crossplane.io/deletion-attempt-with-policy";
/// The most objects that a message names in a namespace.
const NAMED: usize = 5;

/// The objects of a kind that count, by namespace: `ModelReplicas in ml: one, two`. `None` when there are none.
fn holders(kind: &str, objects: &[ObservedObject], counts: impl Fn(&Value) -> bool) -> Option<String> {
    let mut spaces: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for object in objects.iter().filter_map(|it| it.object().ok()).filter(|it| counts(it)) {
        let text = |field: &str| object["metadata"][field].as_str().unwrap_or_default();
        spaces.entry(text("namespace")).or_default().push(text("name"));
    }
    let shown = spaces.into_iter().map(|(space, names)| {
        let (named, more) = names.split_at_checked(NAMED).unwrap_or((&names, &[]));
        let more = if more.is_empty() { String::new() } else { format!(" and {} more", more.len()) };
        format!("{kind}s in {space}: {}{more}", named.join(", "))
    });
    Some(shown.collect::<Vec<_>>().join("; ")).filter(|text| !text.is_empty())
}

/// What was observed.
fn seen(cloud: Option<&'static CloudSource>, observed: &Observed<'_>) -> SeenCluster {
    let cluster = cloud.and_then(|cloud| observed.get(&cloud.key()));
    let stack = observed.get(STACK_KEY);
    let ready = |object: &Value| conditions::holds(object, "Ready");
    let text = |object: Option<&Value>, at: &str| {
        object.and_then(|it| path::get(it, at)?.as_str()).filter(|text| !text.is_empty()).map(str::to_owned)
    };
    SeenCluster {
        is_ready: cloud.is_none() || cluster.is_some_and(ready),
        waits_for: cluster.map(reason_of).unwrap_or_default(),
        stack_waits_for: stack.map(reason_of).unwrap_or_default(),
        secrets: cluster.map(|it| ClusterSecret::all(it, "status.secrets")).unwrap_or_default(),
        storage_class: text(cluster, "status.cache.storageClassName"),
        identity: observed
            .get(CONFIG_KEY)
            .and_then(|config| ClusterSecret::of_identity(&config["spec"]["identity"], labels::SYSTEM_NAMESPACE)),
        has_stack: stack.is_some(),
        is_stack_ready: stack.is_some_and(ready),
        stack_secrets: stack.map(|it| ClusterSecret::all(it, "spec.secrets")).unwrap_or_default(),
        address: text(stack, "status.gateway.address"),
        live_pools: cluster.map(live_pools).unwrap_or_default(),
        has_replicas: false,
        has_caches: false,
        is_kept_for_caches: false,
        holders: String::new(),
    }
}

/// The pools that a cluster has.
fn live_pools(cluster: &Value) -> BTreeMap<String, LivePool> {
    let pools = path::get(cluster, "spec.nodePools").and_then(Value::as_array).into_iter().flatten();
    let of = |pool: &Value| {
        let number = |field: &str| pool[field].as_u64();
        LivePool { count: number("nodeCount"), least: number("minNodeCount"), most: number("maxNodeCount") }
    };
    by_key(pools.filter_map(|pool| Some((pool["name"].as_str()?.to_owned(), of(pool)))))
}

/// What the messages call a source.
pub(super) fn called(source: &str) -> String {
    if source == EXISTING { "Existing cluster".to_owned() } else { source.to_owned() }
}
