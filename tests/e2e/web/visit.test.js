/** The first visit as `docs/first-visit.md` has it, step by step. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachTest, status, written } from './lib/browser.js';
import { eventually } from './lib/eventually.js';
import { shareInSight } from './lib/sight.js';
import { view } from './lib/states.js';

let page;
eachTest((opened) => {
  page = opened;
});

test('a first visit: an example, a number, the reason, a mistake, what is missing, the whole, and back again', async () => {
  const welcome = page.locator('#instead');
  await welcome.locator('a', { hasText: 'Documentation' }).waitFor();
  await welcome.locator('code', { hasText: 'sailplane render' }).waitFor();
  assert.match(await welcome.locator('p').first().textContent(), /^[^.]+\. [^.]+\. [^.]+\.$/, 'three sentences');
  const cards = welcome.locator('.card');
  assert.equal(await cards.count(), 6);
  assert.equal(await cards.first().locator('b').textContent(), 'A small chat model on one GPU');

  await cards.first().click();
  await status(page, '3 objects, 3 not ready');
  const example = await written(page);
  assert.equal(example.trimEnd().split('\n').length, 11);
  const tops = [page.locator('#output'), page.locator('#output .cm-heading', { hasText: 'Ingress default/qwen' })];
  await eventually(async () => {
    const [top, heading] = await Promise.all(tops.map((it) => it.boundingBox()));
    assert.ok(Math.abs(top.y - heading.y) < 40, 'the result starts at the first object that is composed');
  });

  await page.locator('#editor .cm-line', { hasText: 'gpu: 1' }).click();
  await page.keyboard.press('End');
  await page.keyboard.press('Backspace');
  await page.keyboard.type('4');
  const parallel = page.locator('#output .cm-linked', { hasText: 'tensorParallelSize: 4' });
  await parallel.waitFor();
  await page.locator('#output .cm-linked', { hasText: 'gpu: "4"' }).waitFor();

  await parallel.locator('span').first().click();
  const explanation = page.locator('#explanation');
  await explanation.locator('.chip', { hasText: 'spec.gpuline 9' }).waitFor();
  await page.locator('#editor .cm-activeLine', { hasText: 'gpu: 4' }).waitFor();
  await eventually(async () => {
    assert.ok((await shareInSight(page, '#output', '.cm-activeLine')) > 0.9, 'the line stays in sight beside its reason');
  });
  await explanation.locator('button[aria-label^=Close]').click();

  await page.locator('#editor .cm-line', { hasText: 'gpu: 4' }).click();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.type('s');
  await page.locator('#problems-list', { hasText: 'line 9' }).locator('button', { hasText: 'Rename to gpu' }).waitFor();
  await page.locator('#banner', { hasText: 'the last text without errors' }).waitFor();
  await page.keyboard.press('Control+.');
  await status(page, '3 objects, 3 not ready');
  assert.equal(await written(page), example.replace('gpu: 1', 'gpu: 4'));

  await view(page, 'issues');
  const issues = page.locator('#view-issues');
  await issues.getByText('GPUMemoryUnknown').waitFor();
  assert.equal(await issues.getByText('Not ready', { exact: true }).count(), 3);
  assert.equal(await issues.getByText('NotGated').count(), 0, 'a model that needs no token is no issue');

  await page.locator('#do-assume').click();
  await status(page, /^3 objects$/);
  await page.locator('#do-assume').click();
  await status(page, '3 objects, 3 not ready');

  await view(page, 'graph');
  await page.locator('#view-graph', { hasText: 'VLLMRuntime' }).waitFor();
  await view(page, 'outline');
  await page.locator('#outline-list [role=treeitem]', { hasText: 'VLLMRuntimedefault/qwen' }).click();
  await page.locator('#output .cm-linked', { hasText: 'VLLMRuntime default/qwen' }).waitFor({ state: 'attached' });

  await page.reload();
  await status(page, '3 objects, 3 not ready');
  assert.equal(await written(page), example.replace('gpu: 1', 'gpu: 4'));
  await page.locator('#draft', { hasText: 'on this machine only' }).waitFor();

  await page.locator('#do-share').click();
  await page.waitForURL(/#v1/);
});
