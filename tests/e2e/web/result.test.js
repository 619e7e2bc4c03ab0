/** The result: it opens at what is composed, and each object can be copied and saved as kubectl takes it. */

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { eachTest, status, useExample, write, written } from './lib/browser.js';
import { eventually } from './lib/eventually.js';
import { QWEN, showText, view } from './lib/states.js';

/** What only the cluster sets. */
const NOT_APPLIED = /ownerReferences|uid:|resourceRefs|^status:/m;

let page;
eachTest((opened) => {
  page = opened;
});

test('it opens at the first composed object, below a heading', async () => {
  await useExample(page, 'llm-kimi');
  await status(page, '3 objects');
  const heading = page.locator('#output .cm-heading', { hasText: 'ingress: Ingress default/kimi, on cluster gpu-cluster' });
  await heading.waitFor();
  await eventually(async () => {
    const [box, output] = [await heading.boundingBox(), await page.locator('#output').boundingBox()];
    assert.ok(box.y >= output.y - 2 && box.y < output.y + 40, `the heading is at ${box.y}, the result at ${output.y}`);
  });
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
  assert.doesNotMatch(await copied(), NOT_APPLIED);
});

test('all objects are saved as one file, and each as one of its own', async () => {
  await write(page, QWEN);
  await status(page, '3 objects');
  await page.evaluate(() => {
    delete Window.prototype.showSaveFilePicker;
    delete window.showSaveFilePicker;
  });
  const all = await downloaded(page.locator('#do-download'));
  assert.equal(all.name, 'result.yaml');
  const kinds = all.text.split('\n---\n').map((text) => /^apiVersion: .*\nkind: (.*)\n/.exec(text)?.[1]);
  assert.deepEqual(kinds, ['LLMInference', 'Object', 'Object']);
  assert.doesNotMatch(all.text, NOT_APPLIED);
  const heading = page.locator('#output .cm-heading', { hasText: 'Ingress default/qwen' });
  await heading.hover();
  const one = await downloaded(heading.locator('button', { hasText: /^Save$/ }));
  assert.equal(one.name, 'qwen-ingress.yaml');
  assert.match(one.text, /^apiVersion: kubernetes\.m\.crossplane\.io\/v1alpha1\nkind: Object\n/);
  assert.ok(`${all.text}---\n`.includes(`---\n${one.text}---\n`), 'it is the same there');
  assert.match(one.text, /\n {6}kind: Ingress\n/);
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

test('on a phone the menu has what the result has no buttons for', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  const items = async () => {
    await page.locator('#do-more').click();
    return page.locator('.menu:not([hidden]) .menu-title').allTextContents();
  };
  const OF_RESULT = ['Copy all objects', 'Save all objects', 'Take the result as observed'];
  assert.ok(!(await items()).some((title) => OF_RESULT.includes(title)), 'without a result they are not there');
  await page.keyboard.press('Escape');
  await write(page, QWEN);
  await status(page, '3 not ready');
  assert.deepEqual((await items()).filter((title) => OF_RESULT.includes(title)), OF_RESULT);
  await page.locator('.menu [role=menuitem]', { hasText: 'Take the result as observed' }).click();
  await status(page, /^3 objects$/);
  await showText(page, 'observed');
  assert.match(await written(page), /^kind: Object$/m);
});

/** The file that a press on a button saves. */
async function downloaded(button) {
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') };
}
