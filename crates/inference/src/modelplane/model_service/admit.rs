//! Judges what a schema cannot state.

use contract::admit::{AdmitRequest, Operation, Verdict};
use contract::catalog::Action;
use contract::types::{Code, Fault, Problem};
use serde_json::Value;
use toolbox::kind::{AdmissionRow, AdmissionRule};
use toolbox::policy::PolicyRule;

/// What `admit` does for the kind.
pub(super) const ADMISSION: AdmissionRow = AdmissionRow {
    reads: &[],
    defaults: || None,
    judges_deletion: false,
    policies: &[PolicyRule {
        action: Action::Warn,
        only_new: false,
        holds: "object.spec.endpoints.all(entry, size(entry.selector.matchLabels) > 0)",
        says: "'the entry selects every ModelEndpoint of the namespace, because it has no labels; `modelplane.ai/deployment: NAME` selects those of a deployment'",
    }],
    rules: &[AdmissionRule {
        action: Action::Warn,
        path: "spec.endpoints[].selector.matchLabels",
        meaning: "an entry without labels, which selects every ModelEndpoint of the namespace",
        beyond_policies: None,
    }],
};

/// Judges an operation.
pub(super) fn admit(request: &AdmitRequest) -> Result<Verdict, Fault> {
    let service = match &request.operation {
        Operation::Create(object) | Operation::Update { new: object, .. } => object,
        Operation::Delete(_) => return Ok(Verdict::default()),
    };
    let entries = service["spec"]["endpoints"].as_array().into_iter().flatten().enumerate();
    let is_empty = |entry: &Value| entry["selector"]["matchLabels"].as_object().is_some_and(serde_json::Map::is_empty);
    let warnings = entries.filter(|(_, entry)| is_empty(entry)).map(|(index, _)| all_of_the_namespace(index)).collect();
    Ok(Verdict { warnings, ..Verdict::default() })
}

fn all_of_the_namespace(entry: usize) -> Problem {
    let message = "the entry selects every ModelEndpoint of the namespace, because it has no labels; `modelplane.ai/deployment: NAME` selects those of a deployment";
    Problem::new(format!("spec.endpoints[{entry}].selector.matchLabels"), Code::Invalid, message)
}

#[cfg(test)]
mod tests {
    use contract::admit::LookupAnswers;
    use serde_json::json;

    use super::*;

    #[test]
    fn selectors_without_labels() {
        #[track_caller]
        fn check(endpoints: Value, want: &[&str]) {
            let old = json!({"spec": {"endpoints": []}});
            let new = json!({"spec": {"endpoints": endpoints}});
            for operation in [Operation::Create(new.clone()), Operation::Update { old, new }] {
                let request = AdmitRequest { operation, input: None, lookups: LookupAnswers::new() };
                let verdict = admit(&request).expect("a verdict");
                assert_eq!(verdict.denials, []);
                let paths: Vec<_> = verdict.warnings.iter().map(|warning| warning.path.as_str()).collect();
                assert_eq!(paths, want);
            }
        }
        let entry = |labels: Value| json!({"selector": {"matchLabels": labels}});
        check(json!([entry(json!({"a": "b"}))]), &[]);
        check(json!([entry(json!({"a": "b"})), entry(json!({}))]), &["spec.endpoints[1].selector.matchLabels"]);
        check(json!([entry(json!(null)), {}]), &[]);
    }
}
