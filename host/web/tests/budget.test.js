/** Pools of memory, what differs between two of them, and the moments at which something changes. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './load.js';

const { poolIn, memoryOf, secondsIn, poolsOf, withoutMemory, quantity, difference, momentsOf, momentAt } = await load(
  'render/memory.ts',
  'budget/pools.ts',
  'budget/moments.ts',
);

const mib = (gib) => ({ value: gib * 1024, unit: 'MiB' });
const place = (name, gib, taken = [], labels = [['inference-pool', name]]) => ({
  name,
  what: 'pool',
  size: mib(gib),
  taken: taken.map(([name, gib]) => ({ kind: 'InferenceModel', name: `m/${name}`, value: gib * 1024 })),
  labels,
  inside: [],
});
const model = (name, decision = {}, memory = {}, message = '') => ({
  object: { kind: 'InferenceModel', name: `m/${name}`, labels: [] },
  conditions: [{ type: 'ModelReady', status: 'False', reason: '', message }],
  decisions: [{ about: 'memory of pool `a` of 100Gi', wanted: 1, chosen: [], passedOver: [], ...decision }],
  memory: { pool: 'a', reservation: '', askedAt: '', cooldown: 600, ...memory },
});
const answer = (places, ...composites) => ({ places, diagnostics: [], families: [{ composites }] });

test('a pool has those with memory first, then those that wait, with the reason, then those that sleep', () => {
  const nearest = { place: ['a'], needed: mib(60), found: mib(32), because: '' };
  const against = [
    { because: 'holds 60Gi', candidates: ['x'], nearest },
    { because: 'claims 8Gi', candidates: ['y'] },
  ];
  const [pool] = poolsOf(
    answer(
      [
        place('a', 100, [
          ['x', 60],
          ['y', 8],
          ['z', 1],
        ]),
      ],
      model('sleeps', { wanted: 0 }, {}, 'scaled to zero'),
      model('waits', { passedOver: against }),
      model('first', {}, {}, 'waits for model'),
      model('y', { chosen: [{ because: 'claimed' }] }, { reservation: 'Claimed' }),
      model('x', { chosen: [{ because: 'confirmed since' }] }, { reservation: 'Confirmed' }),
    ),
  );
  assert.equal(pool.taken, 69 * 1024);
  assert.deepEqual(
    pool.models.map(({ name, situation, value, why }) => `${name} ${situation} ${value / 1024} ${why}`),
    [
      'm/x confirmed 60 confirmed since',
      'm/y claimed 8 claimed',
      'm/z taken 1 no text here composes it',
      'm/waits waits 0 needs 60Gi, and 32Gi is free: x holds 60Gi; y claims 8Gi',
      'm/first waits 0 waits for model',
      'm/sleeps asleep 0 scaled to zero',
    ],
  );
});

test('who waits for memory of all pools together stands there', () => {
  const pools = poolsOf(answer([place('all pools', 10, [], [])], model('w', {})));
  assert.deepEqual(
    pools.map(({ models }) => models.map(({ name }) => name)),
    [['m/w']],
  );
});

test('what is about memory is left out of a fleet, and the rest stays', () => {
  const nodes = { ...place('c', 1), size: { value: 3, unit: 'nodes' } };
  const other = { ...model('d', { about: 'clusters for replicas' }), memory: undefined };
  const whole = answer([place('a', 100), nodes], model('x', {}), other);
  const { places, families } = withoutMemory(whole);
  assert.deepEqual(places, [nodes]);
  assert.deepEqual(
    families[0].composites.map(({ decisions }) => decisions.length),
    [0, 1],
  );
  const without = answer([nodes], other);
  assert.equal(withoutMemory(without), without);
});

test('amounts are written as Kubernetes writes them, and differences in words', () => {
  const written = [mib(60), mib(0.5), { value: 3, unit: 'bytes' }, { value: -2048, unit: 'MiB' }, mib(0)].map(quantity);
  assert.deepEqual(written, ['60Gi', '512Mi', '3', '-2Gi', '0Gi']);
  const [small, large] = [
    [['x', 60]],
    [
      ['x', 60],
      ['y', 8],
    ],
  ].map((taken) => poolsOf(answer([place('a', 100, taken)]))[0]);
  const [lower] = poolsOf(answer([place('a', 80, [['x', 60]])]));
  assert.equal(difference(large, small), '+8Gi taken');
  assert.equal(difference(small, large), '-8Gi taken');
  assert.equal(difference(lower, large), '-8Gi taken, -20Gi in all');
  assert.equal(difference(small, small), 'no difference');
  assert.equal(difference(small, undefined), 'a new pool');
});

test('what a model says of its memory', () => {
  assert.equal(poolIn({ about: 'memory of pool `gpu=a` of 1Gi' }), 'gpu=a');
  assert.equal(poolIn({ about: 'clusters for replicas' }), undefined);
  const json = JSON.stringify({
    spec: { cooldownPeriod: '1m30s' },
    status: { reservation: 'Claimed' },
  });
  const texts = ['a: 1', 'last-request-time: "2026-01-31T12:00:00Z"\n', 'last-request-time: 2026-01-31T11:00:00Z\n'];
  const asked = { askedAt: '2026-01-31T12:00:00Z', cooldown: 90 };
  assert.deepEqual(memoryOf('a', json, texts), { pool: 'a', reservation: 'Claimed', ...asked });
  assert.deepEqual(
    ['10m', '', '0s', '-5m', '1h.5s', 'soon', '+2m', '250ms', '1.s', '2\u03bcs', '2\u00b5s'].map(secondsIn),
    [600, 600, 600, 600, 3600.5, 600, 120, 0.25, 1, 2e-6, 2e-6],
  );
});

test('moments are what is written, in order; what came with the clock is none', () => {
  const whole = answer(
    [],
    model('x'),
    model('y'),
    model('z', {}, { askedAt: '2026-01-31T11:00:00Z' }),
    model('new', {}, { askedAt: '2026-01-31T12:05:00Z' }),
  );
  const texts = {
    x: 'last-request-time: "2026-01-31T12:00:00Z"\nlast-request-time: 2026-01-31T12:00:00Z\nlast-request-time: soon\n',
    y: "last-request-time: '2026-01-31T11:50:00.5Z'\nstatus: {reservation: Claimed, claimedAt: 2026-01-31T12:00:00Z}\n",
    z: 'status: {reservation: Confirmed, claimedAt: "2026-01-31T11:00:00Z"}',
  };
  const moments = momentsOf(whole, (name) => texts[name] ?? '');
  assert.deepEqual(
    moments.map(({ at, what }) => `${at.slice(11, 19)} ${what.join(', ')}`),
    [
      '11:00:00 `m/z` is asked for',
      '11:10:01 the cooldown of `m/z` is over',
      '11:50:00 `m/y` is asked for',
      '12:00:00 `m/x` is asked for',
      '12:00:01 the cooldown of `m/y` is over',
      '12:00:05 the claim of `m/y` may be confirmed',
      '12:10:01 the cooldown of `m/x` is over',
    ],
  );
  const clocks = ['', '2026-01-31T10:00:00Z', '2026-01-31T12:00:00Z', '2026-01-31T12:00:02Z', '2027-01-01T00:00:00Z'];
  assert.deepEqual(
    clocks.map((clock) => momentAt(moments, clock)),
    [-1, -1, 3, 4, 6],
  );
});
