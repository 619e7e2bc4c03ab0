//! What sizes of nodes are, in each cloud.

use serde::Deserialize;

use crate::clouds::Cloud;
use crate::clouds::accelerators::{A10G, A100_40, A100_80, GpuModel, T4};

/// A size of nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "generate", derive(schemars::JsonSchema))]
pub enum NodeSize {
    /// The smallest.
    Small,
    /// Between the others.
    Medium,
    /// The largest.
    Large,
}

impl NodeSize {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Small, Self::Medium, Self::Large];

    /// Its name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Small => "small",
            Self::Medium => "medium",
            Self::Large => "large",
        }
    }
}

/// Nodes with GPUs of a size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GpuNodes {
    /// The machine type.
    pub machine: &'static str,
    /// Its GPUs.
    pub accelerator: GpuModel,
    /// How many GPUs it has.
    pub gpus: u8,
}

const fn nodes(machine: &'static str, accelerator: GpuModel, gpus: u8) -> GpuNodes {
    GpuNodes { machine, accelerator, gpus }
}

/// General nodes: the machine types for `small`, `medium` and `large`, as dot-kubernetes has them (2026-02-28). The largest of
/// Google is not the next one.
const GENERAL: [(Cloud, [&str; 3]); 3] = [
    (Cloud::Aws, ["t3.small", "t3.medium", "t3.large"]),
    (Cloud::Azure, ["Standard_D2_v2", "Standard_D3_v2", "Standard_D4_v2"]),
    (Cloud::Google, ["e2-standard-2", "e2-standard-4", "e2-standard-16"]),
];

/// The first sizes of nodes with GPUs, of 2026-02-10.
const FIRST: [(Cloud, [GpuNodes; 3]); 3] = [
    (Cloud::Aws, [nodes("g5.xlarge", A10G, 1), nodes("g5.2xlarge", A10G, 1), nodes("g5.12xlarge", A10G, 4)]),
    (
        Cloud::Azure,
        [
            nodes("Standard_NC4as_T4_v3", T4, 1),
            nodes("Standard_NC8as_T4_v3", T4, 1),
            nodes("Standard_NC24ads_A100_v4", A100_80, 1),
        ],
    ),
    (Cloud::Google, [nodes("n1-standard-4", T4, 1), nodes("n1-standard-8", T4, 1), nodes("a2-highgpu-1g", A100_40, 1)]),
];

/// Sizes by the number of GPUs, of dot-kubernetes 2.0.21 (2026-02-28).
const BY_COUNT: [(Cloud, [GpuNodes; 3]); 3] = [
    (Cloud::Aws, [nodes("g5.xlarge", A10G, 1), nodes("g5.12xlarge", A10G, 4), nodes("p4d.24xlarge", A100_40, 8)]),
    (
        Cloud::Azure,
        [
            nodes("Standard_NC4as_T4_v3", T4, 1),
            nodes("Standard_NC64as_T4_v3", T4, 4),
            nodes("Standard_ND96asr_v4", A100_40, 8),
        ],
    ),
    (
        Cloud::Google,
        [nodes("n1-standard-4", T4, 1), nodes("a2-highgpu-4g", A100_40, 4), nodes("a2-highgpu-8g", A100_40, 8)],
    ),
];

/// The machine type of general nodes of a size.
pub fn general(cloud: Cloud, size: NodeSize) -> &'static str {
    of::<&'static str>(&GENERAL, cloud, size)
}

/// The nodes with GPUs of a size.
pub fn gpu_nodes(cloud: Cloud, size: NodeSize, by_count: bool) -> &'static GpuNodes {
    of(if by_count { &BY_COUNT } else { &FIRST }, cloud, size)
}

/// The disk of nodes with GPUs on AWS, in GiB. The default of EKS is 20, less than an image of vLLM with weights takes.
pub fn disk(size: NodeSize) -> u16 {
    match size {
        NodeSize::Small => 100,
        NodeSize::Medium => 200,
        NodeSize::Large => 500,
    }
}

/// The disk of such nodes that were chosen without a size, by their number of GPUs.
pub fn disk_for(gpus: u8) -> u16 {
    match gpus {
        0 | 1 => disk(NodeSize::Small),
        2..=4 => disk(NodeSize::Medium),
        _ => disk(NodeSize::Large),
    }
}

/// Says in the schema of a size what general nodes are.
#[cfg(feature = "generate")]
pub(super) fn describe_general(schema: &mut schemars::Schema) {
    describe(schema, |size| in_clouds(|cloud| general(cloud, size).to_owned()));
}

/// Says in the schema of a size what nodes with GPUs are, by both tables.
#[cfg(feature = "generate")]
pub(super) fn describe_gpus(schema: &mut schemars::Schema) {
    let nodes = |size, by_count| {
        in_clouds(|cloud| {
            let GpuNodes { machine, accelerator, gpus } = gpu_nodes(cloud, size, by_count);
            format!("{machine} ({gpus} {})", accelerator.name)
        })
    };
    describe(schema, |size| match (nodes(size, false), nodes(size, true)) {
        (first, by_count) if first == by_count => first,
        (first, by_count) => format!("{first}; with the platform's option `gpuSizes: by-count` {by_count}"),
    });
}

#[cfg(feature = "generate")]
fn in_clouds(of: impl Fn(Cloud) -> String) -> String {
    let names = ["AWS", "Azure", "Google Cloud"];
    let all = Cloud::ALL.into_iter().zip(names).map(|(cloud, name)| format!("{} on {name}", of(cloud)));
    all.collect::<Vec<_>>().join(", ")
}

/// Replaces what is said of each size.
#[cfg(feature = "generate")]
fn describe(schema: &mut schemars::Schema, meaning: impl Fn(NodeSize) -> String) {
    let Some(alternatives) = schema.get_mut("oneOf").and_then(serde_json::Value::as_array_mut) else { return };
    for (size, alternative) in NodeSize::ALL.into_iter().zip(alternatives) {
        alternative["description"] = format!("{}.", meaning(size)).into();
    }
}

fn of<T>(table: &'static [(Cloud, [T; 3]); 3], cloud: Cloud, size: NodeSize) -> &'static T {
    let [(_, aws), (_, azure), (_, google)] = table;
    let [small, medium, large] = match cloud {
        Cloud::Aws => aws,
        Cloud::Azure => azure,
        Cloud::Google => google,
    };
    match size {
        NodeSize::Small => small,
        NodeSize::Medium => medium,
        NodeSize::Large => large,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clouds::machines::Machine;

    #[test]
    fn rows_are_those_of_their_cloud() {
        for table in [&FIRST, &BY_COUNT] {
            assert!(table.iter().map(|row| row.0).eq(Cloud::ALL));
            for (cloud, nodes) in table {
                for nodes in nodes {
                    // Two machine types are in one table only: sizes that nobody can have are as they were written.
                    if let Some(machine) = Machine::named(*cloud, nodes.machine) {
                        assert_eq!((machine.accelerator, machine.gpus), (nodes.accelerator, nodes.gpus), "{nodes:?}");
                    }
                }
            }
        }
        assert!(GENERAL.iter().map(|row| row.0).eq(Cloud::ALL));
    }

    #[test]
    fn disks() {
        assert_eq!(NodeSize::ALL.map(disk), [100, 200, 500]);
        assert_eq!([1, 4, 8].map(disk_for), [100, 200, 500]);
    }
}
