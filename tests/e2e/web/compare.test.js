/** Diff: with the previous result or a pinned one, change by change and object by object. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachTest, status, useExample, write, written } from './lib/browser.js';
import { QWEN, many, showText } from './lib/states.js';

let page;
eachTest((opened) => {
  page = opened;
});

test('a pinned result stays what is compared with, whatever is edited', async () => {
  await write(page, QWEN);
  await status(page, '3 objects');
  await page.locator('#do-compare').click();
  await compareWith('This result, from now on');
  for (const gpu of [2, 4, 8]) {
    await write(page, QWEN.replace('gpu: 1', `gpu: ${gpu}`));
    await page.locator('#output .cm-changedLine', { hasText: `gpu: ${gpu}` }).first().waitFor();
  }
  assert.match(await page.locator('#compared-with').textContent(), /the pinned result/);
  assert.match(await page.locator('#changes').textContent(), /^\d changes in 2 objects$/);
  await page.locator('#output .cm-deletedChunk', { hasText: 'gpu: 1' }).first().waitFor();
});

test('after a revert there are no changes, and all is folded', async () => {
  await write(page, QWEN);
  await status(page, '3 objects');
  await page.locator('#do-compare').click();
  await compareWith('This result, from now on');
  await write(page, QWEN.replace('gpu: 1', 'gpu: 4'));
  await page.locator('#changes', { hasText: 'objects' }).waitFor();
  await write(page, QWEN);
  await page.locator('#changes', { hasText: 'no changes' }).waitFor();
  await page.locator('#output .cm-collapsedLines').waitFor();
  assert.ok((await page.locator('#output .cm-line').count()) < 10);
});

test('one change among 300 composites is found, and the next is a press away', { timeout: 90_000 }, async () => {
  await write(page, many(300));
  await status(page, '900 objects', 30_000);
  await page.locator('#do-compare').click();
  await compareWith('This result, from now on');
  const edited = many(300)
    .replace('ingressHost: qwen-150.', 'ingressHost: other-150.')
    .replace('ingressHost: qwen-250.', 'ingressHost: other-250.');
  await write(page, edited);
  await page.locator('#changes', { hasText: /^6 changes in 4 objects$/ }).waitFor({ timeout: 30_000 }).catch(async () => {
    assert.fail(await page.locator('#changes').textContent());
  });
  await page.locator('#next-change').click();
  await page.locator('#output .cm-changedLine', { hasText: 'other-150' }).first().waitFor();
  await page.locator('#changed-objects').selectOption({ label: 'Ingress default/qwen-250, on cluster gpu-cluster' });
  await page.locator('#output .cm-changedLine', { hasText: 'other-250' }).first().waitFor();
  assert.equal(await cursorLine(), '- host: other-250.127.0.0.1.nip.io');
  await page.locator('#previous-change').click();
  assert.equal(await cursorLine(), 'endpoint: http://other-250.127.0.0.1.nip.io/v1');
});

test('an example, a file and a link are what is compared with', async () => {
  await useExample(page, 'llm-kimi');
  await status(page, '3 objects');
  await page.locator('#do-share').click();
  await page.locator('#notice', { hasText: 'The link is copied' }).waitFor();
  const text = await written(page);
  await write(page, text.replace('gpu: 8', 'gpu: 16'));
  await page.locator('#do-compare').click();
  await compareWith('llm-qwen.yaml');
  await page.locator('#compared-with', { hasText: 'llm-qwen.yaml' }).waitFor();
  await page.locator('#changes', { hasText: /\d+ changes/ }).waitFor();
  await page.evaluate((text) => navigator.clipboard.writeText(text), page.url());
  await compareWith('A link of this page');
  await page.locator('#compared-with', { hasText: 'the link' }).waitFor();
  await page.locator('#changes', { hasText: /changes? in 2 objects/ }).waitFor();
  assert.equal(await written(page), text.replace('gpu: 8', 'gpu: 16'), 'the text is as it was');
  // What is in a file is a manifest, whatever text shows.
  page.on('filechooser', () => {}); // `waitForEvent` alone begins to listen only while the menu is pressed
  await page.evaluate(() => {
    delete Window.prototype.showOpenFilePicker;
    delete window.showOpenFilePicker;
  });
  await showText(page, 'options');
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), compareWith('A file…')]);
  await chooser.setFiles({ name: 'two.yaml', mimeType: 'application/yaml', buffer: Buffer.from(text.replace('gpu: 8', 'gpu: 2')) });
  await page.locator('#compared-with', { hasText: 'two.yaml' }).waitFor();
  await page.locator('#output .cm-deletedChunk', { hasText: 'gpu: 2' }).first().waitFor();
  await page.locator('#output .cm-changedLine', { hasText: 'gpu: 16' }).first().waitFor();
  assert.equal(await written(page), '', 'the options are as they were');
});

async function compareWith(title) {
  await page.locator('#do-baseline').click();
  await page.locator('.menu [role=menuitem]', { hasText: title }).first().click();
}

/** The line of the result that the cursor is in. */
function cursorLine() {
  return page.evaluate(() => {
    const { view } = document.querySelector('#output').shadowRoot.querySelector('.cm-content').cmTile;
    return view.state.doc.lineAt(view.state.selection.main.head).text.trim();
  });
}
