//! Judges what a schema cannot state: engines, and selectors of devices. What the stored object has too is tolerated, so that
//! it stays editable.

use contract::admit::{AdmitRequest, Operation, Verdict};
use contract::catalog::Action::{self, Deny, Warn};
use contract::types::{Code, Fault, Problem};
use serde_json::Value;
use toolbox::entries::set;
use toolbox::kind::{AdmissionRow, AdmissionRule, OTHERS};
use toolbox::path;

use super::read::definition;
use crate::modelplane::claims;
use crate::modelplane::engines::judge::{self, at};
use crate::modelplane::options::SelectorMode;
use crate::modelplane::resources::{
    INFERENCE_CLUSTERS, MODEL_CACHES, MODEL_DEPLOYMENTS, MODEL_REPLICAS, MODEL_SERVICES,
};
use crate::modelplane::routes;
use crate::modelplane::scheduling::keys;
use crate::modelplane::scheduling::place::selector_path;
use crate::modelplane::service_names;
use crate::modelplane::shapes;
use crate::options::Options;

mod fleet;

/// What `admit` does for the kind.
pub(super) const ADMISSION: AdmissionRow = AdmissionRow {
    reads: &[INFERENCE_CLUSTERS, MODEL_CACHES, MODEL_REPLICAS, MODEL_SERVICES],
    defaults: || None,
    judges_deletion: true,
    policies: &service_names::OF_DEPLOYMENTS.policies,
    policy_variables: &[],
    rules: &[
        service_names::RULE,
        shapes::judge::MIXTURE,
        shapes::judge::LEFT_OUT,
        rule(
            Deny,
            "a selector that is no CEL expression, and one that Kubernetes would refuse with option `modelplane.selectors: strict`",
        ),
        rule(Warn, "a selector with a mistake in its types: it matches no device"),
        rule(Warn, "a selector that Kubernetes would refuse in the claim of the pods"),
        at("spec.template.spec.engines[].members[].nodeSelector.devices[].name", claims::NAME),
        at("spec.template.spec.engines[].members[].nodeSelector.devices", claims::COUNT),
        at("spec.template.spec.engines[].name", judge::NAME),
        at("spec.template.spec.engines[].name", judge::GANG_NAME),
        at("spec.template.spec.engines[].members[].template.spec.containers", judge::CONTAINER),
        at("spec.template.spec.engines[].members[].template.spec.containers[].args", judge::PORT),
        at("spec.template.spec.engines[].members[].template.spec.containers[].args", judge::OTHER_PORT),
        at("spec.template.spec.modelCacheRef", judge::NO_CACHE),
        others("spec.template.spec.modelCacheRef.name", "a ModelCache that does not exist"),
        others(
            "spec.template.spec.clusterSelector",
            "clusters that do not exist, or that the ModelCache does not select",
        ),
        others("spec.replicas", "replicas that have no place in the fleet now"),
        others("spec.template.spec", "an edit that moves replicas"),
        others("metadata", "a deletion of a deployment that ModelServices route to"),
    ],
};

const CEL: &str = "spec.template.spec.engines[].members[].nodeSelector.devices[].selectors[].cel";

const fn rule(action: Action, meaning: &'static str) -> AdmissionRule {
    let beyond_policies = Some("CEL in an API server cannot compile CEL");
    AdmissionRule { action, path: CEL, meaning, beyond_policies }
}

const fn others(path: &'static str, meaning: &'static str) -> AdmissionRule {
    AdmissionRule { action: Warn, path, meaning, beyond_policies: Some(OTHERS) }
}

/// Judges an operation on a deployment of any shape.
pub(super) fn admit(request: &AdmitRequest) -> Result<Verdict, Fault> {
    shapes::judge::admitted(MODEL_DEPLOYMENTS.kind, definition(), request, admit_released)
}

