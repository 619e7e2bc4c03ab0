/** What is printed is read back as the same value, by a general parser, as YAML 1.2 and as YAML 1.1. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'yaml';
import { load } from './load.js';

const { print, inline } = await load('render/print.ts');

const STRINGS = [
  '',
  ' ',
  'a',
  'a b',
  'true',
  'yes',
  'Off',
  'null',
  '~',
  '1',
  '-1',
  '1e3',
  '0x1f',
  '1_000',
  '12:30:45',
  '.5',
  '.inf',
  '-',
  '- a',
  '?',
  ': ',
  'a: b',
  'a:b',
  'a #b',
  'a#b',
  '#a',
  '&a',
  '*a',
  '!a',
  '|',
  '>',
  '@a',
  '`a`',
  '%a',
  '"a"',
  "'a'",
  'a"b',
  "it's",
  '[a]',
  '{a}',
  'a,b',
  'http://x/y?z=1',
  '--flag=1',
  '---',
  '...',
  '2024-01-01T00:00:00Z',
  '8Gi',
  'a\nb',
  'a\nb\n',
  'a\n\nb\n\n',
  '\na',
  ' a\nb',
  'a \nb',
  'a\tb',
  '\ta',
  'a\r\nb',
  'ü',
  '🛩',
  '\u0007',
  '\u0085',
  '\u2028',
  '\ufeff',
  'a\u0000b',
  '=',
  '<<',
  '$(A)',
  '(a)',
  'a/b',
  'key:',
  ':key',
  'a\\b',
  '\\',
  '0',
  '0o7',
  '+1',
  'NaN',
  '.nan',
  'y',
  'N',
];

test('strings', () => {
  for (const string of STRINGS) {
    for (const value of [
      string,
      { key: string },
      [string],
      { [string]: { nested: string } },
      [[string], { a: [string] }],
    ]) {
      check(value);
    }
    assert.equal(parse(inline(string)), string);
  }
});

test('structures', () => {
  for (const value of [
    null,
    true,
    0,
    -1.5,
    1e21,
    [],
    {},
    [[]],
    [{}],
    { a: {} },
    { a: [] },
    { a: null },
    [[1, [2, [3]]], { b: [{ c: 1, d: [] }] }],
    { a: { b: { c: [1, { d: 2 }] } } },
  ]) {
    check(value);
  }
});

test('random values', () => {
  let state = 1;
  const random = (below) => {
    state = (state * 48271) % 2147483647;
    return state % below;
  };
  const value = (depth) => {
    const kind = random(depth > 3 ? 3 : 5);
    const items = Array.from({ length: random(4) });
    return [
      () => STRINGS[random(STRINGS.length)],
      () => random(1000) - 500,
      () => [null, true, false][random(3)],
      () => items.map(() => value(depth + 1)),
      () => Object.fromEntries(items.map(() => [`k${STRINGS[random(STRINGS.length)]}`, value(depth + 1)])),
    ][kind]();
  };
  for (let index = 0; index < 2_000; index++) {
    check(value(0));
  }
});

test('keys are in the order of `sailplane render`', () => {
  //    keys                           order
  keys('10 9 1', '1 9 10');
  keys('a10 a2 a02', 'a2 a02 a10');
  keys('b B a-b ab a.b a1', 'B a-b a.b a1 ab b');
  keys('a100 a10x a1', 'a1 a100 a10x');
  keys('v10 v9 v09 v1.10 v1.9', 'v1.9 v1.10 v9 v09 v10');
  keys('18446744073709551616 5 0', '0 18446744073709551616 5'); // more than 64 bits count as what is left of them
  keys('ß a 漢 😀 -', '- 😀 a ß 漢');
});

test('each path is on its line', () => {
  const { lines, places } = print({ a: 1, b: [{ c: 2, d: 'x\ny' }, 'e'], 'f.g': { h: 3 } });
  assert.deepEqual(lines, ['a: 1', 'b:', '- c: 2', '  d: |-', '    x', '    y', '- e', 'f.g:', '  h: 3']);
  assert.deepEqual(
    [...places],
    [
      ['a', 0],
      ['b', 1],
      ['b[0]', 2],
      ['b[0].c', 2],
      ['b[0].d', 3],
      ['b[1]', 6],
      ['[f.g]', 7],
      ['[f.g].h', 8],
    ],
  );
});

function keys(given, printed) {
  const { places } = print({ above: Object.fromEntries(given.split(' ').map((key) => [key, null])) });
  const order = [...places.keys()].slice(1).map((path) => path.replace(/^above\.?\[?|\]$/g, ''));
  assert.equal(order.join(' '), printed);
}

function check(value) {
  const text = print(value).lines.join('\n');
  for (const version of ['1.1', '1.2']) {
    assert.deepEqual(parse(text, { version }), value, `${version}: ${JSON.stringify(value)} was printed as\n${text}`);
  }
}
