//! All composed objects of the golden corpus, and the objects that they wrap, match the real schemas; those of our own kinds
//! match their definitions.
//!
//! The schemas are not part of the project: the test reads them from the folder in `SAILPLANE_CRDS`, or from
//! `../shared/crds`. Without this folder the test prints what it skipped, and fails in CI. Objects of Kubernetes' own
//! groups need no schemas (`core_objects.rs`).

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use boon::{Compiler, Draft, ErrorKind, SchemaIndex, Schemas, ValidationError};
use contract::types::KindRef;
use inference::KINDS;
use module::compose;
use serde_json::{Map, Value, json};
use tests::files::schemas;
use tests::golden::{Case, cases};
use tests::skipped::skip;
use toolbox::path;

/// What is needed for the checks.
const SCHEMAS: &str = "the folder with their schemas (`SAILPLANE_CRDS`)";

/// The errors for the older form of the token: the schema of VLLMRuntime is from a newer version.
const OLDER_TOKEN_SHAPE: &[&str] = &[".spec.model.hfTokenName", ".spec.model.hfTokenSecret.name"];

#[test]
fn composed_objects_are_valid() {
    let cases = cases().expect("a readable corpus");
    let composed: Vec<(&Case, Value)> =
        cases.iter().flat_map(|case| objects(case).map(move |object| (case, object))).collect();
    let Some(mut crds) = Crds::find() else {
        return skip(composed.len(), "composed objects", SCHEMAS);
    };
    let mut failures = Vec::new();
    for (case, object) in &composed {
        let expected = if has_older_token_shape(object) { OLDER_TOKEN_SHAPE } else { &[] };
        let found = match KINDS.find(&KindRef::of(object)) {
            Some(own) => {
                // What is held is as wrong as it is observed.
                let held = wrong_when_observed(case);
                let problems = own.validate(object).into_iter().map(|it| (it.path, it.message));
                problems.filter(|(path, _)| !held.contains(path)).collect()
            }
            None => crds.errors(object),
        };
        if found.keys().map(String::as_str).ne(expected.iter().copied()) {
            failures.push(format!("{}: {} {found:#?}", case.name, object["kind"]));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    println!("{} composed objects are valid", composed.len());
}

#[test]
fn what_is_wrong_is_found() {
    let Some(mut crds) = Crds::find() else {
        return skip(3, "broken objects", SCHEMAS);
    };
    let sound = json!({
        "apiVersion": "networking.k8s.io/v1", "kind": "Ingress", "metadata": {"name": "a"},
        "spec": {"rules": [{"http": {"paths": [{"pathType": "Prefix", "backend": {"service": {"name": "a", "port": {"number": 80}}}}]}}]},
    });
    assert_eq!(crds.errors(&sound), BTreeMap::new());
    for (at, value, found) in [
        ("spec.rule", json!([]), ".spec.rule"),
        ("metadata.labels", json!("text"), ".metadata.labels"),
        (
            "spec.rules[0].http.paths[0].backend.service.port.number",
            json!("80"),
            ".spec.rules[0].http.paths[0].backend.service.port.number",
        ),
    ] {
        let mut broken = sound.clone();
        path::set(&mut broken, at, value);
        assert_eq!(crds.errors(&broken).into_keys().collect::<Vec<_>>(), [found]);
    }
}

/// Objects of others that documents show can be applied.
#[test]
fn what_documents_show_is_valid() {
    let blocks = tests::documents::all().into_iter().flat_map(|document| document.blocks);
    let shown: Vec<(String, Value)> = blocks
        .filter(|block| block.language == "yaml")
        .flat_map(|block| {
            let objects = tests::golden::documents(&block.text).unwrap_or_default();
            let place = format!("{}:{}", block.document, block.line);
            // A part of an object is shown without its name.
            objects.into_iter().filter(|it| it["metadata"]["name"].is_string()).map(move |it| (place.clone(), it))
        })
        .collect();
    let Some(mut crds) = Crds::find() else {
        return skip(shown.len(), "objects in documents", SCHEMAS);
    };
    let mut wrong = Vec::new();
    for (place, object) in &shown {
        let kind = KindRef::of(object);
        if KINDS.find(&kind).is_none() && crds.file(&kind).is_file() {
            wrong.extend(crds.errors(object).into_iter().map(|(at, what)| format!("{place}: {at}: {what}")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(shown.iter().any(|(_, object)| object["kind"] == "ScaledObject"), "the autoscaler is not looked at");
}

/// The paths of what is wrong with the objects of our kinds that a case finds.
fn wrong_when_observed(case: &Case) -> BTreeSet<String> {
    let looked_up = case.request.lookups.values().flatten();
    let observed = case.request.observed.values().chain(looked_up).map(|object| object.object().expect("JSON"));
    let of_ours = observed.filter_map(|object| Some((KINDS.find(&KindRef::of(object))?, object)));
    of_ours.flat_map(|(kind, object)| kind.validate(object)).map(|problem| problem.path).collect()
}

/// The composed objects of a case, and the objects that they wrap.
fn objects(case: &Case) -> impl Iterator<Item = Value> {
    let composed = compose(&case.request).map(|response| response.resources).unwrap_or_default();
    composed.into_values().flat_map(|desired| {
        let manifest = path::get(&desired.object, "spec.forProvider.manifest").cloned();
        std::iter::once(desired.object).chain(manifest)
    })
}

/// Whether an object has the older form of the token. The default options give this form, and other options the newer
/// one.
fn has_older_token_shape(object: &Value) -> bool {
    path::get(object, "spec.model.hfTokenName").is_some()
}

#[test]
fn only_the_newer_operator_reads_the_newer_token_shape() {
    for case in cases().expect("a readable corpus") {
        let newer = case.request.input.as_ref().is_some_and(|input| input["llmInference"]["vllmOperator"] == "2026-02");
        for object in objects(&case).filter(|object| path::get(object, "spec.model.hfTokenSecret").is_some()) {
            assert_eq!(has_older_token_shape(&object), !newer, "{}", case.name);
        }
    }
}

/// The folder with the schemas.
struct Crds {
    folder: PathBuf,
    schemas: Schemas,
    compiled: BTreeMap<PathBuf, SchemaIndex>,
}

impl Crds {
    fn find() -> Option<Self> {
        let folder = schemas();
        folder.is_dir().then(|| Self { folder, schemas: Schemas::new(), compiled: BTreeMap::new() })
    }

    /// The errors of an object, by path.
    fn errors(&mut self, object: &Value) -> BTreeMap<String, String> {
        let file = self.file(&KindRef::of(object));
        let schema = match self.compiled.get(&file) {
            Some(&schema) => Ok(schema),
            None => self.compile(&file),
        };
        let mut found = BTreeMap::new();
        match schema {
            Ok(schema) => {
                if let Err(error) = self.schemas.validate(object, schema) {
                    collect(&error, &mut found);
                }
            }
            Err(error) => {
                found.insert(format!("no schema: {}", file.display()), error);
            }
        }
        found
    }

    /// `<group>/<kind>_<version>.json`, the kind in lower case, the core group as `core`.
    fn file(&self, kind: &KindRef) -> PathBuf {
        let (group, version) = kind.api_version.split_once('/').unwrap_or(("core", &kind.api_version));
        self.folder.join(group).join(format!("{}_{version}.json", kind.kind.to_lowercase()))
    }

    fn compile(&mut self, file: &Path) -> Result<SchemaIndex, String> {
        let read = |file: &Path| -> Result<Value, String> {
            let text = fs::read_to_string(file).map_err(|error| error.to_string())?;
            serde_json::from_str(&text).map_err(|error| error.to_string())
        };
        let mut schema = read(file)?;
        // Every object has these, and not every CRD says so.
        for field in ["apiVersion", "kind"] {
            schema["properties"][field] = json!({"type": "string"});
        }
        schema["properties"]["metadata"] = read(&self.folder.join("_meta/objectmeta_v1.json"))?;
        make_strict(&mut schema);
        let location = format!("memory:{}", self.compiled.len());
        let mut compiler = Compiler::new();
        compiler.set_default_draft(Draft::V7);
        compiler.add_resource(&location, schema).map_err(|error| error.to_string())?;
        let index = compiler.compile(&location, &mut self.schemas).map_err(|error| error.to_string())?;
        self.compiled.insert(file.to_owned(), index);
        Ok(index)
    }
}

/// Makes a JSON schema that refuses unknown fields of a structural schema.
fn make_strict(schema: &mut Value) {
    let Some(fields) = schema.as_object_mut() else { return };
    let holds = |fields: &Map<String, Value>, key: &str| fields.get(key) == Some(&Value::Bool(true));
    if holds(fields, "x-kubernetes-int-or-string") {
        fields.insert("type".to_owned(), json!(["integer", "string"]));
    } else if let (true, Some(one)) = (holds(fields, "nullable"), fields.get("type").cloned()) {
        fields.insert("type".to_owned(), json!([one, "null"]));
    }
    let open = holds(fields, "x-kubernetes-preserve-unknown-fields") || fields.contains_key("additionalProperties");
    if fields.contains_key("properties") && !open {
        fields.insert("additionalProperties".to_owned(), Value::Bool(false));
    }
    if let Some(Value::Object(properties)) = fields.get_mut("properties") {
        properties.values_mut().for_each(make_strict);
    }
    for key in ["items", "additionalProperties"] {
        if let Some(inner) = fields.get_mut(key) {
            make_strict(inner);
        }
    }
}

/// Collects the leaves of an error. An unknown field is an error at its own path.
fn collect(error: &ValidationError<'_, '_>, found: &mut BTreeMap<String, String>) {
    let steps = error.instance_location.to_string();
    let at: String = steps.split('/').skip(1).map(step).collect();
    match &error.kind {
        ErrorKind::AdditionalProperties { got } => {
            let unknown: BTreeSet<_> = got.iter().map(|name| format!("{at}.{name}")).collect();
            found.extend(unknown.into_iter().map(|path| (path, "unknown field".to_owned())));
        }
        _ if error.causes.is_empty() => {
            found.insert(at, error.kind.to_string());
        }
        _ => error.causes.iter().for_each(|cause| collect(cause, found)),
    }
}

fn step(token: &str) -> String {
    match token.parse::<usize>() {
        Ok(index) => format!("[{index}]"),
        Err(_) => format!(".{}", token.replace("~1", "/").replace("~0", "~")),
    }
}
