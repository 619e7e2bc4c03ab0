/** Plans: how changes are written, and what becomes of replicas. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './load.js';

const { readChanges, spellChanges, changeOf, withChange, commandOf, planOf, fatesIn, replicaAt, hasPlan } = await load(
  'plan/changes.ts',
  'plan/rows.ts',
  'render/plan.ts',
);

test('changes are written as on the command line, in the order in which they are made', () => {
  const text = '--drain gke --scale chat/qwen=6 --lose eks/h200 --add gke/l4=l4-1:4';
  assert.equal(spellChanges(readChanges(text)), '--add gke/l4=l4-1:4 --scale chat/qwen=6 --lose eks/h200 --drain gke');
  assert.deepEqual(readChanges(text).map(changeOf), [
    { tag: 'drain', val: ['gke'] },
    { tag: 'scale', val: { namespace: 'chat', name: 'qwen', number: 6 } },
    { tag: 'lose', val: ['eks', 'h200'] },
    { tag: 'add', val: { place: ['gke', 'l4'], class: 'l4-1', number: 4 } },
  ]);
  const wrong = [
    '',
    '--scale qwen=6',
    '--scale a/b=-1',
    '--scale a/b=x',
    '--drain a/b/c',
    '--add gke=l4:1',
    '--add a/b=:1',
    '--run x',
    '--drain $(x)',
  ];
  assert.deepEqual(wrong.flatMap(readChanges), []);
});

test('a change takes the place of one to the same thing', () => {
  const scaled = withChange(readChanges('--scale a/b=1 --drain c'), { kind: 'scale', what: 'a/b=2' });
  assert.equal(spellChanges(scaled), '--scale a/b=2 --drain c');
  assert.equal(spellChanges(withChange(scaled, { kind: 'drain', what: 'd' })), '--scale a/b=2 --drain c --drain d');
});

test('the command says the same', () => {
  const files = ['manifest.yaml', 'required.yaml'];
  assert.equal(commandOf(files, undefined, []), 'sailplane plan manifest.yaml required.yaml');
  const changed = commandOf(files, 'options.yaml', readChanges('--drain c'));
  assert.equal(changed, 'sailplane plan manifest.yaml required.yaml --input options.yaml --drain c');
});

const amount = (value) => ({ value: BigInt(value), unit: 'nodes' });
const seat = (...place) => [{ place, part: '', takes: amount(1) }];
const planned = (name, more = {}) => ({
  kind: { apiVersion: 'a/v1', kind: 'D' },
  namespace: 'n',
  name,
  wanted: 2,
  before: 2,
  after: 2,
  moves: [],
  gone: [],
  new: [],
  lost: 0,
  passedOver: [],
  headroom: {
    more: 3,
    atLeast: true,
    class: 'l4',
    withOneMore: 1,
    scarce: { place: ['c'], needed: amount(2), found: amount(1), because: '' },
  },
  ...more,
});

test('the worst comes first', () => {
  const plan = planOf({
    subjects: [
      planned('a', { new: [seat('x')], moves: [{ before: seat('c', 'p'), after: seat('d') }] }),
      planned('b', { lost: 1, gone: [seat('c')] }),
      planned('c', { lost: 4 }),
    ],
    stock: [{ class: 'l4', before: amount(4), freeBefore: amount(1), after: amount(6), freeAfter: amount(2) }],
    diagnostics: [
      { gravity: 'error', problem: { message: 'there is no such cluster' } },
      { gravity: 'warning', problem: { message: 'counts as up' } },
      { gravity: 'error', problem: { message: 'of a text' }, location: {} },
    ],
  });
  const fates = fatesIn(plan).map(({ what, planned, number }) => `${what} ${planned.name} ${number}`);
  assert.deepEqual(fates, ['without a place n/c 4', 'without a place n/b 1', 'gone n/b 1', 'moves n/a 1', 'new n/a 1']);
  assert.deepEqual(plan.problems, ['there is no such cluster']);
  const [{ key, more, atLeast, scarce }] = plan.subjects;
  assert.deepEqual([key, more, atLeast, scarce.needed.value], ['D n/a', 3, true, 2]);
  assert.equal(plan.stock[0].freeAfter.value, 2);
});

test('a replica is found by its places', () => {
  const choice = { resource: 'r-1', shares: [{ place: ['c', 'p'], part: '' }], because: '' };
  const composite = {
    object: { kind: 'D', name: 'n/a' },
    resources: [{ name: 'r-1', object: {} }],
    decisions: [{ about: 'clusters', chosen: [choice] }],
  };
  const answer = { families: [{ composites: [composite] }] };
  assert.equal(replicaAt(answer, 'D n/a', seat('c', 'p'))?.selection.object, 'r-1');
  assert.equal(replicaAt(answer, 'D n/a', seat('c', 'q')), undefined);
  assert.equal(hasPlan(answer), true);
  assert.equal(hasPlan({ families: [{ composites: [{ ...composite, memory: {} }] }] }), false);
  assert.equal(hasPlan(undefined), false);
});
