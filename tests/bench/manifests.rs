//! Checking what people write: one object by its schema, and a thousand beside `kubeconform`.

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, thread};

use component::wit::exports::sailplane::composition::admit as native;
use component::wit::exports::sailplane::composition::admit::Guest as _;
use host::engine::{Engine, Settings};
use host::wit::admit::{Operation, Request};
use host::wit::preview::{Gravity, Role, Source};
use inference::KINDS;
use serde_json::Value;
use toolbox::kind::Kind;

use crate::clock::{in_turns, micros};
use crate::report::{Bound, Report};

const ROUNDS: usize = 21;
/// Objects that are checked in one run, and how many of them there are to one that is wrong.
const MANIFESTS: usize = 1_000;
const WRONG_EVERY: usize = 10;

pub(crate) fn measure(report: &mut Report) {
    largest_example(report);
    beside_kubeconform(report);
}

fn largest_example(report: &mut Report) {
    let (kind, object) = largest();
    let validator = (kind.definition)();
    assert!(validator.admit(&object, None).is_ok());
    let request = Request { operation: Operation::Create(object.to_string()), input: None, lookups: Vec::new() };
    let inside: native::Request = serde_json::from_value(serde_json::to_value(&request).expect("JSON")).expect("equal");
    let engine = Engine::load(&Settings::default(), false, &[] as &[&str]).expect("an engine");
    let kind = host::wit::types::KindRef { api_version: kind.api_version.to_owned(), kind: kind.kind.to_owned() };
    let [validated, natively, across] = in_turns(
        ROUNDS,
        [
            &mut || micros(100, || drop(black_box(validator.admit(black_box(&object), None)))) / 1e3,
            &mut || micros(100, || drop(black_box(component::Module::admit(inside.clone())))) / 1e3,
            &mut || micros(100, || drop(black_box(engine.admit(&kind, &request).expect("an answer")))) / 1e3,
        ],
    );
    report.add("validate the largest example, natively", validated, "ms", Bound::Most(1.0));
    report.add("  and admit it, natively", natively, "ms", Bound::None);
    report.add("  and admit it, through the component", across, "ms", Bound::Most(1.0));
}

/// Both read the same files and have to find the same objects wrong. `kubeconform` is a process of its own; Sailplane
/// loads its engine and calls it from a thread per processor, as its command does, in this process.
fn beside_kubeconform(report: &mut Report) {
    let tool = tests::files::workspace().join("target/tools/bin/kubeconform");
    if !tool.exists() {
        eprintln!("not measured beside kubeconform, which `make -C tests/e2e/tools kubeconform` builds");
        return;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("manifests");
    let files = write(&folder);
    let wrong = MANIFESTS / WRONG_EVERY;
    let [ours, theirs] = in_turns(
        ROUNDS,
        [&mut || micros(1, || assert_eq!(sailplane(&files), wrong)) / 1e3, &mut || {
            micros(1, || assert_eq!(kubeconform(&tool, &folder), wrong)) / 1e3
        }],
    );
    report.add("check 1,000 manifests", ours, "ms", Bound::None);
    report.add("the same with kubeconform", theirs, "ms", Bound::None);
    report.add("check 1,000 manifests / kubeconform", ours / theirs, "×", Bound::Most(1.0));
}

/// How many objects are wrong.
fn sailplane(files: &[PathBuf]) -> usize {
    let engine = Engine::load(&Settings::default(), false, &[] as &[&str]).expect("an engine");
    let check = |files: &[PathBuf]| {
        let source = |file: &PathBuf| Source {
            name: file.display().to_string(),
            role: Role::Subject,
            text: fs::read_to_string(file).expect("it was written"),
        };
        let sources: Vec<_> = files.iter().map(source).collect();
        let findings = engine.check(&sources, None).expect("the module answers");
        assert!(findings.objects.iter().all(|object| object.known));
        let errors = findings.diagnostics.iter().filter(|found| found.gravity == Gravity::Error);
        let mut wrong: Vec<_> = errors.filter_map(|found| found.location).map(|at| (at.text, at.document)).collect();
        wrong.dedup(); // diagnostics stand in the order of the texts
        wrong.len()
    };
    thread::scope(|scope| {
        let shares = files.chunks(files.len().div_ceil(processors()));
        let threads: Vec<_> = shares.map(|share| scope.spawn(move || check(share))).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).sum()
    })
}

