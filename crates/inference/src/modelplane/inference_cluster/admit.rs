//! Judges what a schema cannot state. What is new and cannot be made is refused; what runs with it is warned of.

use contract::admit::{AdmitRequest, Deletion, LookupAnswers, Operation, PropagationPolicy, Verdict};
use contract::catalog::Action::{Deny, Warn};
use contract::catalog::ApiResource;
use contract::types::{Code, Fault, ObservedObject, Problem};
use serde_json::Value;
use toolbox::builders::selectors::{lookup_all, lookup_of};
use toolbox::entries::set;
use toolbox::kind::{AdmissionRow, AdmissionRule, OTHERS};
use toolbox::path;
use toolbox::policy::PolicyRule;
use toolbox::resources::{cluster_scoped, namespaced};

use self::becomes::Refuses;
use self::pools::Pool;
use super::read::class_lookup;
use super::sources::CloudSource;
use crate::long_names;
use crate::modelplane::labels::{CLUSTER, SYSTEM_NAMESPACE};
use crate::modelplane::mentions::{advice, ask, mentioned, named};
use crate::modelplane::platform::credentials::Credentials;
use crate::modelplane::platform::judge::{ROOT_VARIABLE, root};
use crate::modelplane::platform::names;
use crate::modelplane::queueing::Queueing;
use crate::modelplane::resources::{INFERENCE_CLASSES, MODEL_CACHES, MODEL_DEPLOYMENTS, MODEL_REPLICAS, kind};
use crate::modelplane::scheduling::moves::dependents;
use crate::modelplane::shapes;

pub mod becomes;
mod pools;

/// What `admit` does for the kind.
pub(super) const ADMISSION: AdmissionRow = AdmissionRow {
    reads: &READS,
    defaults: || None,
    judges_deletion: true,
    policies: POLICIES,
    policy_variables: &[
        ROOT_VARIABLE,
        ("source", "object.spec.cluster.source"),
        ("pools", "has(object.spec.nodePools) ? object.spec.nodePools : []"),
        ("stored", "request.operation == 'UPDATE' && has(oldObject.spec.nodePools) ? oldObject.spec.nodePools : []"),
        (
            "version",
            "object.spec.cluster.source == 'GKE' ? object.spec.cluster.gke.kubernetesVersion : object.spec.cluster.source == 'EKS' ? \
             object.spec.cluster.eks.kubernetesVersion : object.spec.cluster.source == 'AKS' ? object.spec.cluster.aks.kubernetesVersion : \
             object.spec.cluster.source == 'Nebius' ? object.spec.cluster.nebius.kubernetesVersion : object.spec.cluster.source == 'Vultr' ? \
             object.spec.cluster.vultr.kubernetesVersion : '1'",
        ),
    ],
    rules: &[
        shapes::judge::MIXTURE,
        shapes::judge::LEFT_OUT,
        AdmissionRule {
            action: Deny,
            ..rule("spec.nodePools[].name", "a new pool whose name cannot be the value of a label of nodes", STORED)
        },
        long_names::RULE,
        AdmissionRule {
            beyond_policies: None,
            ..denied(
                "metadata.name",
                "a new name that the cloud refuses: with `source: GKE` more than 17 characters or another first character than a letter, with \
                 `source: AKS` more than 26 characters",
                "",
            )
        },
        denied("spec.nodePools", "no pool in a cloud", NAMED),
        denied(
            "spec.nodePools[].name",
            "a new pool called `system`, or in AKS with another name than it takes",
            STORED,
        ),
        denied("spec.nodePools[].zones", "no zones, with `source: GKE` or `source: EKS`", NAMED),
        denied("spec.nodePools[].zones", "a zone twice, with another source than Existing", NAMED),
        denied("spec.nodePools[].fabric.type", "a fabric that the source does not have", NAMED),
        denied("spec.nodePools[].capacityBlock", "a Capacity Block with another source than EKS", NAMED),
        denied("spec.nodePools[].minNodeCount", "a smallest number of nodes above the largest", NAMED),
        denied("spec.nodePools[].maxNodeCount", "more than 1,000 nodes, unless the source is Existing", NAMED),
        denied(
            "spec.nodePools[].maxNodeCount",
            "with `source: Nebius` or `source: Vultr` a smallest number of nodes alone",
            NAMED,
        ),
        denied(
            "spec.nodePools[].nodeCount",
            "more nodes to begin with than at most, unless the source is Existing, is Nebius and the smallest number is said, or is GKE and \
             the pool exists with this number; with `source: Vultr` none",
            NAMED,
        ),
        denied("spec.nodePools[].className", "a class that says nothing about nodes of this source", OTHERS),
        denied("spec.nodePools[].fabric.type", "EFA with a class whose machine has none", OTHERS),
        denied(
            "spec",
            "what the kind of its cloud refuses in the cluster that it becomes, with what its classes say: e.g. too many nodes, another \
             version than the cloud can have, a zone without a subnet",
            OTHERS,
        ),
        rule("spec.nodePools", "one of these that the cluster has already", STORED),
        rule("spec.nodePools[].className", "a class that does not exist", OTHERS),
        rule("spec.nodePools[].className", "a class whose provider is another one", OTHERS),
        rule("spec.nodePools[].fabric.type", "InfiniBand in AKS with a class whose machine has none", OTHERS),
        rule("spec.nodePools[].minNodeCount", "a pool in AKS that may shrink to no node", NAMED),
        rule(
            "spec.nodePools[].minNodeCount",
            "with `source: GKE`, `source: EKS` or `source: AKS` a new pool with a smallest number of nodes alone, which is of fixed size",
            NAMED,
        ),
        rule(
            "spec.nodePools[].nodeCount",
            "a new pool that begins with fewer nodes than it has at least, or in Nebius with more than at most, where the smallest number is said",
            NAMED,
        ),
        rule(
            "spec.nodePools[].nodeCount",
            "with `source: GKE` another number to begin with for a pool that grows and exists already",
            NAMED,
        ),
        rule("spec.cluster", "other credentials: everything in the cloud is then managed with them", STORED),
        rule("spec.cluster", "a provider configuration that does not exist", OTHERS),
        rule("spec.nodePools", "a pool that goes while replicas are on it", OTHERS),
        rule(
            "spec.nodePools[].className",
            "another class of a pool, whose devices do not suit the replicas there",
            OTHERS,
        ),
        rule(
            "spec.taints",
            "a new taint with `NoExecute` while replicas are on the cluster that do not tolerate it",
            OTHERS,
        ),
        rule(
            "spec.scheduler.type",
            "another scheduler while replicas are on the cluster: their pods start anew",
            OTHERS,
        ),
        rule("metadata.labels", "labels that deployments with replicas on the cluster no longer select", OTHERS),
        denied("metadata", "a deletion of a cluster with replicas or caches", OTHERS),
        rule(
            "metadata",
            "a deletion of a cluster in a cloud that is not in the foreground",
            "policies judge no deletion",
        ),
    ],
};

/// A rule that each pool keeps, unless one of its name was stored that does not, and unless the cluster is of another source.
macro_rules! pools {
    ($holds:literal) => {
        concat!(
            "variables.pools.all(p, (",
            $holds,
            ") || variables.stored.filter(o, o.name == p.name).exists(p, !(",
            $holds,
            ")))"
        )
    };
    ($unless:literal, $holds:literal) => {
        concat!($unless, " || ", pools!($holds))
    };
}

