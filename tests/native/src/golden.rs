//! The golden corpus: requests to compose, and the expected answers.
//!
//! A case is a folder `golden/<api>/<case>/`. It has `composite.yaml` or `call.yaml`. All other files are optional:
//!
//! | file | content |
//! |---|---|
//! | `composite.yaml` | the composite, with its status as the API server has it |
//! | `observed.yaml` | observed composed resources, each annotated with its composition resource name |
//! | `desired.yaml` | what earlier steps of the pipeline desire: resources with that annotation, and the composite without it |
//! | `options.yaml` | the step input |
//! | `call.yaml` | `now`, in seconds since the Unix epoch, and `capabilities` |
//! | `lookups/NAME.yaml` | the answer to lookup `NAME`: a missing file is *not asked*, an empty file is *asked and absent* |
//! | `cluster.yaml` | further objects in the cluster. They answer lookups without an answer of their own, when the case is composed again |
//! | `statuses.yaml` | the status of each composed resource when the case is composed again, by composition resource name |
//! | `response.yaml` or `fault.txt` | the answer, which `BLESS=1` writes |
//!
//! A file with several objects has several documents. Every example of a kind that is composed is a case too,
//! `<api>/example-<name>`: its composite is the first object of the kind, and its other objects are in the cluster.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

use contract::compose::{
    Capabilities, ComposeRequest, ComposeResponse, DesiredComposite, DesiredResource, DesiredState,
};
use contract::types::{Fault, MatchBy, ObservedObject, Readiness, Selector, Severity};
use serde_json::{Map, Value, json};
use toolbox::hashed::sha256;

use crate::files::workspace;

/// A case of the corpus.
#[derive(Debug)]
pub struct Case {
    /// API and case, e.g. `llm-inference/kimi`.
    pub name: String,
    /// The folder of the expected answer.
    pub folder: PathBuf,
    /// The request.
    pub request: ComposeRequest,
    /// Further objects in the cluster.
    pub cluster: Vec<Value>,
    /// The status of each composed resource when the case is composed again, by composition resource name.
    pub statuses: Map<String, Value>,
}

/// The annotation with the composition resource name.
const RESOURCE_NAME: &str = "crossplane.io/composition-resource-name";

/// Every case, sorted by name.
///
/// # Errors
/// When a file of the corpus cannot be read.
pub fn cases() -> io::Result<Vec<Case>> {
    let root = workspace().join("tests/golden");
    let mut cases = BTreeMap::new();
    for api in folders(&root)? {
        for case in folders(&root.join(&api))? {
            let folder = root.join(&api).join(&case);
            if ["composite.yaml", "call.yaml"].iter().any(|file| folder.join(file).exists()) {
                let name = format!("{api}/{case}");
                cases.insert(name.clone(), case_in(name, folder)?);
            }
        }
    }
    for kind in inference::KINDS.rows.iter().filter(|kind| kind.compose.is_some()) {
        for example in kind.examples {
            let name = format!("{}/example-{}", kind.api, example.name);
            let mut cluster = documents(example.text)?;
            let composite =
                cluster.iter().position(|it| kind.api_version == it["apiVersion"] && kind.kind == it["kind"]);
            let request = ComposeRequest {
                composite: composite.map(|place| cluster.remove(place).into()),
                ..ComposeRequest::default()
            };
            let folder = root.join(&name);
            cases.insert(name.clone(), Case { name, folder, request, cluster, statuses: Map::new() });
        }
    }
    Ok(cases.into_values().collect())
}

/// The documents of a YAML text.
///
/// # Errors
/// When it is not YAML.
pub fn documents(text: &str) -> io::Result<Vec<Value>> {
    yaml::values(text).into_iter().map(|object| object.map_err(io::Error::other)).collect()
}

fn case_in(name: String, folder: PathBuf) -> io::Result<Case> {
    let read = |name: &str| read(&folder.join(name));
    let call = read("call.yaml")?.pop().unwrap_or_default();
    let request = ComposeRequest {
        composite: read("composite.yaml")?.pop().map(ObservedObject::from),
        observed: read("observed.yaml")?
            .into_iter()
            .map(|object| (resource_name(&object).to_owned(), ObservedObject::from(object)))
            .collect(),
        desired: desired(read("desired.yaml")?),
        input: read("options.yaml")?.pop(),
        lookups: lookups(&folder.join("lookups"))?,
        capabilities: call.get("capabilities").map(capabilities),
        now: call["now"].as_u64(),
        ..ComposeRequest::default()
    };
    let statuses = match read("statuses.yaml")?.pop() {
        Some(Value::Object(statuses)) => statuses,
        _ => Map::new(),
    };
    let cluster = read("cluster.yaml")?;
    Ok(Case { name, folder, request, cluster, statuses })
}

/// The documents of a file. There are none when it is missing or empty.
fn read(file: &Path) -> io::Result<Vec<Value>> {
    let documents = match fs::read_to_string(file) {
        Ok(text) => documents(&text).map_err(|error| io::Error::other(format!("{}: {error}", file.display())))?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        Err(error) => return Err(error),
    };
    Ok(documents.into_iter().filter(|document| !document.is_null()).collect())
}

/// The answers to lookups in a folder: one file for each.
fn lookups(folder: &Path) -> io::Result<BTreeMap<String, Vec<ObservedObject>>> {
    if !folder.exists() {
        return Ok(BTreeMap::new());
    }
    let mut lookups = BTreeMap::new();
    for entry in fs::read_dir(folder)? {
        let file = entry?.path();
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        lookups.insert(name, read(&file)?.into_iter().map(ObservedObject::from).collect());
    }
    Ok(lookups)
}