/// Judges an operation on a deployment in the shape of v0.3.1.
fn admit_released(request: &AdmitRequest) -> Result<Verdict, Fault> {
    let mode = Options::read(request.input.as_ref())?.modelplane.selectors;
    let (object, old) = match &request.operation {
        Operation::Create(object) => (object, None),
        Operation::Update { old, new } => (new, Some(old)),
        Operation::Delete(deletion) => {
            let mut verdict = Verdict::default();
            routes::judge_deletion(&routes::of_deployment(&deletion.object), &request.lookups, &mut verdict);
            return Ok(verdict);
        }
    };
    let mut verdict = judge_deployment(object, old, mode);
    if verdict.denials.is_empty() {
        fleet::judge(object, old, request.input.as_ref(), &request.lookups, &mut verdict);
    }
    Ok(verdict)
}

fn judge_deployment(object: &Value, old: Option<&Value>, mode: SelectorMode) -> Verdict {
    // All replicas have names of the same length. That of an object without a name is not known yet.
    let name = object["metadata"]["name"].as_str().map(|name| keys::name(name, "", 0)).unwrap_or_default();
    let mut verdict = judge::judge(object, old, "spec.template.spec", &name);
    if old.is_none() {
        verdict.denials.extend(service_names::OF_DEPLOYMENTS.judge(object));
    }
    let stored = set(old.map(selectors).unwrap_or_default().into_iter().map(|(_, text)| text));
    for (at, text) in selectors(object).into_iter().filter(|(_, text)| !stored.contains(text)) {
        match claims::judge_selector(text, mode) {
            Ok(None) => {}
            Ok(Some(warning)) => verdict.warnings.push(Problem::new(at, Code::Invalid, warning)),
            Err(denial) => verdict.denials.push(Problem::new(at, Code::Invalid, denial)),
        }
    }
    let requests = |object| claims::judge_requests(object, "spec.template.spec.engines", "nodeSelector.devices");
    let known = old.map(requests).unwrap_or_default();
    verdict.warnings.extend(requests(object).into_iter().filter(|found| !known.contains(found)));
    verdict
}

/// The selectors of a deployment, with their paths.
fn selectors(object: &Value) -> Vec<(String, &str)> {
    let mut found = Vec::new();
    for (engine, it) in items(object, "spec.template.spec.engines") {
        for (member, it) in items(it, "members") {
            for (device, it) in items(it, "nodeSelector.devices") {
                for (selector, it) in items(it, "selectors") {
                    if let Some(text) = it["cel"].as_str() {
                        found.push((selector_path(engine, member, device, selector), text));
                    }
                }
            }
        }
    }
    found
}

