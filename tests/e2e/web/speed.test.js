/** The time from a keystroke to the rendered result, measured in the page. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { start, status, useExample } from './lib/browser.js';

/** The budget for 95 of 100 keystrokes. */
const BUDGET_MILLIS = 50;
/** The limit of the test is 1.5 times the budget, because the machine does other things too. */
const P95_MILLIS = Number(process.env.LIMIT_MILLIS ?? 1.5 * BUDGET_MILLIS);
const P50_MILLIS = 0.6 * P95_MILLIS;
/** The number of rounds. Other load can only add time, so one round within the budget is enough. */
const ROUNDS = 8;
const KEYSTROKES = 40;
/** The largest example of each kind that composes something, and a small one. */
const EXAMPLES = ['llm-qwen', 'llm-kimi', 'cache-kimi', 'deployment-kimi', 'endpoint-external', 'replica-qwen', 'service-weighted'];

let app;
before(async () => {
  app = await start();
});
after(() => app.stop());

test(`a keystroke is rendered within ${P95_MILLIS} ms, 95 times of 100 (budget: ${BUDGET_MILLIS} ms)`, { timeout: 600_000 }, async (context) => {
  const page = await app.open();
  await page.evaluate(measure);
  const tooSlow = [];
  for (const name of EXAMPLES) {
    await useExample(page, name);
    await status(page, 'object');
    await page.locator('#editor .cm-line', { hasText: /^ {2}name: / }).first().click();
    await page.keyboard.press('End');
    await keystrokes(page, 10); // the browser optimises the code first
    const { p50, p95, round } = await best(page);
    context.diagnostic(`${name}: p50 ${p50} ms, p95 ${p95} ms, in round ${round}`);
    if (p50 > P50_MILLIS || p95 > P95_MILLIS) {
      tooSlow.push({ name, p50, p95 });
    }
  }
  assert.deepEqual(tooSlow, []);
  await page.close();
});

/** The first round within the budget, or the fastest one. */
async function best(page) {
  const rounds = [];
  do {
    const millis = await keystrokes(page, KEYSTROKES);
    rounds.push({ p50: at(millis, 0.5), p95: at(millis, 0.95), round: rounds.length + 1 });
  } while (rounds.at(-1).p95 > BUDGET_MILLIS && rounds.length < ROUNDS);
  return rounds.sort((a, b) => a.p95 - b.p95)[0];
}

/** Types a letter and deletes it, again and again, as a fast typist would. Returns the time of each keystroke. */
async function keystrokes(page, number) {
  const millis = [];
  for (let index = 0; index < number; index++) {
    await page.keyboard.press(index % 2 === 0 ? 'x' : 'Backspace');
    millis.push(await page.evaluate(() => window.drawn()));
    await page.waitForTimeout(80);
  }
  return millis;
}

/** Defines a function on the page: the time from the event of the last key to the frame in which the result was drawn. */
function measure() {
  const taken = [];
  let since;
  let settle;
  document.querySelector('#editor').addEventListener('keydown', (event) => (since = event.timeStamp), { capture: true });
  const changed = () => {
    if (since !== undefined) {
      const began = since;
      since = undefined;
      requestAnimationFrame(() => {
        taken.push(performance.now() - began);
        settle?.();
      });
    }
  };
  const result = document.querySelector('#output').shadowRoot.querySelector('.cm-content');
  new MutationObserver(changed).observe(result, { childList: true, characterData: true, subtree: true });
  window.drawn = async () => {
    if (taken.length === 0) {
      await new Promise((resolve) => {
        settle = resolve;
      });
    }
    return taken.shift();
  };
}

function at(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return Math.round((sorted[Math.ceil(sorted.length * share) - 1] ?? 0) * 10) / 10;
}
