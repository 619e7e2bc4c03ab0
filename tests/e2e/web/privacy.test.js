/** No data leaves the page: what it requests, and what its policy refuses. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { start, status, useExample } from './lib/browser.js';
import { eventually } from './lib/eventually.js';
import { view } from './lib/states.js';

let app;
before(async () => {
  app = await start();
});
after(() => app.stop());

test('only the own files of the page are asked for', async () => {
  const page = await app.open();
  await useExample(page, 'llm-kimi');
  await status(page, '3 objects');
  for (const name of ['outline', 'why', 'issues', 'graph', 'result']) {
    await view(page, name);
  }
  await page.locator('#do-share').click();
  await page.locator('#notice .toast').waitFor();
  const strangers = page.seen.requests.filter((url) => !url.startsWith(`${app.origin}/`) && !url.startsWith(`blob:${app.origin}/`));
  assert.deepEqual(strangers, []);
  assert.deepEqual(page.seen.refused, []);
  assert.deepEqual(page.seen.errors, []);
  await page.close();
});

const ELSEWHERE = 'http://127.0.0.2:9/';

test('what would leave is refused, in the page', async () => {
  const page = await app.open();
  const outcomes = await page.evaluate(async (elsewhere) => {
    const tried = {
      fetch: () => fetch(elsewhere),
      script: () => import(`${elsewhere}x.js`),
      image: () => new Promise((resolve, reject) => Object.assign(new Image(), { onload: resolve, onerror: reject, src: elsewhere })),
      // In a later task, because code that a test evaluates directly is exempt from the policy.
      eval: () => new Promise((resolve, reject) => setTimeout(() => {
        try {
          resolve(new Function('return 1')());
        } catch (error) {
          reject(error);
        }
      })),
    };
    const outcome = ([name, attempt]) => attempt().then(() => `${name} got through`, () => `${name} refused`);
    return Promise.all(Object.entries(tried).map(outcome));
  }, ELSEWHERE);
  assert.deepEqual(outcomes, ['fetch refused', 'script refused', 'image refused', 'eval refused']);
  // The events come a little later, and there may be too many.
  await eventually(() => assert.ok(page.seen.refused.length >= outcomes.length, String(page.seen.refused)));
  await page.waitForTimeout(500);
  const directives = page.seen.refused.map((refused) => refused.split(' ')[0]).sort();
  assert.deepEqual(directives, ['connect-src', 'img-src', 'script-src', 'script-src-elem']);
  await page.close();
});

test('what would leave is refused in the worker of the component too', async () => {
  const page = await app.open();
  const [worker] = page.workers();
  const refused = await worker.evaluate(async (elsewhere) => {
    const refused = new Promise((resolve) => self.addEventListener('securitypolicyviolation', (event) => resolve(event.effectiveDirective), { once: true }));
    await fetch(elsewhere).catch(() => {});
    return Promise.race([refused, new Promise((resolve) => setTimeout(resolve, 10_000, 'nothing'))]);
  }, ELSEWHERE);
  assert.equal(refused, 'connect-src');
  await page.close();
});
