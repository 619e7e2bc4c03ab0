/** Writing: problems with their fixes, completion, documentation, and the links between source and result. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachTest, status, useExample, write, written } from './lib/browser.js';
import { MISSPELLED, QWEN, view } from './lib/states.js';

let page;
eachTest((opened) => {
  page = opened;
});

test('typing shows a result', async () => {
  await page.locator('#editor .cm-content').click();
  await page.keyboard.insertText(QWEN);
  await status(page, '3 objects');
  await page.locator('#output .cm-line', { hasText: 'kind: LLMInference' }).first().waitFor();
});

test('a problem is underlined, listed, and fixed from its tooltip', async () => {
  await write(page, MISSPELLED);
  await status(page, '3 errors');
  assert.equal(await page.locator('#editor .cm-lintRange-error').count(), 3);
  assert.deepEqual(await page.locator('#problems-list .problem-text').allTextContents(), [
    'spec.providerConfigName: Required value give a string like gpu-cluster',
    'unknown field "spec.gpus"',
    'unknown field "spec.providrConfigName"',
  ]);
  await page.locator('#editor .cm-lintRange-error', { hasText: 'gpus' }).hover();
  await page.locator('#editor .cm-diagnosticAction', { hasText: 'Rename to gpu' }).click();
  await page.locator('#problems-list .fix', { hasText: 'providerConfigName' }).click();
  await status(page, '3 objects');
  assert.equal(await written(page), QWEN);
});

test('the list of problems leads to the line, by keyboard alone', async () => {
  await write(page, MISSPELLED);
  await status(page, '3 errors');
  await page.locator('#problems-list .problem-go').nth(1).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.type('gpu');
  await status(page, '2 errors');
  assert.equal(await written(page), MISSPELLED.replace('gpus', 'gpu'));
});

test('F8 goes from problem to problem', async () => {
  await write(page, MISSPELLED);
  await status(page, '3 errors');
  await page.locator('#editor .cm-content').focus();
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('F8');
  await page.keyboard.press('F8');
  await page.locator('#editor .cm-diagnosticAction', { hasText: 'Rename to gpu' }).waitFor();
});

test('a key fixes the problem in the line of the cursor: a value is replaced, one that is missing is added', async () => {
  const wrong = QWEN.replace('providerConfigName: gpu-cluster', 'providerConfigName: 7').replace('  namespace: default\n', '');
  await write(page, wrong);
  await status(page, /^1 error, 1 warning$/);
  await page.locator('#editor .cm-line', { hasText: 'providerConfigName: 7' }).click();
  await page.keyboard.press('Control+.');
  await status(page, /^3 objects, 1 warning/);
  assert.equal(await written(page), wrong.replace(': 7', ': "7"'));
  await page.locator('#editor .cm-line', { hasText: 'metadata:' }).click();
  await page.keyboard.press('Control+.');
  await status(page, /^3 objects, 3 not ready$/);
  assert.equal(await written(page), QWEN.replace('gpu-cluster', '"7"'));
});

test('keys are completed by the schema, those that are there left out', async () => {
  await write(page, 'apiVersion: inference.devopstoolkit.ai/v1alpha1\nkind: LLMInference\nmetadata:\n  name: x\nspec:\n  gpu: 2\n  ');
  await page.keyboard.press('Control+Space');
  const options = page.locator('#editor .cm-tooltip-autocomplete li');
  await options.first().waitFor();
  const labels = await options.locator('.cm-completionLabel').allTextContents();
  assert.deepEqual(labels.slice(0, 2).sort(), ['model', 'providerConfigName'], 'required ones come first');
  assert.ok(labels.includes('ingressHost') && !labels.includes('gpu'));
  assert.match(await page.locator('#editor .cm-completionInfo').textContent(), /required/);
  await page.keyboard.type('mod');
  await page.waitForTimeout(200); // a list that has just opened ignores keys for a moment
  await page.keyboard.press('Enter');
  assert.match(await written(page), / {2}model: $/);
});

test('keys are completed in flow style', async () => {
  await write(page, 'apiVersion: inference.devopstoolkit.ai/v1alpha1\nkind: LLMInference\nmetadata: {name: x}\nspec: {model: a/b, }');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.type('gp');
  await page.keyboard.press('Control+Space');
  const labels = page.locator('#editor .cm-tooltip-autocomplete .cm-completionLabel');
  await labels.first().waitFor();
  assert.deepEqual(await labels.allTextContents(), ['gpu']);
  await page.locator('#editor .cm-tooltip-autocomplete:not(.cm-tooltip-autocomplete-disabled)').waitFor();
  await page.waitForTimeout(200); // a list that has just opened ignores keys for a moment
  await page.keyboard.press('Enter');
  assert.match(await written(page), /spec: \{model: a\/b, gpu: \}$/);
});

test('values are completed by the schema', async () => {
  await write(page, QWEN.replace('  gpu: 1\n', '  gpu: 1\n  providerConfigKind: \n'));
  const line = page.locator('#editor .cm-line', { hasText: 'providerConfigKind' });
  await line.click();
  await page.keyboard.press('End');
  await page.keyboard.press('Control+Space');
  const labels = page.locator('#editor .cm-tooltip-autocomplete .cm-completionLabel');
  await labels.first().waitFor();
  assert.deepEqual((await labels.allTextContents()).sort(), ['ClusterProviderConfig', 'ProviderConfig']);
});

test('options are completed by their own schema', async () => {
  await page.locator('#tab-options').click();
  await write(page, 'apiVersion: sailplane.fn.crossplane.io/v1alpha1\nkind: Options\nllmInference:\n  imag');
  await page.keyboard.press('Control+Space');
  await page.locator('#editor .cm-tooltip-autocomplete li', { hasText: 'imageRegistry' }).waitFor();
});

test('a key shows its documentation', async () => {
  await write(page, QWEN);
  await status(page, '3 objects');
  await page.locator('#editor .cm-line', { hasText: 'gpu: 1' }).locator('span').first().hover();
  const doc = page.locator('#editor .cm-tooltip .doc');
  await doc.waitFor();
  assert.match(await doc.textContent(), /gpu integer.*Number of GPUs.*Default1.*Range1 to 1024/);
});

test('a line of the result leads to what caused it, and the source shows what it causes', async () => {
  await useExample(page, 'llm-kimi');
  await status(page, '3 objects');
  await page.locator('#output .cm-scroller').evaluate((scroller) => scroller.scrollTo(0, 1e6));
  const sharded = page.locator('#output .cm-line', { hasText: 'tensorParallelSize: 8' });
  await sharded.locator('span').first().hover();
  await page.locator('#output .why-tip', { hasText: 'spec.gpu (line 9)' }).waitFor();
  assert.match(await page.locator('#editor .cm-linked').textContent(), /gpu: 8/);
  await sharded.locator('span').first().click();
  assert.equal(await selected(page), 'gpu: 8');
  await page.locator('#editor .cm-line', { hasText: 'gpu: 8' }).hover();
  assert.ok((await page.locator('#output .cm-linked').allTextContents()).some((text) => text.includes('tensorParallelSize')));
});

test('what is absent from the source is said to be so, and options are a source too', async () => {
  await write(page, QWEN);
  await view(page, 'why');
  const row = page.locator('.why-row', { hasText: 'metadata.namespace' }).first();
  assert.match(await row.textContent(), /spec\.targetNamespacenot set/);
  await page.locator('#tab-options').click();
  await write(page, 'apiVersion: sailplane.fn.crossplane.io/v1alpha1\nkind: Options\nllmInference: {imageRegistry: registry.example.org}\n');
  await page.locator('#why-find').fill('imageRegistry');
  await page.locator('.chip', { hasText: 'input.llmInference.imageRegistryline 3' }).first().click();
  assert.equal(await selected(page), 'imageRegistry: registry.example.org');
});

test('observed state makes resources ready', async () => {
  await write(page, QWEN);
  await view(page, 'outline');
  const node = page.locator('#outline-list [aria-level="2"]', { hasText: 'vllm-runtime' });
  assert.match(await node.textContent(), /^▸not ready/);
  await page.locator('#tab-observed').click();
  await write(page, OBSERVED);
  await node.locator('.dot-ready').waitFor();
});

test('the difference to the previous result is shown', async () => {
  await write(page, QWEN);
  await status(page, '3 objects');
  await page.waitForTimeout(1_700);
  await page.locator('#do-compare').click();
  await write(page, QWEN.replace('gpu: 1', 'gpu: 4'));
  await page.locator('#output .cm-deletedChunk', { hasText: 'gpu: 1' }).first().waitFor();
  await page.locator('#output .cm-changedLine', { hasText: 'gpu: 4' }).first().waitFor();
});

test('what was right last stays in sight while the text is wrong', async () => {
  await write(page, QWEN);
  await status(page, '3 objects');
  await write(page, MISSPELLED);
  await status(page, '3 errors');
  await page.locator('#banner', { hasText: 'last text without errors' }).waitFor();
  await page.locator('#output .cm-line', { hasText: 'LLMInference' }).first().waitFor();
});

function selected(page) {
  return page.evaluate(() => {
    const { view } = document.querySelector('#editor').shadowRoot.querySelector('.cm-content').cmTile;
    const { from, to } = view.state.selection.main;
    return view.state.sliceDoc(from, to);
  });
}

const OBSERVED = `apiVersion: kubernetes.m.crossplane.io/v1alpha1
kind: Object
metadata:
  name: qwen-x
  namespace: default
  annotations: {crossplane.io/composition-resource-name: vllm-runtime}
spec:
  providerConfigRef: {kind: ClusterProviderConfig, name: gpu-cluster}
status:
  conditions:
  - {type: Synced, status: "True", reason: ReconcileSuccess}
  - {type: Ready, status: "True", reason: Available}
`;
