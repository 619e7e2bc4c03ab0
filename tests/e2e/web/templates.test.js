/** Templates of options: what an empty text offers, and that taking one changes nothing. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachTest, status, useExample, write, written } from './lib/browser.js';
import { eventually } from './lib/eventually.js';
import { showText } from './lib/states.js';

let page;
eachTest((opened) => {
  page = opened;
});

/** By section: examples of its API, and an edit of an option that the last of them shows. */
const SECTIONS = {
  cluster: { examples: ['azure-aks-gpu', 'aws-eks-full'], edit: ['ebsRights: none', 'ebsRights: podIdentity'] },
  inferenceModel: { examples: ['model-shared-pool', 'model-gpus'], edit: ['containerPort: 8080', 'containerPort: 9090'] },
  llmInference: { examples: ['llm-qwen', 'llm-kimi'], edit: ['imageRegistry: docker.io', 'imageRegistry: registry.example.org'] },
  modelService: { examples: ['serve-careful', 'import-opt'], edit: ['version: devel', 'version: v9'] },
  modelplane: { examples: ['gateway', 'cache-kimi', 'deployment-qwen'], edit: ['answers: v0.3.1', 'answers: full'] },
};

test('an empty text of options has a template for each API', async () => {
  const cards = page.locator('#templates .card');
  assert.equal(await page.locator('#templates').isVisible(), false);
  await showText(page, 'options');
  assert.deepEqual(await cards.locator('b').allTextContents(), Object.keys(SECTIONS));
  assert.equal(await cards.nth(2).locator('span').textContent(), 'Options for every LLMInference.');
  await cards.nth(2).click();
  await page.locator('#templates').waitFor({ state: 'hidden' });
  assert.match(await written(page), /\nllmInference:\n/);
  assert.equal(await page.evaluate(() => document.activeElement.id), 'editor');
  await page.keyboard.press('Control+z');
  await cards.first().waitFor();
  assert.equal(await written(page), '');
});

for (const [section, { examples, edit }] of Object.entries(SECTIONS)) {
  test(`the template of ${section} changes nothing, and each option in it is one`, { timeout: 60_000 }, async () => {
    const before = [];
    for (const name of examples) {
      before.push(await resultOf(name));
    }
    await showText(page, 'options');
    await page.locator('#templates .card', { has: page.locator('b', { hasText: section }) }).click();
    const template = await written(page);
    for (const [index, name] of examples.entries()) {
      assert.equal(await resultOf(name), before[index], name);
    }
    assert.equal(await page.locator('#problems-list .problem-error').count(), 0);

    const [from, to] = edit;
    assert.ok(template.includes(`${from}\n`), template);
    await showText(page, 'options');
    await write(page, template.replace(from, to));
    await eventually(async () => assert.notEqual(await written(page, '#output'), before.at(-1)));
    // Without the signs of comments, all options are known but one. Descriptions end with a full stop, fields do not.
    const uncommented = template.replace(/^( *)# (?= *\w+:(?: .*[^.])?$)/gm, '$1');
    await write(page, uncommented.replace(`\n${section}:\n`, `\n${section}:\n  notAnOption: 1\n`));
    await status(page, '1 error');
    await page.locator('#problems-list .problem-error', { hasText: 'notAnOption' }).waitFor();
  });
}

/** What an example becomes, with the options that are there. */
async function resultOf(name) {
  await page.locator('#do-examples').click();
  await page.locator('.menu [role=menuitem]', { hasText: `${name}.yaml` }).click();
  const [, own] = / name: (\S+)/.exec(await written(page));
  await eventually(async () => assert.match(await written(page, '#output'), new RegExp(`^# \\w+ (?:\\S+/)?${own}$`, 'm')));
  return written(page, '#output');
}
