/** Every state, in both themes, on wide and narrow screens: checked by axe, and as a picture. */

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { mkdir, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { ROOT, start, status, write } from './lib/browser.js';
import { shareOf } from './lib/share.js';
import { MISSPELLED, STATES, view } from './lib/states.js';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const SIZES = { wide: { width: 1440, height: 900 }, narrow: { width: 390, height: 844 }, zones: { width: 1700, height: 900 } };
const PICTURES = resolve(ROOT, 'target/web/pictures');

let app;
before(async () => {
  app = await start();
  await mkdir(PICTURES, { recursive: true });
});
after(() => app.stop());

const ALL = Object.entries(SIZES).flatMap((size) =>
  ['light', 'dark'].flatMap((colours) => Object.entries(STATES).map((state) => ({ size, colours, state }))),
);
for (const { size: [size, viewport], colours, state: [name, reach] } of shareOf(ALL)) {
  test(`${name}, ${size}, ${colours}`, async () => {
    const page = await app.open({ ...viewport, colours });
    await reach(page);
    if (size === 'narrow' && ['example', 'large'].includes(name)) {
      await view(page, 'result');
    }
    await page.waitForTimeout(150);
    const picture = await page.screenshot({ path: `${PICTURES}/${name}-${size}-${colours}.png` });
    assert.ok((await coloursIn(page, picture)) >= 12, 'the picture shows next to nothing');
    assert.deepEqual(await outside(page), [], 'elements stick out of the window');
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(page.seen.refused, []);
    assert.deepEqual(page.seen.errors, []);
    await page.close();
  });
}

test('nothing sticks out at 375 pixels', async () => {
  const page = await app.open({ width: 375, height: 700 });
  await STATES['fleet-3'](page);
  await write(page, MISSPELLED);
  await status(page, '3 errors');
  for (const name of ['texts', 'result', 'outline', 'why', 'issues', 'graph', 'fleet', 'plan']) {
    await page.locator(`#bottom [data-view=${name}]`).click();
    assert.deepEqual(await outside(page), [], name);
  }
  await page.close();
});

test('on a narrow screen an example shows what it becomes, and texts are a press away', async () => {
  const page = await app.open(SIZES.narrow);
  await page.locator('.card', { hasText: 'llm-qwen.yaml' }).click();
  await page.locator('#output .cm-line', { hasText: 'kind: LLMInference' }).first().waitFor();
  await page.locator('#bottom [data-view=texts]').click();
  await page.locator('#editor .cm-line', { hasText: 'kind: LLMInference' }).waitFor();
  await page.close();
});

/** The findings of axe that are moderate or worse, also in shadow roots, and targets that are too small. */
async function violations(page) {
  await page.evaluate(await readFile(AXE, 'utf8'));
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } }));
  return violations
    .filter(({ impact }) => impact !== 'minor')
    .map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes.map(({ target }) => target.join(' ')).join(' | ')}`);
}

/** The elements that are wider than the window, or that make it scroll sideways. */
function outside(page) {
  return page.evaluate(() => {
    const { clientWidth, scrollWidth } = document.documentElement;
    const wide = [...document.querySelectorAll('header *, main, #bottom, #texts, #views, .bar, .drawer')].filter((element) => {
      const { left, right, width } = element.getBoundingClientRect();
      return width > 0 && (left < -1 || right > clientWidth + 1);
    });
    return [...(scrollWidth > clientWidth ? [`the page is ${scrollWidth} wide`] : []), ...wide.map(({ id, className }) => `${id} ${className}`)];
  });
}

/** The number of colours in a picture, in steps of 16. They are counted in another page, which has no policy. */
async function coloursIn(page, picture) {
  const blank = await page.context().newPage();
  const number = await blank.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext('2d');
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    const seen = new Set();
    for (let at = 0; at < data.length; at += 4) {
      seen.add(((data[at] >> 4) << 8) | ((data[at + 1] >> 4) << 4) | (data[at + 2] >> 4));
    }
    return seen.size;
  }, picture.toString('base64'));
  await blank.close();
  return number;
}
