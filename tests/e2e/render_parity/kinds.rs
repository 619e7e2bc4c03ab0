//! Cases for particular kinds: a row for each kind.

use contract::types::KindRef;

use crate::cases::{Case, Fate, composition};

/// What a kind needs in addition to its examples and golden cases, which need no row.
pub(crate) struct Row {
    api_version: &'static str,
    kind: &'static str,
    /// The outcomes of those golden cases that both commands do not treat alike, or that only `render` refuses.
    pub(crate) fates: &'static [(&'static str, Fate)],
    /// Composites of the kind with variations of its fields.
    variations: fn() -> Vec<Case>,
}

/// Every row.
const ROWS: &[Row] = &[
    Row {
        api_version: "inference.devopstoolkit.ai/v1alpha1",
        kind: "LLMInference",
        fates: &[
            ("name-64", Fate::RefusedByApiServer("metadata.name")),
            ("name-253", Fate::RefusedByApiServer("metadata.name")),
            ("name-all-wrong", Fate::RefusedByApiServer("metadata.name")),
            ("unknown-fields", Fate::RefusedByApiServer("unknown field")),
            ("observed-odd", Fate::Refused("metadata.namespace")),
        ],
        variations: llm_inference,
    },
    Row {
        api_version: "devopstoolkitseries.com/v2",
        kind: "Cluster",
        fates: &[
            ("counts-contradict", Fate::RefusedByApiServer("minNodeCount may not be more than maxNodeCount")),
            ("observed-odd", Fate::Refused("metadata.namespace")),
        ],
        variations: clusters,
    },
    Row { api_version: "inference.eh-ops.io/v1alpha1", kind: "InferenceModel", fates: &[], variations: models },
    Row {
        api_version: "model.otterscale.io/v1alpha1",
        kind: "ModelArtifact",
        fates: &[("artifact-name-63-dots", Fate::Refused("metadata.name"))],
        variations: Vec::new,
    },
    Row {
        api_version: INFRASTRUCTURE,
        kind: "GKECluster",
        fates: &[("gke-pool-without-zones", Fate::RefusedByApiServer("zones is required when role is GPU"))],
        variations: || {
            in_clouds("GKECluster", "region: us-central1, project: ml-prod, ", "machineType: e2-standard-4", SIZES)
        },
    },
    Row {
        api_version: INFRASTRUCTURE,
        kind: "EKSCluster",
        fates: &[("eks-fault-range", Fate::Refused("spec.networking.subnetCidrs"))],
        variations: || in_clouds("EKSCluster", "region: us-west-2, ", "instanceType: m6i.large", SIZES),
    },
    Row {
        api_version: INFRASTRUCTURE,
        kind: "AKSCluster",
        fates: &[],
        variations: || in_clouds("AKSCluster", "location: westeurope, ", "vmSize: Standard_D4s_v5", SIZES),
    },
    Row {
        api_version: INFRASTRUCTURE,
        kind: "NebiusCluster",
        fates: &[],
        variations: || {
            let sizes = [BOUNDED, ", maxNodeCount: 1, nodeCount: 0", ", diskSizeGb: 65536"];
            in_clouds("NebiusCluster", "", "platform: cpu-d3, preset: 4vcpu-16gb", sizes)
        },
    },
    Row {
        api_version: INFRASTRUCTURE,
        kind: "VultrCluster",
        fates: &[],
        variations: || {
            let sizes = [BOUNDED, ", maxNodeCount: 4", ", nodeCount: 1000"];
            in_clouds("VultrCluster", "region: ewr, ", "plan: vc2-6c-16gb", sizes)
        },
    },
    Row {
        api_version: INFRASTRUCTURE,
        kind: "ServingStack",
        fates: &[(
            "stack-without-kubeconfig",
            Fate::RefusedByApiServer("spec.secrets must include a Kubeconfig entry"),
        )],
        variations: || of_specs(INFRASTRUCTURE, "ServingStack", "a", STACKS),
    },
    Row {
        api_version: "modelplane.ai/v1alpha1",
        kind: "InferenceCluster",
        fates: &[
            ("cluster-existing-without-block", Fate::RefusedByApiServer("spec.cluster.existing is required when")),
            ("cluster-without-block", Fate::RefusedByApiServer("spec.cluster.gke is required when")),
        ],
        variations: || of_specs("modelplane.ai/v1alpha1", "InferenceCluster", "a", FLEET_CLUSTERS),
    },
    Row {
        api_version: "modelplane.ai/v1alpha1",
        kind: "InferenceGateway",
        fates: &[
            // What is looked up there are the observed definitions, without their annotations.
            ("gateway-definitions-given-over", Fate::Refused("crossplane.io/composition-resource-name")),
            ("gateway-without-traefik", Fate::Refused("spec.traefik is required when")),
        ],
        variations: || of_specs("modelplane.ai/v1alpha1", "InferenceGateway", "default", FLEET_GATEWAYS),
    },
    // No kind of ours: the step `compose-usages` acts on what others desire.
    Row {
        api_version: "example.org/v1",
        kind: "Platform",
        fates: &[
            ("usages-of-another-kind", Fate::Refused("no kind `example.org/v1` Platform")),
            ("usages-without-namespace", Fate::Refused("no kind `example.org/v1` Platform")),
        ],
        variations: Vec::new,
    },
    Row {
        api_version: "modelplane.ai/v1alpha1",
        kind: "ModelCache",
        fates: &[("cache-long-name", Fate::RefusedByApiServer("metadata.name"))],
        variations: Vec::new,
    },
    Row {
        api_version: "modelplane.ai/v1alpha1",
        kind: "ModelReplica",
        fates: &[
            ("replica-every-field", Fate::RefusedByApiServer(RESERVED_LABELS)),
            ("replica-held-only-ours", Fate::Refused("metadata.namespace")),
            ("replica-kserve-every-field", Fate::RefusedByApiServer(RESERVED_LABELS)),
            ("replica-name-64", Fate::RefusedByApiServer("metadata.name")),
            ("replica-phases-without-mode", Fate::RefusedByApiServer("engine phase may only be set")),
            ("replica-template", Fate::RefusedByApiServer(RESERVED_LABELS)),
        ],
        variations: Vec::new,
    },
];

