//! The Chainsaw suites of GPU clusters assert what is composed. No cloud can be had here, so this holds them instead.
//!
//! A suite applies one file after the other to one composite. What each step adds or changes is in the file `…-composed.yaml`, which
//! `BLESS=1` writes; what it takes away, and the number of objects, stand in the suite itself.

#![expect(clippy::expect_used, reason = "a test that cannot go on fails")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use contract::compose::ComposeRequest;
use native::files::{bless, workspace};
use native::golden::documents;
use serde_json::{Value, json};

/// The suites, with the cloud of each.
const SUITES: &[(&str, &str)] =
    &[("gpu-cluster-aws", "aws"), ("gpu-cluster-azure", "azure"), ("gpu-cluster-google", "google")];

/// The number of objects. There are no references at first.
const NUMBER: &str = "(length(resourceRefs || `[]`))";

/// A namespace that stands for the one that Chainsaw makes.
const NAMESPACE: &str = "of-the-suite";

#[test]
fn assert_what_is_composed() {
    for (suite, cloud) in SUITES {
        let folder = workspace().join("tests/chainsaw").join(suite);
        let composition = format!("package/gpu-cluster/composition-cluster-{cloud}.yaml");
        let composition = read(&workspace().join(composition)).remove(0);
        let input = &composition["spec"]["pipeline"][0]["input"];
        let test = read(&folder.join("cluster-test.yaml")).remove(0);
        let (mut live, mut before) = (Value::Null, BTreeMap::new());
        let mut asserted = BTreeSet::new();
        for step in test["spec"]["steps"].as_array().expect("steps") {
            let name = format!("{suite}: {}", step["name"]);
            let operations = step["try"].as_array().expect("operations");
            let file = operations.iter().find_map(|it| it["apply"]["file"].as_str()).expect("it applies a file");
            merge(&mut live, &read(&folder.join(file)).remove(0));
            let composed = composed(&live, input);

            let numbers = operations.iter().map(|it| &it["assert"]["resource"]["spec"]["crossplane"][NUMBER]);
            let numbers: Vec<_> = numbers.filter(|number| !number.is_null()).collect();
            assert_eq!(numbers, [&json!(composed.len())], "{name}: the number of objects");

            let changed: Vec<_> =
                composed.iter().filter(|(key, object)| before.get(*key) != Some(*object)).map(|it| it.1).collect();
            let files: Vec<_> = operations.iter().filter_map(|it| it["assert"]["file"].as_str()).collect();
            if changed.is_empty() {
                assert!(files.is_empty(), "{name}: nothing changes");
            } else {
                let expected = file.replace(".yaml", "-composed.yaml");
                assert_eq!(files, [expected.as_str()], "{name}");
                let text = changed.iter().map(|object| yaml::to_string(object)).collect::<Vec<_>>().join("---\n");
                bless(&folder.join(&expected), &text).unwrap_or_else(|difference| panic!("{difference}"));
                asserted.insert(expected);
            }

            let gone: BTreeSet<_> =
                before.iter().filter(|(key, _)| !composed.contains_key(*key)).map(|it| identity(it.1)).collect();
            let absent: BTreeSet<_> =
                operations.iter().map(|it| &it["error"]["resource"]).filter(|it| !it.is_null()).map(identity).collect();
            assert_eq!(absent, gone, "{name}: what goes");
            before = composed;
        }
        let files = fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("an entry").file_name());
        let files: BTreeSet<_> = files.map(|name| name.to_string_lossy().into_owned()).collect();
        let left: Vec<_> =
            files.iter().filter(|name| name.ends_with("-composed.yaml") && !asserted.contains(*name)).collect();
        assert!(left.is_empty(), "{suite}: no step asserts {left:?}");
    }
}

fn read(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    documents(&text).expect("YAML")
}

/// Merges as `kubectl apply` does with objects that have no lists of objects.
fn merge(into: &mut Value, from: &Value) {
    match (into, from) {
        (Value::Object(into), Value::Object(from)) => {
            for (key, value) in from {
                merge(into.entry(key.clone()).or_insert(Value::Null), value);
            }
        }
        (into, from) => *into = from.clone(),
    }
}

/// What a composite becomes on a cluster, by composition resource name.
fn composed(composite: &Value, input: &Value) -> BTreeMap<String, Value> {
    let mut stored = composite.clone();
    stored["metadata"]["namespace"] = NAMESPACE.into();
    let request =
        ComposeRequest { composite: Some(stored.into()), input: Some(input.clone()), ..ComposeRequest::default() };
    let response = module::compose(&request).unwrap_or_else(|fault| panic!("{fault:?}"));
    let owner = json!({
        "apiVersion": composite["apiVersion"], "kind": composite["kind"], "name": composite["metadata"]["name"],
        "controller": true, "blockOwnerDeletion": true,
    });
    let as_stored = |(key, desired): (&String, &contract::compose::DesiredResource)| {
        let mut object = desired.object.clone();
        let metadata = &mut object["metadata"];
        metadata["namespace"] = NAMESPACE.into();
        metadata["labels"]["crossplane.io/composite"] = composite["metadata"]["name"].clone();
        metadata["annotations"]["crossplane.io/composition-resource-name"] = key.as_str().into();
        // Crossplane makes what uses something another owner of the Usage.
        if desired.object["kind"] != "Usage" {
            metadata["ownerReferences"] = json!([owner]);
        }
        bind(&mut object);
        (key.clone(), object)
    };
    response.resources.iter().map(as_stored).collect()
}

/// Puts Chainsaw's name of its namespace wherever the namespace stands.
fn bind(value: &mut Value) {
    match value {
        Value::String(text) if text == NAMESPACE => *value = "($namespace)".into(),
        Value::Array(items) => items.iter_mut().for_each(bind),
        Value::Object(fields) => fields.values_mut().for_each(bind),
        _ => {}
    }
}

fn identity(object: &Value) -> (String, String, String) {
    let text = |path: &str| object.pointer(path).and_then(Value::as_str).unwrap_or_default().to_owned();
    (text("/apiVersion"), text("/kind"), text("/metadata/name"))
}
