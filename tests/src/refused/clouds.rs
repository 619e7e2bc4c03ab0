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
        own.into_iter().chain(everywhere()).collect()
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
        own.into_iter().chain(everywhere()).collect()
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
        own.into_iter().chain(everywhere()).collect()
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

/// What all of them refuse.
fn everywhere() -> Vec<InvalidField> {
    let count = || vec![json!(-1), json!(1001), json!(1.5), json!("1")];
    vec![
        ("/spec/kubernetesVersion", vec![json!(""), json!("1".repeat(17)), json!(1.35)]),
        ("/spec/credentials", vec![json!({"type": "Secret"}), json!({"name": ""}), json!("default")]),
        ("/spec/nodePools", vec![json!([]), json!({}), json!(null)]),
        ("/spec/nodePools/0/role", vec![json!("gpu"), json!(""), json!(null)]),
        ("/spec/nodePools/0/gpu", vec![json!({}), json!(null)]),
        ("/spec/nodePools/0/diskSizeGb", vec![json!(9), json!(65537), json!("100")]),
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
