/** The graph has a node for each object, and an edge for what composes and what refers to it. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './load.js';

const { graphOf, MOST_NODES, referencesIn, labelsOf } = await load('graph/graph.ts', 'render/references.ts');

test('references are by name, by a kind of their own, by labels and by names of services', () => {
  const spec = {
    vpcIdRef: { name: 'net' },
    subnetIdSelector: { matchLabels: { zone: 'a' } },
    parentRefs: [{ kind: 'Gateway', name: 'gw' }],
    rules: [{ backend: { service: { name: 'kimi' } } }, null],
    imagePullSecretName: 'none of it',
    secretName: 'token',
    providerConfigRef: { name: 'not this' },
  };
  assert.deepEqual(
    referencesIn({ spec }).map(({ kind, name, labels }) => `${kind} ${name || labels}`),
    ['vpc net', 'subnet zone=a', 'gateway gw', 'service kimi', 'secret token'],
  );
  assert.deepEqual(referencesIn(null), []);
});

test('composites compose, and objects refer to one another', () => {
  const objects = [object('Vpc', 'net'), object('Subnet', 'a', { vpcIdRef: { name: 'net' } })];
  const { nodes, edges, columns, rows } = graphOf({ families: [family('one', objects)] });
  assert.deepEqual(
    nodes.map(({ kind, name, column, row }) => [kind, name, column, row]),
    [
      ['Thing', 'one', 0, 0],
      ['Vpc', 'net', 1, 0],
      ['Subnet', 'a', 1, 1],
    ],
  );
  assert.deepEqual(
    edges.map(({ from, to, what }) => `${from.name} ${what} ${to.name}`),
    ['one composes net', 'one composes a', 'a refers net'],
  );
  assert.deepEqual([columns, rows], [2, 2]);
});

test('of many objects those of one kind are a node, and no more nodes than can be drawn', () => {
  const many = Array.from({ length: MOST_NODES }, (_, index) => object('Pod', `p${index}`));
  const { nodes } = graphOf({ families: [family('one', many)] });
  assert.deepEqual(
    nodes.map(({ kind, name }) => `${kind} ${name}`),
    ['Thing one', `Pod ${MOST_NODES} objects`],
  );
  const families = Array.from({ length: 1_000 }, (_, index) => family(`f${index}`, []));
  const large = graphOf({ families });
  assert.equal(large.nodes.length, MOST_NODES);
  assert.equal(large.left, 1_000 - MOST_NODES);
});

function object(kind, name, spec = {}) {
  return { kind, name, references: referencesIn({ spec }), labels: labelsOf({}) };
}

function family(name, objects) {
  const resources = objects.map((object) => ({ name: object.name, object, ready: 'ready' }));
  return { composites: [{ object: object('Thing', name), ready: 'ready', areas: [], resources }] };
}
