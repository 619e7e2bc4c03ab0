/** Places of any sort are drawn by the same rules: nodes of clusters, and memory of nodes. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './load.js';

const { placesOf, Fleet, arrange, unitsOf, labelsOf, decisionOf, missing, counted } = await load(
  'render/places.ts',
  'render/decisions.ts',
  'render/amount.ts',
  'fleet/fleet.ts',
  'fleet/arrange.ts',
);

const amount = (value, unit) => ({ value: BigInt(value), unit });
const taking = (name, value, unit) => ({
  kind: { apiVersion: 'a/v1', kind: 'R' },
  namespace: 'n',
  name,
  takes: amount(value, unit),
});
const capacity = (place, what, size, taken = [], labels = []) => ({
  place,
  what,
  ...(size && { size }),
  taken,
  labels,
});

/** Clusters with pools and devices. */
const CLUSTERS = [
  capacity(['eu'], 'cluster', undefined, [], [['region', 'eu']]),
  capacity(
    ['eu', 'big'],
    'pool',
    amount(4, 'nodes'),
    [taking('a', 1, 'nodes'), taking('b', 4, 'nodes')],
    [['class', 'h200']],
  ),
  capacity(['eu', 'big', 'gpu'], 'device', amount(32, 'devices'), [taking('a', 8, 'devices')], [['class', 'h200']]),
  capacity(['eu', 'small'], 'pool', amount(2, 'nodes'), [], [['class', 'l4']]),
  capacity(['us'], 'cluster', undefined),
  capacity(['us', 'big'], 'pool', amount(3, 'nodes'), [], [['class', 'h200']]),
];
/** A budget of memory: the outermost places have a size. */
const NODES = [
  capacity(['node-1'], 'node', amount(81_920, 'MiB'), [
    taking('weights', 60_000, 'MiB'),
    taking('cache', 30_000, 'MiB'),
  ]),
  capacity(['node-2'], 'node', amount(40_960, 'MiB')),
];

test('places are arranged by unit, label and words', () => {
  check(CLUSTERS, {}, 'eu: big 5/4, small 0/2; us: big 0/3 = 5/9');
  check(CLUSTERS, { unit: 'devices' }, 'eu: big / gpu 8/32; us:  = 8/32');
  check(CLUSTERS, { groupBy: 'class' }, 'h200 eu: big 5/4; us: big 0/3 = 5/7', 'l4 eu: small 0/2 = 0/2');
  check(CLUSTERS, { groupBy: 'region' }, 'eu eu: big 5/4, small 0/2 = 5/6', 'us: big 0/3 = 0/3');
  check(CLUSTERS, { search: 'class=l4' }, 'eu: big 5/4, small 0/2 = 5/6');
  check(CLUSTERS, { search: 'N/A  EU' }, 'eu: big 5/4, small 0/2 = 5/6');
  check(CLUSTERS, { search: 'eu nowhere' });
  check(CLUSTERS, { only: new Set(['us']) }, 'us: big 0/3 = 0/3');
  check(NODES, {}, 'node-1:  90000/81920; node-2:  0/40960 = 90000/122880');
});

function check(capacities, arrangement, ...want) {
  const places = placesOf(capacities);
  const fleet = new Fleet({ families: [], diagnostics: [], places });
  const groups = arrange(fleet, { unit: unitsOf(places)[0], groupBy: '', search: '', ...arrangement });
  const spelled = groups.map(({ title, cards, size, taken }) => {
    const all = cards.map(
      ({ place, rows }) => `${place.name}: ${rows.map((row) => `${row.name} ${row.taken}/${row.size}`).join(', ')}`,
    );
    return `${title} ${all.join('; ')} = ${taken}/${size}`.trim();
  });
  assert.deepEqual(spelled, want);
}

test('what places can be counted in and grouped by', () => {
  assert.deepEqual(unitsOf(placesOf(CLUSTERS)), ['nodes', 'devices']);
  assert.deepEqual(labelsOf(placesOf(CLUSTERS)), ['class', 'region']);
  assert.deepEqual([unitsOf(placesOf(NODES)), labelsOf(placesOf(NODES))], [['MiB'], []]);
});

test('a fleet knows who has what, and what is against a place', () => {
  const share = (place) => ({ place, part: '', takes: amount(1, 'nodes') });
  const decided = decisionOf({
    about: 'clusters',
    wanted: 3,
    candidates: 2,
    chosen: [{ resourceName: 'r-0', shares: [share(['eu', 'big'])], because: 'it has room' }],
    passedOver: [
      {
        reason: 'Full',
        because: 'lack nodes',
        candidates: ['us'],
        nearest: { place: ['us', 'big'], needed: amount(4, 'nodes'), found: amount(3, 'nodes') },
      },
    ],
  });
  const composite = (name, decisions) => ({
    object: { kind: 'D', name },
    resources: [{ name: 'r-0', object: { kind: 'R', name: 'n/a' } }],
    decisions,
  });
  const families = [
    { composites: [composite('n/fine', [{ ...decided, wanted: 1 }])] },
    { composites: [composite('n/lacks', [decided]), composite('n/silent', [])] },
  ];
  const fleet = new Fleet({ families, diagnostics: [], places: placesOf(CLUSTERS) });
  assert.deepEqual(
    fleet.owners.map(({ key, missing }) => [key, missing]),
    [
      ['D n/lacks', 2],
      ['D n/fine', 0],
    ],
  );
  assert.equal(fleet.taker('R', 'n/a').choice.because, 'it has room');
  assert.equal(fleet.taker('R', 'n/b').owner, undefined);
  assert.equal(fleet.hasStrangers, true);
  assert.deepEqual(
    fleet.against('us').map(({ owner, passedOver }) => [owner.key, passedOver.nearest.found.value]),
    [
      ['D n/lacks', 3],
      ['D n/fine', 3],
    ],
  );
  assert.equal(missing([decided, decided]), 4);
});

test('numbers with units', () => {
  assert.deepEqual(
    [
      [1, 'nodes'],
      [2, 'nodes'],
      [1, 'MiB'],
      [81_920, 'MiB'],
    ].map(([value, unit]) => counted({ value, unit })),
    ['1 node', '2 nodes', '1 MiB', '81,920 MiB'],
  );
});
