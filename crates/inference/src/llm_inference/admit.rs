//! Judges what a schema cannot state. The messages are those of the conditions that composing sets.

use serde_json::Value;

use self::claims::Claims;
pub(super) use self::claims::FOUND_BY;
use super::advice::{FIELDS, advice, too_large};
use super::derive::{DEFAULTS, Inputs};
use super::options::{MemoryAdvice, ProviderConfigKind};
use super::read::{COMPOSITES, inputs};
use crate::options::Options;
use contract::admit::{AdmitRequest, DefaultValue, LookupAnswers, Operation, Verdict};
use contract::catalog::{ApiResource, Scope};
use contract::types::{Code, Fault, Problem};
use toolbox::fields;
use toolbox::kind::AdmissionRow;
use toolbox::names::{ServiceName, named};
use toolbox::path;
use toolbox::resources;
use toolbox::rule::{Plan, Table};

mod claims;
mod policies;

/// What `admit` does for the kind.
pub(super) const ADMISSION: AdmissionRow = AdmissionRow {
    reads: &[
        COMPOSITES,
        readable(ProviderConfigKind::ClusterProviderConfig, "clusterproviderconfigs", Scope::Cluster),
        readable(ProviderConfigKind::ProviderConfig, "providerconfigs", Scope::Namespaced),
    ],
    defaults: || Some(Table::of("what admission writes into an LLMInference", DEFAULTS)),
    judges_deletion: true,
    policies: policies::POLICIES,
    policy_variables: &[],
    rules: policies::RULES,
};

const fn readable(kind: ProviderConfigKind, plural: &'static str, scope: Scope) -> ApiResource {
    ApiResource { api_version: resources::OBJECT.0, kind: kind.as_str(), plural, scope }
}

/// Judges an operation.
pub(super) fn admit(request: &AdmitRequest) -> Result<Verdict, Fault> {
    let options = Options::read(request.input.as_ref())?;
    let answers = &request.lookups;
    Ok(match &request.operation {
        Operation::Create(object) => judge(object, None, &options, answers),
        Operation::Update { old, new } => judge(new, Some(old), &options, answers),
        Operation::Delete(deletion) => {
            let claims = Claims::of(&fields::read_value(&deletion.object), &options.llm_inference);
            let (warnings, unjudged) = claims.sharing(&options.llm_inference, answers);
            let lookups = claims.lookups_of_sharing(&options.llm_inference);
            Verdict { warnings, unjudged: not_looked_up(unjudged), lookups, ..Verdict::default() }
        }
    })
}

/// Judges a new or changed object. What the stored object `old` has too is tolerated. What a user can choose only on
/// creation is judged only then, so that a running composite stays editable.
fn judge(object: &Value, old: Option<&Value>, options: &Options, answers: &LookupAnswers) -> Verdict {
    let named = named(object);
    let mut verdict = Verdict::default();
    if old.is_none() {
        let name = path::get(&named, "metadata.name").and_then(Value::as_str).unwrap_or_default();
        verdict.denials.extend(ServiceName::problems(name).into_iter().map(|problem| name_problem(name, problem)));
    }
    let claims_of = |object| Claims::of(&fields::read_value(object), &options.llm_inference);
    let (claims, old_claims) = (claims_of(object), old.map(claims_of));
    let found = claims.judge(old_claims.as_ref(), &options.llm_inference, answers);
    verdict.denials.extend(found.denials);
    verdict.unjudged = not_looked_up(found.unjudged);
    verdict.lookups = claims.lookups(old_claims.as_ref(), &options.llm_inference, answers);
    let inputs = match inputs(&named, options.clone(), None) {
        Ok(inputs) => inputs,
        // The schema of the API server allows what this version cannot compose.
        Err(fault) => {
            verdict.warnings.extend(fault.problems.iter().take(1).map(not_composed));
            return verdict;
        }
    };
    if old.is_none() && options.llm_inference.memory_advice == MemoryAdvice::Refuse {
        verdict.denials.extend(too_large(&inputs).map(|words| Problem::new("spec.gpu", Code::Invalid, words)));
    }
    if verdict.denials.is_empty() {
        verdict.warnings = warnings(&inputs).chain(found.warnings).collect();
        verdict.defaults = defaults(object, &inputs);
    }
    verdict
}

