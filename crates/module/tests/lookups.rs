//! Checks answer the lookups of admission from the objects that are available.

use contract::preview::{Gravity, Role, Source};

/// Checks a composite with a host and the name `qwen` beside available objects. Gives its errors or warnings.
#[track_caller]
fn check(available: &[String], gravity: Gravity, want: &[&str]) {
    let source = |role, text| Source { name: "texts.yaml".to_owned(), role, text };
    let sources =
        [source(Role::Subject, composite("team-a", "qwen", "")), source(Role::Available, available.join("---\n"))];
    let findings = module::check(&sources, None);
    let errors = findings.diagnostics.iter().filter(|found| found.gravity == gravity);
    let messages: Vec<_> = errors.map(|found| found.problem.message.as_str()).collect();
    assert_eq!(messages, want, "{available:?}");
    assert_eq!(findings.objects.len(), 1, "what is available is not checked");
}

fn composite(namespace: &str, name: &str, more: &str) -> String {
    format!(
        "apiVersion: inference.devopstoolkit.ai/v1alpha1\nkind: LLMInference\n\
         metadata: {{name: {name}, namespace: {namespace}}}\n\
         spec: {{model: acme/a, providerConfigName: gpu-cluster, ingressHost: a.example.org{more}}}\n"
    )
}

#[test]
fn available_objects_answer_lookups() {
    let taken = |name: &str| {
        format!(
            "host `a.example.org` is that of LLMInference `{name}` on the same cluster already; choose another host"
        )
    };
    check(&[], Gravity::Error, &[]);
    check(&[composite("team-a", "qwen", "")], Gravity::Error, &[]);
    check(&[composite("team-b", "b", "")], Gravity::Error, &[&taken("team-b/b")]);
    check(&[composite("team-c", "a", ""), composite("team-b", "b", "")], Gravity::Error, &[&taken("team-b/b")]);
    let elsewhere = || [composite("team-b", "b", ", providerConfigKind: ProviderConfig")];
    check(&elsewhere(), Gravity::Error, &[]);
    let also = "host `a.example.org` is also that of LLMInference `team-b/b` on ProviderConfig `gpu-cluster`: its name can \
                only resolve to one of them";
    check(&elsewhere(), Gravity::Warning, &[also]);
    // There may be more configurations than those that are known here.
    let config =
        "apiVersion: kubernetes.m.crossplane.io/v1alpha1\nkind: ClusterProviderConfig\nmetadata: {name: other}\n";
    check(&[config.to_owned()], Gravity::Error, &[]);
}
