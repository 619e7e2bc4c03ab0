/** The outline: what would exist, by what it is, and what a composite takes from other objects. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachTest, status, useExample, write, written } from './lib/browser.js';
import { many, view } from './lib/states.js';

let page;
eachTest((opened) => {
  page = opened;
});

test('the outline says which artifact pushes the image of a service, and leads to the field', async () => {
  await useExample(page, 'serve-imported');
  await status(page, '15 objects');
  await view(page, 'outline');
  const rows = page.locator('#outline-list [role=treeitem]');
  const link = rows.filter({ hasText: 'spec.model.image' });
  const told = 'ModelArtifact default/opt-350m pushes it, and has not yet, so pods cannot start';
  assert.equal(await link.locator('.node-words').textContent(), `spec.model.image← ${told}`);
  assert.equal(await link.getAttribute('aria-level'), '2');
  assert.equal(await rows.count(), 2 + 13 + 1);
  await link.click();
  const selected = await page.evaluate(() => {
    const { view } = document.querySelector('#editor').shadowRoot.querySelector('.cm-content').cmTile;
    const { from, to } = view.state.selection.main;
    return view.state.sliceDoc(from, to);
  });
  assert.equal(selected, 'image: ghcr.io/acme/opt-350m:v1');

  const service = (await written(page)).split('---\n').reverse().join('---\n');
  await write(page, service.replace('ghcr.io/acme/opt-350m:v1', 'ghcr.io/acme/opt-350m:v2'));
  await link.waitFor({ state: 'detached' });
  await write(page, service);
  await link.waitFor();
});

test('what is wrapped is shown by what it is, its wrapper behind it', async () => {
  await useExample(page, 'llm-kimi');
  await status(page, '3 objects');
  await view(page, 'outline');
  const rows = page.locator('#outline-list [role=treeitem]');
  assert.deepEqual(await words(rows), ['LLMInference default/kimi', 'ingress Ingress default/kimi', 'vllm-runtime VLLMRuntime default/kimi']);
  assert.match(await rows.nth(1).textContent(), /on cluster gpu-cluster/);
  await rows.nth(1).locator('.twist').click();
  assert.match(await rows.nth(2).textContent(), /wrapped byObjectdefault\/kimi-\w{12}/);
  await page.keyboard.press('ArrowLeft');
  assert.equal(await rows.count(), 3);
});

test('objects are found by any name, by kind and by readiness', async () => {
  await useExample(page, 'aws-eks-full');
  await status(page, '35 objects');
  await view(page, 'outline');
  const rows = page.locator('#outline-list [role=treeitem]');
  const found = page.locator('#outline-count');
  await page.locator('#outline-find').fill('network subnet');
  assert.match(await found.textContent(), /^\d+ of 35$/);
  assert.ok((await words(rows)).some((row) => / Subnet /.test(row)), (await words(rows)).join());
  await page.locator('#outline-find').fill('');
  await page.locator('#outline-kind').selectOption('NodeGroup');
  assert.equal(await found.textContent(), '1 of 35');
  await page.locator('#outline-kind').selectOption('');
  await page.locator('#outline-ready').selectOption('ready');
  assert.equal(await found.textContent(), '3 of 35');
  await page.locator('#outline-find').fill('nowhere');
  await page.locator('#view-outline .none').waitFor();
});

test('many composites of a kind are one row that counts the ready ones, and only rows in sight are drawn', { timeout: 60_000 }, async () => {
  await write(page, many(300));
  await status(page, '900 objects', 30_000);
  await view(page, 'outline');
  const rows = page.locator('#outline-list [role=treeitem]');
  assert.equal(await rows.count(), 1);
  assert.match(await rows.first().textContent(), /LLMInference900 objects900 not ready/);
  await rows.first().click();
  await rows.nth(1).waitFor();
  assert.ok((await rows.count()) < 80, `${await rows.count()} rows are drawn`);
  await page.keyboard.press('End');
  const last = page.locator('#outline-list [role=treeitem]:focus');
  assert.equal(await last.getAttribute('aria-setsize'), '2');
  assert.match(await last.textContent(), /qwen-299/);
});

function words(rows) {
  return rows.evaluateAll((all) =>
    all.map((row) => [...row.querySelectorAll('.node-name, .node-kind, .node-object')].map((part) => part.textContent).join(' ')),
  );
}
