//! Invalid objects of the kinds that InferenceClusters in clouds become.

use serde_json::{Value, json};

use super::objects::{InvalidField, InvalidObjects};

const API_VERSION: &str = "infrastructure.modelplane.ai/v1alpha1";

pub(super) const GKE_CLUSTER: InvalidObjects = InvalidObjects {
    api_version: API_VERSION,
    kind: "GKECluster",
    spec: || {
        json!({
            "region": "us-central1",
            "networking": {"podCidr": "10.1.0.0/16"},
            "nodePools": [{
                "name": "l4", "role": "GPU", "machineType": "g2-standard-8", "gpu": {"acceleratorType": "nvidia-l4"},
                "zones": ["us-central1-a"],
            }],
        })
    },
    fields: || {
        let own = vec![
            ("/spec/region", texts(32)),
            ("/spec/project", vec![json!("short"), json!("a".repeat(31)), json!(1)]),
            ("/spec/nodePools/0/name", texts(40)),
            ("/spec/nodePools/0/machineType", texts(63)),
            ("/spec/nodePools/0/gpu/acceleratorType", texts(63)),
            ("/spec/nodePools/0/gpu/acceleratorCount", vec![json!(0), json!(17), json!("1")]),
            ("/spec/nodePools/0/zones", vec![json!([]), json!([""]), json!(vec!["a"; 9]), json!("a")]),
            (
                "/spec/networking",
                vec![json!({"podCidr": "1".repeat(19)}), json!({"serviceCidr": 1}), json!("10.0.0.0/8")],
            ),
        ];
        own.into_iter().chain(everywhere()).chain(disks()).collect()
    },
    names: &[],
    specs: || {
        let pool =
            |index: usize| json!({"name": format!("p{index}"), "role": "System", "machineType": "e2-standard-4"});
        let gpu = json!({"name": "a", "role": "GPU", "machineType": "b", "gpu": {"acceleratorType": "c"}});
        let pools = |pools: Value| json!({"region": "us-central1", "nodePools": pools});
        vec![
            ("9 pools", pools((0..9).map(pool).collect())),
            ("a pool twice", pools(json!([pool(0), pool(0)]))),
            ("GPUs without zones", pools(json!([gpu]))),
            ("a pool called system", pools(json!([{"name": "system", "role": "System", "machineType": "b"}]))),
            ("no pools", json!({"region": "us-central1"})),
        ]
    },
    judged: || {
        let range = |text: &str| json!({"podCidr": text});
        vec![(
            "/spec/networking",
            ["10.0.0.0/8", "10.2.0.0/16", "10.1.0.0/33", "10.1.300.0/24", "odd", "::/0"].map(range).to_vec(),
        )]
    },
};

pub(super) const EKS_CLUSTER: InvalidObjects = InvalidObjects {
    api_version: API_VERSION,
    kind: "EKSCluster",
    spec: || {
        json!({
            "region": "us-west-2",
            "networking": {"subnetCidrs": ["10.0.0.0/20", "10.0.16.0/20"]},
            "nodePools": [{
                "name": "l4", "role": "GPU", "instanceType": "g6.xlarge", "gpu": {"acceleratorType": "nvidia-l4"},
                "zones": ["us-west-2a"],
            }],
        })
    },
    fields: || {
        let own = vec![
            ("/spec/region", texts(32)),
            ("/spec/nodePools/0/name", texts(40)),
            ("/spec/nodePools/0/instanceType", texts(63)),
            ("/spec/nodePools/0/gpu/acceleratorType", texts(63)),
            ("/spec/nodePools/0/zones", vec![json!([]), json!([""]), json!(vec!["a"; 9]), json!("a")]),
            ("/spec/nodePools/0/fabric", vec![json!("EFA"), json!("InfiniBand"), json!("efa"), json!("")]),
            (
                "/spec/nodePools/0/capacityBlock",
                vec![json!({}), json!({"capacityReservationId": "cr-XYZ"}), json!("cr-1")],
            ),
            (
                "/spec/networking/subnetCidrs",
                vec![json!([]), json!(["10.0.0.0/20"]), json!(vec!["10.0.0.0/20"; 7]), json!(["1".repeat(19), ""])],
            ),
        ];
        own.into_iter().chain(everywhere()).chain(disks()).collect()
    },
    names: &[],
    specs: || {
        let pool = |index: usize| json!({"name": format!("p{index}"), "role": "System", "instanceType": "m6i.large"});
        let gpu = json!({"name": "a", "role": "GPU", "instanceType": "b", "gpu": {"acceleratorType": "c"}});
        let pools = |pools: Value| json!({"region": "us-west-2", "nodePools": pools});
        vec![
            ("9 pools", pools((0..9).map(pool).collect())),
            ("a pool twice", pools(json!([pool(0), pool(0)]))),
            ("GPUs without zones", pools(json!([gpu]))),
            ("a pool called system", pools(json!([{"name": "system", "role": "System", "instanceType": "b"}]))),
        ]
    },
    judged: || {
        vec![
            ("/spec/nodePools/0/zones", vec![json!(["us-west-2c"]), json!(["us-west-2a", "us-east-1a"])]),
            (
                "/spec/networking/subnetCidrs",
                vec![
                    json!(["10.0.0.0/20", "10.0.0.0/24"]),
                    json!(["10.0.0.0/20", "10.0.48.0/20"]),
                    json!(["10.0.0.0/20", "10.0.255.0/24"]),
                    json!(["10.0.0.0/20", "10.9.0.0/20"]),
                    json!(["10.0.0.0/20", "10.0.16.0/33"]),
                    json!(["10.0.0.0/20", "odd"]),
                ],
            ),
            ("/spec/networking/vpcCidr", vec![json!("odd"), json!("10.0.0.0/33"), json!("10.0.0.0/24")]),
        ]
    },
};

