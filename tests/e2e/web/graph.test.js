/** The graph of the whole, and the fleet as a table. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachTest, status, useExample } from './lib/browser.js';
import { clusters, deployment } from './lib/fleets.js';
import { fleet, view } from './lib/states.js';

let page;
eachTest((opened) => {
  page = opened;
});

test('objects are nodes that do not overlap, and references are drawn', async () => {
  await useExample(page, 'aws-eks-full');
  await status(page, '35 objects');
  await view(page, 'graph');
  assert.match(await page.locator('#graph-about').textContent(), /^35 nodes, 10 references$/);
  const boxes = await page.locator('.graph-node').evaluateAll((all) => all.map((node) => node.getBoundingClientRect().toJSON()));
  const overlap = boxes.some((one, index) =>
    boxes.slice(index + 1).some((other) => one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom),
  );
  assert.equal(overlap, false);
  await page.locator('.graph-node[title^="NodeGroup "]').click();
  assert.ok((await page.locator('#graph path.lit').count()) >= 1);
  await view(page, 'outline');
  assert.match(await page.locator('#outline-list [aria-selected=true]').textContent(), /NodeGroup/);
});

test('the table says what the map shows: what has no place first, how many are where, and why not', async () => {
  await fleet(page, clusters(3));
  await page.locator('#fleet-show').selectOption('table');
  const rows = page.locator('#fleet-table [role=row]');
  assert.equal(await rows.count(), 2 + 3);
  const table = await rows.evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent)));
  assert.deepEqual(table.map(([first]) => first), ['cluster', 'without a place', 'gpu-0000', 'gpu-0001', 'gpu-0002']);
  const giant = table[0].indexOf('research/giant');
  assert.equal(table[1][giant], '2');
  assert.match(table[2][giant], /have no device/);
  const whisper = table[0].indexOf('speech/whisper');
  assert.equal(table[1][whisper], 'none');
  assert.match(table[4][whisper], /^2 here/);
  const why = rows.nth(4).locator('.matrix-cell').nth(whisper).locator('.matrix-why');
  assert.match(await why.textContent(), /^of the clusters with room/);
  assert.match(table[2][1], /\d+ of \d+ nodes/);
  await rows.nth(2).locator('.matrix-name').click();
  await page.locator('#fleet-panel h2', { hasText: 'gpu-0000' }).waitFor();
  assert.match(page.url() + (await page.evaluate(() => new Promise((resolve) => setTimeout(() => resolve(location.hash), 400)))), /cluster=gpu-0000/);
});

test('of many deployments the table says how many only the map has', async () => {
  const many = Array.from({ length: 15 }, (_, index) => deployment(`small-${index}`, { replicas: 1, memory: '20Gi', gpus: 1 }));
  await fleet(page, clusters(3), many.join('---\n'));
  await page.locator('#fleet-show').selectOption('table');
  const headings = page.locator('#fleet-table [role=columnheader]');
  assert.equal(await headings.count(), 2 + 12 + 1);
  assert.equal(await headings.last().textContent(), 'and 3 more, in the map');
  const cells = await page.locator('#fleet-table [role=row]').evaluateAll((all) => all.map(({ children }) => children.length));
  assert.deepEqual([...new Set(cells)], [15], 'each row has a cell below it');
});
