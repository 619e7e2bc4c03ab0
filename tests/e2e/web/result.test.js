/** The result: it opens at what is composed, and each object can be copied and saved as kubectl takes it. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachTest, status, useExample, write } from './lib/browser.js';
import { QWEN, view } from './lib/states.js';

let page;
eachTest((opened) => {
  page = opened;
});

test('it opens at the first composed object, below a heading', async () => {
  await useExample(page, 'llm-kimi');
  await status(page, '3 objects');
  const heading = page.locator('#output .cm-heading', { hasText: 'ingress: Ingress default/kimi, on cluster gpu-cluster' });
  await heading.waitFor();
  await page.waitForTimeout(200);
  const [box, output] = [await heading.boundingBox(), await page.locator('#output').boundingBox()];
  assert.ok(box.y >= output.y - 2 && box.y < output.y + 40, `the heading is at ${box.y}, the result at ${output.y}`);
  assert.equal(await heading.locator('.cm-dot').getAttribute('aria-label'), 'not ready');
});

test('an object is copied as kubectl takes it: the wrapped one, its wrapper, and all', async () => {
  await useExample(page, 'llm-kimi');
  await status(page, '3 objects');
  const heading = page.locator('#output .cm-heading', { hasText: 'Ingress default/kimi' });
  await heading.hover();
  await heading.locator('button', { hasText: 'Copy Ingress' }).click();
  await page.locator('#notice', { hasText: 'Ingress default/kimi is copied' }).waitFor();
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  assert.match(await copied(), /^apiVersion: networking\.k8s\.io\/v1\nkind: Ingress\nmetadata:\n {2}name: kimi\n/);
  await heading.locator('button', { hasText: 'Copy Object' }).click();
  await page.locator('#notice', { hasText: 'Object default/kimi-' }).waitFor();
  assert.match(await copied(), /^apiVersion: kubernetes\.m\.crossplane\.io\/v1alpha1\nkind: Object\n/);
  assert.doesNotMatch(await copied(), /ownerReferences|uid/);
  await page.locator('#do-copy').click();
  await page.locator('#notice', { hasText: '3 objects are copied' }).waitFor();
  assert.equal((await copied()).split('\n---\n').length, 3);
  assert.doesNotMatch(await copied(), /ownerReferences|uid:|resourceRefs|^status:/m);
});

test('all objects are saved as one file', async () => {
  await write(page, QWEN);
  await status(page, '3 objects');
  await page.evaluate(() => {
    delete Window.prototype.showSaveFilePicker;
    delete window.showSaveFilePicker;
  });
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#do-download').click()]);
  assert.equal(download.suggestedFilename(), 'result.yaml');
});

test('the result is taken as observed: all ready, or all but one', async () => {
  await write(page, QWEN);
  await status(page, '3 not ready');
  await page.locator('#do-observe').click();
  await status(page, /^3 objects$/);
  await page.locator('#tab-observed[aria-selected=true]').waitFor();
  const heading = page.locator('#output .cm-heading', { hasText: 'Ingress default/qwen' });
  await heading.hover();
  await heading.locator('button', { hasText: 'Not ready' }).click();
  await status(page, /^3 objects, 2 not ready$/);
  await view(page, 'outline');
  await page.locator('#outline-list [role=treeitem]', { hasText: 'Ingressdefault/qwen' }).locator('.dot-not-ready').waitFor();
  await page.locator('#outline-list [role=treeitem]', { hasText: 'VLLMRuntimedefault/qwen' }).locator('.dot-ready').waitFor();
});
