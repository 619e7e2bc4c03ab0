//! Sections of the reference pages of Modelplane's kinds.

use inference::modelplane::labels::{
    BACKEND, EVICT, INFERENCE_CLUSTER, KAI_QUEUE, KUEUE_QUEUE, POOL, WORKLOAD_NAMESPACE,
};
use inference::modelplane::queueing::Queueing;
use inference::modelplane::refusals::REASONS;

use crate::table::{code, table};

/// What `spec.scheduler.type` may be, as the definition has it.
const SCHEDULERS: &[&str] = &["kai", "managed-kai", "KAI", "kueue", "managed-kueue", "Kueue", "none", "None", "auto"];

/// Where replicas go, why not elsewhere, and how autoscalers change their number.
pub(crate) fn places() -> String {
    let reasons = REASONS.iter().map(|row| [code(row.reason), row.meaning.to_owned(), row.remedy.to_owned()]);
    format!(
        "## Places

A replica is on one cluster, and each of its engines is in one node pool there. A new replica goes where all of this is true:

1. `clusterSelector` selects the cluster, and so does the ModelCache if there is one. The cluster is ready, its gateway has an address, and
   the deployment tolerates its taints.
2. Each engine finds a pool: for every request of its members the nodes have devices of which all selectors hold, and what can be claimed on
   the cluster is claimed there.
3. The pool has a node for each pod that claims devices. With option `modelplane.accounting: devices` it is enough that all pods of the pool
   can be packed on its nodes. Nobody sees from here on which node a pod runs, so a pod may still wait until another one moves.

Of these clusters it goes to the one with the fewest replicas of the deployment, and of equals to the first by name. Of several pools that
suit, the first in `status.gpuPools` is taken. With option `modelplane.placement: complete` a replica that finds no place so is placed by a
search over devices and pools; what finds a place without it is placed the same.

A replica that runs stays where it is, also when the cluster is not ready for a while, when a new taint has the effect `NoSchedule`, or when
it takes more nodes than before. It goes, and is placed anew, when

* its cluster is no longer selected while others are, or has a taint with `NoExecute` that the deployment does not tolerate;
* the devices of its pool no longer suit, or the pool is gone;
* the deployment has other engines, or other members in one;
* somebody annotates the ModelReplica with `{EVICT}: \"true\"`, for this one alone.

When fewer are wanted, the cluster with most of them gives one up, of equals the last by name, and there the one with the highest index.
Nothing goes while the answer is not known: see [what is held](differences.md#from-modelplane-v031). `sailplane explain --cascade` shows
each choice for a fleet in files, and [`sailplane plan`](commands.md#sailplane-plan) how many more fit, and what a change would move.

### Reasons

Of a cluster that gets no further replica the first thing against it is said: with full answers in `ReplicasScheduled` and `status.refusals`,
by `sailplane explain` and `plan`, on the preview page, and by the webhooks when a deployment is applied. What is against most clusters comes
first, with the cluster and pool that lack least.

{}
## Autoscaling

`kubectl scale` works. An autoscaler also asks for `status.selector`, which full answers have. No pod on the control plane has these labels,
so it can use only metrics that are divided by the number of replicas, target type `AverageValue`: metrics of pods, of resources and of type
`Value` fail. This is the default of KEDA:

```yaml
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata:
  name: qwen
  namespace: ml
spec:
  scaleTargetRef:
    apiVersion: modelplane.ai/v1alpha1
    kind: ModelDeployment
    name: qwen
  minReplicaCount: 1
  maxReplicaCount: 10
  advanced:
    horizontalPodAutoscalerConfig:
      behavior:
        scaleDown:
          stabilizationWindowSeconds: 600
  triggers:
    - type: prometheus
      metadata:
        serverAddress: http://prometheus.monitoring:9090
        query: sum(vllm:num_requests_running{{model_name=\"Qwen/Qwen3-8B\"}})
        threshold: \"32\"
```

The Prometheus has to see the engines of all clusters. A deployment has 1 to 10 replicas, so `minReplicaCount: 0` is refused. Only replicas are
scaled: the copies of an engine and the nodes of a gang are what the template says. A new replica has to load its weights first, so it is
better to wait for some minutes before one goes.

",
        table(&["Reason", "What is against the cluster", "What helps"], reasons),
    )
}

/// What serves replicas.
pub(crate) fn backends() -> String {
    format!(
        "## KServe

By default a replica becomes a workload for each engine, with an InferencePool, an endpoint picker and a route. With option
`modelplane.backend: kserve` a new replica becomes one `LLMInferenceService` instead, with the name of the replica, and KServe makes all
the rest of it.

* KServe must be installed on the clusters, with its API `serving.kserve.io/v1alpha1` and a gateway. The address of that gateway is the one
  in `status.gateway` of the InferenceCluster. The path of a replica there is `/{WORKLOAD_NAMESPACE}/<replica>/`.
* An engine without a command gets KServe's: it serves `/mnt/models` at the port that KServe expects, and the arguments of the engine come
  after, without those for model and port. An engine with a command of its own serves at port 8000, and one for decode behind KServe's
  sidecar at 8001.
* The weights are those of the ModelCache. Without one, KServe downloads the model that the arguments name, as `--model` or
  after `vllm serve`, unless every engine has a command.
* Devices are claimed as without KServe, so the scheduler counts them the same.
* KServe has one set of labels and annotations for an engine: those of the pods that serve.
* A replica with several engines that do all stays as without the option: an LLMInferenceService has one workload, or one for prefill and
  one for decode.

Whoever places a replica notes what serves it, in the annotation `{BACKEND}`. A replica that runs stays as it is when the option
changes. To move one replica, set that annotation of its ModelReplica to `kserve` or `direct`; until it is ready again, its endpoint gets
no requests.

",
    )
}

/// Schedulers and queues of clusters.
pub(crate) fn queues() -> String {
    let row = |scheduler: &&str| {
        let pods = match Queueing::of(scheduler) {
            Queueing::Kai => format!("have `schedulerName: kai-scheduler`, and label `{KAI_QUEUE}` with the queue"),
            Queueing::Kueue => format!("are of a workload with label `{KUEUE_QUEUE}` with the queue"),
            Queueing::None => "no queue".to_owned(),
        };
        [code(scheduler), pods]
    };
    format!(
        "## Queues

The queue of a replica is `modelplane-<namespace>`, after the namespace of its deployment. It must exist on the cluster.

{}
* A Queue of KAI has no namespace. KAI makes PodGroups of gangs by itself, so none are composed.
* A LocalQueue of Kueue must be in namespace `{WORKLOAD_NAMESPACE}`, where all workloads are. Kueue must manage Deployments and
  LeaderWorkerSets. It holds their pods by scheduling gates; field `suspend` is its own, and never composed.
* An edit of the field changes the pods of replicas that run, so they start anew.

## Capacity

What others run on a cluster is not free. Who knows it may write `status.capacity.lastObserved` and `status.capacity.pools`, for example a
controller that watches the scheduler of the cluster:

```yaml
status:
  capacity:
    lastObserved: \"2026-05-20T10:00:00Z\"
    pools:
    - name: frontier
      resources:
      - {{name: nvidia.com/gpu, total: 32, used: 12, available: 20}}
```

Only `available` is read, with option `modelplane.accounting: devices`. It lowers what counts as free for new replicas, and never raises
it; replicas that run stay. The resource `nvidia.com/gpu` is of devices with driver `gpu.nvidia.com`, and so on. `gpuPools` beside these
fields has another writer.

What the schedulers publish becomes a snapshot like this. What nobody knows of a pool is left out.

{}",
        table(&["`spec.scheduler.type`", "Pods"], SCHEDULERS.iter().map(row)),
        table(&["Scheduler", "Pool", "Total", "Used"], SNAPSHOTS.iter().map(|row| row.map(named))),
    )
}

/// What a snapshot is made of.
const SNAPSHOTS: &[[&str; 4]] = &[
    [
        "Kueue",
        "label `POOL` of a ResourceFlavor, or of the nodes that it chooses. The cluster is label `INFERENCE_CLUSTER` of a ClusterQueue",
        "`nominalQuota`",
        "`status.flavorsReservation`, or `status.flavorsUsage` without it; their `total` is what is used",
    ],
    [
        "KAI",
        "label `POOL` of a node, and of a Queue",
        "`status.allocatable` of the nodes that are ready and not cordoned, and as much for those that are still to come",
        "`status.allocated` of the highest Queues of the pool",
    ],
];

fn named(text: &str) -> String {
    text.replace("INFERENCE_CLUSTER", INFERENCE_CLUSTER).replace("POOL", POOL)
}

/// Every value of the definition has a row.
#[test]
fn schedulers_of_the_definition() {
    let kind = inference::KINDS.rows.iter().find(|row| row.kind == "InferenceCluster").expect("a kind");
    let field = "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/scheduler/properties/type/enum";
    let definition = toolbox::definition::definition(kind);
    let values = definition.pointer(field).and_then(serde_json::Value::as_array).expect("a list");
    let mut values: Vec<_> = values.iter().filter_map(serde_json::Value::as_str).collect();
    let mut rows = SCHEDULERS.to_vec();
    values.sort_unstable();
    rows.sort_unstable();
    assert_eq!(rows, values);
}
