//! What is rendered: every example, the whole golden corpus, and variations of what surrounds a composite.

use std::fs;
use std::path::Path;

use tests::files::workspace;

/// Flags that every example is rendered with.
const FLAGS: &[&[&str]] = &[&[], &["-x"], &["--include-function-results"], &["-c"], &["-r", "-x", "-c"]];

/// What only an API server refuses, by golden case, and a part of why.
const API_SERVER: &[(&str, &str)] = &[
    ("name-64", "metadata.name"),
    ("name-253", "metadata.name"),
    ("name-all-wrong", "metadata.name"),
    ("unknown-fields", "unknown field"),
];

/// One comparison.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) composite: String,
    pub(crate) composition: String,
    /// Further files, by name.
    pub(crate) files: Vec<(&'static str, String)>,
    /// Further arguments; `{name}` stands for the path of a file, `{folder}` for that of the folder they are in.
    pub(crate) flags: Vec<String>,
    pub(crate) fate: Fate,
}

/// What should become of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// Both print the same.
    Printed,
    /// Both refuse it; ours says this.
    Refused(&'static str),
    /// Ours refuses it and says this, as an API server would. The real one asks none.
    RefusedByApiServer(&'static str),
}

impl Case {
    fn new(name: impl Into<String>, composite: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            composite: composite.into(),
            composition: composition(""),
            files: Vec::new(),
            flags: Vec::new(),
            fate: Fate::Printed,
        }
    }

    fn flags(mut self, flags: &[&str]) -> Self {
        self.flags.extend(flags.iter().map(|flag| (*flag).to_owned()));
        self
    }

    fn file(mut self, name: &'static str, text: impl Into<String>) -> Self {
        self.files.push((name, text.into()));
        self
    }

    fn observed(self, text: impl Into<String>) -> Self {
        self.file("observed.yaml", text).flags(&["--observed-resources={observed.yaml}"])
    }

    fn composition(mut self, text: impl Into<String>) -> Self {
        self.composition = text.into();
        self
    }

    fn fate(mut self, fate: Fate) -> Self {
        self.fate = fate;
        self
    }

    fn refused(self, part: &'static str) -> Self {
        self.fate(Fate::Refused(part))
    }
}

/// Every case.
pub(crate) fn cases() -> Vec<Case> {
    let mut cases = examples();
    cases.extend(golden());
    cases.extend(surroundings());
    cases.extend(composites());
    cases.extend(texts());
    cases
}

fn examples() -> Vec<Case> {
    let folder = workspace().join("examples/llm-inference");
    let names = names(&folder);
    let all = names.iter().flat_map(|name| {
        let text = read(&folder.join(name));
        FLAGS
            .iter()
            .map(move |flags| Case::new(format!("example {name} {}", flags.join(" ")), text.clone()).flags(flags))
    });
    all.collect()
}

fn golden() -> Vec<Case> {
    let folder = workspace().join("tests/golden/llm-inference");
    let cases = names(&folder).into_iter().filter(|name| folder.join(name).join("composite.yaml").exists());
    let cases = cases.map(|name| {
        let folder = folder.join(&name);
        let mut case = Case::new(format!("golden {name}"), read(&folder.join("composite.yaml"))).flags(&["-r"]);
        if folder.join("options.yaml").exists() {
            case = case.composition(composition(&read(&folder.join("options.yaml"))));
        }
        if folder.join("observed.yaml").exists() {
            case = case.observed(read(&folder.join("observed.yaml")));
        }
        match API_SERVER.iter().find(|(known, _)| *known == name) {
            Some(&(_, part)) => case.fate(Fate::RefusedByApiServer(part)),
            // Which mistake it is, the corpus says.
            None if folder.join("fault.txt").exists() => case.refused(""),
            None if name == "observed-odd" => case.refused("metadata.namespace"),
            None => case,
        }
    });
    cases.collect()
}

