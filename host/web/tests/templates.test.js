/** Templates of step inputs: every field, as by default or as a comment. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'yaml';
import { load } from './load.js';

const { templatesOf } = await load('templates.ts');

const string = { type: 'string' };

/** By name: the schema of a section, what of it counts, and what counts once the comments are taken away. */
const SECTIONS = {
  'a default counts': [{ mode: { ...string, default: 'off' } }, { mode: 'off' }, { mode: 'off' }],
  'a field without a default is a comment with the example of its description': [
    { size: { ...string, description: 'Its size, e.g. `80Gi`.' }, on: { type: 'boolean', default: true } },
    { on: true },
    { size: '80Gi', on: true },
  ],
  'else with its first choice': [
    { size: { ...string, enum: ['s', 'l'] }, on: { type: 'boolean', default: true } },
    { on: true },
    { size: 's', on: true },
  ],
  'a map has an entry as example': [
    { flags: { type: 'object', additionalProperties: string, description: 'E.g. none, e.g. `a: 1.2`.' } },
    undefined,
    { flags: { a: '1.2' } },
  ],
  'what has defaults inside counts only when it has one itself': [
    {
      one: { type: 'object', default: { key: 'k' }, properties: { key: { ...string, default: 'k' } } },
      two: { type: 'object', required: ['name'], properties: { name: string, key: { ...string, default: 'k' } } },
    },
    { one: { key: 'k' } },
    { one: { key: 'k' }, two: { name: '', key: 'k' } },
  ],
};

for (const [name, [properties, counts, uncommented]] of Object.entries(SECTIONS)) {
  test(name, () => {
    const { text } = templateOf({ type: 'object', default: {}, properties });
    assert.deepEqual(parse(text), { apiVersion: 'any/v1', kind: 'Options', ...(counts && { part: counts }) });
    const all = text.replace(/^( *)# (?=( *)\w+:( |$))/gm, '$1');
    assert.deepEqual(parse(all).part, uncommented, all);
  });
}

test('descriptions are comments of at most 100 characters, the items of a list one by one', () => {
  const description = `What it does.\n\n- \`on\`: ${'word '.repeat(30).trim()}.\n- \`off\`: Nothing.`;
  const { text } = templateOf({ type: 'object', properties: { mode: { ...string, default: 'on', description } } });
  const lines = text.split('\n');
  assert.ok(
    lines.every((line) => line.length <= 100),
    text,
  );
  assert.deepEqual(
    lines.filter((line) => line.startsWith('  # -')).map((line) => line.slice(0, 11)),
    ['  # - `on`:', '  # - `off`'],
  );
});

function templateOf(part) {
  const schema = { type: 'object', properties: { metadata: part, ttl: { ...string, default: '1m' }, part } };
  const [template, ...more] = templatesOf(
    new Map([['any', { apiVersion: 'any/v1', kind: 'Options', schema }]]),
  ).values();
  assert.deepEqual([template.section, more], ['part', []]);
  return template;
}
