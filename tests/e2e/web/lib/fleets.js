/** Fleets of any size: GPU clusters, what runs on them, and deployments that want a place. */

/** Classes of nodes: a GPU, its architecture, its memory and its number in a node. */
const CLASSES = [
  ['h200', 'Hopper', '141Gi', 8],
  ['h100', 'Hopper', '80Gi', 8],
  ['a100', 'Ampere', '40Gi', 8],
  ['l40s', 'Ada Lovelace', '48Gi', 4],
  ['l4', 'Ada Lovelace', '24Gi', 1],
];
const CLOUDS = [['aws', ['us-east', 'eu-west', 'ap-south']], ['gcp', ['us-central', 'eu-north']], ['own', ['home']]];
const POOLS = 3;

/** The InferenceClusters of a fleet, each with three pools. With `busy`, ModelReplicas too. */
export function clusters(number, { busy = false } = {}) {
  return Array.from({ length: number }, (_, index) => cluster(index) + (busy ? running(index) : '')).join('---\n');
}

/** A deployment of replicas with 8 GPUs each, on GPUs with at least this memory. */
export function deployment(name, { namespace = 'ml', replicas = 3, memory = '141Gi', gpus = 8, selector = '' } = {}) {
  return `apiVersion: modelplane.ai/v1alpha1
kind: ModelDeployment
metadata:
  name: ${name}
  namespace: ${namespace}
spec:
  replicas: ${replicas}
  template:
    spec:
${selector === '' ? '' : `      clusterSelector: {matchLabels: {${selector}}}\n`}      engines:
        - name: main
          members:
            - nodeSelector:
                devices:
                  - name: gpu
                    count: ${gpus}
                    selectors:
                      - cel: device.driver == "gpu.nvidia.com"
                      - cel: device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("${memory}")) >= 0
              template:
                spec:
                  containers:
                    - name: engine
                      image: vllm/vllm-openai:v0.11.0
                      args: [--model=moonshotai/Kimi-K2-Instruct-0905]
`;
}

/** Deployments of several teams. Some of them want more than there is. */
export function deployments() {
  return [
    deployment('kimi', { namespace: 'chat', replicas: 4 }),
    deployment('qwen', { namespace: 'chat', replicas: 6, memory: '20Gi', gpus: 1 }),
    deployment('embeddings', { namespace: 'search', replicas: 3, memory: '40Gi', gpus: 4 }),
    deployment('deepseek', { namespace: 'code', replicas: 3, memory: '80Gi' }),
    deployment('whisper', { namespace: 'speech', replicas: 2, memory: '24Gi', gpus: 1, selector: 'cloud: own' }),
    deployment('giant', { namespace: 'research', replicas: 2, memory: '180Gi' }),
  ].join('---\n');
}

function cluster(index) {
  const [cloud, regions] = CLOUDS[index % CLOUDS.length];
  const region = regions[Math.floor(index / CLOUDS.length) % regions.length];
  const name = nameOf(index);
  const pools = Array.from({ length: POOLS }, (_, pool) => poolOf(index, pool));
  return `apiVersion: modelplane.ai/v1alpha1
kind: InferenceCluster
metadata:
  name: ${name}
  labels: {cloud: ${cloud}, region: ${region}, tier: ${index % 5 === 4 ? 'research' : 'prod'}}
spec:
  cluster:
    source: Existing
    existing: {secretRef: {name: ${name}-kubeconfig}}
  nodePools:
${pools.map(({ pool, kind, nodes }) => `    - {name: ${pool}, className: ${kind}, nodeCount: ${nodes}}\n`).join('')}status:
  conditions:
    - {type: Ready, status: "${index % 11 === 10 ? 'False' : 'True'}", reason: Available, lastTransitionTime: "2026-01-01T00:00:00Z"}
  namespace: modelplane-system
  providerConfigRef: {name: ${name}}
  gateway: {address: 10.${index >> 8}.${index & 255}.1}
  gpuPools:
${pools.map(published).join('')}`;
}

function published({ pool, nodes, gpu: [kind, architecture, memory, count] }) {
  return `    - name: ${pool}
      nodes: ${nodes}
      devices:
        - name: gpu
          claim: DRA
          driver: gpu.nvidia.com
          deviceClassName: gpu.nvidia.com
          count: ${count}
          attributes:
            productName: {string: NVIDIA ${kind}}
            architecture: {string: ${architecture}}
            cudaComputeCapability: {version: 9.0.0}
          capacity:
            memory: {value: ${memory}}
        - name: nic
          claim: DRA
          driver: dra.net
          deviceClassName: dra.net
          count: 1
          attributes:
            rdma: {bool: ${architecture === 'Hopper'}}
`;
}

/** What runs on a cluster: more on some than on others. */
function running(index) {
  const replicas = [];
  for (let pool = 0; pool < POOLS; pool++) {
    const { pool: name, nodes } = poolOf(index, pool);
    const taken = Math.min(nodes, (index * 5 + pool * 3) % (nodes + 2));
    for (let node = 0; node < taken; node++) {
      replicas.push(`---
apiVersion: modelplane.ai/v1alpha1
kind: ModelReplica
metadata: {name: batch-${index}-${pool}-${node}, namespace: batch}
spec:
  clusterName: ${nameOf(index)}
  engines:
    - name: main
      copies: 1
      members:
        - role: Standalone
          nodePoolName: ${name}
          deviceRequests: [{name: gpu, deviceClassName: gpu.nvidia.com, count: 1, selectors: [{cel: device.driver == "gpu.nvidia.com"}]}]
          template: {spec: {containers: [{name: engine, image: "vllm/vllm-openai:v0.11.0"}]}}
`);
    }
  }
  return replicas.join('');
}

function poolOf(index, pool) {
  const gpu = CLASSES[(index + 2 * pool) % CLASSES.length];
  return { pool: `${gpu[0]}-${pool}`, kind: `${gpu[0]}-${gpu[3]}`, nodes: 1 + ((index * 7 + pool * 3) % 8), gpu };
}

function nameOf(index) {
  return `gpu-${String(index).padStart(4, '0')}`;
}
