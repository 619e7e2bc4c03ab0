/** Whatever a user enters, the page stays alive, keeps the text, and works afterwards. */

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { ROOT, start, status, write, written } from './lib/browser.js';
import { drop } from './lib/drop.js';
import { misbehaving } from './lib/misbehave.js';
import { QWEN } from './lib/states.js';

const COMPONENT = resolve(ROOT, process.env.COMPONENT ?? 'target/web/sailplane.wasm');

let app;
before(async () => {
  app = await start();
});
after(() => app.stop());

const BOMB = ['a: &a [x,x,x,x,x,x,x,x,x]', ...[...'bcdefghij'].map((key, index) => `${key}: &${key} [${Array(9).fill(`*${'abcdefghij'[index]}`)}]`)];
const TEXTS = {
  '10 MB in one line': [`a: ${'x'.repeat(10 << 20)}`, /more than 3145728 characters/],
  '10 MB in a million lines': ['key: value\n'.repeat(10 << 17), /more than 3145728 characters|line/],
  'a bomb of aliases': [BOMB.join('\n'), /expands to more than is read/],
  'nested in brackets 10,000 deep': ['['.repeat(10_000), /nested deeper than/],
  'nested by indentation 2,000 deep': [Array.from({ length: 2_000 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n'), /nested deeper than/],
  'no text at all': [String.fromCharCode(...Array(31).keys()), /./],
};

for (const [name, [text, problem]] of Object.entries(TEXTS)) {
  test(name, { timeout: 120_000 }, async () => {
    const page = await app.open();
    await write(page, text);
    await page.locator('#problems-list', { hasText: problem }).waitFor({ timeout: 60_000 });
    assert.equal((await written(page)).length, text.replaceAll('\r', '\n').length);
    await write(page, QWEN);
    await status(page, '3 objects', 60_000);
    assert.deepEqual(page.seen.errors, []);
    await page.close();
  });
}

const MISDEEDS = {
  loop: /did not answer within 5 s/,
  trap: /it stopped: .*unreachable/,
  gorge: /it stopped: .*unreachable/,
};

for (const [how, said] of Object.entries(MISDEEDS)) {
  test(`a component that goes wrong: ${how}`, { timeout: 120_000 }, async () => {
    const page = await app.open();
    await write(page, QWEN);
    await status(page, '3 objects');
    await bring(page, `${how}.wasm`, misbehaving(await readFile(COMPONENT), how));
    await page.locator('#banner', { hasText: said }).waitFor({ timeout: 60_000 });
    assert.match(await page.locator('#banner').textContent(), new RegExp(`${how}\\.wasm`));
    // It has the same kinds as the built-in component and was added later, so it serves them until it is removed.
    await page.keyboard.press('Control+Home');
    assert.equal(await written(page), QWEN);
    await page.locator('#do-modules').click();
    await page.locator('.menu [role=menuitem]', { hasText: `${how}.wasm` }).click();
    await status(page, '3 objects');
    await page.close();
  });
}

test('a component that is none', async () => {
  const page = await app.open();
  const core = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
  await bring(page, 'core.wasm', core);
  await page.locator('#notice', { hasText: 'core.wasm cannot be used: it is a core module, not a component' }).waitFor({ timeout: 60_000 });
  await bring(page, 'text.wasm', new TextEncoder().encode('hello'));
  await page.locator('#notice', { hasText: 'text.wasm cannot be used: it is not WebAssembly' }).waitFor({ timeout: 60_000 });
  await bring(page, 'empty.wasm', Uint8Array.of(0, 0x61, 0x73, 0x6d, 0x0d, 0, 1, 0));
  await page.locator('#notice', { hasText: 'it is a component of another world' }).waitFor({ timeout: 60_000 });
  await write(page, QWEN);
  await status(page, '3 objects');
  await page.close();
});

test('a component of the same world runs beside the built-in one, from a chunk loaded only then', { timeout: 120_000 }, async () => {
  const page = await app.open();
  await write(page, QWEN);
  await status(page, '3 objects');
  const loaded = () => page.seen.requests.filter((url) => /\/transpile-[^/]*\.js$/.test(url));
  assert.deepEqual(loaded(), []);
  await bring(page, 'again.wasm', await readFile(COMPONENT));
  await page.locator('#notice', { hasText: 'again.wasm runs beside the built-in component: Cluster, LLMInference' }).waitFor({ timeout: 60_000 });
  assert.equal(loaded().length, 1);
  await status(page, '3 objects');
  assert.equal(await page.locator('#modules-title').textContent(), 'sailplane 0.1.0 + 1');
  assert.deepEqual(page.seen.refused, []);
  assert.ok(page.seen.requests.every((url) => url.startsWith(`${app.origin}/`) || url.startsWith(`blob:${app.origin}/`)));
  await page.close();
});

/** Drops a component on the page. */
function bring(page, name, bytes) {
  return drop(page, [{ name, bytes }], '#views');
}
