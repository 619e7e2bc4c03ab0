//! Cases that have nothing to do with the kind of the composite: other inputs, metadata and status, and ways to write
//! YAML. A sample of one kind is used.

use contract::types::KindRef;

use crate::cases::{Case, Fate, composition};

/// Every case.
pub(crate) fn cases() -> Vec<Case> {
    let mut cases = around();
    cases.extend(composites());
    cases.extend(texts());
    cases
}

/// Variations of the other inputs.
fn around() -> Vec<Case> {
    let plain = || composite("", "");
    let object = |name: &str, resource: &str, more: &str| {
        format!(
            "---\napiVersion: kubernetes.m.crossplane.io/v1alpha1\nkind: Object\nmetadata:\n  name: {name}\n  namespace: team-a\n  \
             annotations:\n    crossplane.io/composition-resource-name: {resource}\n{more}"
        )
    };
    let ready = "status:\n  conditions:\n  - {type: Synced, status: 'True', reason: ReconcileSuccess}\n  \
                 - {type: Ready, status: 'True', reason: Available}\n";
    let both = object("a", "vllm-runtime", ready) + &object("b", "ingress", ready);
    let uid = "  ownerReferences:\n  - {apiVersion: inference.devopstoolkit.ai/v1alpha1, kind: LLMInference, name: qwen, \
               uid: 11111111-2222-3333-4444-555555555555, controller: true}\n";
    vec![
        case("observed ready", plain()).observed(both.clone()).flags(&["-r"]),
        case("observed half", plain()).observed(object("a", "vllm-runtime", ready)),
        case("observed keeps generateName", plain()).observed(object("a", "ingress", "  generateName: other-\n")),
        case("observed stranger", plain()).observed(object("a", "something-else", ready)).flags(&["-x", "-r"]),
        case("observed and controlled", composite("  uid: 11111111-2222-3333-4444-555555555555\n", ""))
            .observed(object("a", "ingress", &format!("{uid}{ready}"))),
        case("observed and controlled by another", plain()).observed(object("a", "ingress", uid)).refused("whose uid is another"),
        case("observed in another namespace", plain())
            .observed(object("a", "ingress", "").replace("namespace: team-a", "namespace: team-b")).refused("metadata.namespace"),
        case("observed without a name", plain()).observed("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: team-a}\n").refused("crossplane.io/composition-resource-name"),
        case("observed twice", plain()).observed(object("a", "ingress", ready) + &object("b", "ingress", "")),
        case("observed under one name", plain())
            .observed(object("a", "ingress", ready) + &object("a", "vllm-runtime", "")).flags(&["-x", "-r"]),
        case("observed under one name, the other way", plain())
            .observed(object("a", "vllm-runtime", "") + &object("a", "ingress", ready)).flags(&["-x", "-r"]),
        case("observed under one name, one nameless", plain())
            .observed(object("a", "ingress", ready) + "---\napiVersion: kubernetes.m.crossplane.io/v1alpha1\nkind: Object\nmetadata: {name: a, namespace: team-a}\n")
            .refused("crossplane.io/composition-resource-name"),
        case("observed and required", plain())
            .observed(object("a", "ingress", ready))
            .file("required.yaml", object("a", "vllm-runtime", ready))
            .flags(&["-e", "{required.yaml}", "-x", "-r"]),
        case("observed by reference", composite("", "  crossplane:\n    resourceRefs:\n    - {apiVersion: kubernetes.m.crossplane.io/v1alpha1, kind: Object, name: a}\n"))
            .file("required.yaml", object("a", "ingress", ready))
            .flags(&["-e", "{required.yaml}", "-x"]),
        case("observed from a folder", plain())
            .file("observed/2.yaml", object("a", "vllm-runtime", ready))
            .file("observed/1.yml", object("b", "ingress", ready))
            .flags(&["-o", "{folder}/observed"]),
        case("context values", plain())
            .flags(&["--context-values=apiextensions.crossplane.io/environment={\"region\": \"eu\", \"zones\": [1, 2.5]}", "--include-context"]),
        case("context values in YAML", plain()).flags(&["--context-values=a=yes", "--context-values=b=x", "-c"]),
        case("context files", plain())
            .file("context.yaml", "a: 1\nb: [x, null]\n")
            .flags(&["--context-files=example.org/a={context.yaml}", "--context-values=example.org/b=text", "-c"]),
        case("context values win", plain())
            .file("context.yaml", "a: 1\n")
            .flags(&["--context-files=key={context.yaml}", "--context-values=key=2", "-c", "-r"]),
        case("required and extra resources", plain())
            .file("required.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n---\napiVersion: v1\nkind: Namespace\nmetadata: {name: team-a}\n")
            .flags(&["--required-resources={required.yaml}", "--extra-resources={required.yaml}"]),
        case("required schemas", plain())
            .file("schemas/v1.json", "{\"openapi\": \"3.0.0\", \"info\": {\"title\": \"t\", \"version\": \"v1\"}, \"paths\": {}, \"components\": {\"schemas\": {}}}")
            .flags(&["--required-schemas={folder}/schemas"]),
        case("credentials", plain())
            .composition(of_sample("").replace(
                "  - step: compose\n",
                "  - step: compose\n    credentials:\n    - {name: token, source: Secret, secretRef: {namespace: crossplane-system, name: token}}\n",
            ))
            .file("credentials.yaml", "apiVersion: v1\nkind: Secret\nmetadata: {name: token, namespace: crossplane-system}\ndata: {token: c2VjcmV0}\n")
            .flags(&["--function-credentials={credentials.yaml}"]),
        case("credentials that are missing", plain()).composition(of_sample("").replace(
            "  - step: compose\n",
            "  - step: compose\n    credentials:\n    - {name: token, source: Secret, secretRef: {namespace: crossplane-system, name: token}}\n",
        )).refused("takes credential `token`"),
        case("two steps", plain())
            .composition(of_sample("").clone() + "  - step: again\n    functionRef: {name: sailplane-function-sailplane}\n")
            .flags(&["-r"]),
        case("another kind's Composition", plain()).composition(of_sample("").replace("kind: LLMInference", "kind: Other")).refused("composes Other"),
        case("another version's Composition", plain()).composition(of_sample("").replace("ai/v1alpha1", "ai/v1")).refused("is of inference.devopstoolkit.ai/v1alpha1"),
        case("no pipeline", plain()).composition(of_sample("").replace("mode: Pipeline", "mode: Resources")).refused("must have `spec.mode: Pipeline`"),
        case("annotations and a timeout", plain()).flags(&["-a", "example.org/a=b", "--timeout=30s", "--max-concurrency=2"]),
        case("selector", composite("", "  crossplane:\n    compositionSelector: {matchLabels: {channel: stable}}\n")).refused("missing required label `channel`"),
        case("selector that matches", composite("", "  crossplane:\n    compositionSelector: {matchLabels: {channel: stable}}\n"))
            .composition(of_sample("").replace("metadata:\n", "metadata:\n  labels: {channel: stable}\n"))
            .flags(&["-x"]),
        case("composition selected before", composite("", "  crossplane:\n    compositionRef: {name: of-the-tests}\n"))
            .flags(&["-r", "-x"]),
    ]
}

