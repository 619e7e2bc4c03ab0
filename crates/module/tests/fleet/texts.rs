//! The texts of a small fleet.

/// The example of a fleet.
pub(super) const EXAMPLE: &str = include_str!("../../../../examples/modelplane/fleet.yaml");

/// Nodes with one device.
pub(super) const CLASS: &str = "
apiVersion: modelplane.ai/v1alpha1
kind: InferenceClass
metadata: {name: l4-1}
spec:
  devices:
    - {name: gpu, driver: gpu.nvidia.com, deviceClassName: gpu.nvidia.com, capacity: {memory: {value: 23034Mi}}}
";

/// A cluster without a status.
pub(super) fn cluster(name: &str, nodes: u32) -> String {
    format!(
        "
apiVersion: modelplane.ai/v1alpha1
kind: InferenceCluster
metadata: {{name: {name}, labels: {{region: {name}}}}}
spec:
  cluster: {{source: GKE, gke: {{region: europe-west4}}}}
  nodePools: [{{name: l4, className: l4-1, nodeCount: {nodes}, zones: [europe-west4-a]}}]
"
    )
}

/// A deployment whose replicas take a node each.
pub(super) fn deployment(name: &str, replicas: u32) -> String {
    format!(
        "
apiVersion: modelplane.ai/v1alpha1
kind: ModelDeployment
metadata: {{name: {name}, namespace: ml}}
spec:
  replicas: {replicas}
  template:
    spec:
      engines:
        - name: main
          members:
            - nodeSelector: {{devices: [{{name: gpu, selectors: [{{cel: 'true'}}]}}]}}
              template: {{spec: {{containers: [{{name: engine, image: 'vllm/vllm-openai:v0.11.0'}}]}}}}
"
    )
}

/// A replica of a deployment on a cluster.
pub(super) fn replica(name: &str, of: &str, cluster: &str) -> String {
    format!(
        "
apiVersion: modelplane.ai/v1alpha1
kind: ModelReplica
metadata:
  name: {name}
  namespace: ml
  labels: {{modelplane.ai/deployment: {of}, modelplane.ai/cluster: {cluster}, modelplane.ai/replica-index: '0'}}
spec:
  clusterName: {cluster}
  engines:
    - name: main
      members: [{{nodePoolName: l4, deviceRequests: [{{name: gpu, deviceClassName: gpu.nvidia.com, count: 1}}]}}]
"
    )
}
