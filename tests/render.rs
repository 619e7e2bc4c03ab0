//! The commands that need neither cluster nor network: `render`, `explain` and `definitions`.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;
use tests::command::{composite, file, run, run_on, snapshot};

fn composition(steps: &str) -> String {
    format!(
        "apiVersion: apiextensions.crossplane.io/v1\nkind: Composition\nmetadata: {{name: llm}}\nspec:\n  \
         compositeTypeRef: {{apiVersion: inference.devopstoolkit.ai/v1alpha1, kind: LLMInference}}\n  mode: Pipeline\n  pipeline:\n{steps}"
    )
}

const OURS: &str = "  - step: compose\n    functionRef: {name: acme-function-sailplane}\n";

/// The kinds and names of the documents in `printed`.
fn listed(printed: &str) -> Vec<String> {
    let value = |document: &str, key: &str| {
        let line = document.lines().find_map(|line| line.strip_prefix(key));
        line.unwrap_or_default().to_owned()
    };
    let documents = printed.split("---\n").skip(1);
    documents.map(|document| format!("{} {}", value(document, "kind: "), value(document, "  name: "))).collect()
}

#[test]
fn render_prints_documents_trees_and_json() {
    let example = "examples/llm-inference/llm-qwen.yaml";
    let yaml = run(&["render", example]);
    assert!(yaml.ok && yaml.err.is_empty(), "{}", yaml.err);
    snapshot("llm-qwen.yaml", &yaml.out);
    snapshot("llm-qwen.tree", &run(&["render", example, "--output", "tree"]).out);
    let json: Value = serde_json::from_str(&run(&["render", example, "--output=json"]).out).expect("it is JSON");
    let kinds: Vec<_> =
        json.as_array().expect("it is an array").iter().map(|document| document["kind"].clone()).collect();
    assert_eq!(kinds, ["LLMInference", "Object", "Object"]);
    assert_eq!(run(&["composition", "render", example]).out, yaml.out, "the long name of the command");
}

/// A tree says which artifact the weights of a service come from, and standard error that pods wait for it.
#[test]
fn trees_have_links() {
    let done = run(&["render", "examples/otterscale/serve-imported.yaml", "--output", "tree"]);
    let link = "\n├─ spec.model.image ← ModelArtifact `default/opt-350m` pushes it, and has not yet, so pods cannot start\n├─ decode: ";
    assert!(done.ok && done.out.contains(link), "{}", done.out);
    assert!(done.err.contains("which has not pushed it yet"), "{}", done.err);
}

#[test]
fn explain_gives_reasons() {
    let example = "examples/llm-inference/llm-kimi.yaml";
    let text = run(&["explain", example]);
    assert!(text.ok && text.err.is_empty(), "{}", text.err);
    snapshot("llm-kimi.explain", &text.out);
    let json: Value = serde_json::from_str(&run(&["explain", example, "--output", "json"]).out).expect("it is JSON");
    let resources = json[0]["resources"].as_array().expect("it has resources");
    let runtime = resources.iter().find(|resource| resource["name"] == "vllm-runtime").expect("it is composed");
    let derivations = runtime["derivations"].as_array().expect("it has derivations");
    let gpu = derivations.iter().find(|it| it["path"].as_str().is_some_and(|path| path.ends_with("resources.gpu")));
    let gpu = gpu.expect("it is derived");
    assert_eq!((&gpu["value"], &gpu["causes"][0]), (&Value::from("8"), &Value::from("spec.gpu")));
}

const FLEET: &str = "examples/modelplane/fleet.yaml";

/// The lines of explain about the decisions of deployments.
fn decided(text: &str) -> String {
    let mut decided = String::new();
    for composite in text.split("\n\n").filter(|composite| composite.starts_with("ModelDeployment ")) {
        let is_part = |line: &&str| line.starts_with(['├', '└', '│']) || line.starts_with("   ");
        let lines = composite.lines().take_while(|line| !is_part(line));
        lines.for_each(|line| decided.extend([line, "\n"]));
    }
    decided
}

#[test]
fn decisions_are_explained() {
    let text = run(&["explain", FLEET, "--cascade"]);
    assert!(text.ok, "{}", text.err);
    snapshot("fleet.decisions", &decided(&text.out));
    let json: Value =
        serde_json::from_str(&run(&["explain", FLEET, "--cascade", "--output", "json"]).out).expect("it is JSON");
    let capacities = json.as_array().and_then(|items| items.last()).map(|last| &last["capacities"]);
    let spell = |it: &Value| {
        let taken = it["taken"].as_array().expect("a list");
        let names = taken.iter().map(|taking| taking["name"].as_str().expect("a name")).collect::<Vec<_>>();
        format!("{} {} {} {} {}\n", it["what"], it["place"], it["size"], it["labels"], names.join(" "))
    };
    let capacities = capacities.and_then(Value::as_array).expect("capacities");
    snapshot("fleet.capacities", &capacities.iter().map(spell).collect::<String>());
}

#[test]
fn a_fleet_that_is_up_has_routes() {
    let done = run(&["render", FLEET, "--settled", "--output", "tree"]);
    assert!(done.ok, "{}", done.err);
    snapshot("fleet.up", &done.out);
}

