/** Links to a text, and settings that are remembered. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { start, status, useExample, write, written } from './lib/browser.js';
import { QWEN, view } from './lib/states.js';

let app;
before(async () => {
  app = await start();
});
after(() => app.stop());

test('a link brings back texts and tabs', async () => {
  const page = await app.open();
  await write(page, QWEN);
  await page.locator('#tab-options').click();
  const options = 'apiVersion: sailplane.fn.crossplane.io/v1alpha1\nkind: Options\nllmInference: {gpuMemory: 80Gi} # ümlaut 🛩\n';
  await write(page, options);
  await view(page, 'why');
  await page.locator('#do-share').click();
  await page.locator('#notice', { hasText: 'The link is copied' }).waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  await page.close();

  const other = await app.open({ path: new URL(link).pathname + new URL(link).hash });
  await status(other, '3 objects');
  assert.equal(await other.locator('#tab-options').getAttribute('aria-selected'), 'true');
  assert.equal(await other.locator('#tab-why').getAttribute('aria-selected'), 'true');
  assert.equal(await written(other), options);
  await other.locator('#tab-manifest').click();
  assert.equal(await written(other), QWEN);
  await other.close();
});

test('a link keeps that all is taken as ready', async () => {
  const page = await app.open();
  await write(page, QWEN);
  await status(page, '3 objects');
  assert.equal(await page.locator('#do-assume').getAttribute('aria-pressed'), 'false');
  await page.locator('#do-assume').click();
  await page.locator('#banner', { hasText: 'everything that is composed exists and is ready' }).waitFor();
  await view(page, 'outline');
  await page.locator('#outline-list [aria-level="1"] .dot-ready').waitFor();
  await page.locator('#do-share').click();
  await page.locator('#notice', { hasText: 'The link is copied' }).waitFor();
  const { pathname, hash } = new URL(await page.evaluate(() => navigator.clipboard.readText()));
  await page.close();

  const other = await app.open({ path: pathname + hash });
  await other.locator('#outline-list [aria-level="1"] .dot-ready').waitFor();
  assert.equal(await other.locator('#do-assume').getAttribute('aria-pressed'), 'true');
  await other.locator('#banner button', { hasText: 'As it is' }).click();
  await other.locator('#outline-list [aria-level="1"] .dot-not-ready').waitFor();
  assert.equal(await other.locator('#banner').textContent(), '');
  await other.close();
});

test('a broken link says so, and the page works', async () => {
  for (const fragment of ['#v1.AAAA', '#v1.!!', '#v9.xyz', '#v1.', `#v1.${'q1YqS8wpTVWyUkpJLEkEAA'.slice(0, 9)}`]) {
    const page = await app.open({ path: `/${fragment}` });
    await page.locator('#notice', { hasText: 'This link cannot be read' }).waitFor();
    await useExample(page, 'llm-qwen');
    await status(page, '3 objects');
    await page.close();
  }
});

test('a fragment that unfolds to more than is read is refused', async () => {
  const page = await app.open();
  const fragment = await page.evaluate(async () => {
    const zeros = new Blob([new Uint8Array(40 << 20)]).stream().pipeThrough(new CompressionStream('deflate-raw'));
    const packed = new Uint8Array(await new Response(zeros).arrayBuffer());
    return btoa(String.fromCharCode(...packed.subarray(0, 60_000))).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
  });
  await page.evaluate((fragment) => {
    location.hash = `v1.${fragment}`;
  }, fragment);
  await page.locator('#notice', { hasText: 'more than 32 MB' }).waitFor();
  await page.close();
});

test('colours are remembered', async () => {
  const page = await app.open({ colours: 'light' });
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await ground();
  await page.locator('#do-theme').click();
  const dark = await ground();
  assert.notEqual(dark, light);
  await page.reload();
  assert.equal(await ground(), dark);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.evaluate(() => localStorage.clear());
  await page.reload();
  assert.equal(await ground(), dark, 'the colours of a dark system are those of the choice');
  await page.close();
});
