/** The whole page by keyboard, on any layout. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachTest, status, useExample, write, written } from './lib/browser.js';
import { eventually } from './lib/eventually.js';
import { MISSPELLED, QWEN, showText, view } from './lib/states.js';

let page;
eachTest((opened) => {
  page = opened;
});

/** Keys as browsers report them: the character, the place of the key, and what is held. */
const HELD = { Alt: 1, Ctrl: 2, Shift: 8 };
const WRITES = [
  ['German on a Mac, Option and 5', '[', 'Digit5', HELD.Alt],
  ['German on a Mac, Option and 7', '|', 'Digit7', HELD.Alt],
  ['German on a Mac, Option and L', '@', 'KeyL', HELD.Alt],
  ['Polish on Windows, AltGr and C', 'ć', 'KeyC', HELD.Alt | HELD.Ctrl],
  ['German on Windows, AltGr and 7', '{', 'Digit7', HELD.Alt | HELD.Ctrl],
];

for (const [layout, character, code, modifiers] of WRITES) {
  test(`${layout} writes ${character} and does nothing else`, async () => {
    await page.locator('#editor .cm-content').focus();
    const client = await page.context().newCDPSession(page);
    const key = { key: character, code, modifiers };
    await client.send('Input.dispatchKeyEvent', { type: 'keyDown', ...key });
    await client.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key });
    await page.waitForTimeout(100);
    assert.equal(await page.locator('#tab-manifest').getAttribute('aria-selected'), 'true');
    assert.equal(await page.locator('#tab-result').getAttribute('aria-selected'), 'true');
    assert.equal(await page.locator('#notice .toast').count(), 0);
  });
}

test('digits that take Shift choose tabs too', async () => {
  const client = await page.context().newCDPSession(page);
  await client.send('Input.dispatchKeyEvent', { type: 'keyDown', key: '6', code: 'Digit6', modifiers: HELD.Alt | HELD.Shift });
  await page.locator('#tab-outline[aria-selected=true]').waitFor();
  await page.keyboard.press('Alt+7');
  await page.locator('#tab-why[aria-selected=true]').waitFor();
});

test('the link to the text leads there, and leaves the address as it is', async () => {
  await useExample(page, 'llm-qwen');
  await page.locator('#do-share').click();
  await page.locator('#notice', { hasText: 'The link is copied' }).waitFor();
  const shared = page.url();
  await page.locator('#to-text').focus();
  await page.keyboard.press('Enter');
  assert.equal(await focused(), 'editor');
  assert.equal(page.url(), shared);
  assert.equal(await page.locator('#notice .toast-error').count(), 0);
});

test('Esc and Tab leave a text, and Tab goes through the page and ends', async () => {
  await write(page, MISSPELLED);
  await status(page, '3 errors');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  const stops = [];
  for (let presses = 0; presses < 60; presses++) {
    const at = await focused();
    if (at === 'body' || at === stops[0]) {
      break;
    }
    stops.push(at);
    await page.keyboard.press('Tab');
  }
  assert.ok(stops.includes('splitter') && stops.includes('do-assume'), String(stops));
});

test('F8 goes from problem to problem through all texts, from anywhere on the page', async () => {
  await write(page, MISSPELLED);
  await showText(page, 'options');
  await write(page, 'apiVersion: sailplane.fn.crossplane.io/v1alpha1\nkind: Options\nmemoryAdvise: x\n');
  await page.locator('#problems-list', { hasText: 'memoryAdvise' }).waitFor();
  await page.locator('#tab-outline').focus();
  const texts = [];
  for (let presses = 0; presses < 4; presses++) {
    await page.keyboard.press('F8');
    await page.locator('#editor .cm-tooltip-hover .cm-diagnostic').first().waitFor();
    assert.equal(await focused(), 'editor');
    texts.push(await page.locator('#text-tabs [aria-selected=true] .tab-title').textContent());
    await page.keyboard.press('ArrowLeft'); // closes the tooltip
    await page.keyboard.press('ArrowRight');
  }
  assert.deepEqual(new Set(texts), new Set(['Manifest', 'Options']));
});

test('F8 begins anew after the last problem, and says when there is none', async () => {
  await write(page, MISSPELLED);
  await status(page, '3 errors');
  await page.keyboard.press('Control+End');
  for (const words of ['providerConfigName', 'gpus', 'providrConfigName', 'providerConfigName']) {
    await page.keyboard.press('F8');
    await page.locator('#editor .cm-diagnostic', { hasText: words }).first().waitFor();
  }
  await write(page, QWEN);
  await status(page, '3 objects');
  await page.keyboard.press('F8');
  await page.locator('#notice', { hasText: 'There are no problems' }).waitFor();
});

test('Ctrl+. applies the fix at the cursor', async () => {
  await write(page, MISSPELLED);
  await status(page, '3 errors');
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Control+.');
  await page.locator('#notice', { hasText: 'no problem in this line has a fix' }).waitFor();
  await page.keyboard.press('F8');
  await page.keyboard.press('F8');
  await page.keyboard.press('Control+.');
  await status(page, '2 errors');
  assert.equal(await written(page), MISSPELLED.replace('gpus', 'gpu'));
});

test('Enter in the outline goes to the object, and the focus with it', async () => {
  await useExample(page, 'llm-qwen');
  await view(page, 'outline');
  await page.locator('#outline-list [role=treeitem]').nth(1).focus();
  await page.keyboard.press('Enter');
  await page.locator('#output .cm-linked').waitFor();
  await eventually(async () => assert.equal(await focused(), 'output'));
  const line = await page.evaluate(() => {
    const { view } = document.querySelector('#output').shadowRoot.querySelector('.cm-content').cmTile;
    return view.state.doc.lineAt(view.state.selection.main.head).text;
  });
  assert.match(line, /^# /);
});

const GOES = {
  'the button that switches the assumption off': async () => {
    await page.locator('#do-assume').click();
    await page.locator('#banner button').focus();
  },
  'the button that closes a message': async () => {
    await page.locator('#do-share').click();
    await page.locator('#notice button').focus();
  },
  'the last fix in the list of problems': async () => {
    await write(page, QWEN.replace('gpu:', 'gpus:'));
    await status(page, '1 error');
    await page.locator('#problems-list .fix').focus();
  },
};

for (const [name, reach] of Object.entries(GOES)) {
  test(`the focus does not drop: ${name}`, async () => {
    await write(page, QWEN);
    await status(page, '3 objects');
    await reach();
    await page.keyboard.press('Enter');
    await page.waitForTimeout(300); // the button goes a moment after the key
    await eventually(async () => assert.notEqual(await focused(), 'body'));
  });
}

/** The id of what has the focus, or of the nearest element around it with one. */
function focused() {
  return page.evaluate(() => document.activeElement.closest('[id]')?.id ?? document.activeElement.tagName.toLowerCase());
}