/// What a rule of Modelplane's pod templates says.
const RESERVED_LABELS: &str = "must not use the reserved modelplane.ai/ prefix";

/// The row of a kind, when it has one.
pub(crate) fn row(kind: &KindRef) -> Option<&'static Row> {
    ROWS.iter().find(|row| row.api_version == kind.api_version && row.kind == kind.kind)
}

/// Every variation of every kind.
pub(crate) fn variations() -> Vec<Case> {
    ROWS.iter().flat_map(|row| (row.variations)()).collect()
}

fn llm_inference() -> Vec<Case> {
    let kind = KindRef { api_version: ROWS[0].api_version.to_owned(), kind: ROWS[0].kind.to_owned() };
    let with_gpus = |gpu: &str| {
        let text = format!(
            "apiVersion: {}\nkind: {}\nmetadata:\n  name: qwen\n  namespace: team-a\nspec:\n  \
             model: Qwen/Qwen2.5-1.5B-Instruct\n  providerConfigName: gpu-cluster\n  \
             ingressHost: qwen.example.org\n  gpu: {gpu}\n",
            kind.api_version, kind.kind
        );
        Case::new(format!("gpu {gpu}"), &kind, text)
    };
    let read = ["1", "2", "8", "1024", "2.0", "0x8", "1e1", "0o10", "1_0"];
    let refused = ["0", "-1", "1025", "2147483648", "9223372036854775808", "1.5", "'4'", "yes"];
    let refused = refused.into_iter().map(|gpu| with_gpus(gpu).refused("spec.gpu"));
    read.into_iter().map(with_gpus).chain(refused).collect()
}