pub(super) const AKS_CLUSTER: InvalidObjects = InvalidObjects {
    api_version: API_VERSION,
    kind: "AKSCluster",
    spec: || {
        json!({
            "location": "westeurope",
            "networking": {"vnetCidr": "10.0.0.0/16", "subnetCidr": "10.0.0.0/20"},
            "nodePools": [{
                "name": "h100", "role": "GPU", "vmSize": "Standard_ND96isr_H100_v5", "gpu": {"acceleratorType": "nvidia-h100"},
                "minNodeCount": 1,
            }],
        })
    },
    fields: || {
        let own = vec![
            ("/spec/location", texts(32)),
            (
                "/spec/nodePools/0/name",
                vec![json!(""), json!("a".repeat(13)), json!("1a"), json!("A"), json!("a-b"), json!(null)],
            ),
            ("/spec/nodePools/0/vmSize", texts(63)),
            ("/spec/nodePools/0/gpu/acceleratorType", texts(63)),
            (
                "/spec/nodePools/0/zones",
                vec![json!([]), json!([""]), json!(["1", "2", "3", "4"]), json!(["123456789"])],
            ),
            ("/spec/nodePools/0/fabric", vec![json!("EFA"), json!("infiniband"), json!("")]),
            ("/spec/networking/vnetCidr", vec![json!("1".repeat(19)), json!(1)]),
        ];
        own.into_iter().chain(everywhere()).chain(disks()).collect()
    },
    names: &[],
    specs: || {
        let pool = |index: usize| json!({"name": format!("p{index}"), "role": "System", "vmSize": "Standard_D4s_v5"});
        let pools = |pools: Value| json!({"location": "westeurope", "nodePools": pools});
        vec![
            ("9 pools", pools((0..9).map(pool).collect())),
            ("a pool twice", pools(json!([pool(0), pool(0)]))),
            ("a pool called system", pools(json!([{"name": "system", "role": "System", "vmSize": "b"}]))),
        ]
    },
    judged: || {
        let ranges = |whole: &str, subnet: &str| json!({"vnetCidr": whole, "subnetCidr": subnet});
        vec![(
            "/spec/networking",
            vec![
                ranges("10.96.0.0/12", "10.97.0.0/20"),
                ranges("10.244.0.0/16", "10.244.0.0/20"),
                ranges("10.0.0.0/16", "10.1.0.0/20"),
                ranges("10.0.0.0/33", "10.0.0.0/20"),
                ranges("10.0.0.0/16", "odd"),
            ],
        )]
    },
};

