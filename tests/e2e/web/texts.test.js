/** Results belong to the texts that are shown, and no text is lost. */

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { ROOT, start, status, useExample, write, written } from './lib/browser.js';
import { drop } from './lib/drop.js';
import { misbehaving } from './lib/misbehave.js';
import { QWEN, showText } from './lib/states.js';

const COMPONENT = resolve(ROOT, process.env.COMPONENT ?? 'target/web/sailplane.wasm');
const OTHER = QWEN.replaceAll('qwen', 'other');
const OPTIONS = 'apiVersion: sailplane.fn.crossplane.io/v1alpha1\nkind: Options\nllmInference: {imageRegistry: registry.example.org}\n';
const OBSERVED = `apiVersion: kubernetes.m.crossplane.io/v1alpha1
kind: Object
metadata:
  name: qwen-x
  annotations: {crossplane.io/composition-resource-name: vllm-runtime}
`;
const REQUIRED = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: any}\n';

let app;
let page;
before(async () => {
  app = await start();
});
beforeEach(async () => {
  await page?.close();
  page = await app.open();
});
after(() => app.stop());

test('an example that is chosen while another tab shows has its own result', async () => {
  await useExample(page, 'llm-qwen');
  await status(page, '3 objects');
  await showText(page, 'options');
  await page.locator('#do-examples').click();
  await page.locator('.menu [role=menuitem]', { hasText: 'llm-kimi.yaml' }).click();
  await page.locator('#output .cm-line', { hasText: 'name: kimi' }).first().waitFor();
  assert.match(await written(page), /name: kimi/);
});

test('what takes long says so, can be stopped, and says what helps', { timeout: 120_000 }, async () => {
  await write(page, QWEN);
  await status(page, '3 objects');
  await drop(page, [{ name: 'loop.wasm', bytes: misbehaving(await readFile(COMPONENT), 'loop') }], '#views');
  // The transpiler and the component start first. Then there are 5 s, so it is pressed at once.
  await page.locator('#waiting', { hasText: 'it is given up after 5 s' }).waitFor({ timeout: 60_000 });
  const busy = page.locator('#views').getAttribute('aria-busy');
  await Promise.all([busy, page.locator('#do-stop').click()]);
  assert.equal(await busy, 'true');
  await page.locator('#banner', { hasText: 'loop.wasm: it was stopped' }).waitFor();
  assert.equal(await page.locator('#waiting').isVisible(), false);
  assert.equal(await page.evaluate(() => document.activeElement !== document.body), true, 'the focus is somewhere');
  // Not at once, since most answers come earlier, and not late: from the press on a button, which asks anew.
  const waited = page.evaluate(
    () =>
      new Promise((resolve) => {
        let pressed;
        document.addEventListener('click', () => (pressed = performance.now()), { capture: true, once: true });
        const line = document.querySelector('#status-text');
        const look = () => pressed && line.textContent === 'Working' && resolve(performance.now() - pressed);
        new MutationObserver(look).observe(line, { childList: true, characterData: true, subtree: true });
      }),
  );
  await page.locator('#banner button', { hasText: 'Try again' }).click();
  const millis = await waited;
  assert.ok(millis >= 150 && millis < 1_500, `it says so after ${millis} ms`);
  await page.locator('#banner', { hasText: /did not answer within 5 s; remove it in the menu of modules/ }).waitFor({ timeout: 30_000 });
});

test('a keystroke whose result is there at once shows no sign', async () => {
  await write(page, QWEN);
  await status(page, '3 objects');
  await page.evaluate(() => {
    const line = document.querySelector('#status-text');
    new MutationObserver(() => window.said.push(line.textContent)).observe(line, { childList: true, characterData: true, subtree: true });
  });
  await page.keyboard.press('Control+End');
  // Other load can make the result late, so one try is enough.
  for (let tries = 1, said; said?.length !== 0; tries++) {
    assert.ok(tries <= 10, `each time it said ${said}`);
    await page.evaluate(() => (window.said = []));
    await page.keyboard.type('# a', { delay: 100 });
    await page.waitForTimeout(300);
    said = await page.evaluate(() => window.said);
  }
});