/// Explanations have the phases of the tree, and what is an example is said beside both.
#[test]
fn phases_are_explained() {
    const CLUSTER: &[&str] = &["examples/modelplane/cluster-gke.yaml", "examples/modelplane/classes.yaml"];
    let run = |arguments: &[&str]| {
        let done = run(&[&[arguments[0], "--settled"][..], CLUSTER, &arguments[1..]].concat());
        assert!(done.ok, "{}", done.err);
        assert!(
            done.err.contains("examples of what only a provider knows: `198.18.0.1`, `example-project`"),
            "{}",
            done.err
        );
        done.out
    };
    // Of each composed resource, its name and what is said of its phase.
    let phases = |text: &str| {
        let row = |line: &str| {
            let (name, said) = line.trim_start_matches([' ', '│', '├', '└', '─']).split_once(": ")?;
            let (_, phase) = said.rsplit_once(" (phase ")?;
            Some(format!("{name} {phase}"))
        };
        text.lines().filter_map(row).collect::<BTreeSet<_>>()
    };
    let (tree, explained) = (phases(&run(&["render", "--output", "tree"])), phases(&run(&["explain"])));
    assert!(tree.contains("iam-binding 2, waits for the e-mail address of the service account)"), "{tree:#?}");
    assert_eq!(explained, tree);
    let json: Value = serde_json::from_str(&run(&["explain", "--output", "json"])).expect("it is JSON");
    let resources = json[0]["resources"].as_array().expect("a list");
    let numbers: Vec<_> = resources.iter().map(|it| it["phase"]["number"].as_u64().expect("a number")).collect();
    assert!(numbers.is_sorted() && numbers.first() < numbers.last(), "{numbers:?}");
}

/// A thousand clusters in as many lines: whatever the fleet, a deployment's decisions are few.
#[test]
fn decisions_of_a_large_fleet_are_few_lines() {
    let mut documents: Vec<String> = Vec::new();
    for (class, memory) in [("l4", "23034Mi"), ("h100", "81559Mi")] {
        documents.push(format!(
            "{{apiVersion: modelplane.ai/v1alpha1, kind: InferenceClass, metadata: {{name: {class}}}, spec: {{devices: \
             [{{name: gpu, driver: gpu.nvidia.com, deviceClassName: gpu.nvidia.com, capacity: {{memory: {{value: {memory}}}}}}}]}}}}"
        ));
    }
    for index in 0..1_000 {
        let class = if index % 3 == 0 { "l4" } else { "h100" };
        let taint = if index % 7 == 1 {
            format!(", taints: [{{key: team-{}, effect: NoSchedule}}]", index % 60)
        } else {
            String::new()
        };
        let status = if index % 11 == 2 { ", status: {conditions: [{type: Ready, status: 'False'}]}" } else { "" };
        documents.push(format!(
            "{{apiVersion: modelplane.ai/v1alpha1, kind: InferenceCluster, metadata: {{name: gpu-{index:04}}}, spec: {{cluster: \
             {{source: GKE, gke: {{region: europe-west4}}}}, nodePools: [{{name: {class}, className: {class}, nodeCount: {}, \
             zones: [europe-west4-a]}}]{taint}}}{status}}}",
            u8::from([100, 200, 301].contains(&index))
        ));
    }
    documents.push(
        "{apiVersion: modelplane.ai/v1alpha1, kind: ModelDeployment, metadata: {name: large, namespace: ml}, spec: {replicas: 10, \
         template: {spec: {engines: [{name: main, members: [{nodeSelector: {devices: [{name: gpu, selectors: [{cel: \
         'device.capacity[\"gpu.nvidia.com\"].memory.isGreaterThan(quantity(\"40Gi\"))'}]}]}, template: {spec: {containers: \
         [{name: engine, image: 'vllm/vllm-openai:v0.11.0'}]}}}]}]}}}}"
            .to_owned(),
    );
    let text = documents.join("\n---\n");
    let done = run_on(text.as_bytes(), &["explain", "-", "--cascade"]);
    let decided = decided(&done.out);
    assert!(done.ok && decided.lines().count() <= 40, "{} {}", decided.lines().count(), done.err);
    snapshot("large-fleet.decisions", &decided);
    let whole = run_on(text.as_bytes(), &["explain", "-", "--cascade", "--all"]).out;
    let every =
        (0..1_000).filter(|index| ![100, 301].contains(index)).all(|index| whole.contains(&format!("gpu-{index:04}")));
    assert!(every && self::decided(&whole).lines().count() > 60);
}

#[test]
fn plans_are_tables() {
    let plan = |flags: &[&str]| run(&[&["plan", FLEET], flags].concat());
    let done = plan(&[]);
    assert!(done.ok && done.err.is_empty(), "{}", done.err);
    snapshot("fleet.plan", &done.out);
    let done = plan(&["--scale", "chat/qwen=6", "--lose", "gke-us", "--add", "own/h100=h100-8-own:2"]);
    assert!(!done.ok && done.err.is_empty(), "{}", done.err);
    snapshot("fleet-changed.plan", &done.out);
    let json: Value = serde_json::from_str(&plan(&["--drain", "own", "--output", "json"]).out).expect("it is JSON");
    let moved = |it: &&Value| !it["moves"].as_array().expect("a list").is_empty() || it["lost"] != 0;
    assert!(json["deployments"].as_array().expect("a list").iter().any(|it| moved(&it)), "{json:#}");
    let done = plan(&["--drain", "nowhere"]);
    assert!(!done.ok && done.out.is_empty() && done.err.contains("no InferenceCluster `nowhere`"), "{}", done.err);
    let done = run(&["plan", "examples/llm-inference/llm-qwen.yaml"]);
    assert!(!done.ok && done.err.contains("nothing to plan"), "{}", done.err);
}

