/** The fleet: all of it can be reached, only what is in sight is drawn, and replica, text and reason lead to each other. */

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { ROOT, eachTest, status, useExample, write } from './lib/browser.js';
import { clusters, deployment } from './lib/fleets.js';
import { QWEN, fleet, showText, view } from './lib/states.js';

/** The most cards that fill the window, and the margins around it. */
const MOST_DRAWN = 200;

let page;
eachTest((opened) => {
  page = opened;
});

for (const [number, last] of [[3, 'gpu-0002'], [100, 'gpu-0099'], [1_000, 'gpu-0999']]) {
  test(`${number} clusters: the last is a key away, and only what is in sight is drawn`, { timeout: 120_000 }, async () => {
    await fleet(page, clusters(number));
    assert.equal(await page.locator('#fleet-count').textContent(), `${number.toLocaleString('en')} clusters`);
    const cards = page.locator('#fleet-places .fleet-card');
    assert.ok((await cards.count()) >= Math.min(number, 3) && (await cards.count()) <= Math.min(number, MOST_DRAWN), `${await cards.count()}`);
    await cards.first().focus();
    await page.keyboard.press('End');
    const end = page.locator('.fleet-card:focus');
    assert.match(await end.textContent(), new RegExp(`^${last}.*\\d+ of \\d+ nodes? taken`));
    assert.ok(await end.evaluate((card) => {
      const [inner, outer] = [card, document.querySelector('#fleet-map')].map((element) => element.getBoundingClientRect());
      return inner.top >= outer.top && inner.bottom <= outer.bottom + 1;
    }), 'the last card is in sight');
    assert.ok((await cards.count()) <= MOST_DRAWN + 10);
    await page.keyboard.press('Enter');
    await page.locator('#fleet-panel h2', { hasText: last }).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('#fleet-panel h2', { hasText: 'Decisions' }).waitFor();
  });
}

test('deployment, replica, cluster, text and object lead to each other', async () => {
  await fleet(page, clusters(3));
  await page.locator('.fleet-link', { hasText: 'speech/whisper' }).focus();
  await page.keyboard.press('Enter');
  assert.match(await page.locator('#fleet-panel').textContent(), /2 of 2, from 1 candidate/);
  // Its replicas stand out.
  const strong = page.locator('#fleet-places [data-taker]:not(.pale)');
  assert.deepEqual(new Set(await strong.evaluateAll((all) => all.map((each) => each.title.replace(/-[^-]*$/, '')))), new Set(['speech/whisper']));
  const replica = page.locator('.fleet-link', { hasText: 'gpu-0002' }).first();
  await replica.focus();
  await page.keyboard.press('Enter');
  assert.match(await page.locator('#fleet-panel h2').textContent(), /^speech\/whisper-\w+ ModelReplica$/);
  assert.match(await page.locator('#fleet-panel').textContent(), /Why there: of the clusters with room/);
  await page.locator('.fleet-link', { hasText: 'gpu-0002' }).click();
  await page.locator('#fleet-panel h2', { hasText: 'gpu-0002' }).waitFor();
  await page.locator('.fleet-link', { hasText: 'speech/whisper' }).first().click();
  await page.locator('.fleet-chips button', { hasText: 'text' }).click();
  assert.equal(await selected(page), 'name: whisper');
  await page.locator('.fleet-chips button', { hasText: 'object' }).click();
  await page.locator('#output .cm-linked').waitFor();
  assert.equal(await page.locator('#tab-result').getAttribute('aria-selected'), 'true');
});

test('a reason leads to its candidates and to the nearest, and the text to the reason', async () => {
  await fleet(page, clusters(100));
  await page.locator('.fleet-link', { hasText: 'research/giant' }).click();
  await page.locator('.fleet-link', { hasText: 'are not ready' }).click();
  assert.equal(await page.locator('#fleet-count').textContent(), '9 of 100 clusters');
  await page.locator('#fleet-panel .chip', { hasText: 'gpu-0021' }).click();
  assert.match(await page.locator('#fleet-panel').textContent(), /Why not here.*research\/giant.*are not ready/s);
  assert.equal(await page.locator('#fleet-count').textContent(), '100 clusters');
  // The cursor goes to the text of a deployment.
  await page.locator('#editor .cm-content').focus();
  await page.keyboard.press('Control+Home');
  await page.locator('#fleet-panel h2', { hasText: 'chat/kimi' }).waitFor();
  await page.keyboard.press('Control+End');
  await page.locator('#fleet-panel h2', { hasText: 'research/giant' }).waitFor();
});

