/** What objects of clusters say of their pools, and the phases in which they are made. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './load.js';

const { clusterOf, poolOf, regionOf, isCluster, cardsOf } = await load('render/cluster.ts', 'clusters/clusters.ts');

const pools = (object) => clusterOf(JSON.stringify(object)).pools.map(spelled);
const spelled = ({ name, nodes, gpus, machine }) => [name, nodes, gpus, machine].join('|');

test('pools are those that a cluster wants, with the devices that it publishes', () => {
  const nodePools = [
    { name: 'a', className: 'h200-8', minNodeCount: 0, maxNodeCount: 4, nodeCount: 1 },
    { name: 'b', instanceType: 'p5.48xlarge', nodeCount: 2, maxNodeCount: 2, gpu: { acceleratorType: 'nvidia-h100' } },
    { name: 'c', plan: 'small', nodeCount: 2, maxNodeCount: 4 },
    { name: 'd' },
  ];
  const devices = [
    { name: 'gpu', driver: 'gpu.nvidia.com', count: 8, attributes: { productName: { string: 'NVIDIA H200' } } },
    { name: 'nic', driver: 'dra.net', count: 1 },
  ];
  const gpuPools = [
    { name: 'a', nodes: 1, devices },
    { name: 'd', nodes: 3, devices: [] },
  ];
  const want = ['a|0 to 4|8 × NVIDIA H200|h200-8', 'b|2|nvidia-h100|p5.48xlarge', 'c|2 to 4||small', 'd|3||'];
  assert.deepEqual(pools({ kind: 'InferenceCluster', spec: { nodePools }, status: { gpuPools } }), want);
  assert.deepEqual(pools({ kind: 'InferenceCluster', spec: {}, status: { gpuPools: [gpuPools[0]] } }), [
    'a|1|8 × NVIDIA H200|',
  ]);
  assert.deepEqual(pools({ kind: 'Cluster' }), []);
});

test('a pool that a provider makes is one when it has a number of nodes', () => {
  const pool = (forProvider) => {
    const found = poolOf(JSON.stringify({ metadata: { name: 'x' }, spec: { forProvider } }));
    return found && spelled(found);
  };
  assert.equal(
    pool({ scalingConfig: { desiredSize: 3, minSize: 3, maxSize: 10 }, instanceTypes: ['t3.medium'] }),
    'x|3 to 10||t3.medium',
  );
  const nodeConfig = { machineType: 'n1-standard-4', guestAccelerator: [{ count: 2, type: 't4' }] };
  assert.equal(
    pool({ autoscaling: { minNodeCount: 1, maxNodeCount: 10 }, nodeConfig }),
    'x|1 to 10|2 × t4|n1-standard-4',
  );
  assert.equal(pool({ minCount: 0, maxCount: 5, vmSize: 'NC4' }), 'x|0 to 5||NC4');
  assert.equal(pool({ nodeQuantity: 2, plan: 'p' }), 'x|2||p');
  assert.equal(pool({ manifest: {} }), undefined);
  assert.equal(poolOf('{}'), undefined);
});

test('whose a cluster is, and where', () => {
  const where = (object) => {
    const { provider, region } = clusterOf(JSON.stringify(object));
    return `${provider} ${region}`;
  };
  assert.equal(
    where({ kind: 'InferenceCluster', spec: { cluster: { source: 'GKE', gke: { region: 'eu' } } } }),
    'GKE eu',
  );
  assert.equal(where({ kind: 'AKSCluster', spec: { location: 'westeurope' } }), 'AKS westeurope');
  assert.equal(
    where({ kind: 'Cluster', spec: { parameters: { region: 'us' } }, status: { provider: 'aws' } }),
    'aws us',
  );
  assert.equal(where({ kind: 'ServingStack', spec: {} }), ' ');
  assert.equal(regionOf('spec:\n  forProvider:\n    region: us-east-1\n'), 'us-east-1');
  assert.equal(regionOf('spec:\n  region: us-east-1\n'), '');
  assert.deepEqual(
    ['Cluster', 'EKSCluster', 'ServingStack', 'InferenceClass'].map((kind) => isCluster({ kind })),
    [true, true, true, false],
  );
});

test('phases are in order, each with all that it waits for; conditions tell what is missing', () => {
  const resource = (name, number, waitsFor, ready = 'ready') => ({
    name,
    ready,
    phase: { number, waitsFor },
    object: {},
  });
  const condition = (type, status) => ({ type, status, reason: '', message: '' });
  const composite = {
    object: { kind: 'GKECluster', name: 'x', labels: [] },
    cluster: { provider: 'GKE', region: 'eu', pools: [] },
    conditions: [condition('Ready', 'False'), condition('PoolReady', 'Unknown'), condition('Synced', 'True')],
    resources: [
      resource('a', 2, 'this'),
      resource('b', 1, ''),
      resource('c', 2, 'that', 'not ready'),
      resource('d', 2, 'this'),
    ],
  };
  const [card] = cardsOf({ families: [{ composites: [composite] }] });
  const phases = card.phases.map(
    ({ number, waitsFor, ready, first }) => `${number} ${waitsFor} ${ready} ${first.object}`,
  );
  assert.deepEqual(phases, ['1  1 b', '2 this,that 2 a']);
  assert.deepEqual(
    card.waits.map(({ type }) => type),
    ['PoolReady'],
  );
  const bare = { ...composite, conditions: [condition('Ready', 'False')] };
  assert.deepEqual(
    cardsOf({ families: [{ composites: [bare] }] })[0].waits.map(({ type }) => type),
    ['Ready'],
  );
  assert.equal(cardsOf({ families: [{ composites: [composite] }] }, 'gke EU').length, 1);
  assert.equal(cardsOf({ families: [{ composites: [composite] }] }, 'gke asia').length, 0);
});
