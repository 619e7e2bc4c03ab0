//! Judges what a schema cannot state.

use std::collections::BTreeSet;

use contract::admit::{AdmitRequest, LookupAnswers, Operation, Verdict};
use contract::catalog::Action::Warn;
use contract::types::Fault;
use serde_json::Value;
use toolbox::builders::selectors::lookup_all;
use toolbox::kind::{AdmissionRow, AdmissionRule, OTHERS};
use toolbox::path;
use toolbox::policy::PolicyRule;

use super::read::definition;
use super::spec::ModelServiceSpec;
use super::weights::are_distorted;
use crate::long_names;
use crate::modelplane::mentions::{advice, ask};
use crate::modelplane::resources::{MODEL_ENDPOINTS, kind};

/// What `admit` does for the kind.
pub(super) const ADMISSION: AdmissionRow = AdmissionRow {
    reads: &[MODEL_ENDPOINTS],
    defaults: || None,
    judges_deletion: false,
    policy_variables: &[],
    policies: &[
        long_names::POLICY,
        PolicyRule {
            action: Warn,
            only_new: false,
            holds: "object.spec.endpoints.all(entry, size(entry.selector.matchLabels) > 0)",
            says: "'the entry selects every ModelEndpoint of the namespace, because it has no labels; `modelplane.ai/deployment: NAME` selects those of a deployment'",
        },
    ],
    rules: &[
        long_names::RULE,
        AdmissionRule {
            action: Warn,
            path: "spec.endpoints[].selector.matchLabels",
            meaning: "an entry without labels, which selects every ModelEndpoint of the namespace",
            beyond_policies: None,
        },
        AdmissionRule {
            action: Warn,
            path: "spec.endpoints",
            meaning: "weights that are so far apart that an HTTPRoute cannot have them for as many endpoints",
            beyond_policies: Some(OTHERS),
        },
    ],
};

/// Judges an operation.
pub(super) fn admit(request: &AdmitRequest) -> Result<Verdict, Fault> {
    let mut verdict = Verdict::default();
    let service = match &request.operation {
        Operation::Create(object) | Operation::Update { new: object, .. } => object,
        Operation::Delete(_) => return Ok(verdict),
    };
    if let Operation::Create(object) = &request.operation {
        verdict.denials.extend(long_names::judge(object));
    }
    // What the schema refuses is not judged.
    let Ok(spec) = definition().spec::<ModelServiceSpec>(service) else { return Ok(verdict) };
    let entries = spec.endpoints.iter().enumerate();
    let empty = entries.filter(|(_, entry)| entry.selector.match_labels.is_empty());
    verdict.warnings = empty
        .map(|(index, _)| {
            let message = "the entry selects every ModelEndpoint of the namespace, because it has no labels; \
                           `modelplane.ai/deployment: NAME` selects those of a deployment";
            advice(format!("spec.endpoints[{index}].selector.matchLabels"), message)
        })
        .collect();
    judge_weights(service, &spec, &request.lookups, &mut verdict);
    Ok(verdict)
}

/// Warns of weights that are rounded for the endpoints that there are.
fn judge_weights(service: &Value, spec: &ModelServiceSpec, answers: &LookupAnswers, verdict: &mut Verdict) {
    let text =
        |object: &'_ Value, at: &str| path::get(object, at).and_then(Value::as_str).unwrap_or_default().to_owned();
    // Equal weights are never rounded.
    let mut weights = spec.endpoints.iter().map(|entry| entry.weight);
    let first = weights.next();
    if weights.all(|weight| Some(weight) == first) {
        return;
    }
    let namespace = text(service, "metadata.namespace");
    let (mut taken, mut entries) = (BTreeSet::new(), Vec::new());
    for (index, entry) in spec.endpoints.iter().enumerate() {
        let labels: Vec<_> =
            entry.selector.match_labels.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
        let selector = lookup_all(kind(&MODEL_ENDPOINTS), Some(&namespace), &labels);
        let whether = format!("how many ModelEndpoints share weight {}", entry.weight);
        let found = ask(verdict, answers, &format!("endpoints-{index}"), selector, &whether).unwrap_or_default();
        let names = found.iter().filter_map(|it| it.object().ok()).map(|object| text(object, "metadata.name"));
        entries.push((entry.weight, names.filter(|name| taken.insert(name.clone())).count()));
    }
    if are_distorted(&entries) {
        let message = "the weights are too far apart for the endpoints that there are, so shares are rounded: an HTTPRoute takes \
                       weights up to 1000000";
        verdict.warnings.push(advice("spec.endpoints", message));
    }
}