#[rustfmt::skip]
const POLICIES: &[PolicyRule] = &[
    long_names::POLICY,
    PolicyRule { action: Deny, only_new: true, holds: "object.spec.cluster.source != 'GKE' || size(variables.root) <= 17",
        says: "'Google refuses the name: at most 17 characters fit into the name of a service account, with those that Crossplane appends'" },
    PolicyRule { action: Deny, only_new: true, holds: "object.spec.cluster.source != 'GKE' || variables.root.matches('^([a-z]|$)')",
        says: "'Google refuses the name: it must begin with a letter'" },
    // Of the 54 characters of a prefix in DNS, the namespace `modelplane-system`, three hyphens, `aks` and the hash take 28.
    PolicyRule { action: Deny, only_new: true, holds: "object.spec.cluster.source != 'AKS' || size(variables.name) <= 26",
        says: "'Azure refuses the prefix in DNS: 26 characters fit, with what is added to the name; choose a shorter name'" },
    PolicyRule { action: Deny, only_new: true, holds: "variables.source == 'Existing' || size(variables.pools) > 0",
        says: "'spec.nodePools: missing: a cluster in a cloud needs at least one node pool'" },
    PolicyRule { action: Deny, only_new: false, holds: pools!("variables.source == 'Existing'", "p.name != 'system'"),
        says: "'spec.nodePools: `system` is the pool that comes with the cluster; choose another name, e.g. `h100`'" },
    PolicyRule { action: Deny, only_new: false, holds: pools!("variables.source != 'AKS'", "p.name.matches('^[a-z][a-z0-9]{0,11}$')"),
        says: "'spec.nodePools: a pool in AKS has a name of up to 12 lower-case letters and digits, and starts with a letter, e.g. `h100`'" },
    PolicyRule { action: Deny, only_new: false, holds: pools!("!(variables.source in ['GKE', 'EKS'])", "has(p.zones) && size(p.zones) > 0"),
        says: "'spec.nodePools: each pool needs a zone: not every zone has every GPU'" },
    PolicyRule { action: Deny, only_new: false, holds: pools!("variables.source == 'Existing'", "!has(p.zones) || p.zones.all(z, p.zones.exists_one(o, o == z))"),
        says: "'spec.nodePools: a pool names a zone twice'" },
    PolicyRule { action: Deny, only_new: false, holds: pools!("variables.source == 'EKS'", "!has(p.capacityBlock)"),
        says: "'spec.nodePools: only EKS has Capacity Blocks'" },
    PolicyRule { action: Deny, only_new: false, holds: pools!("!has(p.fabric) || !has(p.fabric.type) || p.fabric.type == 'None' || variables.source in (p.fabric.type == 'EFA' ? ['EKS'] : ['AKS', 'Nebius'])"),
        says: "'spec.nodePools: only EKS has EFA, and only AKS and Nebius have InfiniBand'" },
    PolicyRule { action: Deny, only_new: false, holds: pools!("!has(p.minNodeCount) || !has(p.maxNodeCount) || p.minNodeCount <= p.maxNodeCount"),
        says: "'spec.nodePools: a pool has a smallest number of nodes above the largest'" },
    PolicyRule { action: Deny, only_new: false, holds: pools!("variables.source == 'Existing'", "(!has(p.nodeCount) || p.nodeCount <= 1000) && (!has(p.minNodeCount) || p.minNodeCount <= 1000) && (!has(p.maxNodeCount) || p.maxNodeCount <= 1000)"),
        says: "'spec.nodePools: the most nodes in a pool are 1000'" },
    PolicyRule { action: Deny, only_new: true, holds: "size(variables.version) > 0 && size(variables.version) <= 16",
        says: "'spec.cluster: a version of Kubernetes has up to 16 characters'" },
    PolicyRule { action: Deny, only_new: false, holds: pools!("!(variables.source in ['Nebius', 'Vultr'])", "!has(p.minNodeCount) || has(p.maxNodeCount)"),
        says: "'spec.nodePools: a pool that grows needs a largest number of nodes'" },
    PolicyRule { action: Deny, only_new: false, holds: pools!("variables.source == 'Existing'", "!has(p.maxNodeCount) || !has(p.nodeCount) || p.nodeCount <= p.maxNodeCount || variables.source == 'Nebius' && has(p.minNodeCount) || variables.source == 'GKE' && variables.stored.exists(o, o.name == p.name && has(o.nodeCount) && o.nodeCount == p.nodeCount)"),
        says: "'spec.nodePools: a pool begins with more nodes than it has at most'" },
    PolicyRule { action: Deny, only_new: false, holds: pools!("variables.source != 'Vultr'", "!has(p.nodeCount) || p.nodeCount > 0"),
        says: "'spec.nodePools: a pool in Vultr begins with a node'" },
];

/// The configurations of the providers of clouds, and what is on the cluster.
const READS: [ApiResource; 14] = [
    cluster_wide(AWS),
    in_namespace(AWS),
    cluster_wide(AZURE),
    in_namespace(AZURE),
    cluster_wide(GCP),
    in_namespace(GCP),
    INFERENCE_CLASSES,
    MODEL_CACHES,
    MODEL_DEPLOYMENTS,
    MODEL_REPLICAS,
    cluster_wide(NEBIUS),
    in_namespace(NEBIUS),
    cluster_wide(VULTR),
    in_namespace(VULTR),
];

const AWS: &str = "aws.m.upbound.io/v1beta1";
const AZURE: &str = "azure.m.upbound.io/v1beta1";
const GCP: &str = "gcp.m.upbound.io/v1beta1";
const NEBIUS: &str = "nebius.m.upbound.io/v1beta1";
const VULTR: &str = "vultr.m.upbound.io/v1beta1";

/// The family of providers of each source.
const FAMILIES: [(&str, &str); 5] = [("EKS", AWS), ("AKS", AZURE), ("GKE", GCP), ("Nebius", NEBIUS), ("Vultr", VULTR)];

const fn cluster_wide(api_version: &'static str) -> ApiResource {
    cluster_scoped(api_version, "ClusterProviderConfig", "clusterproviderconfigs")
}

const fn in_namespace(api_version: &'static str) -> ApiResource {
    namespaced(api_version, "ProviderConfig", "providerconfigs")
}

const STORED: &str = "what is stored already is tolerated";
const NAMED: &str = "a policy does not name the pool";

const fn denied(path: &'static str, meaning: &'static str, why: &'static str) -> AdmissionRule {
    AdmissionRule { action: Deny, path, meaning, beyond_policies: Some(why) }
}

const fn rule(path: &'static str, meaning: &'static str, why: &'static str) -> AdmissionRule {
    AdmissionRule { action: Warn, path, meaning, beyond_policies: Some(why) }
}

