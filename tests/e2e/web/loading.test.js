/** Before the page is loaded, and when a part of it does not load. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { start, status, write } from './lib/browser.js';
import { QWEN } from './lib/states.js';

let app;
before(async () => {
  app = await start();
});
after(() => app.stop());

test('before the script is there, there is something to read, and no button that does nothing', async () => {
  const page = await opening(/index-[^/]*\.js$/, () => new Promise(() => {}));
  await page.locator('#instead', { hasText: 'See what a few lines become' }).waitFor();
  assert.deepEqual(await usable(page), []);
  await page.close();
});

test('before the component is there, buttons work or cannot be pressed', async () => {
  let load;
  const held = new Promise((resolve) => {
    load = resolve;
  });
  const page = await opening(/\.wasm$/, async (route) => {
    await held;
    await route.continue();
  });
  await page.locator('#do-open:not([inert] *)').waitFor();
  assert.ok(!(await usable(page)).includes('do-examples'));
  await page.locator('#do-theme').click();
  await write(page, QWEN);
  load();
  await status(page, '3 objects');
  assert.ok((await usable(page)).includes('do-examples'));
  await page.close();
});

test('the first result is there before the component has said what it can do, and what is typed then makes it old', async () => {
  const page = await opening(/^nothing$/, undefined);
  await status(page, 'Nothing yet');
  await write(page, QWEN);
  await status(page, '3 objects');
  await page.addInitScript(() => {
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (message) {
      if (message.ask === 'describe') {
        window.describe = () => post.call(this, message);
      } else {
        post.call(this, message);
      }
    };
  });
  await page.reload(); // the tab keeps the text
  const line = (text) => page.locator('#output .cm-line', { hasText: text }).first();
  await line('model: Qwen').waitFor();
  await status(page, 'Loading');
  assert.equal(await page.locator('#views.outdated').count(), 0);
  await write(page, QWEN.replaceAll('qwen', 'other'));
  await page.locator('#views.outdated').waitFor();
  await page.evaluate(() => window.describe());
  await status(page, '3 objects');
  await line('name: other').waitFor();
  assert.equal(await page.locator('#views.outdated').count(), 0);
  await page.close();
});

for (const [what, file] of [
  ['the component', /\.wasm$/],
  ['the script of the worker', /builtin-[^/]*\.js$/],
]) {
  test(`when ${what} does not load, the page says so, and it can be tried again`, async () => {
    let fails = true;
    const page = await opening(file, (route) => (fails ? route.abort() : route.continue()));
    await page.locator('#instead', { hasText: 'The component did not load' }).waitFor({ timeout: 30_000 });
    await write(page, QWEN);
    fails = false;
    await page.locator('#instead button', { hasText: 'Try again' }).click();
    await status(page, '3 objects', 30_000);
    await page.close();
  });
}

test('when the script itself does not load, a link loads the page again', async () => {
  let fails = true;
  const page = await opening(/index-[^/]*\.js$/, (route) => (fails ? route.abort() : route.continue()));
  const again = page.locator('#instead a', { hasText: 'Load again' });
  await again.waitFor({ timeout: 30_000 });
  fails = false;
  await again.click();
  await status(page, 'Nothing yet');
  await page.close();
});

/** The page, with what happens to requests for a file. */
async function opening(file, handle) {
  const page = await app.open({ path: '/icon.svg', ready: false });
  await page.route((url) => file.test(url.pathname), handle);
  await page.goto(app.origin, { waitUntil: 'commit' });
  return page;
}

/** The ids of the buttons that can be pressed, or their texts. */
function usable(page) {
  return page.evaluate(() =>
    [...document.querySelectorAll('button')]
      .filter((button) => button.checkVisibility() && !button.disabled && !button.closest('[inert]'))
      .map((button) => button.id || button.textContent),
  );
}
