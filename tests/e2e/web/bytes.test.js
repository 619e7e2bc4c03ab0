/**
 * Equal requests have byte-equal answers in the browser too: every golden case, through the worker the page itself uses.
 *
 * `target/web/cases.jsonl` (or `$CASES`) has a case in each line, written by the native side:
 *
 *     {"name": "llm-inference/kimi", "door": "compose.compose", "request": …, "answer": "…"}
 *
 * `request` is the contract's request in serde's spelling, `answer` the text of the answer in the same spelling, as
 * `serde_json::to_string` prints it. The answer of the browser is spelled the same way and compared as text.
 */

import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { BUILT, ROOT, start } from './lib/browser.js';
import { camel, contract, fromSerde, toSerde } from './lib/wit.js';

const CASES = resolve(ROOT, process.env.CASES ?? 'target/web/cases.jsonl');

let app;
before(async () => {
  app = await start();
});
after(() => app.stop());

test('every golden case has the bytes of the native answer', { timeout: 300_000 }, async (context) => {
  const text = await readFile(CASES, 'utf8').catch(() => assert.fail(`${CASES} is missing: \`make e2e-web\` writes it`));
  const cases = text.trimEnd().split('\n').map((line) => JSON.parse(line));
  assert.ok(cases.length > 0, 'there is no case');
  const { types, functions } = await contract(join(ROOT, 'wit'));
  const page = await app.open();
  await startWorker(page);
  // Twice, so that the second round runs on an instance that has seen every case.
  for (const round of [1, 2]) {
    for (const { name, door, request, answer } of cases) {
      const { interface: scope, parameter, result } = functions.get(door);
      const [, called] = door.split('.');
      const argument = fromSerde(types, scope, parameter, request);
      const got = await page.evaluate(([scope, called, argument]) => window.askDoor(scope, called, argument), [camel(scope), camel(called), argument]);
      const value = result.startsWith('result<') ? got : got.ok;
      assert.equal(JSON.stringify(toSerde(types, scope, result, value)), answer, `${name} in round ${round}`);
    }
  }
  context.diagnostic(`${cases.length} cases, twice`);
  await page.close();
});

/** Starts the page's own worker with the component, and leaves `askDoor` on the page. */
async function startWorker(page) {
  const assets = await readdir(join(BUILT, 'assets'));
  const script = assets.find((name) => /^builtin-.*\.js$/.test(name));
  const wasm = assets.filter((name) => /^sailplane\.core.*\.wasm$/.test(name)).map((name) => [name.replace(/-[^-.]*\.wasm$/, '.wasm').replace(/^(sailplane\.core\d*).*$/, '$1.wasm'), name]);
  await page.evaluate(
    async ([script, wasm]) => {
      const address = (name) => new URL(`assets/${name}`, document.baseURI).href;
      const compiled = wasm.map(async ([name, file]) => [name, await WebAssembly.compile(await (await fetch(address(file))).arrayBuffer())]);
      const core = Object.fromEntries(await Promise.all(compiled));
      const code = new Blob([`await import(${JSON.stringify(address(script))});`], { type: 'text/javascript' });
      const worker = new Worker(URL.createObjectURL(code), { type: 'module' });
      const message = () => new Promise((resolve) => worker.addEventListener('message', ({ data }) => resolve(data), { once: true }));
      await message();
      worker.postMessage({ core });
      await message();
      window.askDoor = async (scope, called, argument) => {
        const reply = message();
        worker.postMessage({ id: 1, ask: 'door', interface: scope, function: called, argument });
        const { answer, failure } = await reply;
        if (failure !== undefined) {
          throw new Error(failure);
        }
        return answer;
      };
    },
    [script, wasm],
  );
}
