//! Judges what a schema cannot state.

use contract::admit::{AdmitRequest, LookupAnswers, Operation, Verdict};
use contract::catalog::Action;
use contract::types::{Code, Fault, Problem};
use serde_json::Value;
use toolbox::kind::{AdmissionRow, OTHERS, rule};
use toolbox::path;
use toolbox::policy::deny;

use super::source::impossible;
use super::spec::CachePhase;
use crate::long_names;
use crate::modelplane::found_by::{CACHE, found_by};
use crate::modelplane::mentions::{advice, ask, named};
use crate::modelplane::resources::MODEL_DEPLOYMENTS;

const REPO: &str = "spec.huggingFace.repo";
const REVISION: &str = "spec.huggingFace.revision";
/// The fields with texts that the downloader gets, and what they are.
const TEXTS: [(&str, &str); 2] = [(REPO, "repository"), (REVISION, "revision")];

/// A rule in CEL for a text in the source: `$is` does not hold for it, unless the stored object has the same text.
macro_rules! holds {
    ($text:literal, IMPOSSIBLE) => {
        holds!($text, r"matches(r'[\p{Z}\p{Cc}~^:?*\[\\]')")
    };
    ($text:literal, $is:literal) => {
        concat!(
            "!has(object.spec.huggingFace) || !has(object.spec.huggingFace.",
            $text,
            ") || !object.spec.huggingFace.",
            $text,
            ".",
            $is,
            " || request.operation == 'UPDATE' && has(oldObject.spec.huggingFace) && has(oldObject.spec.huggingFace.",
            $text,
            ")",
            " && oldObject.spec.huggingFace.",
            $text,
            " == object.spec.huggingFace.",
            $text,
        )
    };
}

/// What `admit` does for the kind.
#[rustfmt::skip]
pub(super) const ADMISSION: AdmissionRow = AdmissionRow {
    reads: &[MODEL_DEPLOYMENTS],
    defaults: || None,
    judges_deletion: true,
    policy_variables: &[],
    policies: &[
        long_names::POLICY,
        deny(holds!("repo", "startsWith('-')"), "'the repository starts with `-`, so the downloader would take it for an option'"),
        deny(holds!("repo", IMPOSSIBLE), r"'the repository has a blank, a control character or one of `~^:?*[\\`, which none can have'"),
        deny(holds!("revision", "startsWith('-')"), "'the revision starts with `-`, so the downloader would take it for an option'"),
        deny(holds!("revision", IMPOSSIBLE), r"'the revision has a blank, a control character or one of `~^:?*[\\`, which none can have'"),
    ],
    rules: &[
        long_names::RULE,
        rule(Action::Deny, REPO, "a text that names no repository: it starts with `-`, or has a character that none can have", None),
        rule(Action::Deny, REVISION, "a text that is no revision: it starts with `-`, or has a character that none can have", None),
        rule(Action::Warn, REPO, "another repository for a cache that is on some clusters already", Some(STATUS)),
        rule(Action::Warn, REVISION, "another revision for a cache that is on some clusters already", Some(STATUS)),
        rule(Action::Warn, "metadata", "a deletion of a cache that ModelDeployments take their weights from", Some(OTHERS)),
    ],
};

const STATUS: &str = "a policy sees no status";

/// Judges an operation.
pub(super) fn admit(request: &AdmitRequest) -> Result<Verdict, Fault> {
    let mut verdict = Verdict::default();
    match &request.operation {
        Operation::Create(object) => {
            verdict.denials = long_names::judge(object).into_iter().chain(denials(object, None)).collect();
        }
        Operation::Update { old, new } => {
            verdict.denials = denials(new, Some(old));
            verdict.warnings = stale(old, new).into_iter().collect();
        }
        Operation::Delete(deletion) => judge_deletion(&deletion.object, &request.lookups, &mut verdict),
    }
    Ok(verdict)
}

fn judge_deletion(cache: &Value, answers: &LookupAnswers, verdict: &mut Verdict) {
    let (name, namespace) = (text(cache, "metadata.name"), text(cache, "metadata.namespace"));
    let values = name.map(|name| vec![name.to_owned()]);
    let selector = found_by(&MODEL_DEPLOYMENTS, namespace, &CACHE, values);
    let whether = "whether a ModelDeployment takes its weights from the cache";
    let deployments = ask(verdict, answers, "deployments", selector, whether).unwrap_or_default();
    // Before v0.2.0 of Modelplane, the fields of a deployment were outside its template.
    let refers = |deployment: &Value| {
        let at = ["spec.template.spec.modelCacheRef.name", "spec.modelCacheRef.name"];
        name.is_some() && at.iter().any(|at| text(deployment, at) == name)
    };
    if let Some(deployments) = named(MODEL_DEPLOYMENTS.kind, deployments, refers) {
        verdict.warnings.push(advice("metadata", format!("the deletion takes the weights away from {deployments}")));
    }
}

