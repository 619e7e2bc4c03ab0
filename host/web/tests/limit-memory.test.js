/** A core module cannot take more memory than it is given. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './load.js';

const { limitMemory } = await load('transpile/limit-memory.ts');

test('memories are limited', async () => {
  //                 limits in the module   pages given   it may grow to
  await check([0x00, 1], 4, 4); // no limit of its own
  await check([0x01, 1, 2], 4, 2); // a smaller one
  await check([0x01, 1, 0x80, 0x02], 200, 200); // a larger one, in two bytes
  await check([0x00, 8], 4, 8); // it needs more to begin with
});

async function check(limits, pages, most) {
  const section = [1, ...limits];
  const exported = [1, 3, 0x6d, 0x65, 0x6d, 2, 0];
  const module = Uint8Array.of(
    0,
    0x61,
    0x73,
    0x6d,
    1,
    0,
    0,
    0,
    5,
    section.length,
    ...section,
    7,
    exported.length,
    ...exported,
  );
  const { instance } = await WebAssembly.instantiate(limitMemory(module, pages << 16));
  const memory = instance.exports.mem;
  const before = memory.buffer.byteLength >> 16;
  memory.grow(most - before);
  assert.throws(() => memory.grow(1));
}
