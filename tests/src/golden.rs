//! The golden corpus: requests to compose, and what is answered to them.
//!
//! A case is a folder `golden/<api>/<case>/`. What is asked stands in `composite.yaml`, with `observed.yaml`
//! (composed resources, each annotated with its composition resource name), `options.yaml` (the step's input)
//! and `call.yaml` (`now` and `capabilities`) where a case has them. What is answered stands in
//! `response.yaml` or `fault.txt`. Every example of the catalog is a case too, `<api>/example-<name>`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

use contract::compose::{Capabilities, ComposeRequest, ComposeResponse};
use contract::types::{Fault, ObservedObject, Readiness, Severity};
use serde_json::{Map, Value, json};

use crate::files::workspace;

/// A case of the corpus.
#[derive(Debug)]
pub struct Case {
    /// API and case, e.g. `llm-inference/kimi`.
    pub name: String,
    /// Where its answer stands.
    pub folder: PathBuf,
    /// What is asked.
    pub request: ComposeRequest,
}

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
                cases.insert(name.clone(), Case { name, request: request(&folder)?, folder });
            }
        }
    }
    for kind in inference::KINDS.rows {
        for example in kind.examples {
            let name = format!("{}/example-{}", kind.api, example.name);
            let request = ComposeRequest {
                composite: documents(example.text)?.pop().map(ObservedObject::from),
                ..ComposeRequest::default()
            };
            cases.insert(name.clone(), Case { folder: root.join(&name), name, request });
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

fn request(folder: &Path) -> io::Result<ComposeRequest> {
    let read = |name: &str| match fs::read_to_string(folder.join(name)) {
        Ok(text) => documents(&text).map_err(|error| io::Error::other(format!("{}/{name}: {error}", folder.display()))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    };
    let call = read("call.yaml")?.pop().unwrap_or_default();
    let observed = read("observed.yaml")?.into_iter().map(|object| {
        let name =
            object["metadata"]["annotations"]["crossplane.io/composition-resource-name"].as_str().unwrap_or_default();
        (name.to_owned(), ObservedObject::from(object))
    });
    Ok(ComposeRequest {
        composite: read("composite.yaml")?.pop().map(ObservedObject::from),
        observed: observed.collect(),
        input: read("options.yaml")?.pop(),
        capabilities: call.get("capabilities").map(capabilities),
        now: call["now"].as_u64(),
        ..ComposeRequest::default()
    })
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

/// A response as people read it: what is empty is left out.
pub fn show_response(response: &ComposeResponse) -> Value {
    let resources: Map<_, _> = response
        .resources
        .iter()
        .map(|(key, desired)| (key.clone(), json!({"object": desired.object, "ready": readiness(desired.readiness)})))
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
        "lookups": response.lookups.keys().collect::<Vec<_>>(),
        "schemas": response.schemas.keys().collect::<Vec<_>>(),
        "context": response.context.iter().map(|(key, value)| json!({key.as_str(): value})).collect::<Vec<_>>(),
        "ttlMillis": response.ttl,
        "output": response.output,
    });
    drop_empty(&mut shown);
    shown
}

/// A fault as people read it: a line for each problem.
pub fn show_fault(fault: &Fault) -> String {
    let problems = fault.problems.iter().map(|problem| {
        let fix = problem.fix.as_ref().map(|fix| format!(" ({fix:?})")).unwrap_or_default();
        format!("{:?} {}: {}{fix}\n", problem.code, problem.path, problem.message)
    });
    format!("{:?}\n{}", fault.cause, problems.collect::<String>())
}

fn readiness(readiness: Readiness) -> Value {
    match readiness {
        Readiness::Unspecified => Value::Null,
        Readiness::NotReady => false.into(),
        Readiness::Ready => true.into(),
    }
}

/// Removes null and empty fields, except inside objects that are composed.
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
