//! What the policies say is what the webhooks say, for generated clusters.

use std::collections::BTreeMap;

use cel::{Declared, Environment, Program};
use contract::admit::Operation;
use contract::catalog::Action;
use serde_json::{Value, json};
use toolbox::policy::{NAME, PolicyRule};

use super::super::tests::judged;
use super::{POLICIES, VARIABLES};
use crate::gpu_cluster::generated::{Choices, cluster};
use crate::gpu_cluster::read::definition;

/// The most that an API server spends on one expression (`PerCallLimit` of apiserver's package `cel`).
const CALL_LIMIT: u64 = 1_000_000;

/// The policies, each as a rule about one value that has object, stored object and request.
struct Compiled {
    declared: Declared,
    rules: Vec<(&'static PolicyRule, Program)>,
}

impl Compiled {
    fn new() -> Self {
        let mut object = definition().document()["spec"]["versions"][0]["schema"]["openAPIV3Schema"].clone();
        let text = || json!({"type": "string"});
        object["properties"]["metadata"] =
            json!({"type": "object", "properties": {"name": text(), "generateName": text()}});
        // As Crossplane adds it.
        object["properties"]["spec"]["properties"]["crossplane"] = json!({"type": "object", "properties": {
            "compositionRef": {"type": "object", "properties": {"name": text()}},
            "compositionSelector": {"type": "object", "properties": {
                "matchLabels": {"type": "object", "additionalProperties": text()},
            }},
        }});
        let schema = json!({"type": "object", "properties": {
            "object": object, "oldObject": object,
            "request": {"type": "object", "properties": {"operation": text()}},
        }});
        let declared = Declared::from_schema(&schema, false).expect("a type");
        let environment = Environment::rule(&declared, false);
        let compiled = |rule: &'static PolicyRule| {
            let text = bound(rule.holds);
            let program =
                Program::compile(&environment, &text).unwrap_or_else(|error| panic!("{}: {error}", rule.holds));
            // The message must be one too. It is a text, so it is compared with one here.
            let says = bound(&format!("({}) != ''", rule.says));
            Program::compile(&environment, &says).unwrap_or_else(|error| panic!("{}: {error}", rule.says));
            (rule, program)
        };
        let rules = POLICIES.iter().map(compiled).collect();
        Self { declared, rules }
    }

    /// The rules that an operation violates.
    fn violated(&self, old: Option<&Value>, object: &Value) -> Vec<&'static PolicyRule> {
        let operation = if old.is_some() { "UPDATE" } else { "CREATE" };
        let mut value = json!({"object": object, "request": {"operation": operation}});
        if let Some(old) = old {
            value["oldObject"] = old.clone();
        }
        let value = self.declared.read(&value).unwrap_or_else(|error| panic!("{}", error.message));
        let applies = |rule: &PolicyRule| old.is_none() || !rule.only_new;
        let mut violated = Vec::new();
        for (rule, program) in self.rules.iter().filter(|(rule, _)| applies(rule)) {
            let run = program.run(&[("self", value.clone())], CALL_LIMIT);
            let holds = run.outcome.unwrap_or_else(|error| panic!("{}: {}", rule.holds, error.message));
            if holds.as_bool() == Some(false) {
                violated.push(*rule);
            }
        }
        violated
    }
}

/// An expression of a policy, with its variables bound.
fn bound(expression: &str) -> String {
    let mut text = expression.to_owned();
    let names: Vec<_> = ["name"].into_iter().chain(VARIABLES.iter().map(|it| it.0)).collect();
    let variables: Vec<_> = [("name", NAME)].into_iter().chain(VARIABLES.iter().copied()).collect();
    for at in (0..variables.len()).rev() {
        let earlier = names[..at].iter().map(|name| format!("'{name}': variables.{name}"));
        let (name, value) = variables[at];
        let entries: Vec<_> = earlier.chain([format!("'{name}': {value}")]).collect();
        text = format!("[{{{}}}].all(variables, {text})", entries.join(", "));
    }
    // A schema's rules have one value.
    let mut words = String::new();
    let mut rest = text.as_str();
    while let Some(at) = rest.find(|c: char| c.is_ascii_alphabetic()) {
        let (before, after) = rest.split_at(at);
        let end = after.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(after.len());
        let (word, following) = after.split_at(end);
        words.push_str(before);
        if ["object", "oldObject", "request"].contains(&word) && following.starts_with('.') && !before.ends_with('.') {
            words.push_str("self.");
        }
        words.push_str(word);
        rest = following;
    }
    words + rest
}

/// What an API server stores: with defaults.
fn stored(object: &Value) -> Option<Value> {
    definition().stored(object).ok()
}

