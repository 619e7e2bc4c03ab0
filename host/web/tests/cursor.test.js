/** What is being written where the `|` stands. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Text } from '@codemirror/state';
import { load } from './load.js';

const { cursorAt } = await load('schema/cursor.ts');

test('keys and values', () => {
  //    text                                                     writing  path            beside
  check('|', 'key', '', '');
  check('kind: A\nsp|', 'key', '', 'kind');
  check('spec:\n  |', 'key', 'spec', '');
  check('spec:\n  a: 1\n  b|\n  c: 2\nstatus:\n  d: 1', 'key', 'spec', 'a c');
  check('spec:\n  a:\n    b: 1\n  |', 'key', 'spec', 'a');
  check('spec:\n  a:\n    b: 1\n    |\n  c: 1', 'key', 'spec a', 'b');
  check('spec:\n  list:\n  - a: 1\n    b|', 'key', 'spec list 0', 'a');
  check('spec:\n  list:\n    - a: 1\n    - b|', 'key', 'spec list 0', '');
  check('spec:\n  list:\n  - a: 1\n  b|', 'key', 'spec', 'list');
  check('a: 1\n---\nb: 1\n|', 'key', '', 'b');
  check('spec:\n  # gpu: 1\n\n  a: |', 'value', 'spec a', '');
  check('spec:\n  a: x y|', 'value', 'spec a', '');
  check('spec:\n  a: 1 # no|', undefined);
  check('spec: {a|', undefined);
});

test('the kind is read from the document, above and below', () => {
  const cursor = at('kind: Other\n---\nspec:\n  |\nkind: "A" # this one\napiVersion: b/v1\n---\nkind: C');
  assert.deepEqual(cursor.kind, { apiVersion: 'b/v1', kind: 'A' });
});

function check(marked, writing, path, beside) {
  const cursor = at(marked);
  assert.equal(cursor?.writing, writing, marked);
  if (cursor) {
    assert.equal(cursor.path.join(' '), path, marked);
    if (writing === 'key') {
      assert.equal([...cursor.siblings].sort().join(' '), beside, marked);
    }
  }
}

function at(marked) {
  return cursorAt(Text.of(marked.replace('|', '').split('\n')), marked.indexOf('|'));
}