/// API version of the kinds that InferenceClusters become.
const INFRASTRUCTURE: &str = "infrastructure.modelplane.ai/v1alpha1";

/// Specs of ServingStacks.
const STACKS: &[(&str, &str)] = &[
    ("{secrets: [{type: Kubeconfig, name: k, key: kubeconfig}]}", ""),
    ("{secrets: [{type: Kubeconfig, name: k, key: kubeconfig, namespace: other}]}", ""),
    ("{secrets: [{type: Kubeconfig, name: k, key: kubeconfig}], nvidiaDriverRoot: /home/kubernetes/bin/nvidia}", ""),
    ("{secrets: [{type: Kubeconfig, name: k, key: kubeconfig}], scheduler: {type: managed-kai}}", ""),
    ("{secrets: [{type: Kubeconfig, name: k, key: kubeconfig}], scheduler: {type: managed-kueue}}", ""),
    ("{secrets: [{type: Kubeconfig, name: k, key: kubeconfig}], versions: {prometheus: 0.0.1}}", ""),
    ("{secrets: [{type: Kubeconfig, name: k, key: kubeconfig}], gateway: {className: own}}", ""),
    ("{}", "spec.secrets"),
    ("{secrets: []}", "spec.secrets"),
    ("{secrets: [{type: Kubeconfig, name: '', key: kubeconfig}]}", ""),
];

/// Specs of InferenceClusters.
const FLEET_CLUSTERS: &[(&str, &str)] = &[
    ("{cluster: {source: Existing, existing: {secretRef: {name: k}}}}", ""),
    (
        "{cluster: {source: Existing, existing: {secretRef: {name: k, key: config}, cache: {storageClassName: rwx}}}}",
        "",
    ),
    ("{cluster: {source: Existing, existing: {secretRef: {name: k}}}, scheduler: {type: kai}}", ""),
    ("{cluster: {source: Existing, existing: {secretRef: {name: k}}}, taints: [{key: a, effect: NoSchedule}]}", ""),
    (
        "{cluster: {source: GKE, gke: {region: us-central1}}, nodePools: [{name: a, className: l4, zones: [us-central1-a]}]}",
        "",
    ),
    ("{cluster: {source: AKS, aks: {location: westeurope}}, nodePools: [{name: a, className: l4, nodeCount: 0}]}", ""),
    ("{cluster: {source: Nebius, nebius: {}}, nodePools: [{name: a, className: l4, fabric: {type: None}}]}", ""),
    ("{cluster: {source: Vultr, vultr: {region: ewr}}, nodePools: [{name: a, className: l4, maxNodeCount: 3}]}", ""),
    ("{cluster: {source: Cloud}}", "spec.cluster.source"),
    ("{cluster: {source: GKE, gke: {region: ''}}}", "spec.cluster.gke.region"),
    (
        "{cluster: {source: Existing, existing: {secretRef: {name: k}}}, taints: [{key: a, effect: No}]}",
        "spec.taints[0].effect",
    ),
];

/// Specs of InferenceGateways.
const FLEET_GATEWAYS: &[(&str, &str)] = &[
    ("{backend: Traefik, traefik: {version: 40.2.0}}", ""),
    ("{backend: Traefik, traefik: {version: 41.0.0-rc.1}}", ""),
    (
        "{backend: Traefik, traefik: {version: 40.2.0, loadBalancer: MetalLB, metallb: {addressPool: 10.0.0.1-10.0.0.9}}}",
        "",
    ),
    ("{backend: Traefik, traefik: {version: 40.2.0, loadBalancer: MetalLB, metallb: {addressPool: 10.0.0.0/28}}}", ""),
    ("{backend: Nginx}", "spec.backend"),
];