#[cfg(test)]
mod tests {
    use contract::types::ObservedObject;
    use serde_json::json;

    use super::*;

    /// The paths of the warnings, and how much is not judged. An entry is its weight, its labels, and the endpoints that are
    /// found.
    fn judged(entries: &[(u32, Value, Option<&[&str]>)]) -> (Vec<String>, usize) {
        let stated = entries.iter().map(|entry| json!({"weight": entry.0, "selector": {"matchLabels": entry.1}}));
        let spec = json!({"endpoints": stated.collect::<Vec<_>>()});
        let new = json!({"metadata": {"name": "chat", "namespace": "ml"}, "spec": spec});
        let object = |name: &&str| ObservedObject::from(json!({"metadata": {"name": name, "namespace": "ml"}}));
        let found = entries.iter().enumerate().filter_map(|(index, entry)| {
            Some((format!("endpoints-{index}"), entry.2?.iter().map(object).collect::<Vec<_>>()))
        });
        let lookups: LookupAnswers = found.collect();
        let of = |operation| {
            let request = AdmitRequest { operation, input: None, lookups: lookups.clone() };
            let verdict = admit(&request).expect("a verdict");
            assert_eq!(verdict.denials, []);
            (verdict.warnings.into_iter().map(|it| it.path).collect::<Vec<_>>(), verdict.unjudged.len())
        };
        let created = of(Operation::Create(new.clone()));
        assert_eq!(of(Operation::Update { old: json!({}), new: new.clone() }), created);
        assert_eq!(of(Operation::Delete(new.into())), (Vec::new(), 0));
        created
    }

    #[test]
    fn names() {
        let spec = json!({"endpoints": [{"selector": {"matchLabels": {"a": "b"}}}]});
        let service = json!({"metadata": {"name": "a".repeat(64), "namespace": "ml"}, "spec": spec});
        let denials = |operation| {
            let request = AdmitRequest { operation, input: None, lookups: LookupAnswers::new() };
            admit(&request).expect("a verdict").denials.len()
        };
        assert_eq!(denials(Operation::Create(service.clone())), 1);
        assert_eq!(denials(Operation::Update { old: service.clone(), new: service }), 0);
    }

    #[test]
    fn services() {
        #[track_caller]
        fn check(entries: &[(u32, Value, Option<&[&str]>)], want: &[&str], unjudged: usize) {
            assert_eq!(judged(entries), (want.iter().map(|&it| it.to_owned()).collect(), unjudged), "{entries:?}");
        }
        let labels = || json!({"a": "b"});
        check(&[(1, labels(), None)], &[], 0);
        check(&[(7, labels(), None), (7, labels(), None)], &[], 0);
        check(&[(1, labels(), None), (1, json!({}), None)], &["spec.endpoints[1].selector.matchLabels"], 0);
        check(&[(9, labels(), None), (1, labels(), None)], &[], 2);
        check(&[(9, labels(), Some(&["a", "b"])), (1, labels(), Some(&["c"]))], &[], 0);
        let far = 1_000_000;
        check(&[(far, labels(), Some(&["a"])), (1, labels(), Some(&["b", "c"]))], &["spec.endpoints"], 0);
        check(&[(far, labels(), Some(&["a"])), (1, labels(), Some(&["a", "c"]))], &[], 0);
        check(&[(0, labels(), None), (1, labels(), None)], &[], 0);
    }
}
