/** Plans: what fits on a fleet, and what changes to it would move. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachTest, status, useExample, write } from './lib/browser.js';
import { clusters, deployment } from './lib/fleets.js';
import { STATES, change, example, fleet, showText, view } from './lib/states.js';

let page;
eachTest((opened) => {
  page = opened;
});

test('a plan says how many more fit, what runs out, and what changes move, the worst first', { timeout: 120_000 }, async () => {
  await STATES.plan(page);
  assert.equal(await page.locator('#plan-about').textContent(), '2 would have no place, 1 move');
  const [changes, fit, classes] = await Promise.all([0, 1, 2].map(rows));
  assert.equal(changes[0], 'without a place|search/embeddings|2 clusters lack nodes; 1 cluster has the taint modelplane.ai/drain:NoExecute');
  assert.equal(changes[2], 'gone|search/embeddings (replica-gke-us-0)|gke-us / l4');
  assert.equal(changes[4], 'moves|chat/qwen (replica-gke-us-0)|gke-us / l4 → nebius-eu / l40s');
  assert.equal(changes[5], 'new|chat/qwen|nebius-eu / l40s');
  assert.equal(fit[0], 'chat/qwen|3 → 6 of 6|0|eks-us / h200: 0 of 1 node, h200-8-efa; one more gives 1');
  assert.match(classes.join('\n'), /^l40s-1\|\d+ nodes\|\d+ → 0 nodes$/m);
  assert.equal(await page.locator('#plan-command').textContent(), 'sailplane plan manifest.yaml --scale chat/qwen=6 --drain gke-us');
  await page.locator('#plan-copy').click();
  await page.locator('#notice', { hasText: 'The command is copied' }).waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), await page.locator('#plan-command').textContent());
});

test('changes stand in the address, and are taken back one by one', { timeout: 120_000 }, async () => {
  await STATES.plan(page);
  await page.waitForFunction(() => location.hash.includes('plan.changes=--scale+chat/qwen%3D6+--drain+gke-us'));
  await page.reload();
  const chips = page.locator('#plan-changes .chip');
  await page.locator('#plan-tables .fate-moves').waitFor({ timeout: 60_000 });
  assert.deepEqual(await chips.allTextContents(), ['scale chat/qwen=6', 'drain gke-us']);
  await chips.nth(1).click();
  await page.locator('#plan-tables .fate-moves').waitFor({ state: 'detached', timeout: 30_000 });
  await chips.nth(0).click();
  await page.locator('#plan-about', { hasText: 'Nothing moves' }).waitFor({ timeout: 30_000 });
  assert.equal(await chips.count(), 0);
  assert.equal(await page.locator('#plan-command').textContent(), 'sailplane plan manifest.yaml');
});

test('deployments, replicas and places are selected in all views', { timeout: 120_000 }, async () => {
  await STATES.plan(page);
  await page.locator('.fate-moves button', { hasText: 'replica-gke-us-0' }).click();
  await view(page, 'outline');
  assert.match(await page.locator('#outline-list [aria-selected=true]').textContent(), /ModelReplica.*chat\/qwen-/);
  await view(page, 'plan');
  await page.locator('.fate-moves button', { hasText: 'chat/qwen' }).first().click();
  assert.deepEqual(await page.locator('#plan-tables tr.selected').first().getAttribute('data-key'), 'ModelDeployment chat/qwen');
  await page.locator('.fate-moves button', { hasText: 'nebius-eu' }).click();
  await view(page, 'fleet');
  await page.locator('#fleet-panel h2', { hasText: 'nebius-eu' }).waitFor();
});

test('more nodes, a lost pool, and a change that is wrong', { timeout: 120_000 }, async () => {
  await write(page, await example('modelplane/fleet'));
  await status(page, '275 objects', 60_000);
  await view(page, 'plan');
  await page.locator('#plan-tables section').first().waitFor({ timeout: 30_000 });
  const stock = page.locator('#plan-tables tr', { has: page.locator('th', { hasText: /^h200-8-efa$/ }) });
  const nodes = Number(/(\d+) node/.exec(await stock.textContent())[1]);
  await page.locator('#plan-kind').selectOption('add');
  await page.locator('#plan-target').fill('eks-us/h200');
  assert.equal(await page.locator('#plan-class').inputValue(), 'h200-8-efa');
  await page.locator('#plan-number').fill('4');
  await page.locator('#plan-form [type=submit]').click();
  await stock.filter({ hasText: `${nodes} → ${nodes + 4} nodes` }).waitFor({ timeout: 30_000 });
  await change(page, 'lose', 'nebius-eu/l40s');
  await page.locator('#plan-tables .fate-moves').first().waitFor({ timeout: 30_000 });
  await change(page, 'drain', 'nowhere');
  await page.locator('.plan-problem', { hasText: 'there is no InferenceCluster nowhere' }).waitFor({ timeout: 30_000 });
  await change(page, 'drain', 'not a name');
  assert.equal(await page.locator('#plan-changes .chip').count(), 3);
});

test('nobody waits for a plan: it is stopped by a keystroke, and asked again when nobody types', { timeout: 180_000 }, async () => {
  await fleet(page, clusters(600), deployment('kimi', { replicas: 1 }));
  await page.evaluate(() => {
    window.asked = [];
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (message, ...rest) {
      message.ask && window.asked.push(message.ask);
      return post.call(this, message, ...rest);
    };
  });
  await page.waitForFunction(() => new Promise((resolve) => setTimeout(() => resolve(true), 800)));
  assert.deepEqual(await page.evaluate(() => window.asked), [], 'out of sight nothing is planned');
  const begun = planning();
  await view(page, 'plan');
  await begun;
  await showText(page, 'manifest');
  await write(page, deployment('qwen', { replicas: 2 }));
  await page.waitForFunction(() => window.asked.includes('preview'));
  await page.locator('#plan-tables th', { hasText: 'ml/qwen' }).waitFor({ timeout: 90_000 });
  const asked = await page.evaluate(() => window.asked.filter((it) => it !== 'check'));
  assert.deepEqual(asked, ['plan', 'preview', 'plan']);
  assert.equal(await page.locator('#plan-tables th', { hasText: 'ml/kimi' }).count(), 0);
});

test('a plan that was stopped is asked again on demand', { timeout: 180_000 }, async () => {
  await fleet(page, clusters(600), deployment('kimi', { replicas: 1 }));
  const stopped = planning('#plan-stop');
  await view(page, 'plan');
  await stopped;
  await page.locator('#plan-about', { hasText: 'There is no plan: it was stopped' }).waitFor();
  await page.locator('#plan-again').click();
  await page.locator('#plan-tables th', { hasText: 'ml/kimi' }).waitFor({ timeout: 90_000 });
});

test('the tab is there only when something wants places', async () => {
  await useExample(page, 'model-shared-pool');
  await status(page, 'object');
  assert.equal(await page.locator('#tab-plan').isVisible(), false);
});

/** The rows of a table. */
async function rows(at) {
  const all = await page.locator('#plan-tables section').nth(at).locator('tbody tr').all();
  return Promise.all(all.map(async (row) => (await row.locator('th, td').allTextContents()).join('|')));
}

/** Waits until the page plans, and then presses a button. A plan may be over soon, so the page itself looks, from before it begins. */
function planning(button = '') {
  return page.evaluate(
    (button) =>
      new Promise((resolve) => {
        const look = () => {
          if (!document.querySelector('#plan-about')?.textContent.startsWith('Planning')) {
            return setTimeout(look, 5);
          }
          button && document.querySelector(button).click();
          resolve();
        };
        look();
      }),
    button,
  );
}
