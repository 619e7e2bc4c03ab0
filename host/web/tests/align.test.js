/** Results are compared object by object. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './load.js';

const { differing } = await load('compare/align.ts');

const object = (name, value) => `# Thing ${name}\nkind: Thing\nvalue: ${value}`;
const text = (...objects) => objects.join('\n---\n');

test('a change is found in its object, among however many others', () => {
  const names = Array.from({ length: 2_000 }, (_, index) => `n${index}`);
  const before = text(...names.map((name) => object(name, 1)));
  const after = text(...names.map((name) => object(name, name === 'n1234' ? 2 : 1)));
  assert.deepEqual(shown(before, after), [[`---\n${object('n1234', 1)}\n`, `---\n${object('n1234', 2)}\n`]]);
});

test('objects come and go', () => {
  const [a, b, c] = [object('a', 1), object('b', 1), object('c', 1)];
  assert.deepEqual(shown(text(a, c), text(a, b, c)), [['', `---\n${b}\n`]]);
  assert.deepEqual(shown(text(a, b, c), text(a, c)), [[`---\n${b}\n`, '']]);
  assert.deepEqual(shown('', text(a)), [['', a]]);
  assert.deepEqual(shown(text(a, b), text(a, b)), []);
});

test('an object with another name is compared with the one that was there', () => {
  const [a, b, other] = [object('a', 1), object('b', 1), object('z', 1)];
  assert.deepEqual(shown(text(a, b), text(a, other)), [[`---\n${b}`, `---\n${other}`]]);
});

function shown(a, b) {
  return differing(a, b).map(({ fromA, toA, fromB, toB }) => [a.slice(fromA, toA), b.slice(fromB, toB)]);
}
