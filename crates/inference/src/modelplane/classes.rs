//! Reads what clusters need of an InferenceClass, in the shape of v0.3.1.

use serde_json::{Map, Value, json};

/// The driver of GPUs that an earlier version of the API knew alone.
const GPU_DRIVER: &str = "gpu.nvidia.com";

/// The devices of a class with the defaults of their fields. `None` when it has none.
pub fn devices(class: &Value) -> Option<Vec<Value>> {
    let devices = class["spec"]["devices"].as_array().filter(|devices| !devices.is_empty())?;
    Some(devices.iter().filter_map(Value::as_object).map(device).collect())
}

fn device(device: &Map<String, Value>) -> Value {
    let mut device = device.clone();
    device.retain(|_, value| !value.is_null());
    device.entry("claim").or_insert_with(|| json!("DRA"));
    device.entry("count").or_insert_with(|| json!(1));
    Value::Object(device)
}

/// The device that an earlier version of the API would have described: the first that pods claim of NVIDIA's driver, else the first
/// that they claim.
pub fn gpu(class: &Value) -> Option<Value> {
    let devices = devices(class)?;
    let claimed = || devices.iter().filter(|device| device["claim"] == "DRA");
    claimed().find(|device| device["driver"] == GPU_DRIVER).or_else(|| claimed().next()).cloned()
}

/// The accelerator that a cloud is asked for, by its block; of a cluster that no cloud makes, the first one that the class names. Empty
/// when the class says none.
pub fn accelerator<'c>(class: &'c Value, block: Option<&str>) -> &'c str {
    let provisioning = class["spec"]["provisioning"].as_object();
    let of = |block: &'c Value| block["accelerator"]["type"].as_str();
    let found = provisioning.and_then(|blocks| match block {
        Some(block) => blocks.get(block).and_then(of),
        None => blocks.values().find_map(of),
    });
    found.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_have_defaults() {
        #[track_caller]
        fn check(written: Value, want: Option<Value>) {
            assert_eq!(devices(&json!({"spec": {"devices": written}})).map(Value::from), want);
        }
        check(
            json!([{"name": "gpu", "driver": "d"}]),
            Some(json!([{"name": "gpu", "driver": "d", "claim": "DRA", "count": 1}])),
        );
        check(
            json!([{"claim": "Synthetic", "count": 4, "attributes": null}]),
            Some(json!([{"claim": "Synthetic", "count": 4}])),
        );
        check(json!([]), None);
        check(json!(null), None);
        assert_eq!(devices(&json!({})), None);
    }

    #[test]
    fn gpus_and_accelerators() {
        let class = json!({"spec": {
            "devices": [{"name": "fabric", "claim": "Synthetic"}, {"name": "nic", "driver": "n"}, {"name": "gpu", "driver": GPU_DRIVER}],
            "provisioning": {"provider": "GKE", "gke": {"accelerator": {"type": "nvidia-l4", "count": 1}}},
        }});
        assert_eq!(gpu(&class).map(|it| it["name"].clone()), Some(json!("gpu")));
        let named = [None, Some("gke"), Some("eks")].map(|block| accelerator(&class, block));
        assert_eq!(named, ["nvidia-l4", "nvidia-l4", ""]);
        let other = json!({"spec": {"devices": [{"name": "nic", "driver": "n"}]}});
        assert_eq!(gpu(&other).map(|it| it["name"].clone()), Some(json!("nic")));
        assert_eq!(accelerator(&other, None), "");
        assert_eq!(gpu(&json!({"spec": {"devices": [{"claim": "Synthetic"}]}})), None);
    }
}