/// Judges an operation.
///
/// # Errors
/// Never. The type is that of all kinds.
pub fn admit(request: &AdmitRequest, clouds: &[Refuses]) -> Result<Verdict, Fault> {
    let mut verdict = Verdict::default();
    let answers = &request.lookups;
    match &request.operation {
        Operation::Create(cluster) => {
            verdict.denials.extend(long_names::judge(cluster).or_else(|| misnamed(cluster)));
            judge_pools(cluster, None, answers, &mut verdict);
            judge_what_it_becomes(cluster, None, answers, clouds, &mut verdict);
            judge_credentials(cluster, answers, &mut verdict);
        }
        Operation::Update { old, new } => {
            judge_pools(new, Some(old), answers, &mut verdict);
            judge_what_it_becomes(new, Some(old), answers, clouds, &mut verdict);
            verdict.warnings.extend(other_credentials(old, new));
            judge_what_goes(old, new, answers, &mut verdict);
        }
        Operation::Delete(deletion) => judge_deletion(deletion, answers, &mut verdict),
    }
    Ok(verdict)
}

/// Nothing may use the cluster any more. What is in a cloud goes in order in the foreground alone (Modelplane's specification, the order of
/// deletion).
fn judge_deletion(deletion: &Deletion, answers: &LookupAnswers, verdict: &mut Verdict) {
    let cluster = &deletion.object;
    let in_background =
        !matches!(deletion.propagation, Some(PropagationPolicy::Foreground | PropagationPolicy::Orphan));
    if in_background && is_made(cluster) {
        let message = "the cluster in the cloud goes while charts are still uninstalled from it, which can leave load balancers and security \
                       groups behind; delete it with `--cascade=foreground`";
        verdict.warnings.push(Problem::new("metadata", Code::Invalid, message));
    }
    let found = replicas(cluster, answers, verdict);
    let serves = |what: String| {
        let message = format!("the cluster has {what}; taint it with `NoExecute`, and wait until it has none");
        Problem::new("metadata", Code::Forbidden, message)
    };
    verdict.denials.extend(named(MODEL_REPLICAS.kind, found, |_| true).map(serves));
    let name = &cluster["metadata"]["name"];
    let is_on = |cache: &Value| {
        let clusters = path::get(cache, "status.clusters").and_then(Value::as_array);
        clusters.into_iter().flatten().any(|it| it["name"] == *name)
    };
    let selector = lookup_all(kind(&MODEL_CACHES), None, &[]);
    let caches = ask(verdict, answers, "caches", selector, "whether caches are on the cluster");
    let stages = |what: String| {
        let message = format!("the cluster has {what}; narrow its clusterSelector, or delete it");
        Problem::new("metadata", Code::Forbidden, message)
    };
    verdict.denials.extend(named(MODEL_CACHES.kind, caches.unwrap_or_default(), is_on).map(stages));
}

/// Why the cloud refuses names that are made of that of the cluster.
fn misnamed(cluster: &Value) -> Option<Problem> {
    let metadata = &cluster["metadata"];
    let given = [&metadata["name"], &metadata["generateName"]].into_iter().find_map(Value::as_str);
    let message = match cluster["spec"]["cluster"]["source"].as_str()? {
        "GKE" => names::refused_by_google(root(cluster))?,
        "AKS" => names::refused_by_azure(SYSTEM_NAMESPACE, given?)?,
        _ => return None,
    };
    Some(Problem::new("metadata.name", Code::Invalid, message))
}

/// Judges the pools that are new, and all of them when the source is new.
fn judge_pools(cluster: &Value, old: Option<&Value>, answers: &LookupAnswers, verdict: &mut Verdict) {
    let known: Vec<Pool<'_>> = old.map(pools::of).unwrap_or_default();
    let pools = pools::of(cluster);
    let new: Vec<&Pool<'_>> = pools.iter().filter(|pool| !known.iter().any(|old| old.is_same(pool))).collect();
    let before = |pool: &Pool<'_>| known.iter().find(|old| old.name == pool.name);
    verdict.denials.extend(new.iter().filter(|pool| before(pool).is_none()).filter_map(|pool| pool.denial()));
    let had = old.is_some_and(|old| pools::of(old).is_empty());
    if pools.is_empty() && !had && is_made(cluster) {
        let message = "missing: a cluster in a cloud needs at least one node pool";
        verdict.denials.push(Problem::new("spec.nodePools", Code::Required, message));
    }
    for pool in &new {
        let before = before(pool);
        let stored: Vec<String> = before.iter().flat_map(|it| it.refusals(None)).map(|it| it.message).collect();
        for problem in pool.refusals(before) {
            let list = if stored.contains(&problem.message) { &mut verdict.warnings } else { &mut verdict.denials };
            list.push(problem);
        }
    }
    verdict.warnings.extend(new.iter().filter_map(|pool| pool.advice()));
    verdict.warnings.extend(new.iter().filter_map(|pool| match before(pool) {
        None => pool.advice_on_beginning(),
        Some(before) => pool.advice_on_begun(before),
    }));
    let classes = set(new.iter().map(|pool| pool.class).filter(|class| !class.is_empty()));
    for class in classes {
        let selector = lookup_of(kind(&INFERENCE_CLASSES), None, class);
        let whether = format!("whether InferenceClass `{class}` exists");
        let Some(found) = ask(verdict, answers, &class_lookup(class), selector, &whether) else { continue };
        let of_class = new.iter().filter(|pool| pool.class == class);
        let Some(found) = found.first().and_then(|class| class.object().ok()) else {
            verdict.warnings.extend(of_class.map(|pool| pool.without_class()));
            continue;
        };
        for pool in of_class {
            let before = known.iter().find(|old| old.name == pool.name && old.class == pool.class);
            let stored = before.and_then(|old| old.refusal_by_class(found)).map(|it| it.message);
            if let Some(refusal) = pool.refusal_by_class(found) {
                let is_old = stored.is_some_and(|stored| stored == refusal.message);
                let list = if is_old { &mut verdict.warnings } else { &mut verdict.denials };
                list.push(refusal);
            }
            verdict.warnings.extend(pool.advice_by_class(found));
        }
    }
}

/// Judges the cluster in the cloud that the cluster becomes. What was refused of the stored one already is a warning.
fn judge_what_it_becomes(
    cluster: &Value,
    old: Option<&Value>,
    answers: &LookupAnswers,
    clouds: &[Refuses],
    verdict: &mut Verdict,
) {
    if !is_made(cluster) || old.is_some_and(|old| old["spec"] == cluster["spec"]) {
        return;
    }
    for class in set(pools::of(cluster).iter().map(|pool| pool.class).filter(|class| !class.is_empty())) {
        let lookup = class_lookup(class);
        if !verdict.lookups.contains_key(&lookup) {
            let selector = lookup_of(kind(&INFERENCE_CLASSES), None, class);
            ask(
                verdict,
                answers,
                &lookup,
                selector,
                &format!("whether the cloud takes the pools of InferenceClass `{class}`"),
            );
        }
    }
    let stored = old.map(|old| becomes::refusals(old, answers, clouds)).unwrap_or_default();
    for problem in becomes::refusals(cluster, answers, clouds) {
        let is_stored = stored.iter().any(|it| it.message == problem.message);
        if is_said(&problem, &verdict.denials) || is_stored && is_said(&problem, &verdict.warnings) {
            continue;
        }
        let list = if is_stored { &mut verdict.warnings } else { &mut verdict.denials };
        list.push(problem);
    }
}

/// Whether something is said about the field already, or about one that is in it or has it.
fn is_said(problem: &Problem, said: &[Problem]) -> bool {
    said.iter().any(|it| it.path.starts_with(&problem.path) || problem.path.starts_with(&it.path))
}