/// Composites with these specs: each with the field that is refused, if one is.
fn of_specs(api_version: &str, name: &str, object: &str, specs: &[(&str, &'static str)]) -> Vec<Case> {
    let kind = KindRef { api_version: api_version.to_owned(), kind: name.to_owned() };
    let namespace = if api_version == INFRASTRUCTURE { "\n  namespace: modelplane-system" } else { "" };
    let of_spec = |&(spec, refused): &(&str, &'static str)| {
        let text =
            format!("apiVersion: {api_version}\nkind: {name}\nmetadata:\n  name: {object}{namespace}\nspec: {spec}\n");
        let case = Case::new(format!("{name} {spec}"), &kind, text);
        if refused.is_empty() { case } else { case.refused(refused) }
    };
    specs.iter().map(of_spec).collect()
}

/// Bounds of a pool.
const BOUNDED: &str = ", minNodeCount: 2, maxNodeCount: 3, nodeCount: 2";

/// Sizes of pools that always have bounds.
const SIZES: [&str; 3] = [BOUNDED, ", maxNodeCount: 0, nodeCount: 0", ", diskSizeGb: 65536"];

/// Clusters with variations of what their kinds have in common: bounds, disks, versions, credentials and numbers of pools. The place
/// ends with a comma.
fn in_clouds(name: &str, place: &str, machine: &str, sizes: [&str; 3]) -> Vec<Case> {
    let kind = KindRef { api_version: INFRASTRUCTURE.to_owned(), kind: name.to_owned() };
    let cluster = |what: &str, more: &str, pools: &str| {
        let text = format!(
            "apiVersion: {INFRASTRUCTURE}\nkind: {name}\nmetadata:\n  name: a\n  namespace: modelplane-system\nspec: \
             {{{place}{more}nodePools: [{pools}]}}\n"
        );
        Case::new(format!("{name} {what}"), &kind, text)
    };
    let pool = |index: usize, more: &str| format!("{{name: p{index}, role: System, {machine}{more}}}");
    let mut cases: Vec<_> = sizes.into_iter().map(|more| cluster(more, "", &pool(0, more))).collect();
    let pools = |count: usize| (0..count).map(|index| pool(index, "")).collect::<Vec<_>>().join(", ");
    cases.push(cluster("8 pools", "", &pools(8)));
    cases.push(cluster("a version", "kubernetesVersion: '1.35', ", &pools(1)));
    cases.push(cluster("credentials", "credentials: {type: ProviderConfig, name: ml}, ", &pools(2)));
    cases.push(cluster("9 pools", "", &pools(9)).refused("spec.nodePools"));
    cases.push(cluster("no pools", "", "").refused("spec.nodePools"));
    for count in ["-1", "1001", "1.5", "'4'"] {
        let more = format!(", nodeCount: {count}");
        cases.push(cluster(&more, "", &pool(0, &more)).refused("spec.nodePools[0].nodeCount"));
    }
    cases
}

/// The clouds, and what their clusters are called.
const CLOUDS: [(&str, &str); 3] = [("aws", "eks"), ("azure", "aks"), ("google", "gke")];

/// Parameters of clusters that are composed on each cloud.
const PARAMETERS: &[&str] = &[
    "{}",
    "{nodeSize: medium, minNodeCount: 3}",
    "{nodeSize: large, version: '1.33', usage: {enabled: true}}",
    "{namespaces: []}",
    "{namespaces: [a, b, c], creds: {name: creds, namespace: x, keys: [k]}}",
    "{gpu: {}}",
    "{gpu: {enabled: true}}",
    "{gpu: {enabled: true, nodeSize: medium, minNodeCount: 0}}",
    "{gpu: {enabled: true, nodeSize: large, maxNodeCount: 1}}",
    "{gpu: {enabled: true, accelerator: H100, capacity: Spot}}",
    "{gpu: {enabled: true, accelerator: T4, capacity: OnDemand}}",
    "{apps: {traefik: {enabled: true}, argocd: {enabled: true, host: argocd.example.org}, prometheus: {enabled: true}}}",
    "{apps: {nvidia: {enabled: true}, vllm: {enabled: true}, keda: {enabled: true}, envoyGateway: {enabled: true}}}",
    "{apps: {crossplane: {enabled: true}, openfunction: {enabled: true}, externalSecrets: {enabled: true}}}",
];

fn clusters() -> Vec<Case> {
    let kind = KindRef { api_version: "devopstoolkitseries.com/v2".to_owned(), kind: "Cluster".to_owned() };
    let cluster = |name: &str, (provider, cluster): (&str, &str), parameters: &str| {
        let text = format!(
            "apiVersion: {}\nkind: {}\nmetadata:\n  name: {name}\n  namespace: team-a\nspec:\n  crossplane:\n    \
             compositionSelector:\n      matchLabels: {{provider: {provider}, cluster: {cluster}}}\n  parameters: {parameters}\n",
            kind.api_version, kind.kind
        );
        Case::new(format!("cluster {provider} {} {parameters}", name.len()), &kind, text).selected()
    };
    let mut cases = Vec::new();
    for cloud in CLOUDS {
        cases.extend(PARAMETERS.iter().map(|parameters| cluster("a", cloud, parameters)));
        cases.push(cluster(&"a".repeat(64), cloud, "{}").fate(Fate::RefusedByApiServer("metadata.name")));
        cases.push(cluster("a", cloud, "{nodeSzie: large}").fate(Fate::RefusedByApiServer("unknown field")));
    }
    for count in ["-1", "1001", "2147483648", "1.5", "'4'", "yes"] {
        let parameters = format!("{{minNodeCount: {count}}}");
        cases.push(cluster("a", CLOUDS[0], &parameters).refused("spec.parameters.minNodeCount"));
    }
    cases
}

/// Fields of InferenceModels, beside those that each has: each with the field that is refused, if one is.
const MODELS: &[(&str, &str)] = &[
    ("", ""),
    ("memory: 1Ki", ""),
    ("memory: 16384Mi", ""),
    ("memory: 1Ti", ""),
    ("memory: 00080Gi", ""),
    ("memory: 0Gi", ""),
    ("memory: 8388608Ti", ""),
    ("memory: '80'", "spec.memory"),
    ("memory: 80", "spec.memory"),
    ("memory: 1.5Gi", "spec.memory"),
    ("memory: -1Gi", "spec.memory"),
    ("memory: 80G", "spec.memory"),
    ("memory: ' 80Gi'", "spec.memory"),
    ("cooldownPeriod: 10m", ""),
    ("cooldownPeriod: 1h30m0.5s", ""),
    ("cooldownPeriod: 1.5µs", ""),
    ("cooldownPeriod: 1ns", ""),
    ("cooldownPeriod: '0'", ""),
    ("cooldownPeriod: ''", ""),
    ("cooldownPeriod: -1s", ""),
    ("cooldownPeriod: 2562047h47m16.854775807s", ""),
    ("cooldownPeriod: 2562048h", ""),
    ("cooldownPeriod: soon", ""),
    ("cooldownPeriod: 10", "spec.cooldownPeriod"),
    ("maxReplicas: 0", ""),
    ("maxReplicas: 1", ""),
    ("maxReplicas: 2", "spec.maxReplicas"),
    ("maxReplicas: -1", "spec.maxReplicas"),
    ("maxReplicas: 1.5", "spec.maxReplicas"),
    ("maxReplicas: '1'", "spec.maxReplicas"),
    ("dependencies: []", ""),
    ("dependencies: [other]", ""),
    ("dependencies: [other, other]", ""),
    ("dependencies: [qwen]", ""),
    ("dependencies: ['']", ""),
    ("dependencies: other", "spec.dependencies"),
    ("dependencies: [1]", "spec.dependencies[0]"),
    ("nodeSelector: {}", ""),
    ("nodeSelector: {inference-pool: gpu-a100}", ""),
    ("nodeSelector: {inference-pool: ''}", ""),
    ("nodeSelector: {inference-pool: none}", ""),
    ("nodeSelector: {nvidia.com/gpu.product: A100-SXM4-80GB, disk: ssd}", ""),
    ("nodeSelector: {inference-pool: 1}", "spec.nodeSelector.inference-pool"),
    ("resources: {}", ""),
    ("memory: 60Gi, resources: {requests: {cpu: '2', memory: 8Gi}}", ""),
    ("resources: {requests: {gpu: '1'}}", ""),
    ("memory: 60Gi, resources: {requests: {gpu: '2'}, limits: {gpu: '2', cpu: '8', memory: 64Gi}}", ""),
    ("resources: {limits: {gpu: '4'}}", ""),
    ("resources: {requests: {cpu: many}}", ""),
    ("resources: {requests: {cpu: 2}}", "spec.resources.requests.cpu"),
    ("containerImage: registry.example.org/serve:v1", ""),
    ("containerImage: registry.example.org/serve@sha256:0123", ""),
    ("containerImage: ''", ""),
    ("containerImage: registry.example.org/serve:v1, resources: {requests: {gpu: '1'}}", ""),
    ("containerImage: registry.example.org/serve:v1, nodeSelector: {inference-pool: gpu-a100}, memory: 200Gi", ""),
    ("containerImage: registry.example.org/serve:v1, maxReplicas: 0", ""),
    ("containerImage: registry.example.org/serve:v1, dependencies: [other]", ""),
    ("backendUrl: 'http://[::1]:80'", ""),
    ("backendUrl: 'https://user@a.example.org:8443/v1?x=1#y'", ""),
    ("backendUrl: http://other.models.svc:9090, containerImage: registry.example.org/serve:v1", ""),
    ("modelName: 'Qwen/Qwen3:32B'", ""),
    ("modelName: 模型", ""),
    ("modelName: ''", "spec.modelName"),
    ("modelName: 1", "spec.modelName"),
    ("modelName: null", "spec.modelName"),
];

fn models() -> Vec<Case> {
    let (api_version, name) = ("inference.eh-ops.io/v1alpha1", "InferenceModel");
    let kind = KindRef { api_version: api_version.to_owned(), kind: name.to_owned() };
    let options = include_str!("../../../examples/inference-model/options-pools.yaml");
    let model = |name: &str, fields: &str| {
        // Of two fields of one name the last one counts, which YAML would refuse.
        let own = [
            "modelName: qwen-32b",
            "memory: 60Gi",
            "backendUrl: http://qwen.models.svc:8080",
            "containerImage: registry.example.org/serve:v2",
        ];
        let missing = own.into_iter().filter(|field| !fields.contains(&field[..=field.find(':').unwrap_or_default()]));
        let spec: Vec<_> = missing.chain((!fields.is_empty()).then_some(fields)).collect();
        format!(
            "apiVersion: {api_version}\nkind: InferenceModel\nmetadata:\n  name: {name}\n  namespace: models\nspec: {{{}}}\n",
            spec.join(", ")
        )
    };
    // Without totals nothing new gets memory, and most would compose nothing.
    let totals = "apiVersion: apiextensions.crossplane.io/v1beta1\nkind: EnvironmentConfig\nmetadata: {name: inference-pools}\n\
                  data: {gpu-l4: 24Gi}\n";
    let other = [&*model("other", "memory: 4Gi"), "---\n", totals].concat();
    let cases = MODELS.iter().map(|&(fields, refused)| {
        let case = Case::new(format!("{name} {fields}"), &kind, model("qwen", fields));
        let case = case.composition(composition(&kind, options));
        let case = case.file("cluster.yaml", other.clone()).flags(&["-r", "--required-resources={cluster.yaml}"]);
        if refused.is_empty() { case } else { case.refused(refused) }
    });
    let unknown = Case::new("InferenceModel memry", &kind, model("qwen", "memry: 1Gi"));
    cases.chain([unknown.fate(Fate::RefusedByApiServer("unknown field"))]).collect()
}
