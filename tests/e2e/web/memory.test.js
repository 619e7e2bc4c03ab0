/** The memory that the page holds: the same after thousands of keystrokes, and given back after a large text. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachTest, status, useExample, write } from './lib/browser.js';
import { many, QWEN } from './lib/states.js';

/** So many show what a keystroke leaves behind, if it is more than some kilobytes; 6,000 show it from half a kilobyte on. */
const KEYS = Number(process.env.KEYS ?? 400);
const MEGABYTE = 1 << 20;

let page;
eachTest((opened) => {
  page = opened;
});

test(`${KEYS} keystrokes leave nothing behind`, { timeout: 1_200_000 }, async (context) => {
  await useExample(page, 'llm-kimi');
  await status(page, '3 objects');
  await page.locator('#editor .cm-content').focus();
  await page.keyboard.press('Control+End');
  const type = async (keys) => {
    for (let key = 0; key < keys; key++) {
      await page.keyboard.press(key % 2 === 0 ? '#' : 'Backspace');
      await page.waitForTimeout(20);
    }
  };
  await type(100);
  const before = await heap();
  await type(KEYS);
  const after = await heap();
  context.diagnostic(`${before} MB before, ${after} MB after`);
  assert.ok(after - before <= 1.5 + KEYS / 4_000, `${before} MB before, ${after} MB after`);
});

test('a large text gives its memory back, also that of the component', { timeout: 300_000 }, async (context) => {
  await page.evaluate(() => {
    const { postMessage } = Worker.prototype;
    window.held = [];
    Worker.prototype.postMessage = function (...message) {
      this.addEventListener('message', ({ data }) => data.held && window.held.push(data.held), { once: true });
      return postMessage.apply(this, message);
    };
  });
  await write(page, QWEN);
  await status(page, '3 objects', 60_000);
  const before = await heap();
  await write(page, many(1_500));
  await status(page, '4,500 objects', 240_000);
  const large = await heap();
  await write(page, QWEN);
  await status(page, '3 objects', 60_000);
  await page.waitForTimeout(500);
  await write(page, `${QWEN}# more\n`);
  await page.waitForTimeout(1_500);
  const after = await heap();
  const held = (await page.evaluate(() => window.held)).map((bytes) => Math.round(bytes / MEGABYTE));
  context.diagnostic(`the page: ${before} MB, ${large} MB, ${after} MB; the component: ${Math.max(...held)} MB, then ${held.at(-1)} MB`);
  // The text before stays for undo, and its result for the comparison.
  assert.ok(after <= before + 0.25 * (large - before) + 5, `${before} MB, ${large} MB, then ${after} MB`);
  assert.ok(held.at(-1) <= 128, `the component has ${held.at(-1)} MB`);
});

/** The JavaScript memory of the page in MB, once what is not needed any more is gone. */
async function heap() {
  const client = await page.context().newCDPSession(page);
  await client.send('HeapProfiler.collectGarbage');
  const { usedSize } = await client.send('Runtime.getHeapUsage');
  await client.detach();
  return Math.round((10 * usedSize) / MEGABYTE) / 10;
}
