//! Checks across documents: what admission would say of an object, when those before it exist.

use contract::preview::{Gravity, Role, Source};
use module::check;

fn composite(namespace: &str, name: &str, spec: &str) -> String {
    format!(
        "{{apiVersion: inference.devopstoolkit.ai/v1alpha1, kind: LLMInference, metadata: {{name: {name}, namespace: {namespace}}}, \
         spec: {{model: Qwen/Qwen2.5-1.5B-Instruct, gpu: 1, providerConfigName: gpu-cluster{spec}}}}}\n"
    )
}

fn config_map(name: &str) -> String {
    format!("{{apiVersion: v1, kind: ConfigMap, metadata: {{name: {name}, namespace: a}}}}\n")
}

/// Checks the findings about these documents, as `document gravity path: message`.
#[track_caller]
fn findings(documents: &[String], expected: &[&str]) {
    let source = |role, text: String| Source { name: "x.yaml".to_owned(), role, text };
    let found = check(&[source(Role::Subject, documents.join("---\n"))], None);
    let shown = found.diagnostics.iter().map(|it| {
        let gravity = if it.gravity == Gravity::Error { "error" } else { "warning" };
        let document = it.location.map_or(0, |at| at.document);
        format!("{document} {gravity} {}: {}", it.problem.path, it.problem.message)
    });
    assert_eq!(shown.collect::<Vec<_>>(), expected);
    // The same objects in a `List`, and in files of their own.
    let list = format!(
        "apiVersion: v1\nkind: List\nitems:\n{}",
        documents.iter().map(|it| format!("- {it}")).collect::<String>()
    );
    let apart: Vec<_> = documents.iter().map(|it| source(Role::Subject, it.clone())).collect();
    for sources in [&[source(Role::Subject, list)][..], &apart] {
        let found = check(sources, None);
        assert_eq!(found.diagnostics.len(), expected.len());
        assert_eq!(found.objects.len(), documents.len());
    }
}

#[test]
fn the_same_object_twice() {
    let twice = "metadata.name: the same object is at x.yaml:1; when both are applied, only this one stays";
    findings(&[config_map("a"), config_map("b")], &[]);
    findings(&[config_map("a"), config_map("a")], &[&format!("1 warning {twice}")]);
    findings(&[composite("a", "q", ""), composite("a", "q", "")], &[&format!("1 warning {twice}")]);
    findings(&[composite("a", "q", ""), composite("b", "q", "")], &[]);
}

#[test]
fn claims_of_earlier_objects() {
    let host = ", ingressHost: h.example.org";
    let taken = "1 error spec.ingressHost: host `h.example.org` is that of LLMInference `a/q` on the same cluster already; \
                 choose another host";
    findings(&[composite("a", "q", host), composite("b", "r", host)], &[taken]);
    findings(&[composite("a", "q", host), config_map("c"), composite("b", "r", "")], &[]);
    let same = "1 error metadata.name: LLMInference `a/q` composes `a/q` on ClusterProviderConfig `gpu-cluster` already; \
                choose another name, or another `targetNamespace`";
    findings(&[composite("a", "q", ""), composite("b", "q", ", targetNamespace: a")], &[same]);
    // A provider configuration that is not among the documents may exist all the same.
    let config =
        "{apiVersion: kubernetes.m.crossplane.io/v1alpha1, kind: ClusterProviderConfig, metadata: {name: other}}\n";
    findings(&[config.to_owned(), composite("a", "q", "")], &[]);
}

/// An artifact and the service of it come in any order. It is told once, of the service.
#[test]
fn what_an_object_names_may_come_later() {
    let artifact = |rest: &str| {
        format!(
            "{{apiVersion: model.otterscale.io/v1alpha1, kind: ModelArtifact, metadata: {{name: m, namespace: a}}, spec: {{\
             source: {{huggingFace: {{model: org/m}}}}, target: {{registry: ghcr.io, repository: org/m, tag: v1}}, \
             storage: {{size: 5Gi}}}}{rest}}}\n"
        )
    };
    let service = |name: &str, image: &str| {
        format!(
            "{{apiVersion: model.otterscale.io/v1alpha1, kind: ModelService, metadata: {{name: {name}, namespace: b}}, spec: {{\
             model: {{name: m, image: \"{image}\"}}, engine: {{}}, accelerator: {{type: cpu}}, decode: {{}}}}}}\n"
        )
    };
    let image = "ghcr.io/org/m:v1";
    let told = "warning spec.model.image: the image comes from ModelArtifact `a/m`, which has not pushed it yet, so pods cannot \
                start until it has";
    findings(&[artifact(""), service("s", image)], &[&format!("1 {told}")]);
    findings(&[service("s", image), artifact("")], &[&format!("0 {told}")]);
    findings(&[service("s", image), artifact(", status: {phase: Succeeded}")], &[]);
    findings(&[service("s", "ghcr.io/org/m:v2"), artifact("")], &[]);
    // Of two that compete, still only the second one is refused.
    let documents = [service("m.x", "m"), service("m-x", "m")];
    let found =
        check(&[Source { name: "x.yaml".to_owned(), role: Role::Subject, text: documents.join("---\n") }], None);
    let shown: Vec<_> =
        found.diagnostics.iter().map(|it| (it.location.map(|at| at.document), &*it.problem.path)).collect();
    assert_eq!(shown, [(Some(1), "metadata.name")]);
}

