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
});

test('flow style', () => {
  //    text                                                     writing  path            beside
  check('{|', 'key', '', '');
  check('spec: {a|', 'key', 'spec', '');
  check('spec: {model: a/b, gp|}', 'key', 'spec', 'model');
  check('spec: {model: a/b, gp|u: 1, host: c}', 'key', 'spec', 'host model');
  check('spec: { a: 1,|b: 2 }', 'key', 'spec', 'a');
  check('spec: {a: |}', 'value', 'spec a', '');
  check('spec: {a: b c|, d: 1}', 'value', 'spec a', '');
  check('spec: {a: {b: [1, {c: 2, d|}]}}', 'key', 'spec a b 0', 'c');
  check('spec: {a: [x, |]}', 'value', 'spec a 0', '');
  check('spec: [{a: 1}, {b: 2, |}]', 'key', 'spec 0', 'b');
  check('spec:\n  list:\n  - {a: 1, |}\n  - {b: 2}', 'key', 'spec list 0', 'a');
  check('spec: {\n  a: {b: 1},\n  c|\n}\nstatus: {d: 1}', 'key', 'spec', 'a');
  check('spec: {\n  a: {\n    b: 1,\n    |\n  }\n}', 'key', 'spec a', 'b');
  check('spec: {"a": "x, y: {", \'b\': 1, |}', 'key', 'spec', 'a b');
  check("spec: {a: http://x:80/y, b: it's, |}", 'key', 'spec', 'a b');
  check('spec: {a: 1, # b: {\n  |}', 'key', 'spec', 'a');
  check('spec: {a: 1}\n|', 'key', '', 'spec');
  check('spec: {a: "|"}', undefined);
  check('spec: {"a|": 1}', undefined);
  check('spec: {a: 1} # |', undefined);
  assert.deepEqual(at('{kind: A, spec: {|}, "apiVersion": "b/v1"}').kind, { apiVersion: 'b/v1', kind: 'A' });
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
