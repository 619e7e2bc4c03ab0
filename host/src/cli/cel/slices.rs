//! The devices of ResourceSlices (`resource.k8s.io`).

use anyhow::{Result, ensure};
use serde_json::{Map, Value};

use crate::cli::cluster::text;

/// The devices of a ResourceSlice, or of those in a `List`, each with its name: driver, pool and device, by which
/// Kubernetes knows a device. Empty when the document is neither.
///
/// # Errors
/// When there are slices and no devices.
pub(super) fn devices(document: &Value) -> Result<Vec<(String, Value)>> {
    let items = document.get("items").and_then(Value::as_array).filter(|_| text(document, "/kind").ends_with("List"));
    let objects = items.map_or(std::slice::from_ref(document), Vec::as_slice);
    let slices: Vec<_> = objects.iter().filter(|object| is_slice(object)).collect();
    let devices: Vec<_> = slices.iter().flat_map(|slice| devices_of(slice)).collect();
    ensure!(slices.is_empty() || !devices.is_empty(), "the ResourceSlice has no devices");
    Ok(devices)
}

fn is_slice(object: &Value) -> bool {
    text(object, "/kind") == "ResourceSlice" && text(object, "/apiVersion").starts_with("resource.k8s.io/")
}

fn devices_of(slice: &Value) -> impl Iterator<Item = (String, Value)> {
    let (driver, pool) = (text(slice, "/spec/driver"), text(slice, "/spec/pool/name"));
    let devices = slice.pointer("/spec/devices").and_then(Value::as_array).into_iter().flatten();
    devices.map(move |device| {
        // Before v1, attributes and capacity were in `basic`.
        let parts = device.get("basic").unwrap_or(device);
        let fields = ["attributes", "capacity", "allowMultipleAllocations"];
        let mut made: Map<_, _> =
            fields.into_iter().filter_map(|key| Some((key.to_owned(), parts.get(key)?.clone()))).collect();
        made.insert("driver".to_owned(), driver.into());
        (format!("{driver}/{pool}/{}", text(device, "/name")), Value::Object(made))
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn devices_have_names() {
        let slice = |version: &str, device: Value| {
            json!({
                "apiVersion": format!("resource.k8s.io/{version}"), "kind": "ResourceSlice",
                "spec": {"driver": "gpu.example.org", "pool": {"name": "node-1"}, "devices": [device]},
            })
        };
        let attributes = json!({"type": {"string": "gpu"}});
        let new = slice("v1", json!({"name": "gpu-0", "attributes": attributes}));
        let old = slice("v1beta1", json!({"name": "gpu-0", "basic": {"attributes": attributes}}));
        let expected =
            ("gpu.example.org/node-1/gpu-0".to_owned(), json!({"driver": "gpu.example.org", "attributes": attributes}));
        for slice in [&new, &old, &json!({"apiVersion": "v1", "kind": "List", "items": [new]})] {
            assert_eq!(devices(slice).unwrap(), std::slice::from_ref(&expected), "{slice}");
        }
        assert!(devices(&json!({"driver": "gpu.example.org"})).unwrap().is_empty());
        assert!(devices(&json!({"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice", "spec": {}})).is_err());
    }
}