fn not_composed(Problem { path, code, message, .. }: &Problem) -> Problem {
    Problem::new(path.clone(), *code, format!("this version cannot compose it: {path}: {message}"))
}

fn not_looked_up(whether: Vec<String>) -> Vec<String> {
    whether.into_iter().map(|what| format!("not looked up: {what}")).collect()
}

fn warnings(inputs: &Inputs) -> impl Iterator<Item = Problem> {
    let advice = advice(inputs).into_iter().zip(FIELDS);
    advice.filter_map(|(reported, field)| Some(Problem::new(field, Code::Invalid, reported.warning()?)))
}

/// The defaults for the fields that `object` does not have.
fn defaults(object: &Value, inputs: &Inputs) -> Vec<DefaultValue> {
    let plan = Plan::of(DEFAULTS, inputs);
    let missing = plan.values().filter(|(rule, _)| path::get(object, rule.path).is_none());
    let default = missing.map(|(rule, value)| DefaultValue {
        pointer: path::pointer(rule.path),
        value: value.clone(),
        because: rule.because.to_owned(),
    });
    default.collect()
}

fn name_problem(name: &str, problem: ServiceName) -> Problem {
    let code = if problem == ServiceName::TooLong { Code::TooLong } else { Code::Invalid };
    let message = format!(
        "no Service can be named `{name}`: the name {}; use at most 63 lower-case letters, digits and `-`, starting with a letter",
        problem.words(),
    );
    Problem::new("metadata.name", code, message)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::read::definition;
    use super::*;
    use contract::types::{Cause, Edit, KindRef, MatchBy, Selector};

    fn composite(name: &str, spec: Value) -> Value {
        json!({
            "apiVersion": "inference.devopstoolkit.ai/v1alpha1", "kind": "LLMInference",
            "metadata": {"name": name, "namespace": "team-a"}, "spec": spec,
        })
    }

    fn valid() -> Value {
        json!({"model": "Qwen/Qwen2.5-1.5B-Instruct", "gpu": 1, "providerConfigName": "gpu-cluster"})
    }

    fn with(mut spec: Value, key: &str, value: Value) -> Value {
        spec[key] = value;
        spec
    }

    fn judged(operation: Operation, options: Value, lookups: LookupAnswers) -> Verdict {
        let input = json!({
            "apiVersion": "sailplane.fn.crossplane.io/v1alpha1", "kind": "Options", "llmInference": options,
        });
        admit(&AdmitRequest { operation, input: Some(input), lookups }).expect("valid options")
    }

    /// Paths and codes of the denials, and the number of warnings.
    fn verdict(operation: Operation, options: Value) -> (Vec<(String, Code)>, usize) {
        let verdict = judged(operation, options, LookupAnswers::new());
        (verdict.denials.into_iter().map(|problem| (problem.path, problem.code)).collect(), verdict.warnings.len())
    }

    fn check(operation: Operation, options: Value, denials: &[(&str, Code)], warnings: usize) {
        let shown = format!("{operation:?}");
        let want: Vec<_> = denials.iter().map(|&(path, code)| (path.to_owned(), code)).collect();
        assert_eq!(verdict(operation, options), (want, warnings), "{shown}");
    }

    #[test]
    fn creating() {
        let create = |name: &str, spec| Operation::Create(composite(name, spec));
        let check = |operation, denials: &[(&str, Code)], warnings| check(operation, json!({}), denials, warnings);
        check(create("qwen", valid()), &[], 0);
        check(
            create("qwen", with(valid(), "crossplane", json!({"compositionRef": {"name": "llm-inference"}}))),
            &[],
            0,
        );
        check(create("qwen", with(valid(), "gpu", json!(3))), &[], 1);
        check(create("qwen", with(valid(), "gpu", json!(12))), &[], 1);
        check(create("qwen", with(valid(), "model", json!("meta-llama/Llama-3.1-405B"))), &[], 2);
        check(create(&"a".repeat(63), valid()), &[], 0);
        check(create(&"a".repeat(64), valid()), &[("metadata.name", Code::TooLong)], 0);
        check(create("qwen2.5", valid()), &[("metadata.name", Code::Invalid)], 0);
        check(create("7b", valid()), &[("metadata.name", Code::Invalid)], 0);
        // What a schema says is not judged here, since the schema that is installed may be another one.
        check(create("Qwen", valid()), &[], 0);
        check(create("qwen", with(valid(), "gpus", json!(2))), &[], 0);
        // But a warning says that this version cannot compose the object.
        check(create("qwen", with(valid(), "gpu", json!(0))), &[], 1);
        check(create("7b", json!({"modle": "a", "gpu": "4"})), &[("metadata.name", Code::Invalid)], 1);
        let mut odd = composite("qwen", valid());
        odd["sepc"] = json!({});
        check(Operation::Create(odd), &[], 0);
    }

    #[test]
    fn updating() {
        let update = |name: &str, old, new| Operation::Update { old: composite(name, old), new: composite(name, new) };
        let check = |operation, denials: &[(&str, Code)], warnings| check(operation, json!({}), denials, warnings);
        // An object that was stored with an unusable name or with a mistake stays editable.
        check(update("qwen2.5", valid(), with(valid(), "gpu", json!(2))), &[], 1);
        check(Operation::Delete(composite("7b", json!({})).into()), &[], 0);
    }

    #[test]
    fn memory_advice() {
        let large = with(valid(), "model", json!("Qwen/Qwen2.5-72B-Instruct"));
        let create = || Operation::Create(composite("qwen", large.clone()));
        let update = || Operation::Update { old: composite("qwen", valid()), new: composite("qwen", large.clone()) };
        check(create(), json!({}), &[], 0);
        check(create(), json!({"gpuMemory": "80Gi"}), &[], 1);
        check(create(), json!({"memoryAdvice": "refuse"}), &[], 0);
        check(create(), json!({"gpuMemory": "80Gi", "memoryAdvice": "refuse"}), &[("spec.gpu", Code::Invalid)], 0);
        check(update(), json!({"gpuMemory": "80Gi", "memoryAdvice": "refuse"}), &[], 1);
    }

    #[test]
    fn typos_have_a_fix() {
        let typo = with(valid(), "ingresHost", json!("a.example.org"));
        let denials = definition().validate(&composite("qwen", typo));
        let want = Problem::new("spec.ingresHost", Code::UnknownField, "unknown field \"spec.ingresHost\"");
        assert_eq!(denials, [want.with_fix(Edit::Rename("ingressHost".to_owned()))]);
    }

    #[test]
    fn defaults_are_written_where_fields_are_missing() {
        let check = |spec: Value, options: Value, want: &[(&str, &str)]| {
            let verdict = judged(Operation::Create(composite("qwen", spec)), options, LookupAnswers::new());
            let found: Vec<_> = verdict
                .defaults
                .iter()
                .map(|it| (it.pointer.as_str(), it.value.as_str().unwrap_or_default()))
                .collect();
            assert_eq!(found, want);
        };
        let kind = |kind| ("/spec/providerConfigKind", kind);
        let namespace = ("/spec/targetNamespace", "team-a");
        check(valid(), json!({}), &[kind("ClusterProviderConfig"), namespace]);
        check(valid(), json!({"providerConfigKind": "ProviderConfig"}), &[kind("ProviderConfig"), namespace]);
        check(with(valid(), "targetNamespace", json!("models")), json!({}), &[kind("ClusterProviderConfig")]);
        let settled = with(with(valid(), "targetNamespace", json!("")), "providerConfigKind", json!("ProviderConfig"));
        check(settled, json!({}), &[]);
        check(with(valid(), "gpu", json!(0)), json!({}), &[]);
    }

    #[test]
    fn generated_names() {
        let create = |prefix: &str| {
            let mut object = composite("", valid());
            object["metadata"] = json!({"generateName": prefix, "namespace": "team-a"});
            Operation::Create(object)
        };
        check(create("qwen-"), json!({}), &[], 0);
        check(create("7b-"), json!({}), &[("metadata.name", Code::Invalid)], 0);
    }

    fn config(kind: &str, namespace: Option<&str>, name: &str) -> Value {
        let metadata = json!({"name": name, "namespace": namespace});
        json!({"apiVersion": resources::OBJECT.0, "kind": kind, "metadata": metadata})
    }

    /// The verdict when these objects exist, and the number of objects that it depends on.
    fn judged_among(operation: &Operation, options: &Value, existing: &[Value]) -> (Verdict, usize) {
        let mut answers = LookupAnswers::new();
        loop {
            let verdict = judged(operation.clone(), options.clone(), answers.clone());
            let answer = |selector: &Selector| find(selector, existing).into_iter().map(Into::into).collect();
            let next: LookupAnswers =
                verdict.lookups.iter().map(|(name, selector)| (name.clone(), answer(selector))).collect();
            if next == answers {
                return (verdict, answers.values().map(Vec::len).sum());
            }
            answers = next;
        }
    }

    fn find(selector: &Selector, existing: &[Value]) -> Vec<Value> {
        let found = existing.iter().filter(|object| {
            let metadata = &object["metadata"];
            let chosen = match &selector.match_by {
                MatchBy::Name(name) => metadata["name"] == **name,
                MatchBy::Labels(_) => true,
                MatchBy::Values(by) => {
                    let index = FOUND_BY.iter().find(|index| index.name == by.index).expect("a known index");
                    toolbox::index::has_one_of(index, object, &by.values)
                }
            };
            let here = selector.namespace.as_ref().is_none_or(|namespace| metadata["namespace"] == **namespace);
            chosen && here && KindRef::of(object) == selector.kind
        });
        found.take(selector.limit.map_or(usize::MAX, |limit| limit as usize)).cloned().collect()
    }

    fn other(namespace: &str, name: &str, spec: Value) -> Value {
        let mut other = composite(name, spec);
        other["metadata"]["namespace"] = namespace.into();
        other
    }

    #[test]
    fn claims_of_others() {
        let check = |operation: Operation, existing: &[Value], denials: &[&str], warnings: &[&str]| {
            let configs = ["gpu-cluster", "other"].map(|name| config("ClusterProviderConfig", None, name));
            let own = config("ProviderConfig", Some("team-a"), "gpu-cluster");
            let existing = [existing, &configs, &[own]].concat();
            let (verdict, _) = judged_among(&operation, &json!({}), &existing);
            let words: Vec<_> = verdict.denials.iter().map(|it| format!("{}: {}", it.path, it.message)).collect();
            assert_eq!(words, denials);
            let warned: Vec<_> = verdict.warnings.iter().map(|it| format!("{}: {}", it.path, it.message)).collect();
            assert_eq!(warned, warnings);
            assert_eq!(verdict.unjudged, [""; 0]);
        };
        let create = |spec| Operation::Create(composite("qwen", spec));
        let update = |old, new| Operation::Update { old: composite("qwen", old), new: composite("qwen", new) };
        let host = || with(valid(), "ingressHost", json!("a.example.org"));
        let elsewhere = |spec| with(spec, "providerConfigName", json!("other"));
        let to = |namespace: &str, spec| with(spec, "targetNamespace", json!(namespace));
        let taken = "spec.ingressHost: host `a.example.org` is that of LLMInference `team-b/b` on the same cluster already; choose another host";
        let composed = "metadata.name: LLMInference `team-b/qwen` composes `team-a/qwen` on ClusterProviderConfig `gpu-cluster` already; choose another name, or another `targetNamespace`";

        // The stored version of the same composite does not count.
        check(create(host()), &[composite("qwen", host())], &[], &[]);
        check(create(host()), &[other("team-b", "b", valid())], &[], &[]);
        check(create(host()), &[other("team-b", "b", host()), other("team-c", "a", host())], &[taken], &[]);
        check(create(host()), &[other("team-c", "a", host()), other("team-b", "b", host())], &[taken], &[]);
        check(
            create(host()),
            &[other("team-b", "b", elsewhere(host()))],
            &[],
            &[
                "spec.ingressHost: host `a.example.org` is also that of LLMInference `team-b/b` on ClusterProviderConfig `other`: its name can only resolve to one of them",
            ],
        );
        let mut leaving = other("team-b", "b", host());
        leaving["metadata"]["deletionTimestamp"] = json!("2026-01-01T00:00:00Z");
        check(create(host()), &[leaving], &[], &[]);
        let own = |spec| with(spec, "providerConfigKind", json!("ProviderConfig"));
        check(create(own(valid())), &[other("team-b", "qwen", own(to("team-a", valid())))], &[], &[]);
        check(create(valid()), &[other("team-b", "qwen", to("team-a", valid()))], &[composed], &[]);
        check(create(valid()), &[other("team-b", "qwen", valid())], &[], &[]);
        check(create(valid()), &[other("team-b", "qwen", elsewhere(to("team-a", valid())))], &[], &[]);
        // Composites that were stored with the same host stay editable.
        check(update(host(), with(host(), "gpu", json!(2))), &[other("team-b", "b", host())], &[], &[]);
        check(update(valid(), host()), &[other("team-b", "b", host())], &[taken], &[]);
        check(update(elsewhere(host()), host()), &[other("team-b", "b", host())], &[taken], &[]);
        check(update(valid(), to("team-b", valid())), &[other("team-b", "b", valid())], &[], &[]);

        check(
            Operation::Delete(composite("qwen", valid()).into()),
            &[other("team-b", "qwen", to("team-a", valid()))],
            &[],
            &[
                "metadata.name: LLMInference `team-b/qwen` composes the same objects, `team-a/qwen` on ClusterProviderConfig `gpu-cluster`: its model server goes away with this one",
            ],
        );
        check(Operation::Delete(composite("qwen", valid()).into()), &[composite("qwen", valid())], &[], &[]);
    }

    #[test]
    fn provider_configurations() {
        let check = |operation: Operation, configs: &[&str], denials: &[(&str, Option<&str>)]| {
            let configs: Vec<_> = configs.iter().map(|name| config("ClusterProviderConfig", None, name)).collect();
            let (verdict, _) = judged_among(&operation, &json!({}), &configs);
            let found: Vec<_> = verdict
                .denials
                .iter()
                .map(|it| match &it.fix {
                    Some(contract::types::Edit::Replace(to)) => (it.message.as_str(), to.as_str()),
                    _ => (it.message.as_str(), None),
                })
                .collect();
            assert_eq!(found, denials);
        };
        let create = |spec| Operation::Create(composite("qwen", spec));
        check(create(valid()), &["gpu-cluster"], &[]);
        check(
            create(valid()),
            &["zoo", "gpu-clutser"],
            &[("no ClusterProviderConfig `gpu-cluster`; known are `gpu-clutser`, `zoo`", Some("gpu-clutser"))],
        );
        check(
            create(with(valid(), "providerConfigKind", json!("ProviderConfig"))),
            &[],
            &[("no ProviderConfig `gpu-cluster` in namespace `team-a`; there is none yet: create it first", None)],
        );
        let update = |old, new| Operation::Update { old: composite("qwen", old), new: composite("qwen", new) };
        check(update(valid(), with(valid(), "gpu", json!(2))), &[], &[]);
        check(
            update(with(valid(), "providerConfigName", json!("a")), valid()),
            &["a"],
            &[("no ClusterProviderConfig `gpu-cluster`; known are `a`", None)],
        );
    }

    /// However many composites and configurations there are, a verdict depends on a few of them.
    #[test]
    fn few_objects_are_looked_at() {
        let host = with(valid(), "ingressHost", json!("a.example.org"));
        let on = |cluster: &str, spec| with(spec, "providerConfigName", json!(cluster));
        let own = |spec| with(spec, "providerConfigKind", json!("ProviderConfig"));
        let mut existing = vec![config("ClusterProviderConfig", None, "gpu-cluster")];
        for number in 0..1_000 {
            let namespace = format!("team-{number}");
            existing.push(config("ClusterProviderConfig", None, &format!("cluster-{number}")));
            existing.push(other(&namespace, "qwen", on(&format!("cluster-{number}"), host.clone())));
            // Each has a configuration of its own, so none is on the cluster of another.
            existing.push(other(&namespace, "mine", with(own(host.clone()), "targetNamespace", json!("team-a"))));
        }
        let check = |name: &str, spec: &Value, options: Value, objects: usize, denials: &[&str]| {
            let (verdict, seen) = judged_among(&Operation::Create(composite(name, spec.clone())), &options, &existing);
            let found: Vec<_> = verdict.denials.iter().map(|denial| denial.path.as_str()).collect();
            assert_eq!((seen, found.as_slice()), (objects, denials), "{spec}");
        };
        check("new", &valid(), json!({}), 1, &[]);
        check("new", &host, json!({}), 11, &[]);
        check("new", &on("cluster-999", host.clone()), json!({}), 12, &["spec.ingressHost"]);
        check("mine", &valid(), json!({"providerConfigKind": "ProviderConfig"}), 0, &["spec.providerConfigName"]);
        check("new", &on("nowhere", valid()), json!({}), 100, &["spec.providerConfigName"]);
        let unchanged = Operation::Update { old: composite("new", host.clone()), new: composite("new", host) };
        assert_eq!(judged_among(&unchanged, &json!({}), &existing).1, 0);
    }

    /// Whether composites state the platform's kind of configuration or leave it out, they are on the same cluster.
    #[test]
    fn the_kind_of_configuration_may_be_left_out() {
        let stated = |kind: &str, spec| with(spec, "providerConfigKind", json!(kind));
        let host = || with(valid(), "ingressHost", json!("a.example.org"));
        for platform in ["ClusterProviderConfig", "ProviderConfig"] {
            let options = json!({"providerConfigKind": platform});
            let configs = ["ClusterProviderConfig", "ProviderConfig"]
                .map(|kind| config(kind, Some("team-a").filter(|_| kind == "ProviderConfig"), "gpu-cluster"));
            let check = |new: Value, stored: Value, denials: &[&str]| {
                let rival = with(stored, "targetNamespace", json!("team-a"));
                let existing = [&configs[..], &[composite("rival", rival)]].concat();
                let (verdict, _) = judged_among(&Operation::Create(composite("qwen", new)), &options, &existing);
                let found: Vec<_> = verdict.denials.iter().map(|denial| denial.path.as_str()).collect();
                assert_eq!(found, denials, "{platform}");
            };
            let other = if platform == "ProviderConfig" { "ClusterProviderConfig" } else { "ProviderConfig" };
            check(host(), host(), &["spec.ingressHost"]);
            check(host(), stated(platform, host()), &["spec.ingressHost"]);
            check(stated(platform, host()), host(), &["spec.ingressHost"]);
            check(stated(other, host()), stated(other, host()), &["spec.ingressHost"]);
            check(stated(other, host()), host(), &[]);
            check(host(), stated(other, host()), &[]);
        }
    }

    #[test]
    fn rules_without_answers_are_not_judged() {
        let host = with(valid(), "ingressHost", json!("a.example.org"));
        let verdict = judged(Operation::Create(composite("qwen", host.clone())), json!({}), LookupAnswers::new());
        assert_eq!(verdict.denials, []);
        assert_eq!(
            verdict.unjudged,
            [
                "not looked up: whether there is a ClusterProviderConfig `gpu-cluster`",
                "not looked up: whether another LLMInference composes `team-a/qwen`",
                "not looked up: whether another LLMInference has host `a.example.org`",
            ]
        );
        let unchanged = Operation::Update { old: composite("qwen", host.clone()), new: composite("qwen", host) };
        assert_eq!(judged(unchanged, json!({}), LookupAnswers::new()).unjudged, [""; 0]);
        let deleted = judged(Operation::Delete(composite("qwen", valid()).into()), json!({}), LookupAnswers::new());
        assert_eq!(deleted.unjudged, ["not looked up: whether another LLMInference composes `team-a/qwen`"]);
    }

    #[test]
    fn options_are_checked_first() {
        let input = Some(json!({"ttl": "1m"}));
        let request =
            AdmitRequest { operation: Operation::Create(json!({})), input, lookups: std::collections::BTreeMap::new() };
        assert_eq!(admit(&request).map_err(|fault| fault.cause), Err(Cause::Input));
    }
}