/// What surrounds a composite.
fn surroundings() -> Vec<Case> {
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
        Case::new("observed ready", plain()).observed(both.clone()).flags(&["-r"]),
        Case::new("observed half", plain()).observed(object("a", "vllm-runtime", ready)),
        Case::new("observed keeps generateName", plain()).observed(object("a", "ingress", "  generateName: other-\n")),
        Case::new("observed stranger", plain()).observed(object("a", "something-else", ready)).flags(&["-x", "-r"]),
        Case::new("observed and controlled", composite("  uid: 11111111-2222-3333-4444-555555555555\n", ""))
            .observed(object("a", "ingress", &format!("{uid}{ready}"))),
        Case::new("observed and controlled by another", plain()).observed(object("a", "ingress", uid)).refused("whose uid is another"),
        Case::new("observed in another namespace", plain())
            .observed(object("a", "ingress", "").replace("namespace: team-a", "namespace: team-b")).refused("metadata.namespace"),
        Case::new("observed without a name", plain()).observed("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: team-a}\n").refused("crossplane.io/composition-resource-name"),
        Case::new("observed twice", plain()).observed(object("a", "ingress", ready) + &object("b", "ingress", "")),
        Case::new("observed under one name", plain())
            .observed(object("a", "ingress", ready) + &object("a", "vllm-runtime", "")).flags(&["-x", "-r"]),
        Case::new("observed under one name, the other way", plain())
            .observed(object("a", "vllm-runtime", "") + &object("a", "ingress", ready)).flags(&["-x", "-r"]),
        Case::new("observed under one name, one nameless", plain())
            .observed(object("a", "ingress", ready) + "---\napiVersion: kubernetes.m.crossplane.io/v1alpha1\nkind: Object\nmetadata: {name: a, namespace: team-a}\n")
            .refused("crossplane.io/composition-resource-name"),
        Case::new("observed and required", plain())
            .observed(object("a", "ingress", ready))
            .file("required.yaml", object("a", "vllm-runtime", ready))
            .flags(&["-e", "{required.yaml}", "-x", "-r"]),
        Case::new("observed by reference", composite("", "  crossplane:\n    resourceRefs:\n    - {apiVersion: kubernetes.m.crossplane.io/v1alpha1, kind: Object, name: a}\n"))
            .file("required.yaml", object("a", "ingress", ready))
            .flags(&["-e", "{required.yaml}", "-x"]),
        Case::new("observed from a folder", plain())
            .file("observed/2.yaml", object("a", "vllm-runtime", ready))
            .file("observed/1.yml", object("b", "ingress", ready))
            .flags(&["-o", "{folder}/observed"]),
        Case::new("context values", plain())
            .flags(&["--context-values=apiextensions.crossplane.io/environment={\"region\": \"eu\", \"zones\": [1, 2.5]}", "--include-context"]),
        Case::new("context values in YAML", plain()).flags(&["--context-values=a=yes", "--context-values=b=x", "-c"]),
        Case::new("context files", plain())
            .file("context.yaml", "a: 1\nb: [x, null]\n")
            .flags(&["--context-files=example.org/a={context.yaml}", "--context-values=example.org/b=text", "-c"]),
        Case::new("context values win", plain())
            .file("context.yaml", "a: 1\n")
            .flags(&["--context-files=key={context.yaml}", "--context-values=key=2", "-c", "-r"]),
        Case::new("required and extra resources", plain())
            .file("required.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n---\napiVersion: v1\nkind: Namespace\nmetadata: {name: team-a}\n")
            .flags(&["--required-resources={required.yaml}", "--extra-resources={required.yaml}"]),
        Case::new("required schemas", plain())
            .file("schemas/v1.json", "{\"openapi\": \"3.0.0\", \"info\": {\"title\": \"t\", \"version\": \"v1\"}, \"paths\": {}, \"components\": {\"schemas\": {}}}")
            .flags(&["--required-schemas={folder}/schemas"]),
        Case::new("credentials", plain())
            .composition(composition("").replace(
                "  - step: compose\n",
                "  - step: compose\n    credentials:\n    - {name: token, source: Secret, secretRef: {namespace: crossplane-system, name: token}}\n",
            ))
            .file("credentials.yaml", "apiVersion: v1\nkind: Secret\nmetadata: {name: token, namespace: crossplane-system}\ndata: {token: c2VjcmV0}\n")
            .flags(&["--function-credentials={credentials.yaml}"]),
        Case::new("credentials that are missing", plain()).composition(composition("").replace(
            "  - step: compose\n",
            "  - step: compose\n    credentials:\n    - {name: token, source: Secret, secretRef: {namespace: crossplane-system, name: token}}\n",
        )).refused("takes credential `token`"),
        Case::new("two steps", plain())
            .composition(composition("").clone() + "  - step: again\n    functionRef: {name: sailplane-function-sailplane}\n")
            .flags(&["-r"]),
        Case::new("another kind's Composition", plain()).composition(composition("").replace("kind: LLMInference", "kind: Other")).refused("composes Other"),
        Case::new("another version's Composition", plain()).composition(composition("").replace("ai/v1alpha1", "ai/v1")).refused("is of inference.devopstoolkit.ai/v1alpha1"),
        Case::new("no pipeline", plain()).composition(composition("").replace("mode: Pipeline", "mode: Resources")).refused("must have `spec.mode: Pipeline`"),
        Case::new("annotations and a timeout", plain()).flags(&["-a", "example.org/a=b", "--timeout=30s", "--max-concurrency=2"]),
        Case::new("selector", composite("", "  crossplane:\n    compositionSelector: {matchLabels: {channel: stable}}\n")).refused("missing required label `channel`"),
        Case::new("selector that matches", composite("", "  crossplane:\n    compositionSelector: {matchLabels: {channel: stable}}\n"))
            .composition(composition("").replace("metadata:\n", "metadata:\n  labels: {channel: stable}\n"))
            .flags(&["-x"]),
        Case::new("composition selected before", composite("", "  crossplane:\n    compositionRef: {name: llminferences.inference.devopstoolkit.ai}\n"))
            .flags(&["-r", "-x"]),
    ]
}