/// What is refused of a cluster on account of one of its classes.
pub fn refused_by_class(cluster: &Value, class: &Value, clouds: &[Refuses]) -> Vec<Problem> {
    let name = class["metadata"]["name"].as_str().unwrap_or_default();
    let answers = LookupAnswers::from([(class_lookup(name), vec![class.clone().into()])]);
    let of_class = pools::of(cluster).into_iter().filter(|pool| pool.class == name);
    let mut refused: Vec<Problem> = of_class.filter_map(|pool| pool.refusal_by_class(class)).collect();
    for problem in becomes::refusals(cluster, &answers, clouds) {
        if !is_said(&problem, &refused) {
            refused.push(problem);
        }
    }
    refused
}

/// Whether a cloud makes the cluster.
fn is_made(cluster: &Value) -> bool {
    cluster["spec"]["cluster"]["source"].as_str().is_some_and(|source| CloudSource::of(source).is_some())
}

/// The credentials of a cluster in a cloud, with their path and its source.
fn credentials(cluster: &Value) -> Option<(Credentials, String, &'static str)> {
    let source = CloudSource::of(cluster["spec"]["cluster"]["source"].as_str()?)?;
    let written = &cluster["spec"]["cluster"][source.block]["credentials"];
    let mut credentials = Credentials::default();
    for (field, value) in [("type", &mut credentials.config_kind), ("name", &mut credentials.name)] {
        if let Some(text) = written[field].as_str() {
            *value = text.to_owned();
        }
    }
    Some((credentials, format!("spec.cluster.{}.credentials", source.block), source.source))
}

/// Other credentials of a cluster that exists.
fn other_credentials(old: &Value, new: &Value) -> Option<Problem> {
    let (now, path, _) = credentials(new)?;
    let message = "everything that the cluster has in the cloud is managed with the new credentials: they must be of the same account";
    (credentials(old)?.0 != now).then(|| advice(path, message))
}

/// Warns of a provider configuration that is not there yet. What is in it is nobody's business here.
fn judge_credentials(cluster: &Value, answers: &LookupAnswers, verdict: &mut Verdict) {
    let Some((credentials, path, source)) = credentials(cluster) else { return };
    let Some((_, family)) = FAMILIES.iter().find(|(of, _)| *of == source) else { return };
    let Credentials { config_kind, name } = &credentials;
    let selector = credentials.lookup(family, SYSTEM_NAMESPACE);
    let whether = format!("whether {config_kind} `{name}` exists");
    if ask(verdict, answers, "credentials", selector, &whether).is_some_and(<[_]>::is_empty) {
        let message =
            format!("{config_kind} `{name}` of `{family}` does not exist: nothing is made in the cloud before it does");
        verdict.warnings.push(advice(path, message));
    }
}

/// Judges what an edit takes away: pools, and the peace of replicas.
fn judge_what_goes(old: &Value, new: &Value, answers: &LookupAnswers, verdict: &mut Verdict) {
    let (before, after) = (pools::of(old), pools::of(new));
    let gone: Vec<&str> =
        before.iter().map(|pool| pool.name).filter(|name| !after.iter().any(|pool| pool.name == *name)).collect();
    let evicts = evicting(new).any(|taint| !evicting(old).any(|known| known == taint));
    let other_devices =
        before.iter().any(|pool| after.iter().any(|other| other.name == pool.name && other.class != pool.class));
    let relabelled = old["metadata"]["labels"] != new["metadata"]["labels"];
    let rescheduled = Queueing::of_cluster(old) != Queueing::of_cluster(new);
    if gone.is_empty() && !evicts && !other_devices && !relabelled && !rescheduled {
        return;
    }
    let found = replicas(new, answers, verdict);
    if let Some(replicas) = named(MODEL_REPLICAS.kind, found, |_| rescheduled) {
        let message = format!("the pods of {replicas} start anew, and other queues admit them, or none");
        verdict.warnings.push(advice("spec.scheduler.type", message));
    }
    let on_gone = |replica: &Value| pinned(replica).any(|pool| gone.contains(&pool));
    if let Some(replicas) = named(MODEL_REPLICAS.kind, found, on_gone) {
        let message = format!("no pool is left for {replicas}: each is placed anew, or nowhere");
        verdict.warnings.push(advice("spec.nodePools", message));
    }
    if !evicts && !other_devices && !relabelled {
        return;
    }
    let Some(dependents) = dependents(found, answers, verdict) else {
        if let Some(replicas) = named(MODEL_REPLICAS.kind, found, |_| evicts) {
            let message = format!(
                "the taint moves {replicas} to other clusters, or nowhere, unless their deployments tolerate it"
            );
            verdict.warnings.push(advice("spec.taints", message));
        }
        return;
    };
    // Each change apart from the others, so that a warning names its cause.
    let changed = |at: &str, value: &Value| {
        let mut cluster = old.clone();
        path::set(&mut cluster, at, value.clone());
        cluster
    };
    let tainted = [changed("spec.taints", &new["spec"]["taints"])];
    let rebuilt = [changed("status.gpuPools", &published(old, &before, &after, answers))];
    let old = std::slice::from_ref(old);
    let (mut by_labels, mut by_taints, mut by_devices) = (Vec::new(), Vec::new(), Vec::new());
    for dependent in &dependents {
        if relabelled && old.iter().all(|old| dependent.selects(old)) && !dependent.selects(new) {
            by_labels.extend(dependent.replicas());
        }
        if evicts {
            by_taints.extend(dependent.moved(old, &tainted));
        }
        if other_devices {
            by_devices.extend(dependent.moved(old, &rebuilt));
        }
    }
    let causes = [
        ("metadata.labels", "deployments no longer select the cluster, which moves", by_labels),
        ("spec.taints", "the taint moves", by_taints),
        ("spec.nodePools", "the other class of a pool moves", by_devices),
    ];
    for (at, what, moved) in causes {
        if let Some(replicas) = named(MODEL_REPLICAS.kind, moved, |_| true) {
            let message = format!("{what} {replicas} to other places, or nowhere");
            verdict.warnings.push(advice(at, message));
        }
    }
}

/// The pools as the status will publish them, as far as the classes are known: those that keep their class, and those with
/// another one.
fn published(old: &Value, before: &[Pool<'_>], after: &[Pool<'_>], answers: &LookupAnswers) -> Value {
    let known = path::get(old, "status.gpuPools").and_then(Value::as_array);
    let pools = known.into_iter().flatten().map(|entry| {
        let mut entry = entry.clone();
        let of =
            |pools: &[Pool<'_>]| pools.iter().find(|pool| entry["name"] == pool.name).map(|it| it.class.to_owned());
        if let Some(class) = of(after).filter(|class| Some(class) != of(before).as_ref()) {
            let found = answers.get(&class_lookup(&class)).and_then(|found| found.first()?.object().ok());
            let class = found.map(|class| shapes::as_released(INFERENCE_CLASSES.kind, class));
            if let Some(devices) = class.map(|class| class["spec"]["devices"].clone()).filter(Value::is_array) {
                entry["devices"] = devices;
            }
        }
        entry
    });
    pools.collect()
}

/// The replicas on the cluster, as far as they are known.
fn replicas<'a>(cluster: &Value, answers: &'a LookupAnswers, verdict: &mut Verdict) -> &'a [ObservedObject] {
    let name = cluster["metadata"]["name"].as_str().unwrap_or_default();
    let selector = mentioned(kind(&MODEL_REPLICAS), &[(CLUSTER, name)]);
    ask(verdict, answers, "replicas", selector, "whether replicas are on the cluster").unwrap_or_default()
}

