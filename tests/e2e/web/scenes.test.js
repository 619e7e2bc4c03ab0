/** Scenes: examples with what is observed, required objects, options and a time, where the thing that each is about is there. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachTest, status, useExample, write, written } from './lib/browser.js';
import { QWEN, useScene } from './lib/states.js';

let page;
eachTest((opened) => {
  page = opened;
});

/** By title: the texts beside the manifest that it fills, what the line above the result says, and what the conditions below say. */
const SCENES = [
  ['A model whose Ingress is not ready yet', 'observed', /^3 objects, 2 not ready$/, /Unready resources: ingress/],
  ['A cluster and a model on it, once all of it is ready', '', /^50 objects, 2 warnings$/, /LLMInference .*Ready=True/s],
  ['A cluster on Google Cloud that waits for its pool of GPUs only', 'observed', /^10 objects, 3 warnings, 2 not ready$/, /GPUPoolReady=False/],
  ['A cluster on AWS that waits for a pool of nodes only', 'observed', /, 2 not ready$/, /NodePoolReady=False/],
  ['A model that finds places in a fleet of clusters', 'required', /^23 objects/, /Scheduled 2 replicas across 2 clusters: eks-us, gke-us/],
  ['A model that waits for a place until its cache is there', 'required', /^1 object, 1 warning, 1 not ready$/, /ModelCache kimi not found; holding replica placement/],
  ['Two models that share a pool with memory for one of them', 'options', /^4 objects, 1 warning/, /requested 60Gi, available 40Gi, blocking llama 60Gi/],
  ['A service whose weights are not in the registry yet', 'observed', /^15 objects, 1 warning/, /JobPending/],
];

for (const [title, filled, line, said] of SCENES) {
  test(`scene: ${title}`, async () => {
    await useScene(page, title);
    await status(page, line);
    const outcomes = page.locator('#outcomes-list');
    await outcomes.filter({ hasText: said }).waitFor({ state: 'attached' });
    assert.equal(await page.locator('#problems-list .problem-error').count(), 0);
    assert.deepEqual(await beside(), filled === '' ? [] : [filled]);
    assert.deepEqual(page.seen.errors, []);
  });
}

test('the menu has these scenes only, each with its circumstances', async () => {
  await page.locator('#do-examples').click();
  const rows = await page.locator('.menu:not([hidden])').evaluate((menu) =>
    [...menu.children].map((row) => [...row.querySelectorAll('.menu-title, .menu-detail')].map(({ textContent }) => textContent)),
  );
  const heading = rows.findIndex((row, index) => index > 0 && row.length === 0);
  const scenes = rows.slice(1, heading);
  assert.deepEqual(scenes.map(([title]) => title), SCENES.map(([title]) => title));
  assert.equal(scenes[6][1], 'model-shared-pool · with options · at 2026-01-31T12:00:00Z');
});

test('a scene sets the time, and undo brings back texts and time', async () => {
  await write(page, QWEN);
  await status(page, '3 objects');
  await page.locator('#do-assume').click();
  await useScene(page, 'Two models that share a pool');
  await status(page, '4 objects');
  assert.equal(await page.locator('#clock').inputValue(), '2026-01-31T12:00:00Z');
  assert.equal(await page.locator('#do-assume').getAttribute('aria-pressed'), 'false');
  await page.locator('#notice button', { hasText: 'Undo' }).click();
  await status(page, '3 objects');
  assert.equal(await written(page), QWEN);
  assert.equal(await page.locator('#clock').inputValue(), '');
  assert.equal(await page.locator('#do-assume').getAttribute('aria-pressed'), 'true');
  assert.equal(await page.locator('#tab-options .badge').count(), 0);
});

test('an example after a scene takes away what the scene brought, but not what somebody wrote', async () => {
  await useScene(page, 'A model whose Ingress');
  await status(page, '3 objects');
  await page.locator('#tab-options').click();
  const own = 'apiVersion: sailplane.fn.crossplane.io/v1alpha1\nkind: Options\nllmInference: {imageRegistry: registry.example.org}\n';
  await write(page, own);
  await useExample(page, 'llm-kimi');
  await page.locator('#output .cm-line', { hasText: 'name: kimi' }).first().waitFor();
  assert.deepEqual(await beside(), ['options']);
  await page.locator('#tab-options').click();
  assert.equal(await written(page), own);
});

/** The texts beside the manifest that are not empty: their tabs have a badge. */
function beside() {
  const badges = page.locator('#text-tabs button:not(#tab-manifest) .badge');
  return badges.evaluateAll((all) => all.map((badge) => badge.closest('button').id.slice('tab-'.length)));
}