test('a reason leads to the line of the selector that does not hold, and to what is around a field that is not there', async () => {
  await fleet(page, clusters(20));
  await page.locator('.fleet-link', { hasText: 'research/giant' }).click();
  await page.locator('.fleet-link', { hasText: 'have no device' }).click();
  await page.locator('#fleet-panel .chip', { hasText: /^selector 2line \d+$/ }).focus();
  await page.keyboard.press('Enter');
  assert.equal(await selected(page), 'cel: device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("180Gi")) >= 0');
  // On every node are fewer GPUs.
  await fleet(page, clusters(20), deployment('many', { memory: '20Gi', gpus: 16 }));
  await page.locator('.fleet-link', { hasText: 'ml/many' }).click();
  await page.locator('.fleet-link', { hasText: 'have no device' }).click();
  await page.locator('#fleet-panel .chip', { hasText: /^countline \d+$/ }).click();
  assert.equal(await selected(page), 'count: 16');
});

test('places are searched, grouped, and counted in nodes or devices', async () => {
  await fleet(page, clusters(100));
  const shown = page.locator('#fleet-count');
  await page.locator('#fleet-find').fill('cloud=own research');
  assert.equal(await shown.textContent(), '6 of 100 clusters');
  await page.locator('#fleet-find').fill('nowhere');
  await page.locator('#fleet-none').waitFor();
  await page.locator('#fleet-find').fill('chat/kimi');
  assert.match(await shown.textContent(), /^\d of 100 clusters$/);
  await page.locator('#fleet-find').fill('');
  await page.locator('#fleet-group').selectOption('cloud');
  assert.equal(await page.locator('.fleet-group h2').first().textContent(), 'aws');
  await page.locator('#fleet-unit').selectOption('devices');
  assert.match(await page.locator('.fleet-group').first().textContent(), /of [\d,]+ devices/);
});

test('the tab is there only when there are places', async () => {
  const tab = page.locator('#tab-fleet');
  await useExample(page, 'llm-qwen');
  await status(page, '3 objects');
  assert.equal(await tab.isVisible(), false);
  await page.keyboard.press('Alt+0');
  assert.equal(await page.locator('#tab-result').getAttribute('aria-selected'), 'true');
  await fleet(page, clusters(3), deployment('kimi'));
  assert.equal(await tab.locator('.badge').count(), 0);
  await showText(page, 'required');
  await write(page, '');
  await showText(page, 'manifest');
  await write(page, QWEN);
  await status(page, '3 objects');
  await tab.waitFor({ state: 'hidden' });
  await page.locator('#view-result').waitFor();
});

test('the fleet of the example', { timeout: 120_000 }, async () => {
  await write(page, await readFile(resolve(ROOT, 'examples/modelplane/fleet.yaml'), 'utf8'));
  await status(page, '275 objects', 60_000);
  await view(page, 'fleet');
  assert.match(await page.locator('#tab-fleet').textContent(), /^Fleet2, 2 without a place$/);
  assert.deepEqual(await page.locator('.fleet-name').allTextContents(), ['eks-us', 'gke-us', 'nebius-eu', 'own']);
  await page.locator('.fleet-link', { hasText: 'code/coder' }).click();
  assert.match(await page.locator('#fleet-panel').textContent(), /0 of 1, from 3 candidates.*2have no device for request gpunearest gke-us\/l4: 0 of 8 devices; selector \d: /);
});

function selected(page) {
  return page.evaluate(() => {
    const { view } = document.querySelector('#editor').shadowRoot.querySelector('.cm-content').cmTile;
    const { from, to } = view.state.selection.main;
    return view.state.sliceDoc(from, to);
  });
}
