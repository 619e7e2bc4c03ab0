/** The syntax tree of a text: what is read from it is right, or not said. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EditorState } from '@codemirror/state';
import { load } from './load.js';

const { find, grammar, objectsIn } = await load('editor/grammar.ts', 'editor/tree.ts');

const PAIR = 'kind: ConfigMap\nmetadata:\n  name: a\n';
const MANY = Array(400).fill(PAIR).join('---\n');

/** A state on a machine whose clock goes on by so much each time that it is read. */
function slow(context, millis) {
  let now = 0;
  context.mock.method(Date, 'now', () => {
    now += millis;
    return now;
  });
  return EditorState.create({ doc: MANY, extensions: grammar });
}

test('the objects of a text are all there', () => {
  const objects = objectsIn(EditorState.create({ doc: MANY, extensions: grammar }));
  assert.deepEqual(new Set(objects.map((object) => object.field('metadata', 'name'))), new Set(['a']));
  assert.equal(objects.length, 400);
});

test('a busy machine takes longer, and finds the same', (context) => {
  const objects = objectsIn(slow(context, 0.1));
  assert.equal(objects.length, 400);
  assert.ok(objects.every((object) => object.field('metadata', 'name') === 'a'));
});

test('a part of a tree is not taken for the whole', (context) => {
  const state = slow(context, 2_000);
  assert.equal(objectsIn(state), undefined);
  assert.equal(find(state, MANY.length - PAIR.length, 'metadata.name'), undefined);
});
