/** What was prepared answers a request for the same manifest in the same circumstances only. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './load.js';

const { preparedAnswer, requestOf } = await load('engine/prepared.ts', 'request.ts');

const answer = { families: [], diagnostics: [], places: [] };
const prepared = { examples: [], answers: [{ manifest: 'kind: Any\n', answer }] };
const asked = (texts, { now, settled = false } = {}) =>
  preparedAnswer(
    prepared,
    requestOf((name) => texts[name] ?? '', [], { now, settled }),
  );

test('the request that was prepared has its answer', () => {
  assert.equal(asked({ manifest: 'kind: Any\n' }), answer);
});

test('any other request has none', () => {
  assert.equal(asked({ manifest: 'kind: Any' }), undefined);
  assert.equal(asked({ manifest: 'kind: Any\n', required: 'kind: Other\n' }), undefined);
  assert.equal(asked({ manifest: 'kind: Any\n' }, { now: 0n }), undefined);
  assert.equal(asked({ manifest: 'kind: Any\n' }, { settled: true }), undefined);
});
