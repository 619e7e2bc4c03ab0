/** Answers of several modules become one. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './load.js';

const { kindsIn, merge } = await load('engine/merge.ts');

test('the kinds of documents', () => {
  check('apiVersion: a/v1\nkind: A', 'a/v1 A');
  check('# c\n---\nkind: A\napiVersion: a/v1\nspec: {kind: no}\n--- \nkind: B', 'a/v1 A', ' B');
  check('{"spec": {}, "apiVersion": "a/v1", "kind": "A"}', 'a/v1 A');
  check('{\n  "kind": "A",\n  "apiVersion": "a/v1"\n}', 'a/v1 A');
  check("kind: 'A' # comment\napiVersion: a/v1\nspec:\n  kind: no", 'a/v1 A');
  check('just text', ' ');
});

test('each module answers for its kinds, the last for those that nobody has', () => {
  const sources = [{ name: 'm', role: 'subject', text: 'kind: A\n---\nkind: B\n---\nkind: C' }];
  const diagnostic = (document, message) => ({
    location: { text: 0, document, line: document * 2 + 1, column: 1 },
    problem: { message },
  });
  const family = (kind, line) => ({
    kind: { apiVersion: '', kind },
    origin: { text: 0, line, column: 1 },
    composites: [],
  });
  const first = {
    families: [family('A', 1), family('B', 3)],
    diagnostics: [diagnostic(0, 'first of A'), diagnostic(1, 'first of B'), diagnostic(2, 'first of C')],
  };
  const second = {
    families: [family('B', 3)],
    diagnostics: [diagnostic(0, 'second of A'), diagnostic(1, 'second of B'), diagnostic(2, 'second of C')],
  };
  const route = ({ kind }) => ({ A: 0, B: 1 })[kind] ?? -1;
  const merged = merge(
    sources,
    [
      { module: '1', answer: first },
      { module: '2', answer: second },
    ],
    route,
  );
  assert.deepEqual(merged.answer.families, [first.families[0], second.families[0]]);
  assert.deepEqual(
    merged.answer.diagnostics.map(({ problem }) => problem.message),
    ['first of A', 'second of B', 'second of C'],
  );

  const failed = merge(
    sources,
    [
      { module: '1', answer: first },
      { module: '2', why: 'it stopped' },
    ],
    route,
  );
  assert.deepEqual(failed.answer.families, [first.families[0]]);
  assert.deepEqual(failed.failures, [{ module: '2', why: 'it stopped' }]);
});

function check(text, ...kinds) {
  assert.deepEqual(
    kindsIn(text).map(({ apiVersion, kind }) => `${apiVersion} ${kind}`),
    kinds,
    text,
  );
}