pub(super) const NEBIUS_CLUSTER: InvalidObjects = InvalidObjects {
    api_version: API_VERSION,
    kind: "NebiusCluster",
    spec: || {
        json!({
            "nodePools": [{
                "name": "h100", "role": "GPU", "platform": "gpu-h100-sxm", "preset": "8gpu-128vcpu-1600gb",
                "gpu": {"acceleratorType": "nvidia-h100"}, "maxNodeCount": 4,
                "fabric": {"type": "InfiniBand", "infiniband": {"fabric": "fabric-2"}},
            }],
        })
    },
    fields: || {
        let fabric = |kind: &str, name: &str| json!({"type": kind, "infiniband": {"fabric": name}});
        let own = vec![
            ("/spec/nodePools/0/name", texts(40)),
            ("/spec/nodePools/0/platform", texts(63)),
            ("/spec/nodePools/0/preset", texts(63)),
            ("/spec/nodePools/0/gpu/acceleratorType", texts(63)),
            ("/spec/nodePools/0/gpu/driversPreset", vec![json!(""), json!("a".repeat(64)), json!(13)]),
            (
                "/spec/nodePools/0/fabric",
                vec![
                    json!({"type": "InfiniBand"}),
                    json!({"infiniband": {"fabric": "fabric-2"}}),
                    json!({"type": "InfiniBand", "infiniband": {}}),
                    json!("InfiniBand"),
                    fabric("None", "fabric-2"),
                    fabric("EFA", "fabric-2"),
                    fabric("InfiniBand", ""),
                    fabric("InfiniBand", &"a".repeat(64)),
                ],
            ),
            // At least as many nodes as to begin with.
            ("/spec/nodePools/0/nodeCount", vec![json!(5)]),
            ("/spec/nodePools/0/maxNodeCount", vec![json!(0)]),
        ];
        own.into_iter().chain(everywhere()).chain(disks()).collect()
    },
    names: &[],
    specs: || {
        let pool = |name: &str| json!({"name": name, "role": "System", "platform": "cpu-d3", "preset": "4vcpu-16gb"});
        let with = |field: &str, count: u32| {
            let mut pool = pool("a");
            pool[field] = json!(count);
            json!({"nodePools": [pool]})
        };
        vec![
            ("9 pools", json!({"nodePools": (0..9).map(|index| pool(&format!("p{index}"))).collect::<Vec<_>>()})),
            ("a pool twice", json!({"nodePools": [pool("a"), pool("a")]})),
            ("a pool called system", json!({"nodePools": [pool("system")]})),
            ("a smallest number without a largest", with("minNodeCount", 1)),
            ("no pools", json!({})),
        ]
    },
    judged: Vec::new,
};

pub(super) const VULTR_CLUSTER: InvalidObjects = InvalidObjects {
    api_version: API_VERSION,
    kind: "VultrCluster",
    spec: || {
        json!({
            "region": "ewr",
            "nodePools": [{
                "name": "l40s", "role": "GPU", "plan": "vcg-l40s-16c-180g-48vram", "gpu": {"acceleratorType": "nvidia-l40s"},
                "maxNodeCount": 4,
            }],
        })
    },
    fields: || {
        let own = vec![
            ("/spec/region", texts(32)),
            ("/spec/nodePools/0/name", texts(40)),
            ("/spec/nodePools/0/plan", texts(63)),
            ("/spec/nodePools/0/gpu/acceleratorType", texts(63)),
            // A pool always has a node. Without a smallest number it has at least as many nodes as to begin with.
            ("/spec/nodePools/0/nodeCount", vec![json!(0), json!(5)]),
            ("/spec/nodePools/0/maxNodeCount", vec![json!(0)]),
        ];
        own.into_iter().chain(everywhere()).collect()
    },
    names: &[],
    specs: || {
        let pool = |name: &str| json!({"name": name, "role": "System", "plan": "vc2-6c-16gb"});
        let pools = |pools: Value| json!({"region": "ewr", "nodePools": pools});
        let mut smallest = pool("a");
        smallest["minNodeCount"] = json!(1);
        vec![
            ("9 pools", pools((0..9).map(|index| pool(&format!("p{index}"))).collect())),
            ("a pool twice", pools(json!([pool("a"), pool("a")]))),
            ("a pool called system", pools(json!([pool("system")]))),
            ("a smallest number without a largest", pools(json!([smallest]))),
            ("no pools", json!({"region": "ewr"})),
        ]
    },
    judged: Vec::new,
};

/// What those refuse whose nodes have a disk of a size of one's own.
fn disks() -> Vec<InvalidField> {
    vec![("/spec/nodePools/0/diskSizeGb", vec![json!(9), json!(65537), json!("100")])]
}

/// What all of them refuse.
fn everywhere() -> Vec<InvalidField> {
    let count = || vec![json!(-1), json!(1001), json!(1.5), json!("1")];
    vec![
        ("/spec/kubernetesVersion", vec![json!(""), json!("1".repeat(17)), json!(1.35)]),
        ("/spec/credentials", vec![json!({"type": "Secret"}), json!({"name": ""}), json!("default")]),
        ("/spec/nodePools", vec![json!([]), json!({}), json!(null)]),
        ("/spec/nodePools/0/role", vec![json!("gpu"), json!(""), json!(null)]),
        ("/spec/nodePools/0/gpu", vec![json!({}), json!(null)]),
        ("/spec/nodePools/0/nodeCount", count()),
        ("/spec/nodePools/0/minNodeCount", [count(), vec![json!(9)]].concat()),
        ("/spec/nodePools/0/maxNodeCount", count()),
        ("/spec/nodePool", vec![json!([])]),
    ]
}

/// What is no text of 1 to `most` characters.
fn texts(most: usize) -> Vec<Value> {
    vec![json!(""), json!("a".repeat(most + 1)), json!(1), json!(null)]
}
