/** The page refuses what the API server and `sailplane check` refuse, in the same words. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { start, status, write } from './lib/browser.js';
import { cases } from './lib/cases.js';
import { shareOf } from './lib/share.js';
import { QWEN, view } from './lib/states.js';

let app;
before(async () => {
  app = await start();
});
after(() => app.stop());

test('every sort of object that is refused has its errors below the text', { timeout: 600_000 }, async (context) => {
  const refused = shareOf(sorts(await cases('preview.check')));
  const page = await app.open();
  for (const { name, arguments: [[source]], answer } of refused) {
    // The earlier result is removed first, so that it cannot be taken for the answer to the next object.
    await write(page, QWEN);
    await status(page, '3 objects');
    await write(page, source.text);
    await status(page, 'error');
    const shown = await page.locator('#problems-list .problem-error .problem-text').allTextContents();
    assert.equal(new Set(shown).size, shown.length, `${name}: something is said twice: ${shown}`);
    for (const { gravity, problem } of JSON.parse(answer).diagnostics) {
      const words = problem.message.replaceAll('`', '');
      assert.ok(gravity !== 'Error' || shown.some((text) => text.includes(words)), `${name}: not ${words}, but ${shown}`);
    }
  }
  context.diagnostic(`${refused.length} objects`);
  await page.close();
});

/** One case of each sort: its kind, with the codes and paths of its errors. The page prints all of a sort alike. */
function sorts(cases) {
  const sort = ({ arguments: [[source]], answer }) => {
    const kind = /"?kind"?: *"?(\w+)/.exec(source.text)?.[1];
    const errors = JSON.parse(answer).diagnostics.map(({ problem }) => `${problem.code} ${problem.path}`);
    return [kind, ...errors].join('\n');
  };
  return [...new Map(cases.map((it) => [sort(it), it])).values()];
}

test('a warning of a composition is underlined where its cause is, and given once', async () => {
  const page = await app.open();
  await write(page, QWEN.replace('gpu: 1', 'gpu: 3'));
  await status(page, '3 objects');
  assert.deepEqual(await page.locator('#editor .cm-lintRange-warning').allTextContents(), ['3']);
  assert.equal(await page.locator('#problems-list li', { hasText: '3 is not a power of two' }).count(), 1);
  await view(page, 'issues');
  assert.equal(await page.locator('#issues-list h2', { hasText: '3 is not a power of two' }).count(), 1);
  await page.close();
});

test('documents are judged beside one another', async () => {
  const page = await app.open();
  const problem = (text) => page.locator('#problems-list li', { hasText: text });
  const other = QWEN.replace('name: qwen', 'name: other');
  await write(page, `${QWEN}---\n${other}`);
  await problem(/spec\.ingressHost.*is that of LLMInference default\/qwen on the same cluster already/).waitFor();
  await write(page, `${QWEN}---\n${QWEN}`);
  await problem(/metadata\.name.*the same object is at/).waitFor();
  await write(page, `${QWEN}---\n${other.replace(/ingressHost: .*/, 'ingressHost: other.example.org')}`);
  await status(page, '6 objects');
  await page.locator('#problems-list li').first().waitFor({ state: 'detached' });
  await page.close();
});

test('the options of the platform are heard', async () => {
  const page = await app.open();
  await write(page, QWEN.replace('1.5B', '72B'));
  await page.locator('#tab-options').click();
  const options = 'apiVersion: sailplane.fn.crossplane.io/v1alpha1\nkind: Options\nllmInference:\n  gpuMemory: 80Gi\n';
  await write(page, options);
  await page.locator('#outcomes-list .event-warning', { hasText: 'cannot fit' }).waitFor();
  assert.equal(await page.locator('#problems-list .problem-error').count(), 0);
  await write(page, `${options}  memoryAdvice: refuse\n`);
  await page.locator('#problems-list .problem-error', { hasText: 'cannot fit' }).waitFor();
  await write(page, `${options}memoryAdvise: refuse\n`);
  await page.locator('#problems-list .problem-error', { hasText: 'unknown field "memoryAdvise"' }).waitFor();
  assert.equal(await page.locator('#problems-list li').count(), 1);
  await page.close();
});