#[test]
fn definitions_are_the_catalogs() {
    let all = run(&["definitions"]);
    let named: Vec<_> = all.out.lines().filter_map(|line| line.strip_prefix("  name: ")).collect();
    let known = inference::KINDS.entries();
    let names = known.iter().map(|it| it.definition["metadata"]["name"].as_str().expect("a name"));
    assert!(all.ok && named.iter().copied().eq(names), "{named:?} {}", all.err);
    let one = run(&["definitions", "LLMInference"]);
    assert!(
        one.out.contains("name: llminferences.inference.devopstoolkit.ai") && all.out.contains(&one.out),
        "{}",
        one.err
    );
    for name in [
        "llminference",
        "LLMInferences",
        "LLMInference.inference.devopstoolkit.ai",
        "llminferences.inference.devopstoolkit.ai",
    ] {
        assert_eq!(run(&["definitions", name]).out, one.out, "{name}");
    }
    for (name, advice) in [
        ("LLMInferenz", "no kind `LLMInferenz`; the nearest is LLMInference"),
        ("llminferences.example.org", "no kind `llminferences.example.org`; `sailplane definitions --list` names"),
        ("Nothing", "no kind `Nothing`; `sailplane definitions --list` names those there are"),
    ] {
        let unknown = run(&["definitions", name]);
        assert!(!unknown.ok && unknown.err.contains(advice), "{}", unknown.err);
    }
    let list = run(&["definitions", "--list"]).out;
    let rows: Vec<Vec<_>> = list.lines().map(|line| line.split_whitespace().collect()).collect();
    let kind = "llminferences.inference.devopstoolkit.ai inference.devopstoolkit.ai/v1alpha1 LLMInference namespaced";
    assert_eq!(rows[0], ["NAME", "SHORTNAMES", "APIVERSION", "KIND", "SCOPE"]);
    assert!(rows.contains(&kind.split(' ').collect()) && rows.len() == known.len() + 1, "{list}");
    let xrd = file("xrd.yaml", &one.out);
    let same = run(&["render", "examples/llm-inference/llm-qwen.yaml", "--xrd", xrd.to_str().expect("it is UTF-8")]);
    assert!(same.ok && same.err.is_empty(), "{}", same.err);
    let other = file("other-xrd.yaml", &one.out.replace("maximum: 1024", "maximum: 8"));
    let other = run(&["render", "examples/llm-inference/llm-qwen.yaml", "--xrd", other.to_str().expect("it is UTF-8")]);
    assert!(other.ok && other.err.contains("differs from the definition of LLMInference"), "{}", other.err);
}

#[test]
fn composites_come_from_files_folders_and_standard_input() {
    let folder = file("folder/b.yaml", &format!("{}---\n{}", composite("b1"), composite("b2")));
    file("folder/a.yml", &composite("a"));
    file("folder/c.json", "{\"apiVersion\": \"v1\", \"kind\": \"Namespace\", \"metadata\": {\"name\": \"team-a\"}}");
    file("folder/notes.txt", "not: [read");
    let folder = folder.parent().and_then(Path::to_str).expect("it has one");
    let one = file("one.yaml", &composite("one"));
    let done = run_on(composite("stdin").as_bytes(), &["render", folder, "-", one.to_str().expect("it is UTF-8")]);
    assert!(done.ok, "{}", done.err);
    let composites: Vec<_> = listed(&done.out).into_iter().filter(|line| line.starts_with("LLM")).collect();
    assert_eq!(composites, ["a", "b1", "b2", "stdin", "one"].map(|name| format!("LLMInference {name}")));
}

#[test]
fn a_composition_is_found_by_its_content() {
    let xr = composite("qwen");
    let input = "    input: {apiVersion: sailplane.fn.crossplane.io/v1alpha1, kind: Options, llmInference: {imageRegistry: registry.example.org}}\n";
    let function = "---\napiVersion: pkg.crossplane.io/v1\nkind: Function\nmetadata: {name: f}\nspec: {package: example.org/function-sailplane:v1}\n";
    let other = "  - step: ready\n    functionRef: {name: function-auto-ready}\n";
    let by_package = "  - step: compose\n    functionRef: {name: f}\n".to_owned() + input;
    //    Composition and Functions                                    flags                      printed or said
    for (name, text, flags, ok, part) in [
        ("by name", composition(OURS), &[][..], true, "registry: docker.io"),
        ("with input", composition(&(OURS.to_owned() + input)), &[], true, "registry: registry.example.org"),
        ("by package", composition(&by_package) + function, &[], true, "registry: registry.example.org"),
        ("foreign", composition(&(OURS.to_owned() + other)), &[], false, "step `ready` runs `function-auto-ready`"),
        (
            "foreign, skipped",
            composition(&(OURS.to_owned() + other)),
            &["--skip-foreign-steps"],
            true,
            "which is passed over",
        ),
        (
            "foreign alone",
            composition(other),
            &["--skip-foreign-steps"],
            false,
            "has no step that runs function-sailplane",
        ),
        (
            "two",
            format!("{}---\n{}", composition(OURS), composition(OURS)),
            &[],
            false,
            "two Compositions compose LLMInference",
        ),
        (
            "many steps",
            composition(&(OURS.to_owned() + input).repeat(1_000)),
            &[],
            false,
            "the Compositions have too many steps for the size of their files",
        ),
        (
            "of another kind",
            composition(OURS).replace("kind: LLMInference", "kind: Other"),
            &[],
            false,
            "Composition `llm` composes Other",
        ),
    ] {
        let path = file("composition.yaml", &text);
        let path = path.to_str().expect("it is UTF-8");
        // The order does not matter.
        for arguments in [["render", "-", path], ["render", path, "-"]] {
            let done = run_on(xr.as_bytes(), &[&arguments, flags].concat());
            assert_eq!(done.ok, ok, "{name}: {}", done.err);
            assert!(
                done.out.contains(part) || done.err.contains(part),
                "{name}: no `{part}` in\n{}{}",
                done.out,
                done.err
            );
        }
    }
}

