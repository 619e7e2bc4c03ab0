/** Texts of several documents: lists, objects without effect, and documents with mistakes beside others. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { eachTest, status, write, written } from './lib/browser.js';
import { many, QWEN, showText, view } from './lib/states.js';

let page;
eachTest((opened) => {
  page = opened;
});

const OTHER = QWEN.replaceAll('qwen', 'other');

/** What `kubectl get -o yaml` prints of objects. */
function list(...objects) {
  const items = objects.map((object) => object.trimEnd().split('\n').map((line, at) => `${at === 0 ? '- ' : '  '}${line}`).join('\n'));
  return `apiVersion: v1\nitems:\n${items.join('\n')}\nkind: List\nmetadata:\n  resourceVersion: ""\n`;
}

const observed = (name, more = '') => `apiVersion: kubernetes.m.crossplane.io/v1alpha1
kind: Object
metadata:
  name: qwen-x
  namespace: default
  annotations: {crossplane.io/composition-resource-name: ${name}}
${more}spec:
  providerConfigRef: {kind: ClusterProviderConfig, name: gpu-cluster}
status:
  conditions:
  - {type: Synced, status: "True", reason: ReconcileSuccess}
  - {type: Ready, status: "True", reason: Available}
`;

test('a list of kubectl is composites, and observed objects', async () => {
  await write(page, list(QWEN, OTHER));
  await status(page, '6 objects');
  await write(page, QWEN);
  await showText(page, 'observed');
  await write(page, list(observed('vllm-runtime')));
  await view(page, 'outline');
  await page.locator('#outline-list [aria-level="2"]', { hasText: 'vllm-runtime' }).locator('.dot-ready').waitFor();
  assert.deepEqual(await problems(), []);
});

test('an observed object that belongs to nothing is said', async () => {
  await write(page, QWEN);
  await showText(page, 'observed');
  await write(page, observed('vllm-runtim'));
  await said(/^it counts for nothing: no composed resource has the name vllm-runtim of its annotation/, 'Observed 2');
  await showText(page, 'manifest');
  await write(page, `${QWEN}---\n${OTHER}`);
  await showText(page, 'observed');
  await write(page, observed('vllm-runtime'));
  await said(/^it counts for nothing: give it the label crossplane.io\/composite with the name of its composite, e.g. qwen/, 'Observed 2');
  await write(page, observed('vllm-runtime', '  labels: {crossplane.io/composite: other}\n'));
  await page.locator('#problems-list li').first().waitFor({ state: 'detached' });
});

test('required and foreign objects that nothing looks up are said', async () => {
  await showText(page, 'required');
  await write(page, 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: any}\n');
  await showText(page, 'manifest');
  await write(page, `${QWEN}---\napiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: any\n`);
  await said(/^it counts for nothing: nothing that is composed here looks up a ConfigMap/, 'Required 2');
  await said(/^it counts for nothing: no module composes a Deployment, and nothing looks up one/, 'line 13');
});

test('one document with a mistake does not hide that the others are shown', async () => {
  await write(page, `${QWEN}---\n${OTHER.replace('gpu: 1', 'gpus: 1')}`);
  await status(page, '1 error, 3 other objects');
  await page.locator('#output .cm-line', { hasText: 'name: qwen' }).first().waitFor();
  assert.equal(await page.locator('#banner').textContent(), '');
});

test('a syntax error in one document does not block the others', async () => {
  const broken = QWEN.replace('gpu: 1', 'gpu: [1');
  await write(page, `${broken}---\n${OTHER}---\n${broken}---\n${OTHER.replaceAll('other', 'third')}`);
  await status(page, '2 errors, 6 other objects');
  const places = await page.locator('#problems-list .place').allTextContents();
  assert.deepEqual(places, ['line 8', 'line 30']);
});

function problems() {
  return page.locator('#problems-list .problem-text').allTextContents();
}

async function said(words, place) {
  const row = page.locator('#problems-list li').filter({ has: page.locator('.problem-text', { hasText: words }) });
  await row.waitFor();
  assert.equal(await row.locator('.place').textContent(), place);
}

/** Edits of a text with many documents: what stands there, and what takes its place. */
const EDITS = {
  'a value': ['qwen-7.127', 'seven.127'],
  'a value that a composition warns of': [/gpu: 1(?=\n {2}ingressHost: qwen-9\.)/, 'gpu: 3'],
  'a new line': ['  name: qwen-5\n', '  name: qwen-5\n  labels: {a: b}\n'],
  'a misspelled field': [/gpu: 1(?=\n {2}ingressHost: qwen-9\.)/, 'gpus: 1'],
  'a document of another kind': [/$/, '---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: any}\n'],
  'the same object again': [/$/, `---\n${QWEN.replaceAll('qwen', 'qwen-3')}`],
  'the same host': ['qwen-11.127', 'qwen-2.127'],
  'a document less': [/apiVersion[^]*?---\n/, ''],
  'no separator': ['---\n', ''],
  'a kind that is not known': [/kind: LLMInference(?=\nmetadata:\n {2}name: qwen-4\n)/, 'kind: LLMInferenc'],
};

for (const [name, [from, to]] of Object.entries(EDITS)) {
  test(`an edit of one document among many gives what the whole text gives: ${name}`, async () => {
    const all = many(14);
    await write(page, all);
    await status(page, '42 objects');
    await write(page, all.replace(from, to));
    const [edited, whole] = [await shown(), await page.reload().then(() => status(page, 'object')).then(() => shown())];
    assert.deepEqual(edited, whole);
  });
}

test('only the document that changed is previewed again', async () => {
  await write(page, many(40));
  await status(page, '120 objects');
  await page.evaluate(() => {
    window.sent = [];
    const { postMessage } = Worker.prototype;
    Worker.prototype.postMessage = function (...message) {
      this.addEventListener('message', ({ data }) => window.sent.push(data.answer.families?.filter((it) => !('again' in it)).length), { once: true });
      return postMessage.apply(this, message);
    };
  });
  await page.keyboard.press('Control+End');
  await page.keyboard.type('#');
  // The check of the whole text, which comes when nobody types, has no families.
  await page.waitForFunction(() => window.sent.includes(undefined));
  const previewed = (await page.evaluate(() => window.sent)).filter((number) => number !== undefined);
  assert.ok(previewed.length > 0 && previewed.every((number) => number <= 1), String(previewed));
});

/** What the page shows of the texts once it stays: the status, the result and the problems. The whole text is checked when nobody types. */
async function shown() {
  for (let before; ; ) {
    await page.waitForTimeout(1_000);
    const now = {
      status: await page.locator('#status-text').textContent(),
      result: await written(page, '#output'),
      problems: await page.locator('#problems-list li').allTextContents(),
    };
    if (now.status !== 'Working' && isDeepStrictEqual(now, before)) {
      return now;
    }
    before = now;
  }
}