/// Variations of metadata, status and `spec.crossplane`.
fn composites() -> Vec<Case> {
    let metadata = |metadata: &str| composite(metadata, "");
    let status = |status: &str| composite("", "") + status;
    let old = "status:\n  old: 1\n  endpoint: http://elsewhere\n  conditions:\n  \
               - {type: Custom, status: 'True', reason: Kept, lastTransitionTime: '2020-01-01T00:00:00Z', observedGeneration: 2, message: as it was}\n  \
               - {type: Ready, status: 'True', reason: Available, lastTransitionTime: '2020-01-01T00:00:00Z'}\n";
    let mut cases = vec![
        case("no namespace", composite("", "").replace("  namespace: team-a\n", ""))
            .flags(&["-x"])
            .fate(Fate::Completed("  namespace: default\n")),
        case("generation", metadata("  generation: 3\n")).flags(&["-x"]),
        case("uid and version", metadata("  uid: 11111111-2222-3333-4444-555555555555\n  resourceVersion: '17'\n"))
            .flags(&["-x"]),
        case(
            "labels and annotations",
            metadata("  labels: {a: b, crossplane.io/composite: other}\n  annotations: {example.org/note: 'ü: yes'}\n"),
        )
        .flags(&["-x"]),
        case("claim", metadata("  labels: {crossplane.io/claim-name: c, crossplane.io/claim-namespace: team-a}\n")),
        case("half a claim", metadata("  labels: {crossplane.io/claim-name: c}\n")),
        case(
            "finalizers",
            metadata(
                "  finalizers: [composite.apiextensions.crossplane.io]\n  creationTimestamp: '2025-11-21T10:00:00Z'\n",
            ),
        )
        .flags(&["-x"]),
        case("status", status(old)),
        case("status, whole", status(old)).flags(&["-x", "-r"]),
        case("status that is odd", status("status: {conditions: [1, {type: A}], x: []}\n")).flags(&["-x"]),
        case("status of text", status("status: {conditions: none}\n")),
        case(
            "references of another",
            composite("", "  crossplane:\n    resourceRefs:\n    - {apiVersion: v1, kind: ConfigMap, name: a}\n"),
        )
        .flags(&["-x"]),
    ];
    for name in
        ["a", "0-starts-with-a-digit", "with.a.dot", &"n".repeat(49), &"n".repeat(50), &"n".repeat(51), &"n".repeat(63)]
    {
        cases.push(
            case(format!("name {name}"), composite("", "").replace("name: qwen", &format!("name: '{name}'")))
                .flags(&["-r"]),
        );
    }
    let dashes = format!("{}-{}", "n".repeat(49), "m".repeat(13));
    cases.push(case("name cut at a dash", composite("", "").replace("name: qwen", &format!("name: {dashes}"))));
    cases
}