/// A composite chooses among several Compositions, as in Crossplane.
#[test]
fn composites_choose_their_composition() {
    let input = |registry: &str| {
        format!(
            "    input: {{apiVersion: sailplane.fn.crossplane.io/v1alpha1, kind: Options, llmInference: {{imageRegistry: {registry}}}}}\n"
        )
    };
    let named = |name: &str| {
        let metadata = format!("metadata: {{name: {name}, labels: {{channel: {name}}}}}");
        composition(&(OURS.to_owned() + &input(name))).replace("metadata: {name: llm}", &metadata)
    };
    let both = file("both.yaml", &format!("{}---\n{}", named("fast"), named("cheap")));
    let default = file("default.yaml", &named("llm-inference"));
    let (both, default) = (both.to_str().expect("it is UTF-8"), default.to_str().expect("it is UTF-8"));
    let xr = |more: &str| format!("{}  crossplane: {more}\n", composite("qwen"));
    //    spec.crossplane                                                   files             ok     printed or said
    for (text, files, ok, part) in [
        (xr("{compositionRef: {name: cheap}}"), &[both][..], true, "registry: cheap"),
        (
            xr("{compositionRef: {name: other}}"),
            &[both],
            false,
            "no Composition `other` is given; there are `cheap`, `fast`",
        ),
        (xr("{compositionRef: {name: other}}"), &[default], true, "the only one, `llm-inference`, is taken"),
        (xr("{compositionSelector: {matchLabels: {channel: fast}}}"), &[both], true, "registry: fast"),
        (xr("{compositionSelector: {matchLabels: {channel: x}}}"), &[both], false, "no Composition has these labels"),
        (composite("qwen"), &[both], false, "several Compositions compose LLMInference: `cheap`, `fast`; name one"),
    ] {
        let done = run_on(text.as_bytes(), &[&["render", "-"], files].concat());
        let said = done.out.clone() + &done.err;
        assert!(done.ok == ok && said.contains(part), "no `{part}` for\n{text}\n{said}");
    }
    let two = format!(
        "{}---\n{}",
        xr("{compositionRef: {name: cheap}}"),
        xr("{compositionRef: {name: fast}}").replace("name: qwen", "name: two")
    );
    let done = run_on(two.as_bytes(), &["render", "-", both, "-r"]);
    for part in ["registry: cheap", "registry: fast"] {
        assert!(done.ok && done.out.contains(part), "{}{}", done.out, done.err);
    }
    assert!(!done.out.contains("SelectComposition"), "they name theirs\n{}", done.out);
}

/// A kind that exists in two groups has Compositions in each, and a composite is composed by those of its own group.
#[test]
fn compositions_are_those_of_the_group() {
    let files = [
        "package/gpu-cluster/composition-cluster-aws.yaml",
        "package/gpu-cluster/composition-cluster-azure.yaml",
        "package/gpu-cluster-devopstoolkit/composition-cluster-aws.devopstoolkit.ai.yaml",
        "package/gpu-cluster-devopstoolkit/composition-cluster-azure.devopstoolkit.ai.yaml",
    ];
    // The Compositions of the groups differ in what a size is, and the default is the one for AWS.
    for (api_version, machine) in [("devopstoolkitseries.com/v2", "g5.2xlarge"), ("devopstoolkit.ai/v2", "g5.12xlarge")]
    {
        let text = format!(
            "apiVersion: {api_version}\nkind: Cluster\nmetadata: {{name: a, namespace: team-a}}\n\
             spec: {{parameters: {{nodeSize: small, gpu: {{enabled: true, nodeSize: medium}}}}}}\n"
        );
        let done = run_on(text.as_bytes(), &[&["render", "-"], &files[..]].concat());
        assert!(done.ok && done.out.contains(&format!("- {machine}\n")), "{api_version}: {}{}", done.out, done.err);
    }
}

/// A tree shows the many resources of a cluster by areas.
#[test]
fn trees_have_areas() {
    let gpu = "examples/gpu-cluster/azure-aks-gpu.yaml";
    let tree = run(&["render", gpu, "package/gpu-cluster/composition-cluster-azure.yaml", "--output", "tree"]).out;
    snapshot("azure-aks-gpu.tree", &tree);
    let areas = |example: &str, provider: &str| -> Vec<String> {
        let composition = format!("package/gpu-cluster/composition-cluster-{provider}.yaml");
        let printed = run(&["render", example, &composition, "--output", "tree"]).out;
        let lines = printed.lines().filter_map(|line| line.strip_prefix("├─ ").or(line.strip_prefix("└─ ")));
        lines.map(str::to_owned).collect()
    };
    let all = ["network", "control plane", "pools", "access", "software", "order of deletion"];
    assert_eq!(areas("examples/gpu-cluster/aws-eks-full.yaml", "aws"), all);
    assert_eq!(areas("examples/gpu-cluster/google-gke-gpu.yaml", "google"), all[1..]);
}

