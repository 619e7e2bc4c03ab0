//! Judges what a schema cannot state: what an API server would refuse in the Job or its volume.

use contract::admit::{AdmitRequest, Operation, Verdict};
use contract::catalog::Action;
use contract::types::{Code, Fault, Problem};
use serde_json::Value;
use toolbox::kind::{AdmissionRow, rule};
use toolbox::names::is_subdomain;
use toolbox::path;
use toolbox::policy::{PolicyRule, deny};

use crate::long_names;
use crate::otterscale::data_keys::is_data_key;
use crate::otterscale::quantities::amount;
use crate::unless_stored::unless_stored;

/// The size of the volume.
const SIZE: &str = "spec.storage.size";
/// Its storage class.
const CLASS: &str = "spec.storage.storageClassName";
/// The Secret with the token.
const SECRET: &str = "spec.source.huggingFace.tokenSecretRef.name";
/// The key of the token in it.
const KEY: &str = "spec.source.huggingFace.tokenSecretRef.key";

/// What `admit` does for the kind.
pub(super) const ADMISSION: AdmissionRow = AdmissionRow {
    reads: &[],
    defaults: || None,
    judges_deletion: false,
    policies: POLICIES,
    policy_variables: &[],
    rules: &[
        long_names::RULE,
        rule(Action::Deny, SIZE, "a size that no volume can have: 0 or less", None),
        rule(Action::Deny, CLASS, "a name that no storage class can have", None),
        rule(Action::Deny, SECRET, "a name that no Secret can have", None),
        rule(Action::Deny, KEY, "a key that no Secret can have", None),
    ],
};

/// Whether a text in CEL is no name of an object.
macro_rules! no_name {
    ($text:literal) => {
        concat!(
            "(size(",
            $text,
            ") > 253 || !",
            $text,
            ".matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*$'))"
        )
    };
}

/// Whether there is a token, and what follows holds.
macro_rules! has_token {
    () => {
        "has(it.source.huggingFace) && has(it.source.huggingFace.tokenSecretRef) && "
    };
}

/// The same rules in CEL.
#[rustfmt::skip]
const POLICIES: &[PolicyRule] = &[
    long_names::POLICY,
    deny(unless_stored!("!quantity(string(it.storage.size)).isGreaterThan(quantity('0'))"),
        "'no volume has this size; give one like `20Gi`'"),
    deny(unless_stored!(concat!("has(it.storage.storageClassName) && it.storage.storageClassName != '' && ", no_name!("it.storage.storageClassName"))),
        "'no storage class is called so; give lower-case letters, digits, `-` and `.`'"),
    deny(unless_stored!(concat!(has_token!(), no_name!("it.source.huggingFace.tokenSecretRef.name"))),
        "'no Secret is called so; give lower-case letters, digits, `-` and `.`'"),
    deny(unless_stored!(concat!(has_token!(), "[it.source.huggingFace.tokenSecretRef].exists(t, has(t.key) && t.key != '' && (size(t.key) > 253 || !t.key.matches('^[-._a-zA-Z0-9]+$') || t.key == '.' || t.key.startsWith('..')))")),
        "'no key is called so; give letters, digits, `-`, `_` or `.`'"),
];

/// Judges an operation. What the stored object has too is tolerated.
pub(super) fn admit(request: &AdmitRequest) -> Result<Verdict, Fault> {
    let mut verdict = Verdict::default();
    match &request.operation {
        Operation::Create(object) => {
            verdict.denials = long_names::judge(object).into_iter().chain(denials(object)).collect();
        }
        Operation::Update { old, new } => {
            let before = denials(old);
            verdict.denials = denials(new).into_iter().filter(|problem| !before.contains(problem)).collect();
        }
        Operation::Delete(_) => {}
    }
    Ok(verdict)
}

/// What an API server would refuse in what an artifact becomes.
fn denials(object: &Value) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut refuse = |at: &str, message: &str| problems.push(Problem::new(at, Code::Invalid, message));
    if path::get(object, SIZE).and_then(amount).is_some_and(|size| size.sign() <= 0) {
        refuse(SIZE, "no volume has this size; give one like `20Gi`");
    }
    let text = |at: &str| path::get(object, at).and_then(Value::as_str).filter(|text| !text.is_empty());
    if text(CLASS).is_some_and(|class| !is_subdomain(class)) {
        refuse(CLASS, "no storage class is called so; give lower-case letters, digits, `-` and `.`");
    }
    if text(SECRET).is_some_and(|name| !is_subdomain(name)) {
        refuse(SECRET, "no Secret is called so; give lower-case letters, digits, `-` and `.`");
    }
    if text(KEY).is_some_and(|key| !is_data_key(key)) {
        refuse(KEY, "no key is called so; give letters, digits, `-`, `_` or `.`");
    }
    problems
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn artifact(size: Value, class: &str, key: &str) -> Value {
        let source = json!({"huggingFace": {"model": "a/b", "tokenSecretRef": {"name": "hf", "key": key}}});
        json!({"spec": {"source": source, "storage": {"size": size, "storageClassName": class}}})
    }

    #[test]
    fn what_no_object_can_have() {
        #[track_caller]
        fn check(object: &Value, want: &[&str]) {
            let found = denials(object);
            assert_eq!(found.iter().map(|it| it.path.as_str()).collect::<Vec<_>>(), want, "{object}");
            // The policies say the same.
            assert!(found.iter().all(|it| POLICIES.iter().any(|rule| rule.says == format!("'{}'", it.message))));
        }
        check(&json!({}), &[]);
        check(&artifact(json!("5Gi"), "", ""), &[]);
        check(&artifact(json!(1), "fast.v2", "hf_token.txt"), &[]);
        check(&artifact(json!("0"), "", ""), &[SIZE]);
        check(&artifact(json!(-1), "", ""), &[SIZE]);
        check(&artifact(json!("0.0Gi"), "Fast", "a/b"), &[SIZE, CLASS, KEY]);
        check(&artifact(json!("5Gi"), "a b", ".."), &[CLASS, KEY]);
        let mut other = artifact(json!("5Gi"), "", "");
        other["spec"]["source"]["huggingFace"]["tokenSecretRef"]["name"] = json!("A b");
        check(&other, &[SECRET]);
    }

    /// What was stored before stays editable.
    #[test]
    fn what_is_stored_is_tolerated() {
        let denied = |old: &str, new: &str| {
            let object = |class: &str| artifact(json!("5Gi"), class, "token");
            let operation = Operation::Update { old: object(old), new: object(new) };
            let request = AdmitRequest { operation, input: None, lookups: Default::default() };
            admit(&request).is_ok_and(|verdict| !verdict.denials.is_empty())
        };
        assert!(!denied("A", "A"));
        assert!(denied("a", "A"));
    }
}
