//! Composed and shipped objects of Kubernetes' own groups match the types of Kubernetes. Other objects need schemas
//! from elsewhere; `crd_schemas.rs` checks these.

use std::fs;
use std::path::{Path, PathBuf};

use module::compose;
use serde_json::{Value, json};
use tests::files::workspace;
use tests::golden::{cases, documents};
use tests::kubernetes::{check, is_core, with_manifests};

/// Kustomize patches, which are incomplete objects.
const PATCHES: &[&str] =
    &["package/admission/cert-manager/mutating.yaml", "package/admission/cert-manager/validating.yaml"];

#[test]
fn composed_objects_are_as_kubernetes_has_them() {
    let cases = cases().expect("a readable corpus");
    let composed = cases.iter().flat_map(|case| {
        let resources = compose(&case.request).map(|response| response.resources).unwrap_or_default();
        resources.into_iter().map(|(key, desired)| (format!("{}: {key}", case.name), desired.object))
    });
    assert!(none_wrong(composed) > 0, "no object of Kubernetes' own groups is composed");
}

#[test]
fn shipped_objects_are_as_kubernetes_has_them() {
    let shipped = ["package", "examples"].iter().flat_map(|folder| manifests(&workspace().join(folder)));
    let shipped = shipped.filter(|(path, _)| !PATCHES.contains(&path.as_str()));
    let shipped = shipped.map(|(path, object)| (path, deployment(&object).unwrap_or(object)));
    assert!(none_wrong(shipped) > 20, "hardly anything is shipped");
}

/// The Deployment that Crossplane makes of a DeploymentRuntimeConfig.
fn deployment(object: &Value) -> Option<Value> {
    let spec = object.pointer("/spec/deploymentTemplate/spec")?;
    let metadata = &object["metadata"];
    Some(json!({"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata, "spec": spec}))
}

/// Checks objects and returns their number. Panics with all problems.
#[track_caller]
fn none_wrong(objects: impl Iterator<Item = (String, Value)>) -> usize {
    let (mut wrong, mut checked) = (Vec::new(), 0);
    for (place, object) in objects {
        for object in with_manifests(&object).into_iter().filter(|object| is_core(object)) {
            checked += 1;
            wrong.extend(check(object).err().map(|what| format!("{place}, {}: {what}", object["kind"])));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    checked
}

/// Where templates lie, which are no YAML. The tests of Backstage fill and check them.
const TEMPLATES: &str = "package/backstage/manifest-templates";

/// Every document in a folder and its subfolders, with the path of its file.
fn manifests(folder: &Path) -> Vec<(String, Value)> {
    let entries = fs::read_dir(folder).expect("a folder of the checkout");
    let paths = entries.map(|entry| entry.expect("an entry").path()).filter(|path| !path.ends_with(TEMPLATES));
    paths.flat_map(|path| if path.is_dir() { manifests(&path) } else { file(&path) }).collect()
}

fn file(path: &PathBuf) -> Vec<(String, Value)> {
    if path.extension().is_none_or(|extension| extension != "yaml") {
        return Vec::new();
    }
    let place = path.strip_prefix(workspace()).expect("it lies below").display().to_string();
    let text = fs::read_to_string(path).expect("text");
    let objects = documents(&text).unwrap_or_else(|error| panic!("{place}: {error}"));
    objects.into_iter().map(|object| (place.clone(), object)).collect()
}

#[test]
fn what_is_wrong_is_found() {
    let ingress = |spec: Value| json!({"apiVersion": "networking.k8s.io/v1", "kind": "Ingress", "spec": spec});
    let path = |port: Value| json!({"pathType": "Prefix", "backend": {"service": {"name": "a", "port": port}}});
    let rules = |path: Value| ingress(json!({"rules": [{"http": {"paths": [path]}}]}));
    let claim = |version: &str| json!({"apiVersion": version, "kind": "ResourceClaimTemplate"});
    let service = json!({"apiVersion": "v1", "kind": "Service", "metadata": {"name": "a"}, "spec": {"ports": [{"port": 80, "targetPort": "http"}]}});
    for (object, expected) in [
        (service, ""),
        (rules(path(json!({"number": 80}))), ".metadata is missing"),
        (ingress(json!({"rule": []})), ".spec.rule is no field of the kind\n.metadata is missing"),
        (rules(path(json!({"number": "80"}))), "invalid type: string \"80\", expected i32"),
        (rules(json!({"backend": {}})), ".spec.rules[0].http.paths[0].pathType is missing\n.metadata is missing"),
        (
            claim("resource.k8s.io/v1beta1"),
            "`resource.k8s.io/v1beta1` ResourceClaimTemplate has no row in tests/src/kubernetes.rs",
        ),
    ] {
        assert!(is_core(&object));
        assert_eq!(check(&object).err().unwrap_or_default(), expected, "{object}");
    }
    assert!(!is_core(&json!({"apiVersion": "gateway.networking.k8s.io/v1", "kind": "Gateway"})));
}