/// How many objects are wrong.
fn kubeconform(tool: &Path, folder: &Path) -> usize {
    let schemas = folder.join("schemas/{{.Group}}/{{.ResourceKind}}_{{.ResourceAPIVersion}}.json");
    let mut command = Command::new(tool);
    command.args(["-strict", "-summary", "-output", "json", "-n", &processors().to_string(), "-schema-location"]);
    let output = command.arg(schemas).arg(folder.join("objects")).output().expect("it runs");
    let found: Value = serde_json::from_slice(&output.stdout).expect("it prints JSON");
    let count = |what| found["summary"][what].as_u64().and_then(|count| usize::try_from(count).ok());
    let [Some(valid), Some(invalid), Some(0), Some(0)] = ["valid", "invalid", "errors", "skipped"].map(count) else {
        panic!("kubeconform says {}, and of the first object {}", found["summary"], found["resources"][0]);
    };
    assert_eq!(valid + invalid, MANIFESTS);
    invalid
}

fn processors() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Writes the objects, a file each, and the schema of their kind for `kubeconform`.
fn write(folder: &Path) -> Vec<PathBuf> {
    let kind = llm_inference();
    let group = kind.api_version.split('/').next().unwrap_or_default();
    let (objects, schemas) = (folder.join("objects"), folder.join("schemas").join(group));
    for folder in [&objects, &schemas] {
        fs::create_dir_all(folder).expect("target/ can be written to");
    }
    let mut source =
        schema::sources::find("", (kind.definition)().document()).pop().expect("the definition has a schema");
    close(&mut source.schema);
    let file = schemas.join(format!("{}_{}.json", source.kind.to_lowercase(), source.version));
    fs::write(file, source.schema.to_string()).expect("target/ can be written to");
    let file = |index| {
        let file = objects.join(format!("llm-{index:03}.yaml"));
        fs::write(&file, manifest(index)).expect("target/ can be written to");
        file
    };
    (0..MANIFESTS).map(file).collect()
}

/// Says in JSON schema what structural schemas mean: fields that are not listed are unknown. Metadata is the API
/// server's own matter.
fn close(schema: &mut Value) {
    let open = schema.get("x-kubernetes-preserve-unknown-fields").is_some_and(|it| it == true);
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        properties.iter_mut().filter(|(name, _)| *name != "metadata").for_each(|(_, property)| close(property));
        if !open {
            schema["additionalProperties"] = Value::Bool(false);
        }
    }
    for word in ["items", "additionalProperties"] {
        schema.get_mut(word).filter(|part| part.is_object()).into_iter().for_each(close);
    }
}

/// The object of a number, as people write it.
fn manifest(index: usize) -> String {
    let (gpu, fifth) = (1 + index % 8, index / WRONG_EVERY % 5);
    let mut spec = format!(
        "model: example-org/model-{index}\n  gpu: {gpu}\n  providerConfigName: gpu-cluster-{}\n  ingressHost: llm-{index}.example.org",
        index % 7,
    );
    if index.is_multiple_of(WRONG_EVERY) {
        spec = match fifth {
            0 => spec.replace("gpu: ", "gpu: -"),
            1 => spec.replace("model: ", "modle: "),
            2 => spec.replace("providerConfigName: ", "# providerConfigName: "),
            3 => spec.replace("gpu: ", "gpu: many # "),
            _ => spec + "\n  replicas: 3",
        };
    }
    let Kind { api_version: version, kind, .. } = llm_inference();
    format!(
        "# Model {index} of a platform.\napiVersion: {version}\nkind: {kind}\nmetadata:\n  name: llm-{index}\n  namespace: team-{}\n  labels:\n    app.kubernetes.io/part-of: platform\nspec:\n  {spec}\n",
        index % 20,
    )
}

fn llm_inference() -> &'static Kind {
    KINDS.rows.iter().find(|kind| kind.kind == "LLMInference").expect("it is in the table")
}

/// The example with the longest text, and its kind.
fn largest() -> (&'static Kind, Value) {
    let examples = KINDS.rows.iter().flat_map(|kind| kind.examples.iter().map(move |example| (kind, example.text)));
    let (kind, text) = examples.max_by_key(|(_, text)| text.len()).expect("there are examples");
    (kind, tests::golden::documents(text).expect("examples are YAML").pop().expect("with an object"))
}
