//! The status of objects that are up, for previews that ask what would be once everything is.

use serde_json::{Map, Value, json};

use crate::builders::remote;
use crate::path;
use crate::resources::OBJECT;

/// The conditions that are true of an object that is up, whatever its kind. What a kind does not know nobody reads.
const CONDITIONS: &[&str] = &["Available", "Ready", "Synced"];

/// What else the status of an object of a third party has.
struct More {
    group: &'static str,
    kind: &'static str,
    fields: fn(&Value) -> Value,
}

#[rustfmt::skip]
const ROWS: &[More] = &[
    More { group: "", kind: "PersistentVolumeClaim", fields: |_| json!({"phase": "Bound"}) },
    More { group: "apiextensions.k8s.io", kind: "CustomResourceDefinition", fields: |_| json!({"conditions": conditions(&["Established", "NamesAccepted"])}) },
    More { group: "batch", kind: "Job", fields: |_| json!({"conditions": conditions(&["Complete"]), "succeeded": 1}) },
    More { group: "gateway.networking.k8s.io", kind: "Gateway", fields: |_| json!({"conditions": conditions(&["Accepted", "Programmed"])}) },
    More { group: "gateway.networking.k8s.io", kind: "GatewayClass", fields: |_| json!({"conditions": conditions(&["Accepted"])}) },
    More { group: "gateway.networking.k8s.io", kind: "HTTPRoute", fields: |route| json!({"parents": parents(route)}) },
];

/// The status that `object` has once it is up. An Object of provider-kubernetes has observed its manifest, which is up too.
pub fn status(object: &Value) -> Value {
    let text = |key: &str| object.get(key).and_then(Value::as_str).unwrap_or_default();
    let (api_version, kind) = (text("apiVersion"), text("kind"));
    let mut status = Map::new();
    status.insert("conditions".to_owned(), conditions(CONDITIONS));
    if (api_version, kind) == OBJECT
        && let Some(manifest) = path::get(object, remote::MANIFEST)
    {
        let mut manifest = manifest.clone();
        let up = self::status(&manifest);
        if let Some(fields) = manifest.as_object_mut() {
            fields.insert("status".to_owned(), up);
        }
        status.insert("atProvider".to_owned(), json!({"manifest": manifest}));
    }
    let group = api_version.split_once('/').map_or("", |(group, _)| group);
    let row = ROWS.iter().find(|row| (row.group, row.kind) == (group, kind));
    if let Some(Value::Object(more)) = row.map(|row| (row.fields)(object)) {
        status.extend(more);
    }
    Value::Object(status)
}

fn conditions(types: &[&str]) -> Value {
    types.iter().map(|it| json!({"type": it, "status": "True", "reason": "Assumed"})).collect()
}

/// What each gateway says about a route that it has accepted.
fn parents(route: &Value) -> Value {
    let references = path::get(route, "spec.parentRefs").and_then(Value::as_array).into_iter().flatten();
    references.map(|it| json!({"parentRef": it, "conditions": conditions(&["Accepted", "ResolvedRefs"])})).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses() {
        #[track_caller]
        fn check(object: Value, at: &str, want: Value) {
            assert_eq!(path::get(&status(&object), at), Some(&want), "{object}");
        }
        let is_true = |kind: &str| json!({"type": kind, "status": "True", "reason": "Assumed"});
        let object = |manifest: Value| {
            let (api_version, kind) = OBJECT;
            json!({"apiVersion": api_version, "kind": kind, "spec": {"forProvider": {"manifest": manifest}}})
        };
        let job = json!({"apiVersion": "batch/v1", "kind": "Job"});
        let volume = json!({"apiVersion": "v1", "kind": "PersistentVolumeClaim"});
        check(json!({"apiVersion": "v1", "kind": "Service"}), "conditions[1]", is_true("Ready"));
        check(job.clone(), "conditions[0]", is_true("Complete"));
        check(object(job), "atProvider.manifest.status.conditions[0]", is_true("Complete"));
        let definition = json!({"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition"});
        check(definition, "conditions[0]", is_true("Established"));
        let gateway = |kind: &str| json!({"apiVersion": "gateway.networking.k8s.io/v1", "kind": kind});
        check(gateway("Gateway"), "conditions[1]", is_true("Programmed"));
        check(gateway("GatewayClass"), "conditions[0]", is_true("Accepted"));
        check(object(volume), "atProvider.manifest.status.phase", json!("Bound"));
        let route = json!({
            "apiVersion": "gateway.networking.k8s.io/v1", "kind": "HTTPRoute", "spec": {"parentRefs": [{"name": "g"}]},
        });
        check(route.clone(), "parents[0].parentRef", json!({"name": "g"}));
        check(route, "parents[0].conditions[0]", is_true("Accepted"));
    }
}
