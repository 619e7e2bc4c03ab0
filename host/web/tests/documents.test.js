/** Which documents of a text an edit changes, where they are, and what they depend on. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './load.js';

const { documentsOf, edited, only, Dependence, textFor } = await load(
  'workers/documents.ts',
  'workers/dependence.ts',
  'sorting.ts',
);

test('documents are split where the component splits them', () => {
  const check = (text, ...expected) =>
    assert.deepEqual(
      documentsOf(text).map(({ text, line, height }) => [text, line, height]),
      expected,
    );
  check('a: 1\n', ['a: 1\n', 0, 1]);
  check('a: 1\n---\nb: 2', ['a: 1\n', 0, 1], ['---\nb: 2', 1, 1]);
  check('---\n--- c\n----\n ---\n', ['---\n', 0, 1], ['--- c\n----\n ---\n', 1, 3]);
});

test('an edit is between what is equal before and after it', () => {
  const check = (before, now, expected) =>
    assert.deepEqual(edited(documentsOf(before.join('---\n')), documentsOf(now.join('---\n'))), expected);
  const [a, b, c, d] = ['a: 1\n', 'b: 1\n', 'c: 1\n', 'd: 1\n'];
  check([a, b, c], [a, d, c], { from: 1, before: 1, now: 1 });
  check([a, b, c], [a, c], { from: 1, before: 1, now: 0 });
  check([a, c], [a, b, d, c], { from: 1, before: 0, now: 2 });
  check([a, a], [a, a, a], { from: 2, before: 0, now: 1 });
  check([a, b], [a, b], { from: 2, before: 0, now: 0 });
  check([], [a], { from: 0, before: 1, now: 1 });
});

test('documents that did not change keep what is known of them', () => {
  const known = documentsOf('kind: A\n---\nkind: B\n---\nkind: C\n');
  const now = documentsOf('kind: A\n---\nkind: B2\nmore: 1\n---\nkind: C\n', known);
  assert.equal(now[2].kinds, known[2].kinds);
  assert.deepEqual(
    now.map(({ line, kinds }) => [line, ...kinds]),
    [
      [0, ' A'],
      [1, ' B2'],
      [4, ' C'],
    ],
  );
});

test('documents alone stand in their lines', () => {
  const [, second, , fourth] = documentsOf('a: 1\n---\nb: 1\n---\nc: 1\n---\nd: 1\n');
  assert.equal(only([second, fourth]), '\n---\nb: 1\n\n\n---\nd: 1\n');
});

test('kinds are apart unless one looks at what the other is or becomes', () => {
  const kind = (kind) => ({ kind: { apiVersion: 'v1', kind } });
  const entry = (name, composes, looksUp, reads = []) => ({
    ...kind(name),
    composes: composes.map(kind),
    looksUp: looksUp.map(kind),
    admission: { reads: reads.map(kind) },
  });
  const kinds = [
    entry('A', ['B'], []),
    entry('B', ['Leaf'], []),
    entry('C', [], ['Leaf']),
    entry('D', [], [], ['D', 'E']),
  ];
  const dependence = new Dependence({ kinds });
  const check = (some, others, expected) =>
    assert.equal(
      dependence.areApart(
        [some].flat().map((name) => `v1 ${name}`),
        [others].flat().map((name) => `v1 ${name}`),
      ),
      expected,
    );
  check('A', 'A', true);
  check('A', 'C', false);
  check('C', 'A', false);
  check('D', 'D', true);
  check('D', 'E', false);
  check([], 'C', true);
});

test('a file belongs where its content fits', () => {
  const known = { composites: new Set(['a/v1 A']), options: new Set(['o/v1 Options']) };
  const check = (content, expected) => assert.equal(textFor(content, known), expected, content);
  const object = (apiVersion, kind, more = '') =>
    `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata:\n  name: x\n${more}`;
  const list = (object) => `apiVersion: v1\nitems:\n- ${object.trimEnd().replaceAll('\n', '\n  ')}\nkind: List\n`;
  const resource = '  annotations:\n    crossplane.io/composition-resource-name: x\n';
  check(object('a/v1', 'A'), 'manifest');
  check(object('v1', 'ConfigMap'), 'required');
  check(`${object('v1', 'ConfigMap')}---\n${object('a/v1', 'A')}`, 'manifest');
  check(object('o/v1', 'Options'), 'options');
  check(object('v1', 'ConfigMap', resource), 'observed');
  check(list(object('a/v1', 'A')), 'manifest');
  check(list(object('v1', 'ConfigMap')), 'required');
  check(list(object('v1', 'ConfigMap', resource)), 'observed');
  check('{"apiVersion": "a/v1", "kind": "A"}', 'manifest');
  check('just: text\n', undefined);
});