/// The items of a list, with their indexes.
fn items<'v>(value: &'v Value, at: &str) -> impl Iterator<Item = (usize, &'v Value)> + use<'v> {
    path::get(value, at).and_then(Value::as_array).into_iter().flatten().enumerate()
}

#[cfg(test)]
mod tests {
    use contract::admit::LookupAnswers;
    use serde_json::json;

    use super::*;

    fn deployment(texts: &[&str]) -> Value {
        let selectors: Vec<_> = texts.iter().map(|text| json!({"cel": text})).collect();
        let template = json!({"spec": {"containers": [{"name": "engine", "image": "vllm"}]}});
        let devices = json!([{"name": "gpu", "selectors": selectors}]);
        let members = json!([{"role": "Standalone", "nodeSelector": {"devices": devices}, "template": template}]);
        json!({"spec": {"template": {"spec": {"engines": [{"name": "main", "members": members}]}}}})
    }

    /// Checks denials and warnings: the index of the selector, and a part of the message.
    #[track_caller]
    fn check(operation: Operation, denials: &[(usize, &str)], warnings: &[(usize, &str)]) {
        let shown = format!("{operation:?}");
        let verdict =
            admit(&AdmitRequest { operation, input: None, lookups: LookupAnswers::new() }).expect("a verdict");
        for (found, want) in [(&verdict.denials, denials), (&verdict.warnings, warnings)] {
            assert_eq!(found.len(), want.len(), "{shown}: {found:?}");
            for (found, (index, message)) in found.iter().zip(want) {
                assert_eq!(found.path, selector_path(0, 0, 0, *index), "{shown}");
                assert!(found.message.contains(message) && !found.message.contains('\n'), "{shown}: {}", found.message);
            }
        }
    }

    #[test]
    fn selectors_are_judged() {
        let check = |text: &str, denials: &[(usize, &str)], warnings: &[(usize, &str)]| {
            check(Operation::Create(deployment(&["true", text])), denials, warnings);
        };
        check(r#"device.driver == "gpu.nvidia.com""#, &[], &[]);
        check("a ) b", &[(1, "no CEL expression: 1:3: Syntax error")], &[]);
        check(
            "device.drivers == 'a'",
            &[],
            &[(1, "matches no device: 1:7: undefined field 'drivers'; perhaps `driver` is meant")],
        );
        check("1", &[], &[(1, "matches no device: must evaluate to bool")]);
        check(r#"device.capacity["a"].b.sign() == 1"#, &[], &[(1, "Kubernetes would refuse the claim")]);
        check(r#"device.capacity["a"].b != quantity("1Gi")"#, &[], &[(1, "the limit is 1000000")]);
    }

    #[test]
    fn engines_are_judged() {
        let mut object = deployment(&["true"]);
        path::set(&mut object, "spec.template.spec.engines[0].name", json!("Main"));
        let verdict = judge_deployment(&object, None, SelectorMode::Tolerant);
        let paths: Vec<_> = verdict.denials.iter().map(|problem| problem.path.as_str()).collect();
        assert_eq!(paths, ["spec.template.spec.engines[0].name"]);
        assert!(judge_deployment(&object, Some(&object), SelectorMode::Tolerant).denials.is_empty());
    }

    /// The paths of denials are those of the shape that was written.
    #[test]
    fn earlier_shapes() {
        #[track_caller]
        fn check(spec: Value, old: Option<Value>, want: &[&str]) {
            let object = |spec| json!({"metadata": {"name": "llama", "namespace": "ml"}, "spec": spec});
            let operation = match old {
                Some(old) => Operation::Update { old: object(old), new: object(spec) },
                None => Operation::Create(object(spec)),
            };
            let request = AdmitRequest { operation, input: None, lookups: LookupAnswers::new() };
            let verdict = admit(&request).expect("a verdict");
            assert_eq!(verdict.denials.iter().map(|it| it.path.as_str()).collect::<Vec<_>>(), want);
        }
        let of_template = |name: &str| {
            let mut object = deployment(&["true"]);
            path::set(&mut object, "spec.template.spec.engines[0].name", json!(name));
            object["spec"]["template"]["spec"].take()
        };
        let before = |name: &str| json!({"replicas": 1, "engines": of_template(name)["engines"]});
        check(before("main"), None, &[]);
        check(before("Main"), None, &["spec.engines[0].name"]);
        check(before("Main"), Some(before("Main")), &[]);
        let mut mixed = before("main");
        mixed["template"] = json!({"spec": of_template("main")});
        check(mixed.clone(), None, &["spec.engines"]);
        check(mixed.clone(), Some(mixed), &[]);
    }

    #[test]
    fn what_is_stored_stays_editable() {
        let update = |old: &[&str], new: &[&str]| Operation::Update { old: deployment(old), new: deployment(new) };
        check(update(&["a ) b", "1"], &["a ) b", "1", "true"]), &[], &[]);
        check(update(&["a ) b"], &["a ) c"]), &[(0, "no CEL expression")], &[]);
        check(Operation::Delete(deployment(&["a ) b"]).into()), &[], &[]);
        check(Operation::Create(json!({"spec": {"template": 1}})), &[], &[]);
    }
}
