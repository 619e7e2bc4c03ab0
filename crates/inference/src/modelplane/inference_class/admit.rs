//! Judges what a schema cannot state.

use std::collections::BTreeMap;

use contract::admit::{AdmitRequest, LookupAnswers, Operation, Verdict};
use contract::catalog::Action::{Deny, Warn};
use contract::types::{Code, Edit, Fault, ObservedObject, Problem, Selector};
use quantity::{Quantity, Version};
use serde_json::Value;
use toolbox::entries::{by_key, set};
use toolbox::kind::{AdmissionRow, AdmissionRule, OTHERS};
use toolbox::path;

mod machines;

use crate::modelplane::claims;
use crate::modelplane::found_by::{CLASSES_OF_POOLS, CLUSTER, found_by};
use crate::modelplane::mentions::{advice, ask, named};
use crate::modelplane::resources::{INFERENCE_CLUSTERS, MODEL_DEPLOYMENTS, MODEL_REPLICAS};
use crate::modelplane::scheduling::moves::dependents;
use crate::modelplane::shapes;

/// What `admit` does for the kind.
pub(super) const ADMISSION: AdmissionRow = AdmissionRow {
    reads: &[INFERENCE_CLUSTERS, MODEL_DEPLOYMENTS, MODEL_REPLICAS],
    defaults: || None,
    judges_deletion: true,
    policies: &[],
    policy_variables: &[],
    rules: &[
        shapes::judge::MIXTURE,
        shapes::judge::LEFT_OUT,
        AdmissionRule {
            action: Warn,
            path: "spec.devices[].attributes",
            meaning: "a text that is no semantic version: no selector matches such a device",
            beyond_policies: Some(PLACE),
        },
        AdmissionRule {
            action: Warn,
            path: "spec.devices[].capacity",
            meaning: "a text that is no quantity: no selector matches such a device",
            beyond_policies: Some(PLACE),
        },
        AdmissionRule { path: "spec.devices[].deviceClassName", ..claims::CLASS },
        AdmissionRule {
            action: Warn,
            path: "spec.devices",
            meaning: "devices that no longer suit replicas on pools of the class",
            beyond_policies: Some(OTHERS),
        },
        AdmissionRule {
            action: Warn,
            path: "spec.provisioning",
            meaning: "another number of GPUs or of interfaces for EFA, or more memory, than the machine has",
            beyond_policies: Some(PLACE),
        },
        AdmissionRule {
            action: Deny,
            path: "spec.provisioning",
            meaning: "an edit after which pools of clusters could not be made: e.g. without the block of their source",
            beyond_policies: Some(OTHERS),
        },
        AdmissionRule {
            action: Deny,
            path: "metadata",
            meaning: "a deletion of a class that pools of clusters have",
            beyond_policies: Some(OTHERS),
        },
    ],
};

/// The most clusters and replicas that a change of devices is judged with.
const KNOWN: usize = 100;

const PLACE: &str = "the message names the device and the value";

/// What is refused of a cluster on account of one of its classes: the cluster, and the class.
pub type RefusedByClass = fn(&Value, &Value) -> Vec<Problem>;

/// Judges an operation.
///
/// # Errors
/// Never. The type is that of all kinds.
pub fn admit(request: &AdmitRequest, refused_by_class: RefusedByClass) -> Result<Verdict, Fault> {
    let mut verdict = Verdict::default();
    match &request.operation {
        Operation::Create(class) => verdict.warnings = unusable(class),
        Operation::Update { old, new } => {
            let known = unusable(old);
            verdict.warnings = unusable(new).into_iter().filter(|found| !known.contains(found)).collect();
            judge_pools(old, new, &request.lookups, refused_by_class, &mut verdict);
        }
        Operation::Delete(deletion) => judge_deletion(&deletion.object, &request.lookups, &mut verdict),
    }
    Ok(verdict)
}

