/** The tree shows what a composite takes from other objects. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachTest, status, useExample, write, written } from './lib/browser.js';
import { view } from './lib/states.js';

let page;
eachTest((opened) => {
  page = opened;
});

test('the tree says which artifact pushes the image of a service, and leads to the field', async () => {
  await useExample(page, 'serve-imported');
  await status(page, '15 objects');
  await view(page, 'tree');
  const rows = page.locator('#tree-list [role=treeitem]');
  const link = rows.filter({ hasText: 'spec.model.image' });
  const told = 'ModelArtifact default/opt-350m pushes it, and has not yet, so pods cannot start';
  assert.equal(await link.locator('.node-words').innerText(), `spec.model.image\n← ${told}`);
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
