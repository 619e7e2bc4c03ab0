//! Judges what a schema cannot state: names, requests, containers and ports of engines. What the stored object has too is tolerated,
//! so that it stays editable.

use contract::admit::{AdmitRequest, Operation, Verdict};
use contract::types::Fault;
use serde_json::Value;
use toolbox::kind::AdmissionRow;

use crate::modelplane::claims;
use crate::modelplane::engines::judge::{self, at};
use crate::modelplane::labels::DEPLOYMENT;
use crate::modelplane::service_names;
use crate::modelplane::shapes;

/// What `admit` does for the kind.
pub(super) const ADMISSION: AdmissionRow = AdmissionRow {
    reads: &[],
    defaults: || None,
    judges_deletion: false,
    policies: &service_names::OF_REPLICAS.policies,
    policy_variables: &[],
    rules: &[
        shapes::judge::MIXTURE,
        shapes::judge::LEFT_OUT,
        service_names::RULE,
        at("spec.engines[].members[].deviceRequests[].name", claims::NAME),
        at("spec.engines[].members[].deviceRequests[].deviceClassName", claims::CLASS),
        at("spec.engines[].members[].deviceRequests", claims::COUNT),
        at("spec.engines[].name", judge::NAME),
        at("spec.engines[].name", judge::GANG_NAME),
        at("spec.engines[].members[].template.spec.containers", judge::CONTAINER),
        at("spec.engines[].members[].template.spec.containers[].args", judge::PORT),
        at("spec.engines[].members[].template.spec.containers[].args", judge::OTHER_PORT),
        at("spec.modelCacheRef", judge::NO_CACHE),
    ],
};

/// Judges an operation.
pub(super) fn admit(request: &AdmitRequest) -> Result<Verdict, Fault> {
    Ok(match &request.operation {
        Operation::Create(object) => judge_replica(object, None),
        Operation::Update { old, new } => judge_replica(new, Some(old)),
        Operation::Delete(_) => Verdict::default(),
    })
}

fn judge_replica(object: &Value, stored: Option<&Value>) -> Verdict {
    let name = object["metadata"]["name"].as_str().unwrap_or_default();
    let mut verdict = judge::judge(object, stored, "spec", name);
    if stored.is_none() {
        verdict.denials.extend(service_names::OF_REPLICAS.judge(object));
    }
    let requests = |object| claims::judge_requests(object, "spec.engines", "deviceRequests");
    let known = stored.map(requests).unwrap_or_default();
    verdict.warnings.extend(requests(object).into_iter().filter(|found| !known.contains(found)));
    // Crossplane has nobody to show warnings to. Whoever wrote the deployment has seen them.
    if object["metadata"]["labels"][DEPLOYMENT].is_string() {
        verdict.warnings.clear();
    }
    verdict
}

#[cfg(test)]
mod tests {
    use contract::admit::LookupAnswers;
    use serde_json::json;

    use super::*;

    /// Checks the numbers of denials and warnings.
    #[track_caller]
    fn check(operation: Operation, denials: usize, warnings: usize) {
        let verdict = admit(&AdmitRequest { operation, input: None, lookups: LookupAnswers::new() });
        let verdict = verdict.expect("a verdict");
        assert_eq!((verdict.denials.len(), verdict.warnings.len()), (denials, warnings), "{verdict:?}");
    }

    #[test]
    fn replicas() {
        let replica = |engine: &str, labels: Value| {
            let container = json!({"name": "engine", "image": "vllm", "args": ["--port=9000"]});
            let member = json!({"role": "Standalone", "template": {"spec": {"containers": [container]}}});
            json!({
                "metadata": {"name": "llama-09209", "namespace": "ml", "labels": labels},
                "spec": {"clusterName": "gpu-east", "engines": [{"name": engine, "members": [member]}]},
            })
        };
        check(Operation::Create(replica("main", json!({}))), 0, 1);
        check(Operation::Create(replica("Main", json!({}))), 1, 1);
        check(Operation::Create(replica("Main", json!({"modelplane.ai/deployment": "llama"}))), 1, 0);
        let update = |old, new| Operation::Update { old: replica(old, json!({})), new: replica(new, json!({})) };
        check(update("Main", "Main"), 0, 0);
        check(update("main", "Main"), 1, 0);
        check(Operation::Delete(replica("Main", json!({})).into()), 0, 0);
    }
}
