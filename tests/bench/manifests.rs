//! Checks of manifests: one object by its schema, and a thousand objects, compared with `kubeconform`.

use std::collections::BTreeSet;
use std::hint::black_box;
use std::path::Path;
use std::process::{Command, Output};
use std::{fs, thread};

use host::engine::{Engine, Settings};
use host::wit::admit::{Operation, Request};
use serde_json::Value;

use crate::clock::{in_turns, micros, millis};
use crate::native::admit::{self as native, Guest as _};
use crate::native::{KINDS, Kind, Module, llm_inference};
use crate::report::{Bound, Report};

const ROUNDS: usize = 21;
/// The number of objects that are checked in one run. One of [`WRONG_EVERY`] is wrong.
const MANIFESTS: usize = 1_000;
const WRONG_EVERY: usize = 10;

pub(crate) fn measure(report: &mut Report) {
    largest_example(report);
    beside_kubeconform(report);
}

fn largest_example(report: &mut Report) {
    let (kind, object) = largest();
    let validator = (kind.definition)();
    assert!(validator.stored(&object).is_ok());
    let request = Request { operation: Operation::Create(object.to_string()), input: None, lookups: Vec::new() };
    let inside: native::Request = serde_json::from_value(serde_json::to_value(&request).expect("JSON")).expect("equal");
    let engine = Engine::load(&Settings::default(), false, &[] as &[&str]).expect("an engine");
    let kind = host::wit::types::KindRef { api_version: kind.api_version.to_owned(), kind: kind.kind.to_owned() };
    let [validated, natively, across] = in_turns(
        ROUNDS,
        [
            &mut || micros(100, || drop(black_box(validator.stored(black_box(&object))))) / 1e3,
            &mut || micros(100, || drop(black_box(Module::admit(inside.clone())))) / 1e3,
            &mut || micros(100, || drop(black_box(engine.admit(&kind, &request).expect("an answer")))) / 1e3,
        ],
    );
    report.add("validate the largest example, natively", &validated, "ms", Bound::Most(1.0));
    report.add("  and admit it, natively", &natively, "ms", Bound::None);
    report.add("  and admit it, through the component", &across, "ms", Bound::Most(1.0));
}

/// Measures two processes from start to end. They read the same files, and must report the same number of wrong
/// objects.
fn beside_kubeconform(report: &mut Report) {
    let tool = tests::files::workspace().join("target/tools/bin/kubeconform");
    if !tool.exists() {
        eprintln!("not measured beside kubeconform, which `make -C tests/e2e/tools kubeconform` builds");
        return;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("manifests");
    write(&folder);
    let wrong = MANIFESTS / WRONG_EVERY;
    let [ours, theirs] = in_turns(
        ROUNDS,
        [
            &mut || {
                let (took, output) = millis(|| sailplane(&folder));
                assert_eq!(found_by_sailplane(&output), wrong);
                took
            },
            &mut || {
                let (took, output) = millis(|| kubeconform(&tool, &folder));
                assert_eq!(found_by_kubeconform(&output), wrong);
                took
            },
        ],
    );
    report.add("check 1,000 manifests, a process", &ours, "ms", Bound::None);
    report.add("kubeconform of the same, a process", &theirs, "ms", Bound::None);
    report.add("check 1,000 manifests / kubeconform, processes", &ours.over(&theirs), "×", Bound::Most(1.0));
}

fn sailplane(folder: &Path) -> Output {
    let mut command = Command::new(tests::artifacts::sailplane());
    command.args(["check", "--output", "json"]).arg(folder.join("objects")).output().expect("it runs")
}

/// The number of wrong objects.
fn found_by_sailplane(output: &Output) -> usize {
    let found: Value = serde_json::from_slice(&output.stdout).expect("it prints JSON");
    assert_eq!((&found["files"], &found["unknown"]), (&MANIFESTS.into(), &0.into()));
    let findings = found["findings"].as_array().expect("a list").iter();
    let files: BTreeSet<_> = findings.filter(|it| it["severity"] == "error").map(|it| it["file"].as_str()).collect();
    files.len()
}

fn kubeconform(tool: &Path, folder: &Path) -> Output {
    let schemas = folder.join("schemas/{{.Group}}/{{.ResourceKind}}_{{.ResourceAPIVersion}}.json");
    let mut command = Command::new(tool);
    command.args(["-strict", "-summary", "-output", "json", "-n", &processors().to_string(), "-schema-location"]);
    command.arg(schemas).arg(folder.join("objects")).output().expect("it runs")
}

/// The number of wrong objects.
fn found_by_kubeconform(output: &Output) -> usize {
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

/// Writes the objects, each to a file, and the schema of their kind for `kubeconform`.
fn write(folder: &Path) {
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
    for index in 0..MANIFESTS {
        let file = objects.join(format!("llm-{index:03}.yaml"));
        fs::write(file, manifest(index)).expect("target/ can be written to");
    }
}

/// Writes into the JSON schema what a structural schema implies: fields that are not listed are not allowed. The API
/// server validates metadata itself.
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

/// The object with this number, as YAML.
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

/// The largest object of all examples, with its kind.
fn largest() -> (&'static Kind, Value) {
    let texts = KINDS.rows.iter().flat_map(|kind| kind.examples).map(|example| example.text);
    let objects = texts.flat_map(|text| tests::golden::documents(text).expect("examples are YAML"));
    let of_kind = |object: &Value, kind: &Kind| object["apiVersion"] == kind.api_version && object["kind"] == kind.kind;
    let ours = objects.filter_map(|object| Some((KINDS.rows.iter().find(|kind| of_kind(&object, kind))?, object)));
    ours.max_by_key(|(_, object)| object.to_string().len()).expect("there are examples")
}
