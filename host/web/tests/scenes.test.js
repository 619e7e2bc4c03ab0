/** A scene is there only when the catalog has its examples. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './load.js';

const { circumstancesOf, notReadyIn, scenesIn } = await load('scenes.ts');

const example = (name) => ({ kind: 'Any', name, title: name, text: `name: ${name}\n` });

test('a scene is left out when an example is missing in any of its texts', () => {
  const titles = (...names) => scenesIn(names.map(example)).map(({ manifest }) => manifest.join());
  assert.deepEqual(titles(), []);
  assert.deepEqual(titles('llm-qwen'), ['llm-qwen']);
  assert.deepEqual(titles('deployment-qwen'), []);
  assert.deepEqual(titles('deployment-qwen', 'fleet'), ['deployment-qwen']);
});

test('a scene fills its texts with its examples, and says its circumstances', () => {
  const [scene] = scenesIn(['deployment-qwen', 'fleet'].map(example));
  assert.deepEqual(scene.texts, { manifest: 'name: deployment-qwen\n', required: 'name: fleet\n', options: '' });
  assert.equal(circumstancesOf(scene), 'deployment-qwen · with fleet');
  const all = { manifest: ['a', 'b'], options: 'x', time: 'T', observed: { notReady: 'Job' } };
  assert.equal(circumstancesOf(all), 'a and b · with options · at T · all ready but one Job');
});

test('what is not ready is found by its kind, also in what wraps it', () => {
  const resource = (object) => ({ object });
  const wrapped = resource({ kind: 'Object', wraps: { kind: 'Ingress' } });
  const answer = { families: [{ composites: [{ resources: [resource({ kind: 'Service' }), wrapped] }] }] };
  assert.equal(notReadyIn({ observed: { notReady: 'Ingress' } }, answer), wrapped);
  assert.equal(notReadyIn({ observed: {} }, answer), undefined);
});