/// What a composite may say beside what is composed of it.
fn composites() -> Vec<Case> {
    let metadata = |metadata: &str| composite(metadata, "");
    let status = |status: &str| composite("", "") + status;
    let old = "status:\n  old: 1\n  endpoint: http://elsewhere\n  conditions:\n  \
               - {type: Custom, status: 'True', reason: Kept, lastTransitionTime: '2020-01-01T00:00:00Z', observedGeneration: 2, message: as it was}\n  \
               - {type: Ready, status: 'True', reason: Available, lastTransitionTime: '2020-01-01T00:00:00Z'}\n";
    let mut cases = vec![
        Case::new("no namespace", composite("", "").replace("  namespace: team-a\n", ""))
            .flags(&["-x"])
            .refused("metadata.namespace"),
        Case::new("generation", metadata("  generation: 3\n")).flags(&["-x"]),
        Case::new(
            "uid and version",
            metadata("  uid: 11111111-2222-3333-4444-555555555555\n  resourceVersion: '17'\n"),
        )
        .flags(&["-x"]),
        Case::new(
            "labels and annotations",
            metadata("  labels: {a: b, crossplane.io/composite: other}\n  annotations: {example.org/note: 'ü: yes'}\n"),
        )
        .flags(&["-x"]),
        Case::new(
            "claim",
            metadata("  labels: {crossplane.io/claim-name: c, crossplane.io/claim-namespace: team-a}\n"),
        ),
        Case::new("half a claim", metadata("  labels: {crossplane.io/claim-name: c}\n")),
        Case::new(
            "finalizers",
            metadata(
                "  finalizers: [composite.apiextensions.crossplane.io]\n  creationTimestamp: '2025-11-21T10:00:00Z'\n",
            ),
        )
        .flags(&["-x"]),
        Case::new("status", status(old)),
        Case::new("status, whole", status(old)).flags(&["-x", "-r"]),
        Case::new("status that is odd", status("status: {conditions: [1, {type: A}], x: []}\n")).flags(&["-x"]),
        Case::new("status of text", status("status: {conditions: none}\n")),
        Case::new(
            "references of another",
            composite("", "  crossplane:\n    resourceRefs:\n    - {apiVersion: v1, kind: ConfigMap, name: a}\n"),
        )
        .flags(&["-x"]),
    ];
    for name in
        ["a", "0-starts-with-a-digit", "with.a.dot", &"n".repeat(49), &"n".repeat(50), &"n".repeat(51), &"n".repeat(63)]
    {
        cases.push(
            Case::new(format!("name {name}"), composite("", "").replace("name: qwen", &format!("name: '{name}'")))
                .flags(&["-r"]),
        );
    }
    let dashes = format!("{}-{}", "n".repeat(49), "m".repeat(13));
    cases.push(Case::new("name cut at a dash", composite("", "").replace("name: qwen", &format!("name: {dashes}"))));
    for gpu in ["1", "2", "8", "1024", "2.0", "0x8", "1e1", "0o10", "1_0"] {
        cases.push(Case::new(format!("gpu {gpu}"), composite("", &format!("  gpu: {gpu}\n"))));
    }
    for gpu in ["0", "-1", "1025", "2147483648", "9223372036854775808", "1.5", "'4'", "yes"] {
        cases.push(Case::new(format!("gpu {gpu}"), composite("", &format!("  gpu: {gpu}\n"))).refused("spec.gpu"));
    }
    cases
}