/// What is explained may be narrowed to some of many composed resources.
#[test]
fn explain_narrows_to_resources() {
    let example = "examples/gpu-cluster/aws-eks-gpu.yaml";
    let done = run(&["explain", example, "--resource", "eksnodegroup-gpu,vpc-nodepool", "--resource", "route"]);
    let parts: Vec<_> = done.out.lines().filter(|line| line.contains("─ ")).collect();
    assert_eq!(
        parts,
        [
            "├─ eksnodegroup-gpu: NodeGroup a-team/a-team-gpu-gpu",
            "├─ route: Route a-team/a-team-gpu",
            "└─ vpc-nodepool: VPC a-team/a-team-gpu",
        ],
        "{}{}",
        done.out,
        done.err
    );
    let json = run(&["explain", example, "--resource", "route", "--output", "json"]).out;
    let json: Value = serde_json::from_str(&json).expect("it is JSON");
    assert_eq!(json[0]["resources"].as_array().map(Vec::len), Some(1), "{json}");
    for (name, said) in [
        ("eksnodegroup-gpus", "no composed resource `eksnodegroup-gpus`; the nearest is `eksnodegroup-gpu`"),
        (
            "quite-another",
            "no composed resource `quite-another`; `sailplane render --output tree` names those there are",
        ),
    ] {
        let done = run(&["explain", example, "--resource", name]);
        assert!(!done.ok && done.out.is_empty() && done.err.contains(said), "{}{}", done.out, done.err);
    }
}

/// Without `--now` the time is that of the machine, as the Function has it.
#[test]
fn compositions_are_told_the_time() {
    let told = |flags: &[&str]| {
        let done = run(&[&["render", "examples/inference-model/model-gpus.yaml", "--output", "json"], flags].concat());
        let documents: Vec<Value> = serde_json::from_str(&done.out).unwrap_or_default();
        let status = documents.first().map(|it| it["status"].clone()).unwrap_or_default();
        let conditions = status["conditions"].as_array().cloned().unwrap_or_default();
        let clock = conditions.iter().find(|it| it["type"] == "ClockKnown").map(|it| it["reason"].clone());
        (clock.unwrap_or_default(), status["claimedAt"].as_str().unwrap_or_default().to_owned())
    };
    let machine = told(&[]);
    let year = machine.1.get(..4).and_then(|year| year.parse::<u32>().ok());
    assert!(machine.0 == "Given" && year.is_some_and(|year| year >= 2026), "{machine:?}");
    assert_eq!(told(&["--now", "2026-01-31t12:00:00z"]), ("Given".into(), "2026-01-31T12:00:00Z".to_owned()));
    assert_eq!(told(&["--now", "none"]), ("NotGiven".into(), String::new()));
}

/// Flags as people know them from kubectl.
#[test]
fn flags_of_kubectl() {
    let text = composite("qwen").replace("  namespace: team-a\n", "");
    let path = file("kubectl.yaml", &text);
    let path = path.to_str().expect("it is UTF-8");
    let done = run(&["render", "-f", path, "-n", "team-b", "-o", "json"]);
    let documents: Value = serde_json::from_str(&done.out).expect("it is JSON");
    assert!(done.ok && done.err.is_empty(), "{}", done.err);
    assert_eq!(documents[0]["metadata"]["namespace"], "team-b");
    let done = run(&["explain", "-f", path, "--namespace", "team-b", "-o", "json"]);
    let explained: Value = serde_json::from_str(&done.out).expect("it is JSON");
    assert_eq!((&explained[0]["composite"]["namespace"], done.err.as_str()), (&Value::from("team-b"), ""));
    // A namespace in the file stays.
    let done = run_on(composite("qwen").as_bytes(), &["render", "-", "-n", "team-b"]);
    assert!(done.ok && !done.out.contains("team-b"), "{}", done.out);
    let done = run_on(composite("qwen").as_bytes(), &["render", "-", "-o", "jsonn"]);
    assert!(!done.ok && done.err.contains("cannot read jsonn"), "{}", done.err);
    // The other commands have them too, and print the same.
    let (device, schema) = (file("kubectl-device.yaml", "driver: a\n"), file("kubectl-schema.yaml", "type: object\n"));
    let [device, schema] = [&device, &schema].map(|path| path.to_str().expect("it is UTF-8"));
    let rows: &[(&[&str], &[&str], &str)] = &[
        (&["check"], &[path], path),
        (&["plan"], &[FLEET], FLEET),
        (&["cel", "device.driver == 'a'"], &["--device", device], device),
        (&["cel", "has(self.driver)", "--schema", schema], &["--self", device], device),
    ];
    for (command, long, short) in rows {
        let [long, short] = [&[long, &["--output", "json"][..]].concat(), &["-f", short, "-o", "json"][..]]
            .map(|flags| run(&[command, flags].concat()));
        assert!(serde_json::from_str::<Value>(&short.out).is_ok(), "{command:?}: {}{}", short.out, short.err);
        assert_eq!((short.ok, short.out), (long.ok, long.out), "{command:?}");
    }
}

