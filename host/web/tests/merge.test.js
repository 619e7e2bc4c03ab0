/** Answers of several modules become one. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './load.js';

const { moduleKinds, kindsIn, merge, passOn, secondsOf } = await load(
  'engine/merge.ts',
  'kinds.ts',
  'engine/cascade.ts',
  'clock.ts',
);

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
    made: [],
    diagnostics: [diagnostic(0, 'first of A'), diagnostic(1, 'first of B'), diagnostic(2, 'first of C')],
    places: [{ name: 'b' }, { name: 'c' }],
  };
  const second = {
    families: [family('B', 3)],
    made: [],
    diagnostics: [diagnostic(0, 'second of A'), diagnostic(1, 'second of B'), diagnostic(2, 'second of C')],
    places: [{ name: 'a' }],
  };
  const route = ({ kind }) => ({ A: 0, B: 1 })[kind] ?? -1;
  const merged = merge(
    sources,
    [
      { module: '1', answer: first, given: [] },
      { module: '2', answer: second, given: [] },
    ],
    route,
  );
  assert.deepEqual(
    merged.answer.places.map(({ name }) => name),
    ['a', 'b', 'c'],
  );
  assert.deepEqual(merged.answer.families, [first.families[0], second.families[0]]);
  assert.deepEqual(
    merged.answer.diagnostics.map(({ problem }) => problem.message),
    ['first of A', 'second of B', 'second of C'],
  );

  const failed = merge(
    sources,
    [
      { module: '1', answer: first, given: [] },
      { module: '2', why: 'it stopped' },
    ],
    route,
  );
  assert.deepEqual(failed.answer.families, [first.families[0]]);
  assert.deepEqual(failed.failures, [{ module: '2', why: 'it stopped' }]);
});

test('what one module composes is passed to those it concerns', () => {
  const kind = (name) => ({ apiVersion: 'v1', kind: name });
  const entry = (name, ...looksUp) => ({
    kind: kind(name),
    composes: [],
    looksUp: looksUp.map((name) => ({ kind: kind(name) })),
  });
  const kinds = moduleKinds([
    { kinds: [entry('A', 'B'), entry('B')] },
    { kinds: [entry('B', 'C')] },
    { kinds: [entry('D')] },
  ]);
  assert.deepEqual(
    kinds.map(({ foreign }) => foreign.map(({ kind }) => kind).join()),
    ['B,D', 'A,D', 'A,B'],
  );
  const { parts, json } = twoLevels();
  assert.deepEqual(passOn(kinds, parts.slice(0, 1)), [[], [json('B', 'b'), json('C', 'c')], []]);
  assert.deepEqual(passOn(kinds, parts), [[json('B', 'stored')], [json('B', 'b'), json('C', 'c')], []]);
});

test('what another module made of a resource stands below it', () => {
  const { parts } = twoLevels();
  const route = ({ kind }) => ({ A: 0, B: 1 })[kind] ?? -1;
  const { answer } = merge([{ name: 'm', role: 'subject', text: 'kind: A' }], parts, route);
  const shown = answer.families.map(({ composites }) =>
    composites.map(({ object, resources }) => [object.name, ...resources.map(({ name, child }) => `${name} ${child}`)]),
  );
  assert.deepEqual(shown, [
    [
      ['a', 'b 1', 'c undefined'],
      ['stored', 'leaf undefined'],
    ],
  ]);
});

test('times', () => {
  assert.equal(secondsOf('1970-01-01T00:00:00Z'), 0n);
  assert.equal(secondsOf('1970-01-01t00:00:00z'), 0n);
  assert.equal(secondsOf('2026-01-31T14:00:00.9+02:00'), 1769860800n);
  for (const text of ['', 'now', '2026-01-31', '2026-01-31T12:00:00', '2026-02-31T12:00:00Z', '1969-12-31T23:59:59Z']) {
    assert.equal(secondsOf(text), undefined, text);
  }
});

/** A module whose A composes a B and a C, and one that was given the B. */
function twoLevels() {
  const json = (kind, name) => JSON.stringify({ apiVersion: 'v1', kind, name });
  const object = (kind, name) => ({ kind, name, json: json(kind, name) });
  const resource = (kind, name) => ({ name, object: object(kind, name) });
  const composites = (kind, name, resources) => [{ object: object(kind, name), resources }];
  const first = {
    kind: { apiVersion: 'v1', kind: 'A' },
    origin: { text: 0, line: 1, column: 1 },
    composites: composites('A', 'a', [resource('B', 'b'), resource('C', 'c')]),
  };
  const second = { given: 0, composites: composites('B', 'stored', [resource('E', 'leaf')]) };
  const parts = [
    { module: '1', answer: { families: [first], made: [], diagnostics: [], places: [] }, given: [] },
    {
      module: '2',
      answer: { families: [], made: [second], diagnostics: [], places: [] },
      given: [json('B', 'b'), json('C', 'c')],
    },
  ];
  return { parts, json };
}

function check(text, ...kinds) {
  assert.deepEqual(
    kindsIn(text).map(({ apiVersion, kind }) => `${apiVersion} ${kind}`),
    kinds,
    text,
  );
}