/// Values that nothing can be compared with, one of which is enough for the device to match no selector, and classes that
/// no claim can name.
fn unusable(class: &Value) -> Vec<Problem> {
    let devices = class["spec"]["devices"].as_array().into_iter().flatten().enumerate();
    let found = |(index, device)| {
        let class = claims::judge_class(device, &path::index("spec.devices", index));
        versions(index, device).chain(quantities(index, device)).chain(class)
    };
    devices.flat_map(found).chain(machines::contradictions(class)).collect()
}

fn versions(index: usize, device: &Value) -> impl Iterator<Item = Problem> {
    values(device, index, "attributes", "version").filter_map(|(at, text)| {
        text.parse::<Version>().err()?;
        let message = format!("`{text}` is no semantic version, so no selector matches the device");
        let problem = advice(at, message);
        let written = padded(text);
        Some(match written {
            Some(meant) => problem.with_fix(Edit::Replace(meant.into())),
            None => problem.with_hint("give a version like `9.0.0`"),
        })
    })
}

fn quantities(index: usize, device: &Value) -> impl Iterator<Item = Problem> {
    values(device, index, "capacity", "value").filter_map(|(at, text)| {
        text.parse::<Quantity>().err()?;
        let message = format!("`{text}` is no quantity, so no selector matches the device");
        Some(advice(at, message).with_hint("give a quantity like `141Gi`"))
    })
}

/// The texts in the field `field` of each entry of a map of the device, with their paths.
fn values<'v>(device: &'v Value, index: usize, map: &str, field: &str) -> impl Iterator<Item = (String, &'v str)> {
    let under = path::key(&path::index("spec.devices", index), map);
    let entries = device[map].as_object().into_iter().flatten();
    entries.filter_map(move |(key, value)| {
        let text = value[field].as_str()?;
        Some((path::key(&path::key(&under, key), field), text))
    })
}

/// A version with the parts that `text` leaves out.
fn padded(text: &str) -> Option<String> {
    let numbers = text.strip_prefix('v').unwrap_or(text);
    let missing = 2usize.checked_sub(numbers.matches('.').count())?;
    let padded = format!("{numbers}{}", ".0".repeat(missing));
    padded.parse::<Version>().ok().map(|_| padded)
}

/// Judges what an edit means for clusters with pools of the class.
fn judge_pools(
    old: &Value,
    new: &Value,
    answers: &LookupAnswers,
    refused_by_class: RefusedByClass,
    verdict: &mut Verdict,
) {
    let is_same = |field: &str| old["spec"][field] == new["spec"][field];
    let Some(name) = new["metadata"]["name"].as_str() else { return };
    if is_same("devices") && is_same("provisioning") {
        return;
    }
    let found = with_class(name, answers, verdict).filter_map(|cluster| cluster.object().ok());
    let clusters: Clusters<'_> =
        by_key(found.filter_map(|cluster| Some((cluster["metadata"]["name"].as_str()?, cluster))).take(KNOWN));
    if !is_same("provisioning") {
        verdict.denials.extend(
            clusters
                .values()
                .filter_map(|cluster| refused([old, new].map(|class| refused_by_class(cluster, class)), cluster)),
        );
    }
    if !is_same("devices") && !clusters.is_empty() {
        judge_devices(name, &new["spec"]["devices"], &clusters, answers, verdict);
    }
}

/// Clusters by name.
type Clusters<'a> = BTreeMap<&'a str, &'a Value>;

/// Why the edited class no longer makes the pools of a cluster, of what is refused with the class before and after.
fn refused([before, after]: [Vec<Problem>; 2], cluster: &Value) -> Option<Problem> {
    let is_new = |problem: &Problem| !before.iter().any(|it| it.message == problem.message);
    let problem = after.into_iter().find(is_new)?;
    let name = cluster["metadata"]["name"].as_str().unwrap_or_default();
    let message = format!(
        "InferenceCluster `{name}` has pools of the class, and could not have them any more: {}",
        problem.message
    );
    Some(Problem::new("spec.provisioning", Code::Forbidden, message))
}

