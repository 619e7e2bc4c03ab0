/** Issues: all that is wrong in one list, the worst first, each leading to its place and its fix. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachTest, status, useExample, write, written } from './lib/browser.js';
import { MISSPELLED, QWEN, many, showText, view } from './lib/states.js';

let page;
eachTest((opened) => {
  page = opened;
});

test('problems, warnings, conditions and what is not ready are one list, the worst first', async () => {
  await write(page, `${QWEN.replaceAll('qwen', 'other').replace('gpu: 1', 'gpu: 3')}---\n${MISSPELLED}`);
  await status(page, '3 errors, 1 warning');
  await view(page, 'issues');
  const words = await page.locator('#issues-list .issue-what').allTextContents();
  const ranks = words.map((word) => ['Error', 'Warning', 'Condition', 'Not ready'].findIndex((start) => word.startsWith(start)));
  assert.deepEqual(ranks, ranks.toSorted((a, b) => a - b), words.join());
  assert.deepEqual([...new Set(ranks)], [0, 1, 2, 3]);
});

test('an issue leads to its line and is fixed, and all are fixed at once', async () => {
  await write(page, MISSPELLED);
  await status(page, '3 errors');
  await view(page, 'issues');
  await page.locator('#fix-all', { hasText: 'Fix all 2' }).click();
  await status(page, '3 objects');
  assert.equal(await written(page), QWEN);
  await page.locator('#editor .cm-content').focus();
  await page.keyboard.press('Control+z');
  await status(page, '3 errors');
  assert.equal(await written(page), MISSPELLED);
  await page.locator('#issues-list .chip', { hasText: 'line 8' }).first().click();
  await page.keyboard.type('x');
  await status(page, 'error');
});

test('what is the same in many objects is one group', { timeout: 60_000 }, async () => {
  await write(page, many(40).replaceAll('gpu: 1', 'gpu: 3'));
  await status(page, '40 warnings', 30_000);
  await view(page, 'issues');
  const warnings = page.locator('#issues-list .issue-warning');
  assert.equal(await warnings.count(), 1);
  assert.match(await warnings.locator('h2').textContent(), /^Warning × 40.*3 is not a power of two/);
  assert.match(await page.locator('#issues-list .issue-not-ready').first().textContent(), /Not ready × 40/);
  // The first ones are there, and the others a press away.
  assert.equal(await warnings.locator('li').count(), 12);
  const more = warnings.locator('button', { hasText: 'Show more of 28 further issues' });
  await more.focus();
  await page.keyboard.press('Enter');
  assert.equal(await warnings.locator('li').count(), 40);
  assert.ok(await warnings.locator('li').nth(12).locator('button').first().evaluate((button) => button === document.activeElement));
  assert.equal(await warnings.locator('button', { hasText: 'Show more' }).isVisible(), false);
});

test('the line over the result counts what is not ready, and is green only when nothing is wrong', async () => {
  await write(page, QWEN);
  await status(page, /^3 objects, 3 not ready$/);
  const colour = () => page.locator('#status-dot').evaluate((dot) => getComputedStyle(dot).backgroundColor);
  const ok = await page.evaluate(() => {
    const probe = document.createElement('i');
    probe.style.color = 'var(--ok)';
    document.body.append(probe);
    return getComputedStyle(probe).color;
  });
  assert.notEqual(await colour(), ok);
  await page.locator('#do-assume').click();
  await status(page, /^3 objects$/);
  assert.equal(await colour(), ok);
  await page.locator('#do-assume').click();
  await write(page, QWEN.replace('gpu: 1', 'gpu: 3'));
  await status(page, /^3 objects, 1 warning, 3 not ready$/);
  assert.notEqual(await colour(), ok);
});

test('an object that is not ready is one press away', async () => {
  await useExample(page, 'llm-kimi');
  await view(page, 'issues');
  await page.locator('#issues-list .chip', { hasText: 'VLLMRuntime default/kimi' }).click();
  await view(page, 'result');
  await page.locator('#output .cm-linked', { hasText: 'VLLMRuntime default/kimi' }).waitFor();
});