#[test]
fn policies_say_what_the_webhooks_say() {
    let policies = Compiled::new();
    let mut choices = Choices::new(7);
    let mut used: BTreeMap<&str, usize> = BTreeMap::new();
    let mut before: Option<Value> = None;
    for round in 0..800 {
        let Some(object) = stored(&cluster(&mut choices).0) else { continue };
        let mut old = before.replace(object.clone()).filter(|_| round % 3 == 0);
        if let Some(old) = &mut old {
            old["metadata"]["name"] = object["metadata"]["name"].clone();
        }
        let operation = match &old {
            Some(old) => Operation::Update { old: old.clone(), new: object.clone() },
            None => Operation::Create(object.clone()),
        };
        let verdict = judged(operation, Default::default());
        let violated = policies.violated(old.as_ref(), &object);
        for rule in &violated {
            *used.entry(rule.holds).or_default() += 1;
        }
        let denied = violated.iter().any(|rule| rule.action == Action::Deny);
        if denied {
            assert!(!verdict.denials.is_empty(), "only a policy refuses {object} after {old:?}: {violated:?}");
        }
        if old.is_none() {
            let by_policy = |path: &str| !path.starts_with("spec.parameters.gpu");
            let refused = verdict.denials.iter().find(|it| by_policy(&it.path));
            assert!(refused.is_none() || denied, "only a webhook refuses {object}: {refused:?}");
        }
        if verdict.denials.is_empty() && violated.iter().any(|rule| rule.action == Action::Warn) {
            assert!(!verdict.warnings.is_empty(), "only a policy warns of {object} after {old:?}: {violated:?}");
        }
    }
    // Names with dots and more than 63 characters, and Compositions, are below.
    let unused: Vec<_> = POLICIES.iter().map(|it| it.holds).filter(|it| !used.contains_key(it)).collect();
    assert_eq!(unused.len(), 3, "{unused:#?}");
}

#[test]
fn what_no_generated_cluster_has() {
    #[track_caller]
    fn check(name: &str, composition: &str, want: &[&str]) {
        let object = json!({
            "metadata": {"name": name},
            "spec": {
                "crossplane": {
                    "compositionSelector": {"matchLabels": {"provider": "aws"}},
                    "compositionRef": {"name": composition},
                },
                "parameters": {"nodeSize": "small"},
            },
        });
        let violated = Compiled::new().violated(None, &object);
        assert_eq!(violated.len(), want.len(), "{violated:?}");
        assert!(violated.iter().zip(want).all(|(rule, part)| rule.says.contains(part)), "{violated:?}");
    }
    check("a", "cluster-aws", &[]);
    check("a", "cluster-aws.devopstoolkit.ai", &[]);
    check("a", "mine", &[]);
    check("a", "cluster-google", &["is the Composition of another cloud"]);
    check("a", "cluster-azure.devopstoolkit.ai", &["is the Composition of another cloud"]);
    check("a.b", "cluster-aws", &["it has a dot"]);
    check(&"a".repeat(64), "cluster-aws", &["more than 63 characters", "at most 50"]);
}

/// The largest lists that the definition accepts are judged within the limit of an API server.
#[test]
fn large_lists_are_judged() {
    let policies = Compiled::new();
    let violated = |count: usize, again: bool| {
        let namespaces: Vec<_> = (0..200).map(|index| format!("{}-{index}", "n".repeat(59))).collect();
        let secret = |index: usize| json!({"fromSecret": "a", "toSecret": format!("{}-{index}", "s".repeat(165)), "toNamespace": "dev"});
        let secrets: Vec<_> =
            (0..count).map(|index| secret(if again && index + 1 == count { 0 } else { index })).collect();
        let keys: Vec<_> = (0..100).map(|index| format!("{}-{index}", "k".repeat(249))).collect();
        let operator = json!({"enabled": true, "store": true, "secrets": secrets});
        let object = json!({
            "apiVersion": "devopstoolkitseries.com/v2", "kind": "Cluster", "metadata": {"name": "a", "namespace": "b"},
            "spec": {
                "crossplane": {"compositionSelector": {"matchLabels": {"provider": "aws"}}},
                "parameters": {
                    "nodeSize": "small", "namespaces": namespaces, "apps": {"externalSecrets": operator},
                    "creds": {"name": "a", "namespace": "b", "keys": keys},
                },
            },
        });
        let object = stored(&object).expect("it is within the bounds");
        policies.violated(None, &object).iter().map(|rule| rule.says).collect::<Vec<_>>()
    };
    let none: [&str; 0] = [];
    assert_eq!(violated(100, false), none);
    assert_eq!(violated(100, true), ["'a secret is there twice'"]);
    assert_eq!(violated(500, true), none);
}
