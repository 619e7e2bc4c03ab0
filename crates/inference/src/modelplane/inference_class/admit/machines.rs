//! What a class says of its machine, against what is known of it.

use contract::types::Problem;
use quantity::Quantity;
use serde_json::Value;
use toolbox::path;

use crate::clouds::Cloud;
use crate::clouds::machines::Machine;
use crate::modelplane::mentions::advice;

/// The blocks whose machines are known, with the field that names one.
const BLOCKS: &[(&str, Cloud, &str)] =
    &[("gke", Cloud::Google, "machineType"), ("eks", Cloud::Aws, "instanceType"), ("aks", Cloud::Azure, "vmSize")];

/// The driver of NVIDIA's GPUs.
const GPU_DRIVER: &str = "gpu.nvidia.com";

/// What contradicts the machines of a class. About a machine that is not known nothing is said.
pub(super) fn contradictions(class: &Value) -> Vec<Problem> {
    let mut found = Vec::new();
    for (block, cloud, field) in BLOCKS {
        let made = &class["spec"]["provisioning"][*block];
        let Some(machine) = made[*field].as_str().and_then(|name| Machine::named(*cloud, name)) else { continue };
        let count = &made["accelerator"]["count"];
        if count.as_u64().is_some_and(|count| count != u64::from(machine.gpus)) {
            let message = format!("`{}` has {} GPUs, and not {count}", machine.name, machine.gpus);
            found.push(advice(format!("spec.provisioning.{block}.accelerator.count"), message));
        }
        found.extend(devices(class, machine));
    }
    found
}

/// What contradicts a machine in the devices of a class.
fn devices(class: &Value, machine: &Machine) -> Vec<Problem> {
    let mut found = Vec::new();
    let devices = class["spec"]["devices"].as_array().into_iter().flatten().enumerate();
    for (index, device) in devices.filter(|(_, device)| device["driver"] == GPU_DRIVER) {
        let at = path::index("spec.devices", index);
        let count = device["count"].as_u64().unwrap_or(1);
        if count != u64::from(machine.gpus) {
            let message = format!("`{}` has {} GPUs, and not {count}", machine.name, machine.gpus);
            found.push(advice(format!("{at}.count"), message));
        }
        let has = format!("{}Mi", machine.accelerator.published);
        let memory = device["capacity"]["memory"]["value"].as_str();
        let said = memory.and_then(|text| text.parse::<Quantity>().ok());
        if let (Some(said), Ok(known), Some(text)) = (said, has.parse::<Quantity>(), memory)
            && said > known
        {
            let message = format!("a GPU of `{}` has {has}, and not {text}", machine.name);
            found.push(advice(format!("{at}.capacity.memory.value"), message));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn machines() {
        #[track_caller]
        fn check(block: &str, made: Value, count: u64, memory: &str, want: &[&str]) {
            let device = json!({"driver": GPU_DRIVER, "count": count, "capacity": {"memory": {"value": memory}}});
            let class = json!({"spec": {"provisioning": {block: made}, "devices": [{"driver": "dra.net"}, device]}});
            let found: Vec<_> =
                contradictions(&class).iter().map(|it| format!("{}: {}", it.path, it.message)).collect();
            assert_eq!(found, want);
        }
        let g2 =
            |count: u64| json!({"machineType": "g2-standard-8", "accelerator": {"type": "nvidia-l4", "count": count}});
        check("gke", g2(1), 1, "23034Mi", &[]);
        check(
            "gke",
            g2(2),
            1,
            "20Gi",
            &["spec.provisioning.gke.accelerator.count: `g2-standard-8` has 1 GPUs, and not 2"],
        );
        check("gke", g2(1), 2, "", &["spec.devices[1].count: `g2-standard-8` has 1 GPUs, and not 2"]);
        check(
            "gke",
            g2(1),
            1,
            "24Gi",
            &["spec.devices[1].capacity.memory.value: a GPU of `g2-standard-8` has 23034Mi, and not 24Gi"],
        );
        check("gke", json!({"machineType": "n7"}), 9, "1Ti", &[]);
        check("vultr", json!({"plan": "vcg"}), 9, "1Ti", &[]);
    }
}
