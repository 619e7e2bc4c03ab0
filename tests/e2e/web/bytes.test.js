/**
 * Equal requests have byte-equal answers in the browser too: every golden case and every refused object, through the
 * worker that the page itself uses. Its answers are written as JSON like the native ones, and compared as text.
 */

import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { BUILT, ROOT, start } from './lib/browser.js';
import { cases } from './lib/cases.js';
import { shareOf } from './lib/share.js';
import { camel, contract, fromSerde, toSerde } from './lib/wit.js';

let app;
before(async () => {
  app = await start();
});
after(() => app.stop());

test('every case has the bytes of the native answer', { timeout: 300_000 }, async (context) => {
  const all = shareOf(await cases());
  const { types, functions } = await contract(join(ROOT, 'wit'));
  const page = await app.open();
  await startWorker(page);
  // Two rounds: in the second one the instance has answered every case before.
  for (const round of [1, 2]) {
    for (const { name, door, arguments: given, answer } of all) {
      const { interface: scope, parameters, result } = functions.get(door);
      const [, called] = door.split('.');
      const lifted = given.map((argument, index) => fromSerde(types, scope, parameters[index], argument));
      const got = await page.evaluate(([scope, called, given]) => window.askDoor(scope, called, given), [camel(scope), camel(called), lifted]);
      const value = result.startsWith('result<') ? got : got.ok;
      assert.equal(JSON.stringify(toSerde(types, scope, result, value)), answer, `${name} in round ${round}`);
    }
  }
  context.diagnostic(`${all.length} cases, twice`);
  await page.close();
});

/** Starts the page's own worker with the component, and defines `askDoor` on the page. */
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
      window.askDoor = async (scope, called, given) => {
        const reply = message();
        worker.postMessage({ id: 1, ask: 'door', interface: scope, function: called, arguments: given });
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
