/** What people look at is really there: selections, tooltips and marks, by their pixels and boxes. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachTest, status, write } from './lib/browser.js';
import { eventually } from './lib/eventually.js';
import { colourAt, shareInSight } from './lib/sight.js';
import { MISSPELLED, QWEN } from './lib/states.js';

let page;
eachTest((opened) => {
  page = opened;
});

for (const colours of ['light', 'dark']) {
  test(`a selection is seen on the line of the cursor, ${colours}`, async () => {
    await page.emulateMedia({ colorScheme: colours });
    await write(page, 'a: aaaaaaaaaaaaaaaaaaaa\n');
    await page.keyboard.press('Control+Home');
    for (let count = 0; count < 10; count++) {
      await page.keyboard.press('Shift+ArrowRight');
    }
    const { left, right, top } = await page.evaluate(() => {
      const { view } = document.querySelector('#editor').shadowRoot.querySelector('.cm-content').cmTile;
      const [from, to] = [view.coordsAtPos(5), view.coordsAtPos(15)];
      return { left: from.left, right: to.left, top: from.top };
    });
    const [selected, other] = [await colourAt(page, left, top + 2), await colourAt(page, right, top + 2)];
    assert.ok(distance(selected, other) >= 24, `${selected} beside ${other}`);
  });
}

test('the documentation beside completions is not clipped', async () => {
  await write(page, 'apiVersion: inference.devopstoolkit.ai/v1alpha1\nkind: LLMInference\nmetadata:\n  name: x\nspec:\n  ');
  await page.keyboard.press('Control+Space');
  await page.locator('#editor .cm-completionInfo').waitFor();
  await inSight('.cm-completionInfo');
});

test('the tooltip of an underlined place names the field', async () => {
  await write(page, MISSPELLED);
  await status(page, '3 errors');
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('F8');
  const told = page.locator('#editor .cm-tooltip-hover .cm-diagnostic');
  await told.first().waitFor();
  assert.match(await told.first().textContent(), /^spec\.providerConfigName: Required value/);
  await inSight('.cm-tooltip-hover');
});

/** Mistakes in line 8 of a text, which a parser notices later. */
const MISTAKES = {
  'a colon is missing': QWEN.replace('gpu: 1', 'gpu 1'),
  'a space is missing after the colon': QWEN.replace('gpu: 1', 'gpu:1'),
  'a quote is not closed': QWEN.replace('gpu: 1', 'gpu: "1'),
  'a bracket is not closed': QWEN.replace('gpu: 1', 'gpu: [1'),
  'a tab indents': QWEN.replace('  gpu: 1', '\tgpu: 1'),
  'the indentation is one too few': QWEN.replace('  gpu: 1', ' gpu: 1'),
  'the indentation is one too many': QWEN.replace('  gpu: 1', '   gpu: 1'),
  'a value has a wrong type': QWEN.replace('gpu: 1', 'gpu: many'),
};

for (const [name, text] of Object.entries(MISTAKES)) {
  test(`an error about line 8 stands at line 8: ${name}`, async () => {
    await write(page, text);
    await status(page, 'error');
    const problem = page.locator('#problems-list .problem-error').first();
    assert.match(await problem.locator('.place').textContent(), /^line 8$/);
    const { line, mark } = await page.evaluate(() => {
      const root = document.querySelector('#editor').shadowRoot;
      const box = (element) => element.getBoundingClientRect();
      const line = box(root.querySelectorAll('.cm-line')[7]);
      const mark = box(root.querySelector('.cm-lintRange-error, .cm-lintPoint-error'));
      return { line: [line.top, line.bottom], mark: (mark.top + mark.bottom) / 2 };
    });
    assert.ok(line[0] <= mark && mark <= line[1], `the mark is at ${mark}, the line from ${line}`);
  });
}

/** How different two colours are: the largest difference of a part. */
function distance(one, other) {
  const parts = (colour) => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  const others = parts(other);
  return Math.max(...parts(one).map((part, index) => Math.abs(part - others[index])));
}

/** Waits until all of something that the editor shows is in sight: it is placed a frame after it is measured. */
function inSight(selector) {
  return eventually(async () => assert.equal(await shareInSight(page, '#editor', selector), 1));
}