/// The taints that replicas have to tolerate to stay.
fn evicting(cluster: &Value) -> impl Iterator<Item = &Value> {
    let taints = cluster["spec"]["taints"].as_array();
    taints.into_iter().flatten().filter(|taint| taint["effect"] == "NoExecute")
}

/// The pools that a replica is pinned to.
fn pinned(replica: &Value) -> impl Iterator<Item = &str> {
    let engines = replica["spec"]["engines"].as_array().into_iter().flatten();
    let members = engines.flat_map(|engine| engine["members"].as_array().into_iter().flatten());
    members.filter_map(|member| member["nodePoolName"].as_str())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::modelplane::CLOUDS;

    /// A cluster with these pools and taints.
    fn cluster(source: &str, pools: Value, taints: Value) -> Value {
        json!({
            "metadata": {"name": "gpu-east"},
            "spec": {"cluster": {"source": source}, "nodePools": pools, "taints": taints},
        })
    }

    fn answers(all: &[(&str, Value)]) -> LookupAnswers {
        let objects =
            |value: &Value| value.as_array().into_iter().flatten().cloned().map(ObservedObject::from).collect();
        all.iter().map(|(name, value)| ((*name).to_owned(), objects(value))).collect()
    }

    /// The denials and warnings, as `path: message`, and the number of what could not be judged.
    #[track_caller]
    fn check(operation: Operation, lookups: &[(&str, Value)], warnings: &[&str], unjudged: usize) {
        let mut lookups = answers(lookups);
        lookups.entry("credentials".to_owned()).or_insert_with(|| vec![json!({}).into()]);
        let verdict = admit(&AdmitRequest { operation, input: None, lookups }, &CLOUDS).expect("a verdict");
        let denied = verdict.denials.iter().map(|it| format!("denied {}: {}", it.path, it.message));
        let warned = verdict.warnings.iter().map(|it| format!("{}: {}", it.path, it.message));
        assert_eq!(denied.chain(warned).collect::<Vec<_>>(), warnings);
        assert_eq!(verdict.unjudged.len(), unjudged, "{:?}", verdict.unjudged);
    }

    fn class(provisioning: Value) -> Value {
        json!([{"metadata": {"name": "h100"}, "spec": {"provisioning": provisioning}}])
    }

    fn pool(name: &str) -> Value {
        json!({"name": name, "className": "h100", "zones": ["a"]})
    }

    #[test]
    fn classes() {
        let create = |source| Operation::Create(cluster(source, json!([pool("a")]), json!(null)));
        let gke = class(json!({"provider": "GKE", "gke": {"machineType": "a3"}}));
        check(create("GKE"), &[("class-h100", gke.clone())], &[], 0);
        check(create("Existing"), &[("class-h100", class(json!(null)))], &[], 0);
        check(create("GKE"), &[], &[], 1);
        let missing = "spec.nodePools[0].className: InferenceClass `h100` does not exist: the cluster waits for it";
        check(create("GKE"), &[("class-h100", json!([]))], &[missing], 0);
        let other = "denied spec.nodePools[0].className: InferenceClass `h100` has no block `provisioning.eks`, so no pool can be created from it";
        check(create("EKS"), &[("class-h100", gke.clone())], &[other], 0);
        let both = class(json!({"provider": "EKS", "gke": {"machineType": "a3"}, "eks": {}}));
        let provider = "spec.nodePools[0].className: the provider of InferenceClass `h100` is EKS; its block for GKE is used all the same";
        check(create("GKE"), &[("class-h100", both)], &[provider], 0);
        let machine = |provider: &str, made: Value| {
            let mut provisioning = json!({"provider": provider});
            provisioning[provider.to_lowercase()] = made;
            ("class-h100", class(provisioning))
        };
        let with = |source: &str, fabric: &str| {
            let mut pool = pool("a");
            pool["fabric"] = json!({"type": fabric});
            cluster(source, json!([pool]), json!(null))
        };
        let efa = || Operation::Create(with("EKS", "EFA"));
        check(efa(), &[machine("EKS", json!({"instanceType": "p5en.48xlarge"}))], &[], 0);
        check(efa(), &[machine("EKS", json!({"instanceType": "unheard.of"}))], &[], 0);
        let lacks =
            "denied spec.nodePools[0].fabric.type: pool `a` gets no EFA: `g6.xlarge` of InferenceClass `h100` has none";
        let g6 = || machine("EKS", json!({"instanceType": "g6.xlarge"}));
        check(efa(), &[g6()], &[lacks], 0);
        // New on a pool that runs.
        check(Operation::Update { old: with("EKS", "None"), new: with("EKS", "EFA") }, &[g6()], &[lacks], 0);
        let infiniband = || Operation::Create(with("AKS", "InfiniBand"));
        check(infiniband(), &[machine("AKS", json!({"vmSize": "Standard_ND96isr_H100_v5"}))], &[], 0);
        let without = "spec.nodePools[0].fabric.type: pool `a` gets no InfiniBand: the name of `Standard_NC40ads_H100_v5`, of InferenceClass `h100`, has no `r`, as those have that do";
        check(infiniband(), &[machine("AKS", json!({"vmSize": "Standard_NC40ads_H100_v5"}))], &[without], 0);
        // A pool that has the class already only gets a warning.
        let mut resized = pool("a");
        resized["nodeCount"] = json!(2);
        let running = Operation::Update {
            old: cluster("EKS", json!([pool("a")]), json!(null)),
            new: cluster("EKS", json!([resized]), json!(null)),
        };
        check(running, &[("class-h100", gke.clone())], &[other.trim_start_matches("denied ")], 0);
        // What is known already is not looked up.
        let old = cluster("GKE", json!([pool("a")]), json!(null));
        let update = |pools| Operation::Update { old: old.clone(), new: cluster("GKE", pools, json!(null)) };
        check(update(json!([pool("a")])), &[], &[], 0);
        check(update(json!([pool("a"), pool("b")])), &[], &[], 1);
    }

    #[test]
    fn what_it_becomes() {
        #[track_caller]
        fn check(source: &str, block: Value, made: Value, pool: Value, want: &[&str]) {
            let cloud = source.to_lowercase();
            let of = |pool: &Value| {
                let mut pool = pool.clone();
                pool["name"] = json!("a");
                pool["className"] = json!("h100");
                let pools = json!([{"name": "b", "className": "unknown", "zones": ["z"]}, pool]);
                let mut cluster = cluster(source, pools, json!([]));
                (cluster["apiVersion"], cluster["kind"]) = (json!("modelplane.ai/v1alpha1"), json!("InferenceCluster"));
                cluster["spec"]["cluster"][&cloud] = block.clone();
                cluster
            };
            let mut class = class(json!({"provider": source, (cloud.as_str()): made}));
            class[0]["kind"] = json!("InferenceClass");
            let lookups = || {
                let config = ("credentials".to_owned(), vec![json!({}).into()]);
                let unknown = ("class-unknown".to_owned(), Vec::new());
                answers(&[("class-h100", class.clone())]).into_iter().chain([config, unknown]).collect()
            };
            let judged = |operation| {
                let verdict =
                    admit(&AdmitRequest { operation, input: None, lookups: lookups() }, &CLOUDS).expect("a verdict");
                assert_eq!(verdict.unjudged, [""; 0]);
                let shown = |it: &Problem| format!("{}: {}", it.path, it.message);
                verdict.denials.iter().map(shown).collect::<Vec<_>>()
            };
            assert_eq!(judged(Operation::Create(of(&pool))), want);
            // What is stored already is tolerated.
            let mut other = of(&pool);
            other["spec"]["taints"] = json!([{"key": "drain", "effect": "NoSchedule"}]);
            assert_eq!(judged(Operation::Update { old: of(&pool), new: other }), [""; 0]);
        }
        let eks = || (json!({"region": "us-east-1"}), json!({"instanceType": "p5.48xlarge"}));
        let zone = || json!({"zones": ["us-east-1a"]});
        check("EKS", eks().0, eks().1, zone(), &[]);
        let long = json!({"instanceType": "m".repeat(64)});
        let machine = "spec.nodePools[1].className: `instanceType` of InferenceClass `h100` makes no pool: Too long: may not be more than 63 bytes";
        check("EKS", eks().0, long, zone(), &[machine]);
        // A warning about the class stands beside it.
        let mut made = class(json!({"provider": "GKE", "eks": {"instanceType": "m".repeat(64)}}));
        made[0]["kind"] = json!("InferenceClass");
        let mut cluster_of = cluster("EKS", json!([pool("a")]), json!([]));
        cluster_of["spec"]["nodePools"][0]["zones"] = json!(["us-east-1a"]);
        cluster_of["spec"]["cluster"]["eks"] = eks().0;
        let other = "spec.nodePools[0].className: the provider of InferenceClass `h100` is GKE; its block for EKS is used all the same";
        let denied = format!("denied {}", machine.replace("[1]", "[0]"));
        self::check(Operation::Create(cluster_of), &[("class-h100", made)], &[&denied, other], 0);
        let many = json!({"zones": ["us-east-1a"], "nodeCount": 1001, "maxNodeCount": 2000});
        let nodes = [
            "spec.nodePools[1].maxNodeCount: pool `a` asks for 2000 nodes, and the most in a pool are 1000",
            "spec.nodePools[1].nodeCount: pool `a`: Invalid value: 1001: spec.nodePools[1].nodeCount in body should be less than or equal to 1000",
        ];
        check("EKS", eks().0, eks().1, many, &nodes);
        let elsewhere = json!({"zones": ["us-east-1d"]});
        check(
            "EKS",
            eks().0,
            eks().1,
            elsewhere,
            &[
                "spec.nodePools[1].zones: pool `a` is in zone `us-east-1d`, which has no subnet: us-east-1a, us-east-1b, us-east-1c have one, as many as an EKSCluster has spec.networking.subnetCidrs",
            ],
        );
        let version = json!({"region": "us-east-1", "kubernetesVersion": "1.36.1-eks.123456"});
        let said = "spec.cluster.eks.kubernetesVersion: Too long: may not be more than 16 bytes";
        check("EKS", version.clone(), eks().1, zone(), &[said]);
        // Nobody knows a class.
        let mut cluster = cluster("EKS", json!([{"name": "a", "className": "unknown", "zones": ["z"]}]), json!([]));
        cluster["spec"]["cluster"]["eks"] = version;
        let found = becomes::refusals(&cluster, &LookupAnswers::new(), &CLOUDS).into_iter();
        assert_eq!(found.map(|it| format!("{}: {}", it.path, it.message)).collect::<Vec<_>>(), [said]);
    }

    #[test]
    fn fields_of_pools() {
        #[track_caller]
        fn check_pool(source: &str, fields: Value, want: &[&str]) {
            let mut made = json!({"name": "a", "className": "", "zones": ["z"]});
            for (key, value) in fields.as_object().expect("fields") {
                made[key] = value.clone();
            }
            check(Operation::Create(cluster(source, json!([made]), json!(null))), &[], want, 0);
        }
        let zones =
            "denied spec.nodePools[0].zones: pool `a` names no zone, and GKE needs one: not every zone has every GPU";
        check_pool("GKE", json!({"zones": []}), &[zones]);
        check_pool("GKE", json!({"zones": null}), &[zones]);
        check_pool("AKS", json!({"zones": null}), &[]);
        let twice = "denied spec.nodePools[0].zones[2]: pool `a` names zone `2` twice";
        check_pool("AKS", json!({"zones": ["1", "2", "2"]}), &[twice]);
        check_pool("Existing", json!({"zones": ["2", "2"]}), &[]);
        let fabric = |kind: &str| json!({"fabric": {"type": kind}});
        check_pool("EKS", fabric("EFA"), &[]);
        check_pool("Nebius", fabric("InfiniBand"), &[]);
        check_pool("AKS", fabric("InfiniBand"), &[]);
        check_pool("Existing", fabric("None"), &[]);
        check_pool(
            "GKE",
            fabric("EFA"),
            &["denied spec.nodePools[0].fabric.type: pool `a` gets no EFA: only EKS has it"],
        );
        check_pool(
            "EKS",
            fabric("InfiniBand"),
            &["denied spec.nodePools[0].fabric.type: pool `a` gets no InfiniBand: only Nebius and AKS have it"],
        );
        let block = json!({"capacityBlock": {"capacityReservationId": "cr-1"}});
        check_pool("EKS", block.clone(), &[]);
        check_pool(
            "GKE",
            block,
            &[
                "denied spec.nodePools[0].capacityBlock: pool `a` takes nothing from a Capacity Block: only EKS has them",
            ],
        );
        check_pool("Existing", json!({"nodeCount": 3, "maxNodeCount": 2}), &[]);
        check_pool("Existing", json!({"minNodeCount": 2}), &[]);
        let begins = "denied spec.nodePools[0].nodeCount: pool `a` begins with 3 nodes and has at most 2";
        let fixed = "spec.nodePools[0].minNodeCount: pool `a` has no `maxNodeCount`, so it is of fixed size, and `minNodeCount` counts for nothing";
        let fewer = "spec.nodePools[0].nodeCount: pool `a` begins with 1 nodes and has at least 2";
        for source in ["GKE", "EKS", "AKS"] {
            check_pool(source, json!({"nodeCount": 2, "minNodeCount": 2, "maxNodeCount": 2}), &[]);
            check_pool(source, json!({"nodeCount": 2, "minNodeCount": 2}), &[]);
            check_pool(source, json!({"minNodeCount": 2}), &[fixed]);
            check_pool(source, json!({"minNodeCount": 2, "maxNodeCount": 2}), &[fewer]);
            check_pool(source, json!({"nodeCount": 3, "minNodeCount": 1, "maxNodeCount": 2}), &[begins]);
        }
        check_pool("GKE", json!({"nodeCount": 3, "maxNodeCount": 2}), &[begins]);
        check_pool("Nebius", json!({"nodeCount": 2, "maxNodeCount": 2}), &[]);
        check_pool("Nebius", json!({"minNodeCount": 2, "maxNodeCount": 2}), &[]);
        let bounds = "spec.nodePools[0].nodeCount: pool `a` has 1 to 2 nodes, so `nodeCount: 3` counts for nothing";
        check_pool("Nebius", json!({"nodeCount": 3, "minNodeCount": 1, "maxNodeCount": 2}), &[bounds]);
        check_pool("Vultr", json!({"nodeCount": 3, "minNodeCount": 1, "maxNodeCount": 2}), &[begins]);
        check_pool("Vultr", json!({"minNodeCount": 2, "maxNodeCount": 2}), &[fewer]);
        for source in ["Nebius", "Vultr"] {
            let alone = format!(
                "denied spec.nodePools[0].maxNodeCount: pool `a` says the smallest number of nodes only, and {source} needs the largest too"
            );
            check_pool(source, json!({"minNodeCount": 2}), &[&alone]);
            check_pool(source, json!({"nodeCount": 3, "maxNodeCount": 2}), &[begins]);
        }
        check_pool(
            "Vultr",
            json!({"nodeCount": 0}),
            &["denied spec.nodePools[0].nodeCount: pool `a` begins with no node, and Vultr needs one"],
        );
        check_pool("Nebius", json!({"nodeCount": 0}), &[]);
        check_pool(
            "GKE",
            json!({"minNodeCount": 3, "maxNodeCount": 2}),
            &["denied spec.nodePools[0].minNodeCount: pool `a` has at least 3 nodes and at most 2"],
        );
        let from_zero = "spec.nodePools[0].minNodeCount: pool `a` may shrink to no node, and the autoscaler of AKS makes no first node for pods that claim devices; give at least 1";
        check_pool("AKS", json!({"maxNodeCount": 2}), &[from_zero]);
        check_pool("AKS", json!({"minNodeCount": 1, "maxNodeCount": 2}), &[]);
        check_pool("GKE", json!({"maxNodeCount": 2}), &[]);
        let reserved = "denied spec.nodePools[0].name: \"system\" is the pool that comes with the cluster; choose another name, e.g. `h100`";
        check_pool("GKE", json!({"name": "system"}), &[reserved]);
        check_pool("Existing", json!({"name": "system"}), &[]);
        let in_aks = "denied spec.nodePools[0].name: \"h100-pool\" is no name of a pool in AKS, which has up to 12 lower-case letters and digits, and starts with a letter, e.g. `h100`";
        check_pool("AKS", json!({"name": "h100-pool"}), &[in_aks]);
        check_pool("Nebius", json!({"name": "h100-pool"}), &[]);
    }

    /// Numbers of nodes of a pool that exists.
    #[test]
    fn other_numbers() {
        let of = |source: &str, [first, least, most]: [u32; 3], zone: &str| {
            let counts = json!({"name": "a", "className": "", "zones": [zone], "nodeCount": first, "minNodeCount": least, "maxNodeCount": most});
            cluster(source, json!([counts]), json!(null))
        };
        let check = |source: &str, old: [u32; 3], new: [u32; 3], want: &[&str]| {
            check(Operation::Update { old: of(source, old, "a"), new: of(source, new, "b") }, &[], want, 0);
        };
        let begins = "denied spec.nodePools[0].nodeCount: pool `a` begins with 3 nodes and has at most 2";
        check("EKS", [3, 1, 4], [3, 1, 2], &[begins]);
        check("EKS", [3, 1, 4], [2, 1, 2], &[]);
        check("EKS", [3, 1, 2], [3, 0, 2], &[begins.trim_start_matches("denied ")]);
        check("EKS", [3, 1, 4], [1, 2, 4], &[]);
        // Nothing changes the number there, so it need not follow.
        check("GKE", [3, 1, 4], [3, 1, 2], &[]);
        check("GKE", [3, 1, 2], [3, 0, 2], &[]);
        check("GKE", [2, 1, 4], [3, 1, 2], &[begins]);
        let begun = "spec.nodePools[0].nodeCount: pool `a` has begun with 2 nodes, which GKE cannot change; `minNodeCount` and `maxNodeCount` bound the number that it has";
        check("GKE", [2, 1, 4], [3, 1, 4], &[begun]);
        check("EKS", [2, 1, 4], [3, 1, 4], &[]);
        check(
            "GKE",
            [3, 1, 4],
            [3, 3, 2],
            &["denied spec.nodePools[0].minNodeCount: pool `a` has at least 3 nodes and at most 2"],
        );
    }

    /// Replicas of a deployment that tolerates the taint `reserved`, selects tier `a`, and needs 80Gi.
    #[test]
    fn what_an_edit_moves() {
        let member = |fields: Value| {
            let mut member = json!({"role": "Standalone", "template": {"spec": {"containers": [{"name": "engine", "image": "vllm"}]}}});
            fields.as_object().expect("fields").iter().for_each(|(key, value)| member[key] = value.clone());
            json!([{"name": "main", "members": [member]}])
        };
        let labels = json!({"modelplane.ai/deployment": "llama", "modelplane.ai/replica-index": "0"});
        let pinned = member(json!({"nodePoolName": "a", "deviceRequests": [{"name": "gpu"}]}));
        let replica = json!({
            "metadata": {"namespace": "ml", "name": "llama-1", "labels": labels},
            "spec": {"clusterName": "gpu-east", "engines": pinned},
        });
        let cel = r#"device.capacity["d"].memory.compareTo(quantity("80Gi")) >= 0"#;
        let wanted = member(json!({"nodeSelector": {"devices": [{"name": "gpu", "selectors": [{"cel": cel}]}]}}));
        let spec = json!({
            "clusterSelector": {"matchLabels": {"tier": "a"}},
            "tolerations": [{"key": "reserved", "operator": "Exists"}],
            "engines": wanted,
        });
        let deployment = json!({"metadata": {"namespace": "ml", "name": "llama"}, "spec": {"replicas": 1, "template": {"spec": spec}}});
        let devices = |memory: &str| json!([{"name": "gpu", "driver": "d", "count": 8, "capacity": {"memory": {"value": memory}}}]);
        let old = {
            let mut old = cluster("Existing", json!([pool("a")]), json!(null));
            old["metadata"]["labels"] = json!({"tier": "a"});
            old["status"] = json!({"gpuPools": [{"name": "a", "nodes": 2, "devices": devices("80Gi")}]});
            old
        };
        let class = |memory: &str| json!([{"metadata": {"name": "other"}, "spec": {"devices": devices(memory)}}]);
        let check = |at: &str, value: Value, memory: &str, want: &[&str]| {
            let mut new = old.clone();
            path::set(&mut new, at, value);
            let known =
                [("replicas", json!([replica])), ("deployments", json!([deployment])), ("class-other", class(memory))];
            check(Operation::Update { old: old.clone(), new }, &known, want, 0);
        };
        let taint = |key: &str| json!([{"key": key, "effect": "NoExecute"}]);
        check("spec.taints", taint("reserved"), "", &[]);
        check(
            "spec.taints",
            taint("drain"),
            "",
            &["spec.taints: the taint moves ModelReplica `ml/llama-1` to other places, or nowhere"],
        );
        check("metadata.labels", json!({"tier": "a", "b": "c"}), "", &[]);
        check(
            "metadata.labels",
            json!({"tier": "b"}),
            "",
            &[
                "metadata.labels: deployments no longer select the cluster, which moves ModelReplica `ml/llama-1` to other places, or nowhere",
            ],
        );
        let other = || json!({"name": "a", "className": "other"});
        check("spec.nodePools[0]", other(), "141Gi", &[]);
        check(
            "spec.nodePools[0]",
            other(),
            "40Gi",
            &["spec.nodePools: the other class of a pool moves ModelReplica `ml/llama-1` to other places, or nowhere"],
        );
    }

    #[test]
    fn names_in_clouds() {
        let check = |source: &str, name: &str, want: bool| {
            let mut cluster = cluster(source, json!(null), json!(null));
            cluster["metadata"]["name"] = json!(name);
            let refused = misnamed(&cluster);
            assert_eq!(refused.is_some(), want, "{source} {name}: {refused:?}");
        };
        check("GKE", &"a".repeat(17), false);
        check("GKE", &"a".repeat(18), true);
        check("GKE", "1a", true);
        check("AKS", &"a".repeat(26), false);
        check("AKS", &"a".repeat(27), true);
        check("EKS", &"a".repeat(40), false);
        check("Existing", "1a", false);
    }

    #[test]
    fn clusters_in_clouds() {
        let missing = "denied spec.nodePools: missing: a cluster in a cloud needs at least one node pool";
        let empty = |source| cluster(source, json!(null), json!(null));
        check(Operation::Create(empty("Vultr")), &[], &[missing], 0);
        check(Operation::Create(empty("Existing")), &[], &[], 0);
        check(Operation::Update { old: empty("Vultr"), new: empty("Vultr") }, &[], &[], 0);
        let with = |credentials: Value| {
            let mut cluster = cluster("GKE", json!([pool("a")]), json!(null));
            cluster["spec"]["cluster"]["gke"] = json!({"region": "r", "credentials": credentials});
            cluster
        };
        let update = |new: Value| Operation::Update { old: with(json!({"name": "default"})), new: with(new) };
        let others = "spec.cluster.gke.credentials: everything that the cluster has in the cloud is managed with the new credentials: they must be of the same account";
        check(update(json!(null)), &[], &[], 1);
        check(update(json!({"name": "other"})), &[], &[others], 1);
        check(update(json!({"type": "ProviderConfig"})), &[], &[others], 1);
        let missing = "spec.cluster.vultr.credentials: ClusterProviderConfig `default` of `vultr.m.upbound.io/v1beta1` does not exist: nothing is made in the cloud before it does";
        let made = || cluster("Vultr", json!([{"name": "a"}]), json!(null));
        check(Operation::Create(made()), &[("credentials", json!([]))], &[missing], 0);
        check(Operation::Create(made()), &[], &[], 0);
    }

    #[test]
    fn what_an_edit_takes_away() {
        let replica = |name: &str, pool: &str| {
            let member = json!({"role": "Standalone", "nodePoolName": pool});
            let labels = json!({"modelplane.ai/deployment": "llama"});
            json!({
                "metadata": {"namespace": "ml", "name": name, "labels": labels},
                "spec": {"engines": [{"members": [member]}]},
            })
        };
        let found = json!([replica("one", "a"), replica("two", "b")]);
        let both = json!([pool("a"), pool("b")]);
        let taint = |effect: &str| json!([{"key": "drain", "effect": effect}]);
        let update = |pools: Value, taints: Value| Operation::Update {
            old: cluster("Existing", both.clone(), json!(null)),
            new: cluster("Existing", pools, taints),
        };
        let one_pool = json!([pool("a")]);
        let moves = "spec.nodePools: no pool is left for ModelReplica `ml/two`: each is placed anew, or nowhere";
        check(update(both.clone(), json!(null)), &[], &[], 0);
        check(update(one_pool.clone(), json!(null)), &[], &[], 1);
        check(update(one_pool.clone(), json!(null)), &[("replicas", json!([]))], &[], 0);
        check(update(one_pool.clone(), json!(null)), &[("replicas", found.clone())], &[moves], 0);
        check(update(both.clone(), taint("NoSchedule")), &[], &[], 0);
        let leaves = "spec.taints: the taint moves ModelReplica `ml/one`, `ml/two` to other clusters, or nowhere, unless their deployments tolerate it";
        check(update(both.clone(), taint("NoExecute")), &[("replicas", found.clone())], &[leaves], 1);
        check(update(one_pool, taint("NoExecute")), &[("replicas", found.clone())], &[moves, leaves], 1);
        let tainted = cluster("Existing", both.clone(), taint("NoExecute"));
        check(Operation::Update { old: tainted.clone(), new: tainted.clone() }, &[], &[], 0);
        let scheduled = |scheduler: &str| {
            let mut cluster = cluster("Existing", both.clone(), json!(null));
            cluster["spec"]["scheduler"] = json!({"type": scheduler});
            cluster
        };
        let edit = |old: &str, new: &str| Operation::Update { old: scheduled(old), new: scheduled(new) };
        let restarts = "spec.scheduler.type: the pods of ModelReplica `ml/one`, `ml/two` start anew, and other queues admit them, or none";
        check(edit("KAI", "managed-kai"), &[], &[], 0);
        check(edit("none", "auto"), &[], &[], 0);
        check(edit("none", "kueue"), &[("replicas", found.clone())], &[restarts], 0);
        check(edit("kai", "kueue"), &[("replicas", json!([]))], &[], 0);
        check(edit("kai", "none"), &[], &[], 1);
        let deleted = "denied metadata: the cluster has ModelReplica `ml/one`, `ml/two`; taint it with `NoExecute`, and wait until it has none";
        let none = || ("caches", json!([]));
        check(Operation::Delete(tainted.clone().into()), &[("replicas", found), none()], &[deleted], 0);
        check(Operation::Delete(tainted.clone().into()), &[("replicas", json!([])), none()], &[], 0);
        let on = |cluster: &str| json!({"metadata": {"namespace": "ml", "name": "kimi"}, "status": {"clusters": [{"name": cluster}]}});
        let staged = "denied metadata: the cluster has ModelCache `ml/kimi`; narrow its clusterSelector, or delete it";
        let caches = |cluster| ("caches", json!([on(cluster)]));
        check(Operation::Delete(tainted.clone().into()), &[("replicas", json!([])), caches("gpu-east")], &[staged], 0);
        check(Operation::Delete(tainted.clone().into()), &[("replicas", json!([])), caches("other")], &[], 0);
        check(Operation::Delete(tainted.into()), &[], &[], 2);
    }

    #[test]
    fn how_it_goes() {
        let none = || [("replicas", json!([])), ("caches", json!([]))];
        let check = |source: &str, propagation, warnings: &[&str]| {
            let object = cluster(source, json!([pool("a")]), json!(null));
            check(Operation::Delete(Deletion { object, propagation }), &none(), warnings, 0);
        };
        let leaks = "metadata: the cluster in the cloud goes while charts are still uninstalled from it, which can leave load balancers and \
                     security groups behind; delete it with `--cascade=foreground`";
        check("EKS", None, &[leaks]);
        check("EKS", Some(PropagationPolicy::Background), &[leaks]);
        check("EKS", Some(PropagationPolicy::Foreground), &[]);
        check("EKS", Some(PropagationPolicy::Orphan), &[]);
        check("Existing", Some(PropagationPolicy::Background), &[]);
    }
}
