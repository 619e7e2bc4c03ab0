//! Keys of labels and annotations, and other names that kinds and clusters agree on.

/// What every key of the API starts with. Labels of users may not.
pub const PREFIX: &str = "modelplane.ai/";

/// On replicas and endpoints: the name of their deployment.
pub const DEPLOYMENT: &str = "modelplane.ai/deployment";
/// On replicas and endpoints: the name of their cluster.
pub const CLUSTER: &str = "modelplane.ai/cluster";
/// On replicas and endpoints: their index on the cluster, as a decimal number.
pub const REPLICA_INDEX: &str = "modelplane.ai/replica-index";
/// On pods that serve: the name of their replica.
pub const SERVING: &str = "modelplane.ai/serving";
/// On pods of engines with one node: the name of their workload.
pub const WORKLOAD: &str = "modelplane.ai/workload";
/// On the leader of a gang: [`LEADER`].
pub const LWS_ROLE: &str = "modelplane.ai/lws-role";
/// The value of [`LWS_ROLE`].
pub const LEADER: &str = "leader";
/// On ClusterQueues of Kueue: the InferenceCluster that they give quota of.
pub const INFERENCE_CLUSTER: &str = "modelplane.ai/inference-cluster";
/// On nodes, and on flavors and queues of schedulers: the name of their pool.
pub const POOL: &str = "modelplane.ai/pool";
/// On nodes with GPUs: the type of accelerator, as the cloud calls it.
pub const GPU: &str = "modelplane.ai/gpu";
/// The value of [`POOL`] on nodes that run everything else.
pub const SYSTEM_POOL: &str = "system";
/// On nodes of GKE with GPUs: `true`, so that the autoscaler of GKE makes the first node of a pool whose devices are claimed.
pub const GKE_DRA_DRIVER: &str = "cloud.google.com/gke-nvidia-gpu-dra-driver";
/// On roles and policies of AWS: what they are for.
pub const IAM_ROLE: &str = "modelplane.ai/iam-role";
/// On subnets: their zone.
pub const ZONE: &str = "modelplane.ai/zone";
/// On subnets and route tables: `public` or `private`.
pub const SUBNET_TIER: &str = "modelplane.ai/subnet-tier";
/// On security groups: what they are for.
pub const SG_ROLE: &str = "modelplane.ai/sg-role";
/// On what a fabric between nodes needs: the fabric.
pub const FABRIC: &str = "modelplane.ai/fabric";
/// On Releases of an InferenceGateway: what they install.
pub const RELEASE: &str = "modelplane.ai/release";
/// On what a ServingStack takes down in order: what it is.
pub const RESOURCE: &str = "modelplane.ai/resource";
/// On what uses a ProviderConfig: its composition resource name.
pub const USAGE_CONSUMER: &str = "modelplane.ai/usage-consumer";
/// On what a cache creates on clusters: the name of the cache.
pub const MODEL_CACHE: &str = "modelplane.ai/modelcache";
/// An annotation of replicas: with the value `true` the replica is placed anew.
pub const EVICT: &str = "modelplane.ai/evict";
/// An annotation of replicas: what serves them, `direct` or `kserve`. Without it they stay with what they have.
pub const BACKEND: &str = "modelplane.ai/backend";
/// On workloads: the queue of Kueue that admits their pods.
pub const KUEUE_QUEUE: &str = "kueue.x-k8s.io/queue-name";
/// On pods: the queue of KAI that they wait in.
pub const KAI_QUEUE: &str = "kai.scheduler/queue";
/// An annotation of the pods of an endpoint picker: the SHA-256 of its configuration, so that an edit restarts it.
pub const PICKER_CONFIG: &str = "modelplane.ai/epp-config-checksum";
/// On pods that prefill or decode: which of the two.
pub const LLM_D_ROLE: &str = "llm-d.ai/role";
/// On pods that prefill or decode: `true`.
pub const LLM_D_SERVING: &str = "llm-d.ai/inference-serving";
/// On pods that prefill or decode, and on endpoint pickers: whose they are.
pub const APP: &str = "app";
/// On an EndpointSlice: the name of its Service.
pub const SERVICE_NAME: &str = "kubernetes.io/service-name";

/// The namespace of everything on workload clusters.
pub const WORKLOAD_NAMESPACE: &str = "default";
/// The namespace of both gateways.
pub const SYSTEM_NAMESPACE: &str = "modelplane-system";
/// The gateway of the control plane, which has the routes of services.
pub const CONTROL_PLANE_GATEWAY: &str = "modelplane";
/// The gateway of a workload cluster, which has the routes of replicas.
pub const WORKLOAD_GATEWAY: &str = "inference-gateway";
/// The name of the only InferenceGateway.
pub const INFERENCE_GATEWAY: &str = "default";
