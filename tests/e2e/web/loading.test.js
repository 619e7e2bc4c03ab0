/** Before the page is loaded, and when a part of it does not load. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { start, status, write, written } from './lib/browser.js';
import { firstVisit, QWEN, view } from './lib/states.js';

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
  const page = await opening(/\.wasm$|prepared-[^/]*\.js$/, async (route) => {
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

test('before the component is there, an example has its result, and an edit makes it old until the component arrives', async () => {
  const page = await app.open();
  const arrive = await firstVisit(page);
  assert.equal(await page.locator('.welcome .card').count(), 6);
  await page.locator('.welcome .card').first().press('Enter');
  const line = (text) => page.locator('#output .cm-line', { hasText: text }).first();
  await line('kind: Ingress').waitFor();
  await status(page, 'Loading; edits are previewed later');
  const isOld = () => page.locator('#views.outdated').count();
  assert.equal(await isOld(), 0);

  await view(page, 'outline');
  const selected = page.locator('#outline-list [role=treeitem][aria-selected=true]');
  await page.locator('#outline-list [role=treeitem]', { hasText: 'VLLMRuntimedefault/qwen' }).click();
  await selected.waitFor({ state: 'attached' }); // the result is shown now
  await view(page, 'issues');
  await page.locator('#view-issues').getByText('GPUMemoryUnknown').waitFor();
  await view(page, 'why');
  await page.locator('#why-only', { hasText: 'Only VLLMRuntime' }).waitFor();
  await view(page, 'result');

  await page.locator('#editor .cm-line', { hasText: 'gpu: 1' }).click();
  await page.keyboard.press('End');
  await page.keyboard.type('6');
  await page.locator('#banner', { hasText: 'still loading' }).waitFor();
  assert.equal(await isOld(), 1);
  await page.keyboard.press('Backspace');
  await page.locator('#banner', { hasText: 'still loading' }).waitFor({ state: 'detached' });
  assert.equal(await isOld(), 0, 'it is the example again');
  await page.keyboard.type('6');
  arrive();
  await status(page, '3 objects');
  await line('gpu: "16"').waitFor({ state: 'attached' });
  assert.equal(await isOld(), 0);
  await page.keyboard.press('Backspace');
  assert.match(await written(page), /^ {2}gpu: 1$/m, 'the cursor is where it was');
  await view(page, 'outline');
  assert.match(await selected.textContent(), /VLLMRuntime/);
  assert.deepEqual(page.seen.errors, []);
  await page.close();
});

test('when the component arrives, what was selected and scrolled stays as it is', async () => {
  const page = await app.open();
  const arrive = await firstVisit(page);
  await page.locator('#do-examples').press('Enter');
  await page.locator('.menu [role=menuitem]', { hasText: 'serve-qwen.yaml' }).press('Enter');
  await status(page, 'Loading; edits are previewed later');
  await page.locator('#output .cm-line', { hasText: 'kind: ' }).first().waitFor();
  await page.locator('#output').hover();
  await page.mouse.wheel(0, 700);
  await page.waitForFunction(() => document.querySelector('#output').shadowRoot.querySelector('.cm-scroller').scrollTop > 400);
  await page.locator('#output .cm-line', { hasText: 'namespace: ' }).last().click();
  await page.locator('#output .cm-activeLine').waitFor();
  await page.waitForFunction(() => location.hash.includes('composite='));
  await page.waitForTimeout(500); // what follows from the click has been drawn
  const seen = () =>
    page.evaluate(() => {
      const root = document.querySelector('#output').shadowRoot;
      const { top } = root.querySelector('.cm-activeLine').getBoundingClientRect();
      return { top, line: root.querySelector('.cm-activeLine').textContent, text: root.querySelector('.cm-content').textContent };
    });
  const before = { ...(await seen()), address: page.url() };
  arrive();
  await status(page, 'object');
  await page.waitForTimeout(500);
  assert.deepEqual({ ...(await seen()), address: page.url() }, before);
  await page.close();
});

test('a card keeps the focus when the component arrives', async () => {
  const page = await app.open();
  const arrive = await firstVisit(page);
  await page.locator('.welcome .card').nth(2).focus();
  arrive();
  await status(page, 'Nothing yet');
  await page.keyboard.press('Enter');
  await status(page, 'object');
  assert.match(await written(page), /^kind: ModelService$/m);
  await page.close();
});

test('before the component is there, all texts can be cleared, and what needs it says so', async () => {
  const page = await app.open();
  const arrive = await firstVisit(page);
  await page.locator('.welcome .card').first().click();
  await status(page, 'Loading; edits are previewed later');
  await page.locator('#do-clear').click();
  await page.locator('.welcome .card').nth(1).click();
  await page.locator('#output .cm-line', { hasText: 'kind: ModelDeployment' }).first().waitFor();
  await page.locator('#do-compare').click();
  await page.locator('#do-baseline').click();
  await page.locator('.menu:not([hidden]) [role=menuitem]', { hasText: 'llm-qwen.yaml' }).click();
  await page.locator('#compared-with', { hasText: 'llm-qwen.yaml' }).waitFor();
  await page.locator('#do-assume').click();
  await page.locator('#views.outdated').waitFor();
  await page.locator('#do-baseline').click();
  await page.locator('.menu:not([hidden]) [role=menuitem]', { hasText: 'serve-qwen.yaml' }).click();
  await page.locator('#notice', { hasText: 'The component is not there yet' }).waitFor();
  arrive();
  await page.locator('#views:not(.outdated)').waitFor();
  await page.close();
});

test('those who have a text of their own do not load what was prepared, and without it the page waits for the component', async () => {
  const page = await app.open();
  assert.equal(prepared(page).length, 1);
  await write(page, QWEN);
  await page.locator('#draft:not([hidden])').waitFor();
  await page.reload();
  await status(page, '3 objects');
  assert.equal(prepared(page).length, 1);
  await page.close();
  const other = await opening(/prepared-[^/]*\.js$/, (route) => route.abort());
  await status(other, 'Nothing yet');
  await other.locator('.welcome .card').first().click();
  await status(other, '3 objects');
  await other.close();
});

test('when the component does not arrive, the result of an example stays, and it can be tried again', async () => {
  let fails = true;
  const page = await opening(/\.wasm$/, async (route) => {
    await page.locator('#output .cm-line', { hasText: 'kind: Ingress' }).first().waitFor();
    await (fails ? route.abort() : route.continue());
  });
  await page.locator('.welcome .card').first().click();
  await page.locator('#banner', { hasText: 'The component did not load' }).waitFor();
  await page.locator('#output .cm-line', { hasText: 'kind: Ingress' }).first().waitFor();
  fails = false;
  await page.locator('#banner button', { hasText: 'Try again' }).click();
  await status(page, '3 objects');
  assert.equal(await page.locator('#banner button').count(), 0);
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

/** The requests for what was prepared. */
function prepared({ seen }) {
  return seen.requests.filter((url) => /prepared-[^/]*\.js$/.test(url));
}

/** The ids of the buttons that can be pressed, or their texts. */
function usable(page) {
  return page.evaluate(() =>
    [...document.querySelectorAll('button')]
      .filter((button) => button.checkVisibility() && !button.disabled && !button.closest('[inert]'))
      .map((button) => button.id || button.textContent),
  );
}
