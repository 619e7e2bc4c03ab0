/** What the fix of a problem makes of the text. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EditorState } from '@codemirror/state';
import { load } from './load.js';

const { fixChange, fixTitle, grammar } = await load('editor/grammar.ts', 'editor/fix.ts');

const RENAME = { tag: 'rename', val: 'gpu' };
const REMOVE = { tag: 'remove' };

function set(value) {
  return { tag: 'replace', val: JSON.stringify(value) };
}

/** The text after the fix of the field at a path. Undefined when there is nothing to change. */
function fixed(text, path, fix, from = 0) {
  const state = EditorState.create({ doc: text, extensions: grammar });
  const changes = fixChange(state, { path, fix }, { from, to: from });
  return changes && state.update({ changes }).state.doc.toString();
}

const CASES = {
  'a key is renamed': ['spec:\n  gpus: 1\n', 'spec.gpus', RENAME, 'spec:\n  gpu: 1\n'],
  'a key in quotes is renamed': ['spec:\n  "gpus": 1\n', 'spec.gpus', RENAME, 'spec:\n  gpu: 1\n'],
  'a key in flow style is renamed': ['spec: {gpus: 1, a: b}\n', 'spec.gpus', RENAME, 'spec: {gpu: 1, a: b}\n'],
  'a key that is not there is not renamed': ['spec:\n  a: b\n', 'spec.gpus', RENAME, undefined],

  'a value is replaced, and its comment stays': [
    'spec:\n  gpu: "8" # eight\n',
    'spec.gpu',
    set(8),
    'spec:\n  gpu: 8 # eight\n',
  ],
  'a block is replaced': ['spec:\n  gpu: |\n    8\n  a: b\n', 'spec.gpu', set(8), 'spec:\n  gpu: 8\n  a: b\n'],
  'a value in flow style is replaced': [
    'metadata: {name: x}\n',
    'metadata.name',
    set('other'),
    'metadata: {name: other}\n',
  ],
  'an item is replaced': ['list:\n  - a\n  - b\n', 'list[1]', set('c'), 'list:\n  - a\n  - c\n'],
  'text that reads as something else gets quotes': [
    'spec:\n  tier: 1\n',
    'spec.tier',
    set('1'),
    'spec:\n  tier: "1"\n',
  ],
  'a value at a key with dots is replaced': [
    'labels:\n  example.org/tier: 1\n',
    'labels[example.org/tier]',
    set('one'),
    'labels:\n  example.org/tier: one\n',
  ],

  'a key without a value gets it': ['spec:\n  gpu:\n  a: b\n', 'spec.gpu', set(8), 'spec:\n  gpu: 8\n  a: b\n'],
  'a key with only a comment gets a value before it': [
    'spec:\n  gpu: # eight\n  a: b\n',
    'spec.gpu',
    set(8),
    'spec:\n  gpu: 8 # eight\n  a: b\n',
  ],

  'a field that is missing is added at the end, as far in as the others': [
    'metadata:\n    name: x\n    labels:\n      a: b\nspec: {}\n',
    'metadata.namespace',
    set('default'),
    'metadata:\n    name: x\n    labels:\n      a: b\n    namespace: default\nspec: {}\n',
  ],
  'a field that is missing comes behind the comment of the last one': [
    'metadata:\n  name: x # a name\n\nspec: {}\n',
    'metadata.namespace',
    set('default'),
    'metadata:\n  name: x # a name\n  namespace: default\n\nspec: {}\n',
  ],
  'a field that is missing comes behind a block': [
    'spec:\n  text: |\n    a\n    b\nkind: A\n',
    'spec.gpu',
    set(8),
    'spec:\n  text: |\n    a\n    b\n  gpu: 8\nkind: A\n',
  ],
  'a field that is missing in an item is below its first key': [
    'list:\n  - name: a\n  - name: b\n',
    'list[0].kind',
    set('k'),
    'list:\n  - name: a\n    kind: k\n  - name: b\n',
  ],
  'a field that is missing at the top is added there': ['kind: A', 'spec', set({}), 'kind: A\nspec: {}'],
  'a field that is missing in flow style is added at the end': [
    'metadata: {name: x}\n',
    'metadata.namespace',
    set('default'),
    'metadata: {name: x, namespace: default}\n',
  ],
  'a field that is missing in an empty mapping is added': [
    'metadata: {}\n',
    'metadata.namespace',
    set('default'),
    'metadata: {namespace: default}\n',
  ],
  'a field whose parent is missing is not added': ['spec: {}\n', 'metadata.namespace', set('default'), undefined],

  'a field is removed with its line and its comment': [
    'spec:\n  a: 1\n  b: 2 # two\n  c: 3\n',
    'spec.b',
    REMOVE,
    'spec:\n  a: 1\n  c: 3\n',
  ],
  'a field is removed with all below it': [
    'spec:\n  a: 1\n  b:\n    c: 1\n    d: 1\n  e: 3\n',
    'spec.b',
    REMOVE,
    'spec:\n  a: 1\n  e: 3\n',
  ],
  'a field is removed in the last line': ['spec:\n  a: 1\n  b: 2', 'spec.b', REMOVE, 'spec:\n  a: 1\n'],
  'the first field in flow style is removed with the comma behind it': [
    'spec: {a: 1, b: 2, c: 3}\n',
    'spec.a',
    REMOVE,
    'spec: {b: 2, c: 3}\n',
  ],
  'a field amid flow style is removed with one comma': [
    'spec: {a: 1, b: 2, c: 3}\n',
    'spec.b',
    REMOVE,
    'spec: {a: 1, c: 3}\n',
  ],
  'the last field in flow style is removed with the comma before it': [
    'spec: {a: 1, b: 2}\n',
    'spec.b',
    REMOVE,
    'spec: {a: 1}\n',
  ],
  'the only field in flow style is removed': ['spec: {a: 1}\n', 'spec.a', REMOVE, 'spec: {}\n'],
  'a field that is not there is not removed': ['spec:\n  a: 1\n', 'spec.b', REMOVE, undefined],
};

for (const [name, [before, path, fix, after]] of Object.entries(CASES)) {
  test(name, () => assert.equal(fixed(before, path, fix), after));
}

test('the document is the one where the problem is', () => {
  const text = 'spec:\n  gpu: "1"\n---\nspec:\n  gpu: "2"\n';
  assert.equal(fixed(text, 'spec.gpu', set(2), text.lastIndexOf('gpu')), 'spec:\n  gpu: "1"\n---\nspec:\n  gpu: 2\n');
});

test('a problem without a fix changes nothing, and has no title', () => {
  assert.equal(fixed('spec:\n  a: 1\n', 'spec.a', undefined), undefined);
  assert.equal(fixTitle({ path: 'spec.a' }), undefined);
});

test('the title says what the fix does', () => {
  const titles = [
    ['spec.gpus', RENAME, 'Rename to gpu'],
    ['spec.gpu', set(8), 'Set to 8'],
    ['spec.tier', set('1'), 'Set to "1"'],
    ['metadata.namespace', set('default'), 'Set to default'],
    ['spec.gpus', REMOVE, 'Remove gpus'],
    ['labels[example.org/tier]', REMOVE, 'Remove example.org/tier'],
    ['', REMOVE, 'Remove it'],
  ];
  for (const [path, fix, title] of titles) {
    assert.equal(fixTitle({ path, fix }), title);
  }
});
