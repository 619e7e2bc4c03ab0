/** The outline folds by kind and readiness, and is filtered by any name. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './load.js';

const { nodesOf, readinessIn, linesOf } = await load('outline/nodes.ts', 'outline/lines.ts');

const NONE = { find: '', kind: '', ready: '' };

test('many objects of a kind are a row that counts those that are ready, which are last', () => {
  const [root] = nodesOf({ families: [family('fleet', 100, 2)] });
  const [group] = root.below;
  assert.equal(`${group.name}: ${readinessIn(group)}`, 'Replica: 98 ready, 2 not');
  assert.deepEqual(
    group.below.slice(0, 3).map(({ ready }) => ready),
    ['not ready', 'not ready', 'ready'],
  );
  assert.equal(group.closed, true);
  const { lines } = linesOf([root], NONE, (node) => !node.closed);
  assert.deepEqual(
    lines.map(({ node, level }) => `${level} ${node.name}`),
    ['1 ', '2 Replica'],
  );
});

test('objects are found by any name and by readiness, with what is around them', () => {
  const nodes = nodesOf({ families: [family('one', 20, 1), family('two', 20, 1)] });
  const found = (filters) => linesOf(nodes, { ...NONE, ...filters }, () => false).found;
  assert.equal(found({ find: 'r-7' }), 2);
  assert.equal(found({ find: 'two-7' }), 1);
  assert.equal(found({ ready: 'not ready' }), 2);
  assert.equal(found({ kind: 'Replica' }), 40);
  assert.equal(found({ find: 'eu-north', kind: 'Replica', ready: 'ready' }), 38);
});

function family(name, number, notReady) {
  const resources = Array.from({ length: number }, (_, index) => {
    const wraps = { kind: 'Replica', name: `${name}-${index}`, cluster: 'eu-north' };
    const object = { kind: 'Object', name: `x-${index}`, wraps };
    return { name: `r-${index}`, object, ready: index < number - notReady ? 'ready' : 'not ready' };
  });
  const object = { kind: 'Thing', name };
  return { composites: [{ object, ready: 'ready', areas: [], resources, conditions: [], derivations: [] }] };
}
