/** Budgets: pools of memory, the moments at which they change, and what differs from a baseline. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachTest, status, useExample, write } from './lib/browser.js';
import { budget, example, showText, view } from './lib/states.js';

let page;
eachTest((opened) => {
  page = opened;
});

test('a pool says who has memory and until when, who waits and why; the bar shows the same', async () => {
  await budget(page);
  assert.deepEqual(await page.locator('.pool h2').allTextContents(), [
    'all pools68Gi of 200Gi taken, 132Gi free',
    'inference-pool=gpu-a10068Gi of 100Gi taken, 32Gi free',
  ]);
  assert.deepEqual(await rows(), [
    'models/qwen3|60Gi|confirmed since 2026-01-31T11:00:00Z; sleeps at 12:10:00Z unless asked',
    'models/bge|8Gi|claimed since 2026-01-31T12:05:00Z, not confirmed yet',
    'models/llama|–|waits: needs 60Gi, and 32Gi is free: bge claims 8Gi since 2026-01-31T12:05:00Z; qwen3 holds 60Gi since 2026-01-31T11:00:00Z',
  ]);
  const widths = await page.locator('.pool').last().locator('.pool-bar > i').evaluateAll((all) => {
    const sum = all.reduce((sum, part) => sum + part.getBoundingClientRect().width, 0);
    return all.map((part) => Math.round((100 * part.getBoundingClientRect().width) / sum));
  });
  assert.equal(widths.length, 3);
  [60, 8, 32].forEach((share, at) => assert.ok(Math.abs(widths[at] - share) <= 3, `${widths} of 60, 8, 32`));
  assert.match(await page.locator('#tab-budget').textContent(), /1 without memory/);
  assert.equal(await page.locator('#tab-fleet').isVisible(), false);
});

test('the time goes from moment to moment, and a model sleeps once its cooldown is over', async () => {
  await budget(page);
  const slider = page.locator('#budget-time');
  assert.equal(await slider.getAttribute('max'), '3');
  await page.locator('#budget-later').click();
  await now('2026-01-31T12:10:01Z The cooldown of models/qwen3 is over');
  assert.equal(await page.locator('#clock').inputValue(), '2026-01-31T12:10:01Z');
  await page.locator('.situation', { hasText: 'free once its pods are gone' }).first().waitFor();
  await page.locator('#budget-later').click();
  await page.locator('.situation', { hasText: /^asleep: / }).waitFor();
  assert.equal(await page.locator('#budget-later').isDisabled(), true);
  await slider.focus();
  await page.keyboard.press('Home');
  await now('2026-01-31T11:50:00Z Models/llama is asked for');
  assert.equal(await page.locator('#budget-earlier').isDisabled(), true);
  assert.equal(await slider.getAttribute('max'), '3');
  await page.locator('#budget-no-time').click();
  await now('No time: nothing falls asleep');
  assert.equal(await page.locator('#clock').inputValue(), '');
  await page.locator('#budget-later').click();
  await now(/^2026-01-31T11:50:00Z/);
});

test('between two moments, earlier goes to the one before', async () => {
  await budget(page);
  await page.locator('#budget-earlier').click();
  await now(/^2026-01-31T12:00:00Z/);
});

test('beside a baseline each bar has another one, with the difference in words', async () => {
  await budget(page);
  await page.locator('#budget-baseline').click();
  await page.locator('.menu [role=menuitem]', { hasText: 'This result' }).click();
  assert.deepEqual(await page.locator('.pool-difference').allTextContents(), ['no difference', 'no difference']);
  await showText(page, 'options');
  await write(page, (await example('inference-model/options-pools')).replace('gpu-a100: 160Gi', 'gpu-a100: 150Gi').replace(/ {2}poolsFrom:\n.*\n.*\n/, ''));
  await page.locator('.pool-difference', { hasText: '+60Gi taken, +50Gi in all' }).waitFor();
  assert.equal(await page.locator('#budget-compared').textContent(), 'the pinned result');
  assert.equal(await page.locator('.thin > .pool-bar').count(), 2);
  const [thin, thick] = await page.locator('.pool').last().evaluate((pool) => [...pool.querySelectorAll('.pool-bar')].map((bar) => bar.getBoundingClientRect().toJSON()));
  assert.ok(thin.bottom <= thick.top && thin.height < thick.height / 2);
});

test('a model selects its composite in all views, and the other way round', async () => {
  await budget(page);
  await page.locator('.pool').last().locator('button', { hasText: 'models/llama' }).click();
  await view(page, 'outline');
  assert.match(await page.locator('#outline-list [aria-selected=true]').textContent(), /models\/llama/);
  await page.locator('#outline-list .node', { hasText: 'models/bge' }).first().click();
  await view(page, 'budget');
  const selected = await page.locator('.pool tr.selected th').allTextContents();
  assert.deepEqual(selected, ['models/bge', 'models/bge']);
});

test('what waits for another model says so; without pools there is no tab', async () => {
  await useExample(page, 'model-pipeline');
  await status(page, 'object');
  assert.equal(await page.locator('#tab-budget').isVisible(), false);
  await showText(page, 'options');
  await write(page, await example('inference-model/options-pools'));
  await page.locator('#tab-budget').waitFor();
  await page.keyboard.press('Alt+m');
  await page.locator('.situation', { hasText: /^waits: .*`?reranker`?/ }).first().waitFor();
  assert.match(await page.locator('#budget-now').textContent(), /^No moment is known/);
  assert.equal(await page.locator('#budget-time').isVisible(), false);
});

function now(text) {
  return page.locator('#budget-now').filter({ hasText: text instanceof RegExp ? text : text.replace('Z ', 'Z') }).waitFor();
}

/** The rows of the last pool. */
async function rows() {
  const all = await page.locator('.pool').last().locator('tbody tr').all();
  return Promise.all(all.map(async (row) => (await row.locator('th, td').allTextContents()).join('|')));
}
