/** The page on screens of every size, on paper, in forced colours and in the chosen theme. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { start, status, useExample, write } from './lib/browser.js';
import { clusters, deployments } from './lib/fleets.js';
import { QWEN, example, fleet, showText, view } from './lib/states.js';

let app;
before(async () => {
  app = await start();
});
after(() => app.stop());

test('at 390 pixels the examples are inside the window', async () => {
  const page = await app.open({ width: 390, height: 844 });
  await page.locator('#do-examples').click();
  const { x, y, width, height } = await page.locator('.menu:not([hidden])').boundingBox();
  assert.ok(x >= 0 && x + width <= 390 && y >= 0 && y + height <= 844, JSON.stringify({ x, y, width, height }));
  await page.close();
});

for (const width of [390, 761, 900, 1001, 1280]) {
  test(`at ${width} pixels no tab and no button is cut off`, async () => {
    const page = await app.open({ width, height: 800 });
    await useExample(page, 'llm-kimi');
    await status(page, '3 objects');
    assert.deepEqual(await cutOff(page), []);
    await page.close();
  });
}

test('nor is one when all the tabs are there', async () => {
  const page = await app.open({ width: 1440, height: 800 });
  await showText(page, 'options');
  await write(page, await example('inference-model/options-pools'));
  const others = await Promise.all(['gpu-cluster/aws-eks-full', 'inference-model/model-shared-pool'].map(example));
  await fleet(page, clusters(3), [deployments(), ...others].join('---\n'));
  for (const width of [390, 1001, 1200, 1280, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    const shown = page.locator(width > 1000 ? '#view-tabs button:visible' : '#bottom button:not([data-view=texts]):visible');
    assert.equal(await shown.count(), 9, `at ${width} pixels`);
    assert.deepEqual(await cutOff(page), [], `at ${width} pixels`);
  }
  await page.close();
});

test('a phone on its side shows at least ten lines of the result', async () => {
  const page = await app.open({ width: 844, height: 390 });
  await useExample(page, 'llm-kimi');
  await status(page, '3 objects');
  const [output, line] = [await page.locator('#output').boundingBox(), 20];
  assert.ok(output.height / line >= 10 && output.width > 600, JSON.stringify(output));
  await page.close();
});

test('a wrapped line begins below its first character', async () => {
  const page = await app.open({ width: 390, height: 844 });
  const long = `    - message: ${'word '.repeat(40)}`;
  await write(page, `spec:\n  list:\n${long}\n`);
  const lefts = await page.evaluate(() => {
    const line = [...document.querySelector('#editor').shadowRoot.querySelectorAll('.cm-line')].find(({ textContent }) => textContent.includes('message'));
    const range = document.createRange();
    range.selectNodeContents(line);
    const rows = Map.groupBy([...range.getClientRects()].filter(({ width }) => width > 1), ({ bottom }) => Math.round(bottom / 10));
    return [...rows.values()].map((row) => Math.min(...row.map(({ left }) => left)));
  });
  assert.ok(lefts.length > 3 && lefts.slice(1).every((left) => left > lefts[0] + 30), lefts.join());
  await page.close();
});

test('four zones from 1,600 pixels on, and one below', async () => {
  const page = await app.open({ width: 1600, height: 900 });
  await useExample(page, 'llm-kimi');
  await status(page, '3 objects');
  const boxes = await Promise.all(['#texts', '#view-outline', '#view-result', '#view-why'].map((zone) => page.locator(zone).boundingBox()));
  boxes.forEach(({ x, width, height }, index) => {
    const next = boxes[index + 1];
    assert.ok(width >= 240 && height >= 300 && (!next || x + width <= next.x + 1), JSON.stringify(boxes));
  });
  await page.locator('#outline-list [role=treeitem]', { hasText: 'VLLMRuntime' }).click();
  await page.locator('#output .cm-linked', { hasText: 'VLLMRuntime' }).waitFor();
  await page.locator('#why-only', { hasText: 'VLLMRuntime' }).waitFor();
  await view(page, 'issues');
  assert.ok(await page.locator('#view-outline').isVisible());
  await page.setViewportSize({ width: 1500, height: 900 });
  await page.locator('#view-outline').waitFor({ state: 'hidden' });
  assert.ok(await page.locator('#view-issues').isVisible());
  await page.close();
});

test('printing prints the whole result', async () => {
  const page = await app.open();
  await useExample(page, 'aws-eks-full');
  await status(page, '35 objects');
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  await page.emulateMedia({ media: 'print' });
  const text = await page.locator('#print').innerText();
  assert.ok(text.includes('# network: 20 objects') && text.includes('desiredSize: 3') && text.includes('kind: NodeGroup'));
  assert.equal(await page.locator('#main').isVisible(), false);
  await page.close();
});

test('forced colours keep readiness and the selected tab apart', async () => {
  const page = await app.open();
  await page.emulateMedia({ forcedColors: 'active' });
  await useExample(page, 'llm-kimi');
  await status(page, '3 objects');
  const style = (selector, property) => page.locator(selector).first().evaluate((element, property) => getComputedStyle(element)[property], property);
  assert.notEqual(await style('#view-tabs [aria-selected=true]', 'borderBottomColor'), await style('#view-tabs [aria-selected=false]', 'borderBottomColor'));
  await view(page, 'outline');
  const notReady = await style('#outline-list .dot-not-ready', 'backgroundColor');
  await page.locator('#do-assume').click();
  await page.locator('#outline-list .dot-ready').first().waitFor();
  assert.notEqual(await style('#outline-list .dot-ready', 'backgroundColor'), notReady);
  await page.close();
});

test('the chosen theme is there before the page has loaded', async () => {
  const page = await app.open({ colours: 'light' });
  await page.locator('#do-theme').click();
  await page.route('**/assets/*.js', () => {}); // they never come
  await page.goto(page.url().split('#')[0], { waitUntil: 'commit' });
  await page.locator('#status-text').waitFor({ state: 'attached' });
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
  await page.evaluate(() => localStorage.clear());
  await page.close();
});

test('characters that reverse text are shown as what they are', async () => {
  const page = await app.open();
  await write(page, QWEN.replace('model: Qwen/Qwen2.5-1.5B-Instruct', 'model: "Qwen/\u202eabc"'));
  await status(page, 'object');
  const line = page.locator('#output .cm-line', { hasText: /^ *model: / }).first();
  await line.locator('.cm-specialChar').waitFor();
  assert.doesNotMatch((await page.locator('#output .cm-line').allTextContents()).join('\n'), /\u202e/);
  await view(page, 'why');
  assert.match(await page.locator('#view-why').innerText(), /⟨U\+202E⟩/);
  assert.doesNotMatch(await page.locator('#view-why').innerText(), /\u202e/);
  assert.doesNotMatch(await page.locator('#outcomes').innerText(), /\u202e/);
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  assert.match(await page.locator('#print').textContent(), /model: "?Qwen\/⟨U\+202E⟩abc/);
  assert.doesNotMatch(await page.locator('#print').textContent(), /\u202e/);
  await page.close();
});

/** The tabs and buttons that are not wholly in sight: outside their bar or the window, or where something else covers them. */
function cutOff(page) {
  return page.evaluate(() =>
    [...document.querySelectorAll('.tabs button, .line button, #bottom button, header button')]
      .filter((button) => button.offsetParent !== null)
      .filter((button) => {
        const own = button.getBoundingClientRect();
        const bar = button.closest('.bar, #bottom, header');
        const isOutside = [bar.getBoundingClientRect(), new DOMRect(0, 0, innerWidth, innerHeight)].some(
          ({ left, top, right, bottom }) => own.left < left - 1 || own.top < top - 1 || own.right > right + 1 || own.bottom > bottom + 1,
        );
        // What an overflow hides, or another element covers, is not found at its own edges.
        const [x, y] = [(own.left + own.right) / 2, (own.top + own.bottom) / 2];
        const edges = [[own.left + 2, y], [own.right - 2, y], [x, own.top + 2], [x, own.bottom - 2]];
        return isOutside || edges.some(([x, y]) => !button.contains(document.elementFromPoint(x, y)));
      })
      .map(({ id, textContent }) => id || textContent),
  );
}
