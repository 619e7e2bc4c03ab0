//! Judges what a schema cannot state.

use std::collections::BTreeMap;

use contract::admit::{AdmitRequest, LookupAnswers, Operation, Verdict};
use contract::catalog::Action::Warn;
use contract::types::{Edit, Fault, ObservedObject, Problem};
use quantity::{Quantity, Version};
use serde_json::Value;
use toolbox::kind::{AdmissionRow, AdmissionRule};
use toolbox::path;

use crate::modelplane::claims;
use crate::modelplane::found_by::{CLASSES_OF_POOLS, found_by};
use crate::modelplane::mentions::{advice, named};
use crate::modelplane::resources::INFERENCE_CLUSTERS;

/// What `admit` does for the kind.
pub(super) const ADMISSION: AdmissionRow = AdmissionRow {
    reads: &[INFERENCE_CLUSTERS],
    defaults: || None,
    judges_deletion: true,
    policies: &[],
    rules: &[
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
            path: "metadata",
            meaning: "a deletion of a class that pools of clusters have",
            beyond_policies: Some("a policy sees no other objects"),
        },
    ],
};

const PLACE: &str = "the message names the device and the value";

/// Judges an operation.
pub(super) fn admit(request: &AdmitRequest) -> Result<Verdict, Fault> {
    let mut verdict = Verdict::default();
    match &request.operation {
        Operation::Create(class) => verdict.warnings = unusable(class),
        Operation::Update { old, new } => {
            let known = unusable(old);
            verdict.warnings = unusable(new).into_iter().filter(|found| !known.contains(found)).collect();
        }
        Operation::Delete(class) => judge_deletion(class, &request.lookups, &mut verdict),
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
    devices.flat_map(found).collect()
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

fn judge_deletion(class: &Value, answers: &LookupAnswers, verdict: &mut Verdict) {
    let name = class["metadata"]["name"].as_str().unwrap_or_default();
    let clusters = with_class(name, answers, verdict);
    if let Some(clusters) = named(INFERENCE_CLUSTERS.kind, clusters, |_| true) {
        let message = format!("pools of {clusters} have this class: nothing is placed on them without it");
        verdict.warnings.push(advice("metadata", message));
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
        let verdict = admit(&AdmitRequest { operation, input: None, lookups }).expect("a verdict");
        assert_eq!(verdict.denials, []);
        verdict
    }

    fn class(version: &str, memory: &str) -> Value {
        let device = json!({
            "name": "gpu", "driver": "gpu.nvidia.com", "deviceClassName": "gpu.nvidia.com",
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
    fn deletions() {
        #[track_caller]
        fn check(clusters: Option<&[(&str, &str)]>, warnings: &[&str], unjudged: usize) {
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
            let verdict = judged(Operation::Delete(class("9.0.0", "80Gi")), lookups);
            assert_eq!(verdict.warnings.iter().map(|it| it.message.as_str()).collect::<Vec<_>>(), warnings);
            assert_eq!(verdict.unjudged.len(), unjudged);
        }
        check(None, &[], 1);
        check(Some(&[]), &[], 0);
        check(Some(&[("gpu-west", "h100-sxm")]), &[], 0);
        check(
            Some(&[("gpu-west", "h200"), ("gpu-east", "h100")]),
            &["pools of InferenceCluster `gpu-east` have this class: nothing is placed on them without it"],
            0,
        );
    }
}