/// The objects of a `List` are rendered, and mistakes in it have their place.
#[test]
fn lists_are_rendered() {
    let item = |name: &str| {
        composite(name).lines().map(|line| format!("  {line}\n")).collect::<String>().replacen("  ", "- ", 1)
    };
    let list =
        |items: &str| format!("apiVersion: v1\nkind: List\nmetadata: {{resourceVersion: \"\"}}\nitems:\n{items}");
    let done = run_on(list(&(item("a") + &item("b"))).as_bytes(), &["render", "-", "-x"]);
    let composites: Vec<_> = listed(&done.out).into_iter().filter(|line| line.starts_with("LLM")).collect();
    assert_eq!(composites, ["LLMInference a", "LLMInference b"], "{}", done.err);
    let done = run_on(list(&(item("a") + "    gpu: 0\n" + &item("b"))).as_bytes(), &["render", "-"]);
    assert!(!done.ok && done.err.contains("items[0].spec.gpu: Invalid value: 0"), "{}", done.err);
    assert!(done.err.contains("<stdin>:13:10") && done.out.contains("name: b\n"), "{}{}", done.out, done.err);
}

#[test]
fn folders_are_read_with_their_folders() {
    let folder = file("recursive/a/b/c.yaml", &composite("deep"));
    let folder = folder.ancestors().nth(3).and_then(Path::to_str).expect("it has one").to_owned();
    let done = run(&["render", &folder]);
    assert!(done.ok && done.out.contains("name: deep\n"), "{}{}", done.out, done.err);
}

/// What admission would warn of or refuse is a warning on standard error, and the composite is rendered.
#[test]
fn render_says_what_admission_would() {
    let done = run(&["render", "examples/llm-inference/llm-kimi.yaml"]);
    assert!(done.ok && done.err.contains("⚠ spec.model: `moonshotai/Kimi-K2.5` is gated"), "{}", done.err);
    let done = run_on(composite("7b").as_bytes(), &["render", "-"]);
    let line = "⚠ metadata.name: admission would refuse it: no Service can be named `7b`";
    assert!(done.ok && done.err.contains(line) && done.out.contains("name: 7b\n"), "{}{}", done.out, done.err);
    // With the options of the platform.
    let options = "apiVersion: sailplane.fn.crossplane.io/v1alpha1\nkind: Options\nllmInference: {gpuMemory: 80Gi}\n";
    let options = file("admission-options.yaml", options);
    let large = composite("qwen").replace("Qwen2.5-1.5B", "Qwen2.5-72B");
    let options = ["render", "-", "--input", options.to_str().expect("it is UTF-8")];
    assert!(run_on(large.as_bytes(), &options).err.contains("cannot fit"));
    assert!(run_on(large.as_bytes(), &options[..2]).err.is_empty());
}

#[test]
fn manifests_are_what_is_on_the_target() {
    let done = run(&["render", "examples/llm-inference/llm-qwen.yaml", "--output", "manifests"]);
    assert!(done.ok && done.err.is_empty(), "{}", done.err);
    snapshot("llm-qwen.manifests", &done.out);
}

#[test]
fn input_stands_in_a_file_of_its_own() {
    let input = "apiVersion: sailplane.fn.crossplane.io/v1alpha1\nkind: Options\nllmInference:\n  imageRegistry: registry.example.org\n";
    let path = file("options.yaml", input);
    let done = run_on(composite("qwen").as_bytes(), &["render", "-", "--input", path.to_str().expect("it is UTF-8")]);
    assert!(done.ok && done.out.contains("registry: registry.example.org"), "{}{}", done.out, done.err);

    let wrong = file("wrong.yaml", &input.replace("imageRegistry: registry", "imageRegistri: registry"));
    let done = run_on(composite("qwen").as_bytes(), &["render", "-", "--input", wrong.to_str().expect("it is UTF-8")]);
    assert!(!done.ok && done.out.is_empty() && done.err.contains("wrong.yaml:4:3"), "{}{}", done.out, done.err);
}

#[test]
fn mistakes_in_a_composition_are_shown_there() {
    let input = "    input:\n      apiVersion: sailplane.fn.crossplane.io/v1alpha1\n      kind: Options\n      llmInference: {memoryAdvice: shout}\n";
    let path = file("mistaken.yaml", &composition(&(OURS.to_owned() + input)));
    let done = run_on(composite("qwen").as_bytes(), &["render", "-", path.to_str().expect("it is UTF-8")]);
    assert!(!done.ok && done.err.contains("mistaken.yaml:13:36"), "{}", done.err);
    assert!(done.err.contains("memoryAdvice: shout"), "{}", done.err);
}

#[test]
fn good_composites_are_rendered_beside_bad_ones() {
    let text = format!("{}---\n{}  gpu: 0\n", composite("good"), composite("bad"));
    let done = run_on(text.as_bytes(), &["render", "-"]);
    assert!(!done.ok && done.err.contains("spec.gpu") && done.err.contains("<stdin>:18:8"), "{}", done.err);
    assert_eq!(listed(&done.out).first().map(String::as_str), Some("LLMInference good"));
    assert!(!done.out.contains("bad"));
}

