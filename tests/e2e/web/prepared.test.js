/** What was prepared when the page was built is what the component answers in the page. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { start, status, useExample, written } from './lib/browser.js';
import { firstVisit } from './lib/states.js';

let app;
let prepared;
before(async () => {
  app = await start();
  const page = await app.open();
  const address = page.seen.requests.find((url) => /prepared-[^/]*\.js$/.test(url));
  prepared = await page.evaluate(async (address) => (await import(address)).prepared, address);
  await page.close();
});
after(() => app.stop());

test('there are six examples, each with an answer, and one for an empty text', () => {
  const { examples, answers } = prepared;
  assert.equal(examples.length, 6);
  assert.deepEqual(answers.map(({ manifest }) => manifest), ['', ...examples.map(({ text }) => text)]);
  assert.deepEqual(answers[0].answer, { families: [], diagnostics: [], places: [] });
  assert.ok(answers.slice(1).every(({ answer }) => answer.families.length > 0));
});

test('each prepared answer is that of the component in the page', async () => {
  const page = await app.open();
  await page.addInitScript(collect);
  await page.reload();
  await status(page, 'Nothing yet');
  for (const { name, text } of prepared.examples) {
    await useExample(page, name);
    // A text that is replaced too early is never asked for.
    await page.waitForFunction((text) => text in window.answered, text);
  }
  for (const { manifest, answer } of prepared.answers) {
    await page.waitForFunction((manifest) => manifest in window.answered, manifest);
    // As JSON, which has no undefined fields.
    const { families, diagnostics, places } = JSON.parse(await page.evaluate((manifest) => JSON.stringify(window.answered[manifest]), manifest));
    assert.deepEqual(answer, { families, diagnostics, places }, manifest);
  }
  await page.close();
});

test('each example has the same result before the component is there, and with it', async () => {
  const page = await app.open();
  const arrive = await firstVisit(page);
  const before = await results(page);
  arrive();
  await status(page, /object/);
  assert.deepEqual(await results(page), before);
  assert.deepEqual(page.seen.errors, []);
  await page.close();
});

/** The results of the examples, by name. */
async function results(page) {
  const all = {};
  for (const { name, kind } of prepared.examples) {
    await page.locator('#do-examples').click();
    await page.locator('.menu [role=menuitem]', { hasText: `${name}.yaml` }).last().click(); // scenes come first
    await page.waitForFunction((kind) => {
      const { view } = document.querySelector('#output').shadowRoot.querySelector('.cm-content').cmTile;
      return view.state.doc.toString().includes(`\nkind: ${kind}\n`);
    }, kind);
    assert.equal(await page.locator('#views.outdated').count(), 0, name);
    all[name] = await written(page, '#output');
  }
  return all;
}

/** Collects the answers of the worker by the manifests that they are for. */
function collect() {
  window.answered = {};
  const manifests = new Map();
  const { postMessage } = Worker.prototype;
  Worker.prototype.postMessage = function (message, ...rest) {
    if (message.ask === 'preview') {
      if (manifests.size === 0) {
        this.addEventListener('message', ({ data }) => {
          if (manifests.has(data.id)) {
            window.answered[manifests.get(data.id)] = data.answer;
          }
        });
      }
      manifests.set(message.id, message.request.sources[0].text);
    }
    return postMessage.call(this, message, ...rest);
  };
}