test('a reload, and leaving and coming back, keep the texts', async () => {
  await write(page, QWEN);
  await showText(page, 'options');
  await write(page, OPTIONS);
  await page.locator('#draft', { hasText: 'Kept in this browser tab, on this machine only.' }).waitFor();
  await page.locator('#clock').fill('2026-01-31T12:00:00Z');
  await page.locator('#clock').press('Enter');
  await page.reload();
  await status(page, '3 objects');
  assert.equal(await written(page), OPTIONS);
  assert.equal(await page.locator('#clock').inputValue(), '2026-01-31T12:00:00Z');
  await page.goto('about:blank');
  await page.goBack();
  await status(page, '3 objects');
  await showText(page, 'manifest');
  assert.equal(await written(page), QWEN);
  const other = await app.open();
  assert.equal(await written(other), '', 'another browser tab has its own');
  await other.close();
});

test('what was typed a moment before the page is left is kept', async () => {
  await write(page, QWEN);
  await page.reload();
  await status(page, '3 objects');
  assert.equal(await written(page), QWEN);
});

test('on request all is cleared, also from this machine, and that can be undone', async () => {
  await write(page, QWEN);
  await showText(page, 'options');
  await write(page, OPTIONS);
  await page.locator('#do-clear').click();
  await status(page, 'Nothing yet');
  assert.deepEqual(await page.evaluate(() => Object.keys(sessionStorage)), []);
  await page.locator('#notice button', { hasText: 'Undo' }).click();
  await status(page, '3 objects');
  assert.equal(await written(page), OPTIONS);
  await page.locator('#do-clear').click();
  await status(page, 'Nothing yet');
  await page.reload();
  await status(page, 'Nothing yet');
  assert.equal(await written(page), '');
});

test('Back to a link does not lose what was typed', async () => {
  await write(page, QWEN);
  await page.locator('#do-share').click();
  await page.locator('#notice', { hasText: 'The link is copied' }).waitFor();
  const link = () => new URL(page.url()).hash.split('&')[0]; // what is selected stands behind it
  const hash = link();
  await page.evaluate(() => {
    location.hash = '#elsewhere';
  });
  await write(page, OTHER);
  await status(page, '3 objects');
  await page.goBack();
  await page.locator('#notice', { hasText: 'The texts are those of the link now' }).waitFor();
  assert.equal(link(), hash);
  assert.equal(await written(page), QWEN);
  await page.locator('#notice button', { hasText: 'Undo' }).click();
  assert.equal(await written(page), OTHER);
  await page.reload();
  await status(page, '3 objects');
  assert.equal(await written(page), OTHER, 'the draft is newer than the link');
});

test('an example over typed text can be undone, by the message and by key', async () => {
  await write(page, QWEN);
  await useExample(page, 'llm-kimi');
  await page.locator('#notice button', { hasText: 'Undo' }).click();
  assert.equal(await written(page), QWEN);
  await useExample(page, 'llm-kimi');
  await page.keyboard.press('Control+z');
  assert.equal(await written(page), QWEN);
});

test('an example over another example says nothing: nobody wrote it', async () => {
  await useExample(page, 'llm-kimi');
  await useExample(page, 'llm-qwen');
  assert.equal(await page.locator('#notice .toast').count(), 0);
});

test('dropped files go where their content fits, whatever tab shows', async () => {
  await showText(page, 'options');
  await drop(page, [
    { name: 'observed.yaml', text: OBSERVED },
    { name: 'qwen.yaml', text: QWEN },
    { name: 'other.yaml', text: OTHER },
    { name: 'required.yaml', text: REQUIRED },
    { name: 'platform.yaml', text: OPTIONS },
  ]);
  await status(page, '6 objects');
  const found = {};
  for (const name of ['manifest', 'observed', 'required', 'options']) {
    await showText(page, name);
    found[name] = await written(page);
  }
  assert.deepEqual(found, { manifest: `${QWEN}\n---\n${OTHER}`, observed: OBSERVED, required: REQUIRED, options: OPTIONS });
});

test('a file that is dropped over typed options leaves them', async () => {
  await showText(page, 'options');
  await write(page, OPTIONS);
  await drop(page, [{ name: 'qwen.yaml', text: QWEN }]);
  await status(page, '3 objects');
  assert.equal(await written(page), QWEN);
  await showText(page, 'options');
  assert.equal(await written(page), OPTIONS);
  await drop(page, [{ name: 'more.yaml', text: OPTIONS.replace('registry', 'another') }]);
  await page.locator('#notice', { hasText: 'more.yaml: read into Options' }).waitFor();
  await page.locator('#notice button', { hasText: 'Undo' }).click();
  assert.equal(await written(page), OPTIONS);
});