/// Variations of the text.
fn texts() -> Vec<Case> {
    let json = "{\"apiVersion\": \"inference.devopstoolkit.ai/v1alpha1\", \"kind\": \"LLMInference\", \"metadata\": {\"name\": \"qwen\", \
                \"namespace\": \"team-a\"}, \"spec\": {\"model\": \"m\", \"gpu\": 2, \"providerConfigName\": \"p\"}}";
    let anchors = "apiVersion: inference.devopstoolkit.ai/v1alpha1\nkind: LLMInference\nmetadata: {name: &name qwen, namespace: team-a}\n\
                   spec: {model: *name, providerConfigName: *name}\n";
    let annotation = |text: &str| composite(&format!("  annotations:\n    example.org/text: {text}\n"), "");
    let mut cases = vec![
        case("JSON", json).flags(&["-x"]),
        case("anchors", anchors).flags(&["-x"]),
        case("comments and a marker", format!("# comment\n---\n{}...\n", composite("", ""))),
        case("model like a number", composite("", "").replace("model: Qwen/Qwen2.5-1.5B-Instruct", "model: '0x10'")),
        case(
            "model of many words",
            composite("", "").replace("model: Qwen/Qwen2.5-1.5B-Instruct", &format!("model: '{}'", "word ".repeat(40))),
        ),
        case("duplicate keys", composite("", "  gpu: 2\n  gpu: 4\n"))
            .fate(Fate::RefusedByApiServer("duplicate key `gpu`")),
        case("neither version nor kind", "a: 1\nb: 2\n").refused("apiVersion: missing"),
        case("empty", "").refused("nothing to render"),
        case("a list", "- a\n- b\n").refused("not a list"),
        case("not YAML", "a: [\n").refused("not well-formed YAML"),
    ];
    let spelled = [
        "plain",
        "'yes'",
        "'2024-01-01'",
        "'1:30'",
        "\"tab\\there\"",
        "'- dash'",
        "\"two\\nlines\\n\"",
        "\"two\\nlines\"",
        "\"trailing \\nspace\"",
        "\"😀\"",
        "'#'",
        "\"\"",
    ];
    for text in spelled {
        cases.push(case(format!("annotation {text}"), annotation(text)).flags(&["-x"]));
    }
    cases.push(case("a long annotation", annotation(&"many words ".repeat(30))).flags(&["-x"]));
    cases
}

/// The sample with further lines in metadata and spec.
fn composite(metadata: &str, spec: &str) -> String {
    format!(
        "apiVersion: inference.devopstoolkit.ai/v1alpha1\nkind: LLMInference\nmetadata:\n  name: qwen\n  namespace: team-a\n{metadata}\
         spec:\n  model: Qwen/Qwen2.5-1.5B-Instruct\n  providerConfigName: gpu-cluster\n  ingressHost: qwen.example.org\n{spec}"
    )
}

/// The kind of the sample.
pub(crate) fn sample() -> KindRef {
    KindRef { api_version: "inference.devopstoolkit.ai/v1alpha1".to_owned(), kind: "LLMInference".to_owned() }
}

/// A case with the sample.
fn case(name: impl Into<String>, text: impl Into<String>) -> Case {
    Case::new(name, &sample(), text)
}

/// A Composition of the sample's kind. Its only step has this input.
fn of_sample(input: &str) -> String {
    composition(&sample(), input)
}