/// Each text has one clear error with its place, or two when the API server has two.
#[test]
fn bad_input() {
    let with = |line: &str| composite("qwen") + line;
    let named = |name: &str| composite(name);
    let bomb = (1..12).fold("a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned(), |text, level| {
        text + &format!("a{level}: &a{level} [{}]\n", [format!("*a{}", level - 1).as_str(); 9].join(", "))
    });
    //    text                                     said                                             place
    for (text, part, place) in [
        (
            with("  gpu: 0\n"),
            "spec.gpu: Invalid value: 0: spec.gpu in body should be greater than or equal to 1",
            "<stdin>:9:8",
        ),
        (with("  gpu: -1\n"), "spec.gpu", "<stdin>:9:8"),
        (with("  gpu: 1025\n"), "spec.gpu", "<stdin>:9:8"),
        (with("  gpu: 2147483648\n"), "spec.gpu", "<stdin>:9:8"),
        (with("  gpu: 9223372036854775808\n"), "spec.gpu", "<stdin>:9:8"),
        (with("  gpu: 1.5\n"), "spec.gpu", "<stdin>:9:8"),
        (
            with("  gpu: '4'\n"),
            "spec.gpu: Invalid value: \"string\": spec.gpu in body must be of type integer",
            "<stdin>:9:8",
        ),
        (
            with("  gpu: [4]\n"),
            "spec.gpu: Invalid value: \"array\": spec.gpu in body must be of type integer",
            "<stdin>:9:3",
        ),
        (with("  gpu: .inf\n"), "spec.gpu: `.inf` is no number that JSON can hold", "<stdin>:9:8"),
        (with("  gpus: 4\n"), "unknown field \"spec.gpus\"", "<stdin>:9:3"),
        (with("  größe: 4\n"), "unknown field \"spec.größe\"", "<stdin>:9:3"),
        (with("status: {ready: [{{}: 1}]}\n"), "status.ready[0]: a key is text", "<stdin>:9:19"),
        (with("  gpu: 1\n  gpu: 2\n"), "duplicate key `gpu`", "<stdin>:10:3"),
        (composite("qwen").replace("  model: Qwen/Qwen2.5-1.5B-Instruct\n", ""), "spec.model", "<stdin>:6:1"),
        (
            composite("qwen").replace("Qwen/Qwen2.5-1.5B-Instruct", "7"),
            "spec.model: Invalid value: \"integer\": spec.model in body must be of type string",
            "<stdin>:7:10",
        ),
        (
            composite("qwen").replace("Qwen/Qwen2.5-1.5B-Instruct", "''"),
            "spec.model: Invalid value: \"\": spec.model in body should be at least 1 chars long",
            "<stdin>:7:10",
        ),
        (
            composite("qwen").replace("metadata:\n  name: qwen\n  namespace: team-a\n", "metadata: qwen\n"),
            "metadata: json: cannot unmarshal string into Go value of type v1.ObjectMeta",
            "<stdin>:3:11",
        ),
        (
            composite("qwen").replace("metadata:\n  name: qwen\n  namespace: team-a\n", ""),
            "metadata.name: Required value: name or generateName is required",
            "<stdin>:1:1",
        ),
        (
            composite("qwen").replace("  name: qwen\n", ""),
            "metadata.name: Required value: name or generateName is required",
            "<stdin>:3:1",
        ),
        (
            composite("qwen").replace("team-a", &"a".repeat(3_000_000)),
            "metadata.namespace: Invalid value:",
            "<stdin>:5:14",
        ),
        (named("''"), "metadata.name: Required value: name or generateName is required", "<stdin>:4:3"),
        (named(&"a".repeat(64)), "metadata.name: Too long: may not be more than 63 bytes", "<stdin>:4:9"),
        (named(&"a".repeat(253)), "metadata.name: Too long: may not be more than 63 bytes", "<stdin>:4:9"),
        (named(&"a".repeat(254)), "metadata.name: Too long: may not be more than 63 bytes", "<stdin>:4:9"),
        (
            named("A_b"),
            "metadata.name: Invalid value: \"A_b\": a lowercase RFC 1123 subdomain must consist",
            "<stdin>:4:9",
        ),
        (
            named("4"),
            "metadata.name: json: cannot unmarshal number into Go struct field ObjectMeta.name of type string",
            "<stdin>:4:9",
        ),
        (
            composite("qwen").replace("v1alpha1", "v1"),
            "apiVersion: no kind `inference.devopstoolkit.ai/v1` LLMInference",
            "<stdin>:1:13",
        ),
        (
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n".to_owned(),
            "no kind `v1` ConfigMap; `sailplane definitions --list` names",
            "<stdin>:2:7",
        ),
        ("kind: LLMInference\n".to_owned(), "apiVersion: missing", "<stdin>:1:1"),
        (
            "apiVersion: v1\nmetadata: {name: a}\n".to_owned(),
            "kind: missing; give a kind like `LLMInference`",
            "<stdin>:1:1",
        ),
        ("apiVersion: v1\nkind: 3\n".to_owned(), "kind: `3` has the wrong type", "<stdin>:2:7"),
        (
            "text\n".to_owned(),
            "a document is a mapping with `apiVersion`, `kind` and `metadata`, not text",
            "<stdin>:1:1",
        ),
        (
            "- a\n".to_owned(),
            "a document is a mapping with `apiVersion`, `kind` and `metadata`, not a list",
            "<stdin>:1:1",
        ),
        ("a: [\n".to_owned(), "not well-formed YAML: `[` is not closed", "<stdin>:1:4"),
        (bomb, "the text expands to more than is read", "<stdin>:"),
        (format!("a: {}{}\n", "[".repeat(101), "]".repeat(101)), "nested deeper than 100 levels", "<stdin>:1:103"),
        (format!("a: {}{}\n", "[".repeat(10_000), "]".repeat(10_000)), "nested deeper than 100 levels", "<stdin>:1:"),
        ("- ".repeat(10_000), "nested deeper than 100 levels", "<stdin>:1:201"),
        ("{a: ".repeat(10_000), "nested deeper than 100 levels", "<stdin>:1:"),
        ("a: \u{0}\n".to_owned(), "not well-formed YAML", "<stdin>:1:4"),
        ("a:\n\tb: 1\n".to_owned(), "not well-formed YAML: a tab indents this line", "<stdin>:2:1"),
        (format!("a: {}\nb: 1\n", "x".repeat(10 << 20)), "the document has more than 3145728 characters", "<stdin>:"),
    ] {
        let done = run_on(text.as_bytes(), &["render", "-"]);
        let shown: String = text.chars().take(300).collect();
        assert!((1..=2).contains(&done.err.matches('×').count()), "few errors\n{shown}\n{:.3000}", done.err);
        assert!(done.err.len() < 4000 && !done.err.contains("panicked"), "{shown}\n{:.3000}", done.err);
        assert!(!done.ok && done.out.is_empty(), "{shown}\n{}{}", done.out, done.err);
        let err: String = done.err.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(err.contains(part) && err.contains(place), "{shown}\nno `{part}` at {place} in\n{:.2000}", done.err);
        assert!(!done.err.contains('\u{1b}'), "colours without a terminal");
    }
    let done = run_on(b"a: \xff\n", &["render", "-"]);
    assert!(!done.ok && done.err.contains("not UTF-8 text") && done.err.contains("<stdin>:1:4"), "{}", done.err);
    let done = run_on("größe: 1\nü: x\u{0}".as_bytes(), &["render", "-"]);
    assert!(!done.ok && !done.err.contains('\u{0}'), "{}", done.err);
    let done = run(&["render", "nowhere.yaml"]);
    assert!(!done.ok && done.err.contains("cannot read nowhere.yaml"), "{}", done.err);
    let done = run_on(b"", &["render", "-", "--timeout", "soon"]);
    assert!(!done.ok && done.err.contains("`soon` is no duration"), "{}", done.err);
}

