/** Answers: what is printed again, and what is taken from the answer before. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './load.js';

const { Answers, Parts, print, parseObject, referencesIn } = await load(
  'render/answer.ts',
  'render/parts.ts',
  'render/print.ts',
  'render/object.ts',
  'render/references.ts',
);

/** An object that wraps a manifest of so many fields. */
function wrapper(name, fields, more = {}) {
  const properties = Object.fromEntries(
    Array.from({ length: fields }, (_, index) => [`field-${index}`, { type: 'string', description: 'one\n\ntwo\n' }]),
  );
  const manifest = {
    apiVersion: 'v1',
    kind: 'Definition',
    metadata: { name: 'wrapped' },
    spec: { properties, secretName: 'inside', ...more },
  };
  return {
    apiVersion: 'kubernetes.m.crossplane.io/v1alpha1',
    kind: 'Object',
    metadata: { name, labels: { of: name } },
    spec: { forProvider: { manifest }, providerConfigRef: { name: 'here' }, secretRef: { name: 'outside' } },
  };
}

/** A definition of an API of so many fields, which nothing wraps. */
function definition(name, fields) {
  const { spec } = wrapper(name, fields).spec.forProvider.manifest;
  return {
    apiVersion: 'v1',
    kind: 'Definition',
    metadata: { annotations: { spec: 'no' }, name },
    spec,
    status: { conditions: [] },
  };
}

const objects = [
  wrapper('a', 400),
  wrapper('b', 400),
  wrapper('b', 400, { late: [1, 'x: y'] }),
  wrapper('c', 3),
  definition('d', 400),
  definition('e', 400),
  { ...definition('e', 400), metadata: { name: 'f' } },
  { ...definition('e', 400), metadata: { name: 'g' }, specific: ['x'] },
  { ...definition('h', 400), spec: Array.from({ length: 2_000 }, (_, index) => `item ${index}`) },
  { kind: 'Other', metadata: { name: 'i' }, spec: { inside: wrapper('a', 400).spec } },
  { kind: 'Other', metadata: { inside: wrapper('a', 400).spec }, spec: { forProvider: null } },
];

test('an object with a large part is read as any other, at first and when its name has changed', () => {
  const parts = new Parts();
  for (const object of objects) {
    parts.begin();
    const json = JSON.stringify(object);
    for (const round of ['new', 'known']) {
      const read = parts.read(json);
      const { lines, places } = print(parseObject(json));
      assert.deepEqual(read.object, object, round);
      assert.deepEqual(read.lines, lines, round);
      const paths = [...places.keys()];
      assert.deepEqual(
        paths.map((path) => read.lineOf(path)),
        [...places.values()],
        round,
      );
      assert.equal(read.lineOf('spec.forProvider.manifest.spec.none'), undefined);
      const names = (references) => references.map(({ kind, name }) => `${kind} ${name}`).sort();
      assert.deepEqual(names(read.references), names(referencesIn(object)), round);
    }
  }
});

/** A response with composites of these names, each in a document of its own; `below` of each compose another composite. */
function response(...composites) {
  let index = 0;
  return {
    composites: composites.flatMap(({ name, line, below = false, message = '' }) => {
      const first = index;
      index += below ? 2 : 1;
      const object = (kind) => JSON.stringify({ apiVersion: 'example.org/v1', kind, metadata: { name } });
      const of = (kind, more) => ({
        object: object(kind),
        areas: [],
        resources: [],
        results: message === '' ? [] : [{ step: 's', outcome: { severity: 'normal', message } }],
        derivations: [],
        decisions: [],
        lookups: [],
        ...more,
      });
      const child = { name: 'child', object: object('Below'), ready: true, composite: first + 1 };
      return [
        of('Above', { origin: { text: 0, line, column: 1, endLine: line }, ...(below && { resources: [child] }) }),
        ...(below ? [of('Below', {})] : []),
      ];
    }),
    diagnostics: [],
    capacities: [],
  };
}

const cases = [
  {
    name: 'the same',
    now: [
      { name: 'a', line: 1 },
      { name: 'b', line: 9, below: true },
    ],
    again: [0, 1],
  },
  {
    name: 'moved',
    now: [
      { name: 'a', line: 2 },
      { name: 'b', line: 10, below: true },
    ],
    again: [0, 1],
  },
  {
    name: 'another message',
    now: [
      { name: 'a', line: 1, message: 'new' },
      { name: 'b', line: 9, below: true },
    ],
    again: [1],
  },
  { name: 'one less before', now: [{ name: 'b', line: 1, below: true }], again: [] },
  {
    name: 'another name',
    now: [
      { name: 'c', line: 1 },
      { name: 'b', line: 9, below: true },
    ],
    again: [1],
  },
  { name: 'nothing', now: [], again: [] },
];

for (const { name, now, again } of cases) {
  test(`composites of the answer before: ${name}`, () => {
    const answers = new Answers();
    const findings = { diagnostics: [] };
    const before = answers.of(response({ name: 'a', line: 1 }, { name: 'b', line: 9, below: true }), findings, false);
    const next = answers.of(response(...now), findings, false);
    const known = before.families.flatMap(({ composites }, index) =>
      next.families.some((it) => it.composites === composites) ? [index] : [],
    );
    assert.deepEqual(known, again);
    assert.deepEqual(next, new Answers().of(response(...now), findings, false), 'as if it were the first one');
    const passed = answers.of(response(...now), findings, true);
    assert.ok(passed.families.every(({ composites }) => composites.every(({ object }) => object.json !== undefined)));
  });
}

test('an explanation shows the beginning of a value that is a whole object', () => {
  const of = (value) => {
    const derivation = { resourceName: '', path: 'spec', value: JSON.stringify(value), because: 'always', causes: [] };
    const { composites, ...rest } = response({ name: 'a', line: 1 });
    const explained = { ...rest, composites: composites.map((it) => ({ ...it, derivations: [derivation] })) };
    return new Answers().of(explained, { diagnostics: [] }, false).families[0].composites[0].derivations[0].value;
  };
  assert.equal(of(['short']), '["short"]');
  assert.equal(of('short'), 'short');
  const long = of(definition('d', 400).spec);
  assert.ok(long.startsWith('{"properties":{') && long.endsWith('…') && long.length === 2_001, long);
});