fn desired(objects: Vec<Value>) -> DesiredState {
    let mut desired = DesiredState::default();
    for mut object in objects {
        let name = resource_name(&object).to_owned();
        if name.is_empty() {
            let status = object.get_mut("status").map(Value::take);
            desired.composite = DesiredComposite { status, ..DesiredComposite::default() };
        } else {
            desired.resources.insert(name, DesiredResource { object, readiness: Readiness::Unspecified });
        }
    }
    desired
}

fn resource_name(object: &Value) -> &str {
    object["metadata"]["annotations"][RESOURCE_NAME].as_str().unwrap_or_default()
}

fn capabilities(stated: &Value) -> Capabilities {
    let has = |name: &str| stated[name] == true;
    Capabilities {
        required_resources: has("requiredResources"),
        credentials: has("credentials"),
        conditions: has("conditions"),
        required_schemas: has("requiredSchemas"),
    }
}

fn folders(folder: &Path) -> io::Result<Vec<String>> {
    let entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    let folders = entries.into_iter().filter(|entry| entry.path().is_dir());
    let mut names: Vec<_> = folders.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort_unstable();
    Ok(names)
}

/// A response for people, without empty fields.
pub fn show_response(response: &ComposeResponse) -> Value {
    let resources: Map<_, _> = response
        .resources
        .iter()
        .map(|(key, desired)| {
            (key.clone(), json!({"object": folded(&desired.object), "ready": readiness(desired.readiness)}))
        })
        .collect();
    let conditions = response.conditions.iter().map(|condition| {
        json!({
            "type": condition.condition_type,
            "status": condition.status.as_str(),
            "reason": condition.reason,
            "message": condition.message,
        })
    });
    let results = response.results.iter().map(|result| {
        json!({
            "severity": match result.severity { Severity::Normal => "normal", Severity::Warning => "warning" },
            "reason": result.reason,
            "message": result.message,
        })
    });
    let mut shown = json!({
        "status": response.composite.status,
        "ready": readiness(response.composite.readiness),
        "resources": resources,
        "withdrawn": response.withdrawn,
        "conditions": conditions.collect::<Vec<_>>(),
        "results": results.collect::<Vec<_>>(),
        "lookups": response.lookups.iter().map(|(name, wanted)| (name.clone(), show_selector(wanted))).collect::<Map<_, _>>(),
        "schemas": response.schemas.keys().collect::<Vec<_>>(),
        "context": response.context.iter().map(|(key, value)| json!({key.as_str(): value})).collect::<Vec<_>>(),
        "ttlMillis": response.ttl,
        "output": response.output,
    });
    drop_empty(&mut shown);
    shown
}

/// An object with large schemas folded: those of others are the same in every answer.
fn folded(object: &Value) -> Value {
    const LARGE: usize = 4096;
    match object {
        Value::Object(fields) => {
            let field = |(key, value): (&String, &Value)| {
                let text = if key == "openAPIV3Schema" { value.to_string() } else { String::new() };
                let value = if text.len() > LARGE {
                    json!({"bytes": text.len(), "sha256": sha256([text.as_str()])})
                } else {
                    folded(value)
                };
                (key.clone(), value)
            };
            fields.iter().map(field).collect::<Map<_, _>>().into()
        }
        Value::Array(items) => items.iter().map(folded).collect(),
        value => value.clone(),
    }
}

fn show_selector(selector: &Selector) -> Value {
    let (name, labels, index, values) = match &selector.match_by {
        MatchBy::Name(name) => (Some(name), None, None, None),
        MatchBy::Labels(labels) => (None, Some(labels), None, None),
        MatchBy::Values(by) => (None, None, Some(&by.index), Some(&by.values)),
    };
    json!({
        "apiVersion": selector.kind.api_version,
        "kind": selector.kind.kind,
        "namespace": selector.namespace,
        "name": name,
        "labels": labels,
        "index": index,
        "values": values,
        "limit": selector.limit,
    })
}

/// A fault for people, with a line for each problem and condition.
pub fn show_fault(fault: &Fault) -> String {
    let problems = fault.problems.iter().map(|problem| {
        let fix = problem.fix.as_ref().map(|fix| format!(" ({fix:?})")).unwrap_or_default();
        format!("{:?} {}: {}{fix}\n", problem.code, problem.path, problem.message)
    });
    let conditions = fault.conditions.iter().map(|it| {
        let message = it.message.as_deref().unwrap_or_default();
        format!("{}={} {}: {message}\n", it.condition_type, it.status.as_str(), it.reason)
    });
    format!("{:?}\n{}", fault.cause, problems.chain(conditions).collect::<String>())
}

fn readiness(readiness: Readiness) -> Value {
    match readiness {
        Readiness::Unspecified => Value::Null,
        Readiness::NotReady => false.into(),
        Readiness::Ready => true.into(),
    }
}

/// Removes null and empty fields, except inside composed objects.
fn drop_empty(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.iter_mut().filter(|(key, _)| *key != "object").for_each(|(_, value)| drop_empty(value));
            fields.retain(|_, value| !(value.is_null() || *value == json!([]) || *value == json!({})));
        }
        Value::Array(items) => items.iter_mut().for_each(drop_empty),
        _ => {}
    }
}