/// Warns of the replicas that do not stay on pools of the class when its devices change.
fn judge_devices(name: &str, devices: &Value, clusters: &Clusters<'_>, answers: &LookupAnswers, verdict: &mut Verdict) {
    let values = clusters.keys().map(|name| vec![(*name).to_owned()]);
    let selector = Selector { limit: u32::try_from(KNOWN).ok(), ..found_by(&MODEL_REPLICAS, None, &CLUSTER, values) };
    let whether = "whether replicas are on pools of this class";
    let replicas = ask(verdict, answers, "replicas", selector, whether).unwrap_or_default();
    let mut moved = Vec::new();
    let dependents = dependents(replicas, answers, verdict).unwrap_or_default();
    for dependent in &dependents {
        let on = dependent.replicas().iter().filter_map(|it| it.object().ok()?["spec"]["clusterName"].as_str());
        let names = set(on);
        let before: Vec<Value> =
            names.iter().filter_map(|name| clusters.get(name)).map(|cluster| (*cluster).clone()).collect();
        let after: Vec<Value> = before.iter().map(|cluster| with_devices(cluster, name, devices)).collect();
        moved.extend(dependent.moved(&before, &after));
    }
    if let Some(replicas) = named(MODEL_REPLICAS.kind, moved, |_| true) {
        let message = format!("the devices no longer suit {replicas}: each is placed anew, or nowhere");
        verdict.warnings.push(advice("spec.devices", message));
    }
}

/// A cluster whose pools of a class publish these devices.
fn with_devices(cluster: &Value, class: &str, devices: &Value) -> Value {
    let mut cluster = shapes::as_released(INFERENCE_CLUSTERS.kind, cluster).into_owned();
    let pools = cluster["spec"]["nodePools"].as_array().into_iter().flatten();
    let of_class = pools.filter(|pool| pool["className"] == class).filter_map(|pool| pool["name"].as_str());
    let of_class = set(of_class.map(str::to_owned));
    let published = cluster.pointer_mut("/status/gpuPools").and_then(Value::as_array_mut);
    for pool in published.into_iter().flatten() {
        if pool["name"].as_str().is_some_and(|name| of_class.contains(name)) {
            pool["devices"] = devices.clone();
        }
    }
    cluster
}

fn judge_deletion(class: &Value, answers: &LookupAnswers, verdict: &mut Verdict) {
    let name = class["metadata"]["name"].as_str().unwrap_or_default();
    let clusters = with_class(name, answers, verdict);
    if let Some(clusters) = named(INFERENCE_CLUSTERS.kind, clusters, |_| true) {
        let message = format!("pools of {clusters} have this class; give them another one first");
        verdict.denials.push(Problem::new("metadata", Code::Forbidden, message));
    }
}

