/** What is selected is the same in all views and in the text, and stands in the address. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachTest, status, useExample, write } from './lib/browser.js';
import { eventually } from './lib/eventually.js';
import { clusters } from './lib/fleets.js';
import { fleet, QWEN, view } from './lib/states.js';

let page;
eachTest((opened) => {
  page = opened;
});

const THREE = ['one', 'two', 'three'].map((name) => QWEN.replaceAll('qwen', name)).join('---\n');

test('an object of the outline is selected in the result, in Why, in the conditions and in the text', async () => {
  await write(page, THREE);
  await status(page, '9 objects');
  await view(page, 'outline');
  const row = page.locator('#outline-list [role=treeitem]', { hasText: 'VLLMRuntimedefault/three' });
  await row.click();
  const heading = page.locator('#output .cm-linked', { hasText: 'VLLMRuntime default/three' });
  await heading.waitFor();
  await inside(heading, '#output', 'its heading is in sight');
  assert.deepEqual(await page.locator('#outcomes-list h2').allTextContents(), ['LLMInference default/three']);
  await page.locator('#editor .cm-linked', { hasText: 'name: three' }).waitFor();
  await inside(page.locator('#editor .cm-linked'), '#editor', 'its text is in sight');
  await view(page, 'why');
  assert.deepEqual(await page.locator('#why-list h2').allTextContents(), ['vllm-runtime VLLMRuntime default/three, on cluster gpu-cluster']);
  await page.locator('#why-only button').click();
  assert.ok((await page.locator('#why-list h2').count()) > 5);
});

test('the cursor in a text selects its composite everywhere', async () => {
  await write(page, THREE);
  await status(page, '9 objects');
  await page.locator('#editor .cm-content').focus();
  await page.keyboard.press('Control+Home');
  await page.locator('#outcomes-list h2', { hasText: 'LLMInference default/one' }).waitFor();
  await page.keyboard.press('Control+End');
  await page.locator('#outcomes-list h2', { hasText: 'LLMInference default/three' }).waitFor();
  await inside(page.locator('#output .cm-linked').first(), '#output', 'the result has gone there');
  await view(page, 'outline');
  await page.locator('#outline-list [aria-selected=true]', { hasText: 'LLMInferencedefault/three' }).waitFor();
});

test('the line of the cursor and what it causes are in sight, and in one colour', async () => {
  await useExample(page, 'llm-kimi');
  await status(page, '3 objects');
  await page.locator('#editor .cm-line', { hasText: 'gpu: 8' }).click();
  const caused = page.locator('#output .cm-linked', { hasText: 'gpu: "8"' });
  await caused.waitFor();
  await inside(caused, '#output');
  const colour = (line) => line.evaluate((element) => getComputedStyle(element).backgroundColor);
  await page.locator('#output .cm-line', { hasText: 'memory:' }).hover();
  assert.equal(await colour(page.locator('#editor .cm-linked').first()), await colour(caused));
});

test('an explanation stays until it is closed, and a press on a line moves no focus into the text', async () => {
  await useExample(page, 'llm-kimi');
  await status(page, '3 objects');
  await page.locator('#output .cm-scroller').evaluate((scroller) => scroller.scrollTo(0, 1e6));
  await page.locator('#output .cm-line', { hasText: 'tensorParallelSize: 8' }).locator('span').first().click();
  const explanation = page.locator('#explanation');
  await explanation.locator('.chip', { hasText: 'spec.gpuline 9' }).waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.id), 'output');
  const before = await page.evaluate(() => document.querySelector('#editor').shadowRoot.querySelector('.cm-content').textContent);
  await page.keyboard.press('Delete');
  assert.equal(await page.evaluate(() => document.querySelector('#editor').shadowRoot.querySelector('.cm-content').textContent), before);
  await page.mouse.move(10, 10);
  assert.ok(await explanation.isVisible());
  await explanation.locator('button[aria-label^=Close]').click();
  assert.equal(await explanation.isVisible(), false);
});

test('view, selection and filters stand in the address, and come back from it', async () => {
  await write(page, THREE);
  await status(page, '9 objects');
  await view(page, 'outline');
  await page.locator('#outline-find').fill('two');
  await page.locator('#outline-list [role=treeitem]', { hasText: 'VLLMRuntime' }).click();
  await view(page, 'outline');
  await page.locator('#do-share').click();
  await page.locator('#notice', { hasText: 'The link is copied' }).waitFor();
  const { hash, search } = new URL(page.url());
  assert.equal(search, '', 'nothing of it is sent to a server');
  assert.match(hash, /&view=outline&composite=LLMInference\+default\/two&object=vllm-runtime&outline\.find=two$/);
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.locator('#status-text', { hasText: '9 objects' }).waitFor();
  assert.equal(await other.locator('#outline-find').inputValue(), 'two');
  assert.match(await other.locator('#outline-list [aria-selected=true]').textContent(), /VLLMRuntimedefault\/two/);
  await other.close();
});

test('the heading of a composite in the conditions selects it', async () => {
  await write(page, THREE);
  await status(page, '9 objects');
  const headings = page.locator('#outcomes-list h2');
  assert.equal(await headings.count(), 3);
  await headings.locator('button', { hasText: 'LLMInference default/two' }).click();
  await page.locator('#output .cm-linked', { hasText: 'LLMInference default/two' }).waitFor();
  assert.deepEqual(await headings.allTextContents(), ['LLMInference default/two']);
  await view(page, 'outline');
  await page.locator('#outline-list [aria-selected=true]', { hasText: 'LLMInferencedefault/two' }).waitFor();
});

test('a value of Why is selected by its path, in the result and in the outline too, and comes back from the address', async () => {
  await write(page, THREE);
  await status(page, '9 objects');
  await view(page, 'why');
  const group = page.locator('.why-group', { hasText: 'VLLMRuntime default/two' });
  const path = group.locator('.why-path', { hasText: 'resources.gpu' });
  const field = await path.getAttribute('title');
  await path.click();
  await page.locator('.why-row[aria-current]', { has: page.locator(`[title="${field}"]`) }).waitFor();
  assert.equal(await page.locator('#why-only p').count(), 0, 'the others stay there');
  await view(page, 'result');
  const line = page.locator('#output .cm-linked', { hasText: 'gpu: "1"' });
  await line.waitFor();
  await inside(line, '#output');
  await view(page, 'outline');
  await page.locator('#outline-list [aria-selected=true]', { hasText: 'VLLMRuntimedefault/two' }).waitFor();
  await view(page, 'result');
  await page.locator('#do-share').click();
  await page.locator('#notice', { hasText: 'The link is copied' }).waitFor();
  assert.equal(new URLSearchParams(new URL(page.url()).hash.slice(1)).get('field'), field);
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.locator('#output .cm-linked', { hasText: 'gpu: "1"' }).waitFor();
  await other.locator('#explanation .why-path').waitFor();
  await other.close();
});

test('a cluster of the fleet brings the first object on it into sight in the result', { timeout: 120_000 }, async () => {
  await fleet(page, clusters(3));
  await view(page, 'result');
  const first = page.locator('#output .cm-linked', { hasText: /^# .*ModelReplica chat\/kimi/ });
  await page.locator('#output .cm-scroller').evaluate((scroller) => scroller.scrollTo(0, 1e6));
  await view(page, 'fleet');
  await page.locator('#fleet-places .fleet-card', { hasText: 'gpu-0001' }).locator('.fleet-name').click();
  await view(page, 'result');
  await first.waitFor();
  await inside(first, '#output');
  const below = await page.locator('#output .cm-line', { hasText: /modelplane\.ai\/cluster: / }).first().textContent();
  assert.match(below, /cluster: gpu-0001$/);
});

/** Waits until an element is wholly inside the box of another: an editor scrolls when it draws next. */
function inside(locator, selector, what = selector) {
  return eventually(async () => {
    const [inner, outer] = [await locator.first().boundingBox(), await page.locator(selector).boundingBox()];
    assert.ok(inner && outer && inner.y >= outer.y - 1 && inner.y + inner.height <= outer.y + outer.height + 1, what);
  }, 5_000);
}
