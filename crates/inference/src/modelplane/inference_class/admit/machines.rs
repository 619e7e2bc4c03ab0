//! What a class says of its machine, against what is known of it.

use contract::types::Problem;
use quantity::Quantity;
use serde_json::Value;
use toolbox::path;

use crate::clouds::Cloud;
use crate::clouds::fabrics::{efa_cards, lacks_efa};
use crate::clouds::machines::Machine;
use crate::clouds::named_machines::{gpus_of_preset, memory_of_plan, memory_of_platform};
use crate::modelplane::mentions::advice;

/// A block of a class, with the field that names its machine, and what is known of that.
type Block = (&'static str, &'static str, fn(&Value, &str) -> Facts);

#[rustfmt::skip]
const BLOCKS: &[Block] = &[
    ("gke", "machineType", |_, name| of_table(Cloud::Google, name)),
    ("eks", "instanceType", |_, name| Facts { cards: Some(if lacks_efa(name) { 0 } else { efa_cards(name) }), ..of_table(Cloud::Aws, name) }),
    ("aks", "vmSize", |_, name| of_table(Cloud::Azure, name)),
    ("nebius", "preset", |made, name| Facts { gpus: gpus_of_preset(name), each: made["platform"].as_str().and_then(memory_of_platform), ..Facts::default() }),
    ("vultr", "plan", |_, name| Facts { together: memory_of_plan(name), ..Facts::default() }),
];

/// What is known of a machine.
#[derive(Clone, Copy, Debug, Default)]
struct Facts {
    /// How many GPUs it has.
    gpus: Option<u64>,
    /// The memory of each in MiB.
    each: Option<u32>,
    /// The memory of all of them in GiB.
    together: Option<u64>,
    /// How many interfaces for EFA it gets.
    cards: Option<u8>,
}

fn of_table(cloud: Cloud, name: &str) -> Facts {
    let machine = Machine::named(cloud, name);
    Facts {
        gpus: machine.map(|it| it.gpus.into()),
        each: machine.map(|it| it.accelerator.published),
        ..Facts::default()
    }
}

/// The driver of NVIDIA's GPUs.
const GPU_DRIVER: &str = "gpu.nvidia.com";
/// The class of devices of EFA.
const EFA_CLASS: &str = "efa.networking.k8s.aws";

/// What contradicts the machines of a class. About a machine that is not known nothing is said.
pub(super) fn contradictions(class: &Value) -> Vec<Problem> {
    let mut found = Vec::new();
    for (block, field, facts) in BLOCKS {
        let made = &class["spec"]["provisioning"][*block];
        let Some(name) = made[*field].as_str() else { continue };
        let facts = facts(made, name);
        let count = made["accelerator"]["count"].as_u64();
        if let (Some(gpus), Some(count)) = (facts.gpus, count)
            && gpus != count
        {
            let message = format!("`{name}` has {gpus} GPUs, and not {count}");
            found.push(advice(format!("spec.provisioning.{block}.accelerator.count"), message));
        }
        let devices = class["spec"]["devices"].as_array().into_iter().flatten().enumerate();
        for (index, device) in devices {
            found.extend(of_device(device, &path::index("spec.devices", index), name, facts));
        }
    }
    found
}

/// What contradicts a machine in a device of a class.
fn of_device(device: &Value, at: &str, name: &str, facts: Facts) -> Vec<Problem> {
    let mut found = Vec::new();
    let count = device["count"].as_u64().unwrap_or(1);
    if device["deviceClassName"] == EFA_CLASS
        && let Some(cards) = facts.cards.filter(|cards| u64::from(*cards) != count)
    {
        let message = format!("`{name}` gets {cards} interfaces for EFA, and not {count}");
        found.push(advice(format!("{at}.count"), message));
    }
    if device["driver"] != GPU_DRIVER {
        return found;
    }
    if let Some(gpus) = facts.gpus.filter(|gpus| *gpus != count) {
        found.push(advice(format!("{at}.count"), format!("`{name}` has {gpus} GPUs, and not {count}")));
    }
    let Some(memory) = device["capacity"]["memory"]["value"].as_str() else { return found };
    let exceeds = |text: &str, known: String| {
        let (said, known) = (text.parse::<Quantity>().ok()?, known.parse::<Quantity>().ok()?);
        (said > known).then_some(())
    };
    let at = format!("{at}.capacity.memory.value");
    if let Some(each) = facts.each
        && exceeds(memory, format!("{each}Mi")).is_some()
    {
        found.push(advice(at, format!("a GPU of `{name}` has {each}Mi, and not {memory}")));
    } else if let Some(together) = facts.together
        && exceeds(memory, format!("{}Mi", together.saturating_mul(1024) / count.max(1))).is_some()
    {
        let message = format!("the GPUs of `{name}` have {together}Gi together, and not {count} times {memory}");
        found.push(advice(at, message));
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
        let a10 = json!({"vmSize": "Standard_NV36ads_A10_v5", "accelerator": {"count": 1}});
        check("aks", a10.clone(), 1, "24564Mi", &[]);
        check("aks", a10, 2, "", &["spec.devices[1].count: `Standard_NV36ads_A10_v5` has 1 GPUs, and not 2"]);
        let preset = |count: u64| json!({"platform": "gpu-h200-sxm", "preset": "8gpu-128vcpu-1600gb", "accelerator": {"count": count}});
        check("nebius", preset(8), 8, "143771Mi", &[]);
        check(
            "nebius",
            preset(1),
            4,
            "160Gi",
            &[
                "spec.provisioning.nebius.accelerator.count: `8gpu-128vcpu-1600gb` has 8 GPUs, and not 1",
                "spec.devices[1].count: `8gpu-128vcpu-1600gb` has 8 GPUs, and not 4",
                "spec.devices[1].capacity.memory.value: a GPU of `8gpu-128vcpu-1600gb` has 143771Mi, and not 160Gi",
            ],
        );
        let plan = json!({"plan": "vcg-l40s-16c-180g-48vram"});
        check("vultr", plan.clone(), 1, "46068Mi", &[]);
        check(
            "vultr",
            plan,
            2,
            "46068Mi",
            &[
                "spec.devices[1].capacity.memory.value: the GPUs of `vcg-l40s-16c-180g-48vram` have 48Gi together, and not 2 times 46068Mi",
            ],
        );
    }

    #[test]
    fn interfaces() {
        #[track_caller]
        fn check(instance: &str, count: Option<u64>, want: &[&str]) {
            let device = json!({"driver": "dra.net", "deviceClassName": EFA_CLASS, "count": count});
            let class = json!({"spec": {"provisioning": {"eks": {"instanceType": instance}}, "devices": [device]}});
            let found: Vec<_> = contradictions(&class).into_iter().map(|it| it.message).collect();
            assert_eq!(found, want);
        }
        check("p5en.48xlarge", Some(16), &[]);
        check("p5en.48xlarge", Some(32), &["`p5en.48xlarge` gets 16 interfaces for EFA, and not 32"]);
        check("p5.48xlarge", None, &["`p5.48xlarge` gets 32 interfaces for EFA, and not 1"]);
        check("g6.xlarge", None, &["`g6.xlarge` gets 0 interfaces for EFA, and not 1"]);
        check("unheard.of", None, &[]);
    }
}
