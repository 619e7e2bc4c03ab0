/** What the page is, where to read on, and the same on the command line: at the first visit, and later from the header. */

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { start, status, useExample } from './lib/browser.js';

const WHAT = 'See what a few lines of YAML become in Kubernetes, and why.';
const SOURCE = 'https://github.com/sailplane/sailplane';
const COMMAND = 'sailplane render --cascade manifest.yaml';

let app;
let link;
before(async () => {
  app = await start();
  const page = await app.open();
  await useExample(page, 'llm-qwen');
  await page.locator('#do-share').click();
  await page.waitForFunction(() => location.hash.length > 1);
  link = new URL(page.url()).pathname + new URL(page.url()).hash;
  await page.close();
});
after(() => app.stop());
beforeEach(async () => {
  const page = await app.open();
  await page.evaluate(() => localStorage.clear());
  await page.close();
});

test('an empty page says what it is, where to read on, and the same on the command line', async () => {
  const page = await app.open();
  const said = page.locator('.welcome');
  assert.match(await said.innerText(), /Sailplane turns a short manifest into all Kubernetes objects that serve a model/);
  const hrefs = await said.locator('a').evaluateAll((links) => links.map(({ href }) => href));
  assert.deepEqual(hrefs, [`${SOURCE}/blob/main/docs/preview.md`, SOURCE]);
  await said.locator('button', { hasText: 'Copy' }).click();
  await page.locator('#notice', { hasText: 'The command is copied' }).waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), COMMAND);
  await page.close();
});

test('where the header has room, it says so in the same height', async () => {
  const page = await app.open({ width: 1600, path: link });
  await status(page, '3 objects');
  const said = page.locator('#about');
  assert.ok((await said.innerText()).startsWith(WHAT));
  const [box, header] = [await said.boundingBox(), await page.locator('header').boundingBox()];
  assert.ok(box.y >= header.y && box.y + box.height <= header.y + header.height && header.height <= 54, JSON.stringify([box, header]));
  const boxes = await page.locator('header button:visible, header a:visible').evaluateAll((all) => all.map((each) => each.getBoundingClientRect().toJSON()));
  const inOrder = boxes.sort((one, other) => one.left - other.left);
  assert.ok(inOrder.every(({ left }, index) => index === 0 || left >= inOrder[index - 1].right - 1), 'two of them overlap');
  await page.close();
});

for (const width of [390, 1280]) {
  test(`at ${width} pixels those who come by a link see a line, which stays away once it is closed`, async () => {
    const page = await app.open({ width, path: link });
    await status(page, '3 objects');
    const line = page.locator('#about');
    const place = async () => (await page.locator('main').boundingBox()).y;
    const below = await place();
    assert.ok((await line.innerText()).startsWith(WHAT));
    await line.locator('button').click();
    await line.waitFor({ state: 'hidden' });
    assert.ok((await place()) <= below - 20, 'the texts get its room');
    await page.reload();
    await status(page, '3 objects');
    assert.equal(await line.isVisible(), false);
    await page.close();
  });

  test(`at ${width} pixels the same is in a menu of the header`, async () => {
    const page = await app.open({ width });
    assert.equal(await page.locator('#about').isVisible(), false, 'the empty page says it already');
    const button = page.locator(width < 1000 ? '#do-more' : '#do-about');
    const item = (title) => page.locator('.menu:not([hidden]) [role=menuitem]', { hasText: title });
    await button.click();
    await page.locator('.menu:not([hidden]) .menu-heading', { hasText: WHAT }).waitFor();
    await page.context().route(`${SOURCE}/**`, (route) => route.fulfill({ body: 'documentation' }));
    const [opened] = await Promise.all([page.waitForEvent('popup'), item('Documentation').click()]);
    await opened.waitForURL(`${SOURCE}/blob/main/docs/preview.md`);
    await opened.close();
    await button.click();
    await item('Copy the command').click();
    await page.locator('#notice', { hasText: 'The command is copied' }).waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), COMMAND);
    await page.close();
  });
}
