/** What is shown stands in the address, and can be read back. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './load.js';

const { readAddress, writeAddress, applicable, unwrapped } = await load('address.ts', 'render/apply.ts');

test('an address is read as it was written', () => {
  const shown = new Map([
    ['view', 'why'],
    ['composite', 'LLMInference default/qwen'],
    ['field', 'metadata.annotations[a/b&c=d+e%]'],
    ['outline.find', ''],
  ]);
  const written = writeAddress({ packed: 'v1.aBc_-9', shown });
  assert.equal(written.slice(0, 60), 'v1.aBc_-9&view=why&composite=LLMInference+default/qwen&field');
  shown.delete('outline.find');
  assert.deepEqual(readAddress(`#${written}`), { packed: 'v1.aBc_-9', shown });
  assert.deepEqual(readAddress(''), { packed: '', shown: new Map() });
});

test('an object for kubectl has no status and no owner', () => {
  const text = [
    'kind: Object',
    'metadata:',
    '  name: a',
    '  ownerReferences:',
    '  - kind: Thing',
    '    uid: x',
    'spec:',
    '  forProvider:',
    '    manifest:',
    '      kind: Ingress',
    '      text: |',
    '        a',
    '',
    '        b',
    '  providerConfigRef:',
    '    name: c',
    'status:',
    '  conditions: []',
  ].join('\n');
  const own = applicable(text);
  assert.doesNotMatch(own, /ownerReferences|uid|status/);
  assert.match(own, /providerConfigRef/);
  assert.equal(unwrapped(own), 'kind: Ingress\ntext: |\n  a\n\n  b');
  assert.equal(unwrapped('kind: Pod'), 'kind: Pod');
});