/// Texts that are no repository and no revision. What the stored object `old` has too is tolerated.
fn denials(object: &Value, old: Option<&Value>) -> Vec<Problem> {
    let denial = |&(at, what): &(&str, &str)| {
        let text = text(object, at)?;
        let stays = old.is_some_and(|old| self::text(old, at) == Some(text));
        impossible(what, text).filter(|_| !stays).map(|why| Problem::new(at, Code::Invalid, why))
    };
    TEXTS.iter().filter_map(denial).collect()
}

/// A warning, when the source changes and there are weights of the old one.
fn stale(old: &Value, new: &Value) -> Option<Problem> {
    let changed = TEXTS.into_iter().map(|(at, _)| at).find(|at| text(old, at) != text(new, at))?;
    let clusters = path::get(old, "status.clusters")?.as_array()?;
    let ready: Vec<&str> = clusters
        .iter()
        .filter(|row| row["phase"] == CachePhase::Ready.as_str())
        .filter_map(|row| row["name"].as_str())
        .collect();
    let first = ready.first()?;
    let others = match ready.len() - 1 {
        0 => String::new(),
        others => format!(" and {others} more"),
    };
    let message = format!(
        "the weights of the old source stay on cluster `{first}`{others}, and nothing is downloaded again; create another ModelCache for the new one"
    );
    Some(advice(changed, message))
}