/// The clusters with pools of a class, as far as they are known, sorted by name.
fn with_class<'a>(
    name: &str,
    answers: &'a LookupAnswers,
    verdict: &mut Verdict,
) -> impl Iterator<Item = &'a ObservedObject> + use<'a> {
    let mut found: BTreeMap<&str, &ObservedObject> = BTreeMap::new();
    for (place, index) in CLASSES_OF_POOLS.iter().enumerate() {
        let selector = found_by(&INFERENCE_CLUSTERS, None, index, [vec![name.to_owned()]]);
        verdict.lookups.insert(format!("clusters-{place}"), selector);
    }
    let answered: Vec<_> =
        (0..CLASSES_OF_POOLS.len()).filter_map(|place| answers.get(&format!("clusters-{place}"))).collect();
    if answered.len() < CLASSES_OF_POOLS.len() {
        verdict.unjudged.push("not looked up: whether a pool of a cluster has this class".to_owned());
    }
    for object in answered.into_iter().flatten() {
        let name = object.object().ok().and_then(|it| it["metadata"]["name"].as_str());
        found.extend(name.map(|name| (name, object)));
    }
    found.into_values()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn judged(operation: Operation, lookups: LookupAnswers) -> Verdict {
        let operation = AdmitRequest { operation, input: None, lookups };
        (crate::modelplane::INFERENCE_CLASS.admit)(&operation).expect("a verdict")
    }

    fn class(version: &str, memory: &str) -> Value {
        let device = json!({
            "name": "gpu", "driver": "gpu.nvidia.com", "deviceClassName": "gpu.nvidia.com", "count": 8,
            "attributes": {"architecture": {"string": "Hopper"}, "cuda": {"version": version}},
            "capacity": {"memory": {"value": memory}},
        });
        json!({"metadata": {"name": "h100"}, "spec": {"devices": [{"name": "nic", "driver": "dra.net"}, device]}})
    }

    #[test]
    fn values_of_devices() {
        #[track_caller]
        fn check(operation: Operation, want: &[&str]) {
            let warnings = judged(operation, LookupAnswers::new()).warnings;
            let shown = |it: &Problem| match &it.fix {
                Some(Edit::Replace(meant)) => format!("{}: {meant}", it.path),
                _ => it.path.clone(),
            };
            assert_eq!(warnings.iter().map(shown).collect::<Vec<_>>(), want);
        }
        let create = |version, memory| Operation::Create(class(version, memory));
        check(create("9.0.0", "81559Mi"), &[]);
        check(create("9.0", "81559Mi"), &["spec.devices[1].attributes.cuda.version: \"9.0.0\""]);
        check(create("v9", "81559Mi"), &["spec.devices[1].attributes.cuda.version: \"9.0.0\""]);
        check(create("", "81559Mi"), &["spec.devices[1].attributes.cuda.version"]);
        check(
            create("nine", "80 GB"),
            &["spec.devices[1].attributes.cuda.version", "spec.devices[1].capacity.memory.value"],
        );
        let update = |old, new| Operation::Update { old: class("9.0.0", old), new: class("9.0.0", new) };
        check(update("80G", "80GB"), &["spec.devices[1].capacity.memory.value"]);
        check(update("80GB", "80GB"), &[]);
    }

    #[test]
    fn replicas_that_other_devices_do_not_suit() {
        #[track_caller]
        fn check(memory: &str, of_cluster: &str, want: &[&str]) {
            let with = |fields: Value| {
                let template = json!({"spec": {"containers": [{"name": "engine", "image": "vllm"}]}});
                let mut member = json!({"role": "Standalone", "template": template});
                fields.as_object().expect("fields").iter().for_each(|(key, value)| member[key] = value.clone());
                json!([{"name": "main", "members": [member]}])
            };
            let labels = json!({"modelplane.ai/deployment": "llama", "modelplane.ai/replica-index": "0"});
            let pinned = with(json!({"nodePoolName": "a", "deviceRequests": [{"name": "gpu"}]}));
            let replica = json!({
                "metadata": {"namespace": "ml", "name": "llama-1", "labels": labels},
                "spec": {"clusterName": "gpu-east", "engines": pinned},
            });
            let cel = r#"device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("80Gi")) >= 0"#;
            let wanted = with(json!({"nodeSelector": {"devices": [{"name": "gpu", "selectors": [{"cel": cel}]}]}}));
            let deployment = json!({
                "metadata": {"namespace": "ml", "name": "llama"},
                "spec": {"replicas": 1, "template": {"spec": {"engines": wanted}}},
            });
            let (old, new) = (class("9.0.0", "80Gi"), class("9.0.0", memory));
            let cluster = json!({
                "metadata": {"name": "gpu-east"},
                "spec": {"nodePools": [{"name": "a", "className": of_cluster}]},
                "status": {"gpuPools": [{"name": "a", "nodes": 1, "devices": old["spec"]["devices"]}]},
            });
            let none = (1..CLASSES_OF_POOLS.len()).map(|place| (format!("clusters-{place}"), Vec::new()));
            let known = [("clusters-0", cluster), ("replicas", replica), ("deployments", deployment)];
            let known = known.map(|(name, object)| (name.to_owned(), vec![ObservedObject::from(object)]));
            let verdict = judged(Operation::Update { old, new }, none.chain(known).collect());
            assert_eq!(verdict.warnings.iter().map(|it| it.message.as_str()).collect::<Vec<_>>(), want);
            assert_eq!(verdict.unjudged, [""; 0]);
        }
        let moved = "the devices no longer suit ModelReplica `ml/llama-1`: each is placed anew, or nowhere";
        check("80Gi", "h100", &[]);
        check("141Gi", "h100", &[]);
        check("40Gi", "h100", &[moved]);
        check("40Gi", "other", &[]);
    }

    #[test]
    fn pools_that_it_no_longer_makes() {
        #[track_caller]
        fn check(old: Value, new: Value, want: &[&str]) {
            let cluster = json!({
                "apiVersion": "modelplane.ai/v1alpha1", "kind": "InferenceCluster",
                "metadata": {"name": "gpu-east"},
                "spec": {
                    "cluster": {"source": "EKS", "eks": {"region": "us-east-1"}},
                    "nodePools": [{"name": "a", "className": "h100", "zones": ["us-east-1a"]}],
                },
            });
            let of = |provisioning: Value| {
                let mut class = class("9.0.0", "80Gi");
                class["kind"] = json!("InferenceClass");
                class["spec"]["provisioning"] = provisioning;
                class
            };
            let mut lookups: LookupAnswers =
                (0..CLASSES_OF_POOLS.len()).map(|place| (format!("clusters-{place}"), Vec::new())).collect();
            lookups.insert("clusters-0".to_owned(), vec![cluster.into()]);
            let verdict = judged(Operation::Update { old: of(old), new: of(new) }, lookups);
            let denials: Vec<_> = verdict.denials.iter().map(|it| format!("{}: {}", it.path, it.message)).collect();
            assert_eq!(denials, want);
        }
        let eks =
            |machine: &str, disk: u64| json!({"provider": "EKS", "eks": {"instanceType": machine, "diskSizeGb": disk}});
        let gke = json!({"provider": "GKE", "gke": {"machineType": "a3-highgpu-8g"}});
        let lost =
            "spec.provisioning: InferenceCluster `gpu-east` has pools of the class, and could not have them any more: ";
        let block =
            format!("{lost}InferenceClass `h100` has no block `provisioning.eks`, so no pool can be created from it");
        let long = format!("{lost}`instanceType` of InferenceClass `h100` makes no pool: ");
        check(eks("p5.48xlarge", 500), eks("p5en.48xlarge", 600), &[]);
        check(eks("p5.48xlarge", 500), gke.clone(), &[&block]);
        check(gke.clone(), gke, &[]);
        let name = "m".repeat(64);
        check(eks("p5.48xlarge", 500), eks(&name, 500), &[&format!("{long}Too long: may not be more than 63 bytes")]);
        check(eks(&name, 500), eks(&name, 600), &[]);
    }

    #[test]
    fn deletions() {
        #[track_caller]
        fn check(clusters: Option<&[(&str, &str)]>, denials: &[&str], unjudged: usize) {
            let cluster = |&(name, class): &(&str, &str)| {
                json!({"metadata": {"name": name}, "spec": {"nodePools": [{"name": "a", "className": class}]}}).into()
            };
            // An index finds the clusters of the class by their first pool, and the others by no pool.
            let found = |all: &[(&str, &str)]| {
                let of_class: Vec<ObservedObject> =
                    all.iter().filter(|(_, class)| *class == "h100").map(cluster).collect();
                let none = (1..CLASSES_OF_POOLS.len()).map(|place| (format!("clusters-{place}"), Vec::new()));
                none.chain([("clusters-0".to_owned(), of_class)]).collect::<LookupAnswers>()
            };
            let lookups = clusters.map(found).unwrap_or_default();
            let verdict = judged(Operation::Delete(class("9.0.0", "80Gi").into()), lookups);
            assert_eq!(verdict.denials.iter().map(|it| it.message.as_str()).collect::<Vec<_>>(), denials);
            assert_eq!(verdict.unjudged.len(), unjudged);
        }
        check(None, &[], 1);
        check(Some(&[]), &[], 0);
        check(Some(&[("gpu-west", "h100-sxm")]), &[], 0);
        check(
            Some(&[("gpu-west", "h200"), ("gpu-east", "h100")]),
            &["pools of InferenceCluster `gpu-east` have this class; give them another one first"],
            0,
        );
    }
}