/// How a composite may be written.
fn texts() -> Vec<Case> {
    let json = "{\"apiVersion\": \"inference.devopstoolkit.ai/v1alpha1\", \"kind\": \"LLMInference\", \"metadata\": {\"name\": \"qwen\", \
                \"namespace\": \"team-a\"}, \"spec\": {\"model\": \"m\", \"gpu\": 2, \"providerConfigName\": \"p\"}}";
    let anchors = "apiVersion: inference.devopstoolkit.ai/v1alpha1\nkind: LLMInference\nmetadata: {name: &name qwen, namespace: team-a}\n\
                   spec: {model: *name, providerConfigName: *name}\n";
    let annotation = |text: &str| composite(&format!("  annotations:\n    example.org/text: {text}\n"), "");
    let mut cases = vec![
        Case::new("JSON", json).flags(&["-x"]),
        Case::new("anchors", anchors).flags(&["-x"]),
        Case::new("comments and a marker", format!("# comment\n---\n{}...\n", composite("", ""))),
        Case::new(
            "model like a number",
            composite("", "").replace("model: Qwen/Qwen2.5-1.5B-Instruct", "model: '0x10'"),
        ),
        Case::new(
            "model of many words",
            composite("", "").replace("model: Qwen/Qwen2.5-1.5B-Instruct", &format!("model: '{}'", "word ".repeat(40))),
        ),
        Case::new("duplicate keys", composite("", "  gpu: 2\n  gpu: 4\n"))
            .fate(Fate::RefusedByApiServer("duplicate key `gpu`")),
        Case::new("neither version nor kind", "a: 1\nb: 2\n").refused("apiVersion: missing"),
        Case::new("empty", "").refused("nothing to render"),
        Case::new("a list", "- a\n- b\n").refused("not a list"),
        Case::new("not YAML", "a: [\n").refused("not well-formed YAML"),
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
        cases.push(Case::new(format!("annotation {text}"), annotation(text)).flags(&["-x"]));
    }
    cases.push(Case::new("a long annotation", annotation(&"many words ".repeat(30))).flags(&["-x"]));
    cases
}

/// A composite with further lines of metadata and spec.
fn composite(metadata: &str, spec: &str) -> String {
    format!(
        "apiVersion: inference.devopstoolkit.ai/v1alpha1\nkind: LLMInference\nmetadata:\n  name: qwen\n  namespace: team-a\n{metadata}\
         spec:\n  model: Qwen/Qwen2.5-1.5B-Instruct\n  providerConfigName: gpu-cluster\n  ingressHost: qwen.example.org\n{spec}"
    )
}

/// A Composition whose one step has this input.
fn composition(input: &str) -> String {
    let input = match input {
        "" => String::new(),
        input => format!("    input:\n{}", input.lines().map(|line| format!("      {line}\n")).collect::<String>()),
    };
    format!(
        "apiVersion: apiextensions.crossplane.io/v1\nkind: Composition\nmetadata:\n  name: llminferences.inference.devopstoolkit.ai\n\
         spec:\n  compositeTypeRef:\n    apiVersion: inference.devopstoolkit.ai/v1alpha1\n    kind: LLMInference\n  mode: Pipeline\n  pipeline:\n  \
         - step: compose\n    functionRef:\n      name: sailplane-function-sailplane\n{input}"
    )
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut names: Vec<_> = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
    names.sort_unstable();
    names
}

fn read(file: &Path) -> String {
    fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}