fn text<'v>(object: &'v Value, at: &str) -> Option<&'v str> {
    path::get(object, at).and_then(Value::as_str).filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use contract::types::ObservedObject;
    use serde_json::json;
    use toolbox::policy::PolicyRule;
    use toolbox::validation::Validator;

    use super::*;

    fn cache(repo: &str, revision: &str, phases: &[(&str, &str)]) -> Value {
        let clusters: Vec<_> = phases.iter().map(|(name, phase)| json!({"name": name, "phase": phase})).collect();
        let source = json!({"repo": repo, "revision": revision, "sizeGiB": 1});
        json!({"spec": {"source": "HuggingFace", "huggingFace": source}, "status": {"clusters": clusters}})
    }

    /// Denials and warnings, as `path: message`.
    fn verdict(operation: Operation) -> (Vec<String>, Vec<String>) {
        let request = AdmitRequest { operation, input: None, lookups: LookupAnswers::new() };
        let Verdict { denials, warnings, .. } = admit(&request).expect("a verdict");
        let shown = |problems: Vec<Problem>| -> Vec<String> {
            problems.into_iter().map(|it| format!("{}: {}", it.path, it.message)).collect()
        };
        (shown(denials), shown(warnings))
    }

    #[test]
    fn sources() {
        #[track_caller]
        fn check(repo: &str, revision: &str, want: &[&str]) {
            let new = cache(repo, revision, &[]);
            assert_eq!(verdict(Operation::Create(new.clone())).0, want);
            let old = cache("a/b", "main", &[]);
            assert_eq!(verdict(Operation::Update { old, new: new.clone() }).0, want);
            // It was stored by somebody without webhooks, and can be edited.
            assert!(verdict(Operation::Update { old: new.clone(), new: new.clone() }).0.is_empty());
            assert_eq!(verdict(Operation::Delete(new.into())), (Vec::new(), Vec::new()));
        }
        let option = "starts with `-`, so the downloader would take it for an option";
        let odd = "has a blank, a control character or one of `~^:?*[\\`, which none can have";
        check("a/b", "main", &[]);
        check("a/b", "", &[]);
        check("a/b;id", "$(id)", &[]);
        check("-x", "main", &[&format!("spec.huggingFace.repo: the repository {option}")]);
        check("a/b", "--token", &[&format!("spec.huggingFace.revision: the revision {option}")]);
        check(
            "a b",
            "a b",
            &[
                &format!("spec.huggingFace.repo: the repository {odd}"),
                &format!("spec.huggingFace.revision: the revision {odd}"),
            ],
        );
    }

    /// What CEL calls a blank or a control character is what we do.
    #[test]
    fn policies_say_the_same() {
        const TEXTS: &[&str] = &[
            "Qwen/Qwen3-32B",
            "main",
            "it's",
            "$(id)",
            "a;b",
            "ü",
            "a-b",
            "-a",
            "a b",
            "a\nb",
            "a\0",
            "a\u{7f}",
            "a\u{85}",
            "a\u{a0}",
            "a\u{1680}",
            "a\u{200b}",
            "a\u{2028}",
            "a\u{3000}",
            "a~",
            "a^",
            "a:",
            "a?",
            "a*",
            "a[",
            "a\\",
            "a]",
        ];
        for (what, policies) in [("repository", &ADMISSION.policies[1..3]), ("revision", &ADMISSION.policies[3..5])] {
            let field = if what == "repository" { "repo" } else { "revision" };
            // A schema has neither `object` nor a request.
            let rule = |policy: &PolicyRule| {
                let new = policy.holds.split(" || request.").next().unwrap_or_default();
                json!({"rule": new.replace("object.spec.", "self."), "messageExpression": policy.says})
            };
            let source = json!({"type": "object", "properties": {field: {"type": "string", "maxLength": 100}}});
            let spec = json!({
                "type": "object",
                "properties": {"huggingFace": source},
                "x-kubernetes-validations": policies.iter().map(rule).collect::<Vec<_>>(),
            });
            let schema = json!({"openAPIV3Schema": {"type": "object", "properties": {"spec": spec}}});
            let definition = json!({
                "apiVersion": "apiextensions.crossplane.io/v2",
                "kind": "CompositeResourceDefinition",
                "metadata": {"name": "caches.example.org"},
                "spec": {
                    "group": "example.org", "scope": "Namespaced", "names": {"kind": "Cache", "plural": "caches"},
                    "versions": [{"name": "v1", "served": true, "referenceable": true, "schema": schema}],
                },
            });
            let definition = Validator::compile(&definition.to_string()).expect("a definition");
            for text in TEXTS {
                let object = json!({
                    "apiVersion": "example.org/v1", "kind": "Cache", "metadata": {"name": "a", "namespace": "b"},
                    "spec": {"huggingFace": {field: text}},
                });
                let found: Vec<_> = definition.validate(&object).into_iter().map(|it| it.message).collect();
                let ours: Vec<_> =
                    impossible(what, text).map(|why| format!("Invalid value: {why}")).into_iter().collect();
                assert_eq!(found, ours, "{text:?}");
            }
        }
    }

    #[test]
    fn names() {
        let mut cache = cache("a/b", "main", &[]);
        cache["metadata"]["name"] = "a".repeat(64).into();
        assert_eq!(verdict(Operation::Create(cache.clone())).0.len(), 1);
        assert!(verdict(Operation::Update { old: cache.clone(), new: cache }).0.is_empty());
    }

    #[test]
    fn weights_of_the_old_source() {
        #[track_caller]
        fn check(old: Value, new: Value, want: &[&str]) {
            assert_eq!(verdict(Operation::Update { old, new }).1, want);
        }
        let at = |phases: &[(&str, &str)]| cache("a/b", "main", phases);
        let stay = |whose: &str| {
            format!(
                "the weights of the old source stay on cluster {whose}, and nothing is downloaded again; create another ModelCache for the new one"
            )
        };
        check(at(&[("east", "Ready")]), at(&[]), &[]);
        check(at(&[("east", "Hydrating")]), cache("a/c", "main", &[]), &[]);
        let one = stay("`east`");
        check(
            at(&[("east", "Ready"), ("west", "Failed")]),
            cache("a/c", "main", &[]),
            &[&format!("spec.huggingFace.repo: {one}")],
        );
        let two = stay("`east` and 1 more");
        let both = [("east", "Ready"), ("west", "Ready")];
        check(at(&both), cache("a/b", "", &[]), &[&format!("spec.huggingFace.revision: {two}")]);
    }

    #[test]
    fn deletions() {
        #[track_caller]
        fn check(deployments: Option<&[(&str, Value)]>, warnings: &[&str], unjudged: usize) {
            let object = |(name, spec): &(&str, Value)| {
                ObservedObject::from(json!({"metadata": {"name": name, "namespace": "chat"}, "spec": spec}))
            };
            let found = deployments.map(|found| ("deployments".to_owned(), found.iter().map(object).collect()));
            let operation = Operation::Delete(json!({"metadata": {"name": "kimi", "namespace": "chat"}}).into());
            let request = AdmitRequest { operation, input: None, lookups: found.into_iter().collect() };
            let verdict = admit(&request).expect("a verdict");
            assert_eq!(verdict.warnings.iter().map(|it| it.message.as_str()).collect::<Vec<_>>(), warnings);
            assert_eq!((verdict.denials.len(), verdict.unjudged.len()), (0, unjudged));
            let asked: Vec<_> =
                verdict.lookups.values().map(|it| (it.kind.kind.as_str(), it.namespace.as_deref())).collect();
            assert_eq!(asked, [("ModelDeployment", Some("chat"))]);
        }
        let with = |name: &str| json!({"template": {"spec": {"modelCacheRef": {"name": name}}}});
        check(None, &[], 1);
        check(Some(&[]), &[], 0);
        check(Some(&[("a", with("other")), ("b", json!({}))]), &[], 0);
        let old = json!({"modelCacheRef": {"name": "kimi"}});
        let taken = "the deletion takes the weights away from ModelDeployment `chat/a`, `chat/b`";
        check(Some(&[("a", with("kimi")), ("b", old), ("c", with("other"))]), &[taken], 0);
    }
}