/// The work does not grow with the number of objects times the size of others: what was not compared is said.
#[test]
fn many_beside_large_ones() {
    let host = ", ingressHost: h.example.org";
    let check = |large: usize, small: usize| {
        let note = format!("namespace: large, annotations: {{note: {}}}", "x".repeat(200 << 10));
        let large = (0..large).map(|at| composite("large", &format!("l{at}"), host).replace("namespace: large", &note));
        let small = (0..small).map(|at| composite("small", &format!("s{at}"), host));
        let text = large.chain(small).collect::<Vec<_>>().join("---\n");
        let found = check(&[Source { name: "x.yaml".to_owned(), role: Role::Subject, text }], None);
        found.diagnostics.iter().filter(|it| it.location.is_none()).map(|it| it.problem.message.clone()).collect()
    };
    let incomplete = "many large objects share a host or a target, so not all of them were compared with one another";
    let rows: [(usize, usize, &[&str]); 3] = [(10, 5, &[]), (1, 100, &[]), (10, 50, &[incomplete])];
    for (large, small, expected) in rows {
        let messages: Vec<String> = check(large, small);
        assert_eq!(messages, expected, "{large} large, {small} small");
    }
}

/// What exists counts too.
#[test]
fn objects_beside_the_subjects() {
    let host = ", ingressHost: h.example.org";
    let source = |role, text: String| Source { name: "x.yaml".to_owned(), role, text };
    let sources =
        [source(Role::Subject, composite("a", "q", host)), source(Role::Available, composite("b", "r", host))];
    assert_eq!(check(&sources, None).diagnostics.len(), 1);
}

#[test]
fn near_misses_and_inputs() {
    let object = |api_version: &str, kind: &str| {
        format!("{{apiVersion: {api_version}, kind: {kind}, metadata: {{name: a, namespace: b}}}}\n")
    };
    let ours = "inference.devopstoolkit.ai/v1alpha1";
    for (api_version, kind, expected) in [
        (
            "inference.devopstoolkit.ai/v1",
            "LLMInference",
            Some("apiVersion: no kind `inference.devopstoolkit.ai/v1` LLMInference"),
        ),
        (
            "inference.devopstoolkit.io/v1alpha1",
            "LLMInference",
            Some("apiVersion: no kind `inference.devopstoolkit.io/v1alpha1` LLMInference"),
        ),
        (ours, "LlmInference", Some("kind: no kind `inference.devopstoolkit.ai/v1alpha1` LlmInference")),
        (ours, "LLMInferences", Some("kind: no kind `inference.devopstoolkit.ai/v1alpha1` LLMInferences")),
        (
            ours,
            "Workflow",
            Some(
                "kind: no kind `inference.devopstoolkit.ai/v1alpha1` Workflow; `sailplane definitions --list` names those there are",
            ),
        ),
        ("v1", "Options", Some("apiVersion: no kind `v1` Options")),
        ("v1", "Service", None),
        ("serving.kserve.io/v1alpha1", "LLMInferenceService", None),
        ("inference.networking.k8s.io/v1", "InferencePool", None),
    ] {
        let expected: Vec<_> = expected.map(|line| format!("0 error {line}")).into_iter().collect();
        findings(&[object(api_version, kind)], &expected.iter().map(String::as_str).collect::<Vec<_>>());
    }
    let options = "apiVersion: sailplane.fn.crossplane.io/v1alpha1, kind: Options, llmInference: {memoryAdvise: warn}";
    findings(
        &[format!("{{{options}}}\n")],
        &["0 error llmInference.memoryAdvise: unknown field \"llmInference.memoryAdvise\""],
    );
    let composition = format!(
        "{{apiVersion: apiextensions.crossplane.io/v1, kind: Composition, metadata: {{name: c}}, \
         spec: {{pipeline: [{{step: a}}, {{step: b, input: {{{options}}}}}]}}}}\n"
    );
    let place = "spec.pipeline[1].input.llmInference.memoryAdvise";
    findings(&[composition], &[&format!("0 error {place}: unknown field \"llmInference.memoryAdvise\"")]);
}

#[test]
fn a_missing_namespace_is_a_warning() {
    let without = composite("b", "q", "").replace(", namespace: b", "");
    let line =
        "0 warning metadata.namespace: missing: kubectl takes the namespace of its context, and here it is `default`";
    findings(&[without], &[line]);
}

/// `render` prints the status of a composite, which is not judged again.
#[test]
fn what_render_prints_is_sound() {
    let rendered = "{apiVersion: inference.devopstoolkit.ai/v1alpha1, kind: LLMInference, metadata: {name: q, namespace: a}, \
                    spec: {crossplane: {resourceRefs: []}}, status: {conditions: []}}\n";
    findings(&[rendered.to_owned()], &[]);
    findings(
        &[rendered.replace(", status: {conditions: []}", "")],
        &["0 error spec.model: Required value", "0 error spec.providerConfigName: Required value"],
    );
}