#[test]
fn nothing_to_render_is_an_error() {
    for text in ["", "---\n# nothing\n"] {
        let done = run_on(text.as_bytes(), &["render", "-"]);
        assert!(!done.ok && done.err.contains("nothing to render"), "{text:?}: {}", done.err);
    }
    let notes = file("without-yaml/notes.txt", "not: [read");
    let done = run(&["render", notes.parent().and_then(Path::to_str).expect("it has one")]);
    assert!(!done.ok && done.err.contains("no YAML or JSON files in folder"), "{}", done.err);
}

/// When a part of the input cannot be used, nothing is rendered.
#[test]
fn what_surrounds_composites_must_be_sound() {
    let composition = file("sound.yaml", &composition(OURS));
    let bad = file("unsound.yaml", "ü: 1\nu: [\n");
    let (composition, bad) = (composition.to_str().expect("it is UTF-8"), bad.to_str().expect("it is UTF-8"));
    for flags in [
        &["-o", bad][..],
        &["-e", bad],
        &["-s", bad],
        &["--xrd", bad],
        &["--function-credentials", bad],
        &["--context-files", &format!("a={bad}")],
    ] {
        let done = run_on(composite("qwen").as_bytes(), &[&["render", "-", composition], flags].concat());
        assert!(!done.ok && done.out.is_empty(), "{flags:?}\n{}{}", done.out, done.err);
        assert!(done.err.contains("not well-formed YAML") && done.err.contains("unsound.yaml:2:4"), "{}", done.err);
    }
    let done = run_on(composite("qwen").as_bytes(), &["render", "-", "--input", bad]);
    assert!(!done.ok && done.out.is_empty() && done.err.contains("unsound.yaml:2:4"), "{}{}", done.out, done.err);
    let done = run_on(composite("qwen").as_bytes(), &["render", "-", "--context-values", "a=["]);
    assert!(!done.ok && done.out.is_empty() && done.err.contains("--context-values=a:"), "{}{}", done.out, done.err);
    let objects = "---\napiVersion: v1\nkind: Namespace\nmetadata: {name: team-a}\n";
    let beside = file("beside.yaml", &(composite("qwen") + objects));
    let done = run(&["render", beside.to_str().expect("it is UTF-8"), composition]);
    assert!(done.ok && done.err.is_empty(), "{}", done.err);
}

#[test]
fn equal_runs_print_equal_bytes() {
    let arguments = ["render", "examples/llm-inference", "-r", "-x", "-c"];
    let first = run(&arguments);
    assert!(first.ok && !first.out.is_empty(), "{}", first.err);
    for _ in 0..20 {
        assert_eq!(run(&arguments).out, first.out);
    }
}

#[test]
fn explain_says_what_an_option_means() {
    //    name                                     says
    for (name, parts) in [
        ("options.ttl", &["options.ttl: string\n", "How long Crossplane may keep a response", "  default 1m\n"][..]),
        ("Options.llmInference", &["options.llmInference: object\n", "\n  gpuMemory ", "string    Memory of one GPU"]),
        ("options.llmInference.tolerations[].effect", &["effect: string\n", "NoExecute"]),
    ] {
        let done = run_on(b"", &["explain", name]);
        assert!(done.ok && parts.iter().all(|part| done.out.contains(part)), "{name}\n{}{}", done.out, done.err);
    }
    let done = run_on(b"", &["explain", "options.llmInference.gpuMemorry"]);
    assert!(
        done.err.contains("`options.llmInference` has no field `gpuMemorry`; the nearest is `gpuMemory`"),
        "{}",
        done.err
    );
    let done = run_on(b"", &["explain", "options.ttl", "--output", "json"]);
    assert_eq!(serde_json::from_str::<Value>(&done.out).expect("it is JSON")["schema"]["default"], "1m");
}
