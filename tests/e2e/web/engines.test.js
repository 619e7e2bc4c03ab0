/** A visit with Firefox and WebKit: what people do first, in the engines of the other browsers. */

import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { BUILT, ROOT } from './lib/browser.js';
import { ENGINES } from './lib/engines.js';
import { eventually } from './lib/eventually.js';
import { serve } from './lib/server.js';
import { QWEN } from './lib/states.js';

const PICTURES = resolve(ROOT, 'target/web/engines');
const VIEWS = ['outline', 'why', 'issues', 'graph', 'result'];

let server;
before(async () => {
  server = await serve(BUILT);
  await mkdir(PICTURES, { recursive: true });
});
after(() => server.close());

for (const [name, launch] of Object.entries(ENGINES)) {
  test(`${name}: an example, an edit, a mistake and its fix, views, and back again`, { timeout: 180_000 }, async (context) => {
    const engine = await launch();
    context.diagnostic(`${name}: ${engine.version}`);
    try {
      await visit(engine, name);
    } catch (error) {
      await engine.screenshot(`${PICTURES}/${name}-failed.png`);
      throw error;
    } finally {
      await engine.close();
    }
  });
}

async function visit(engine, name) {
  await engine.goto(server.origin);
  await shows(engine, '#instead', /See what a few lines become/);
  await click(engine, '.card', 'llm-qwen.yaml');
  await shows(engine, '#status-text', /^3 objects, 3 not ready/);
  const example = await text(engine);
  assert.ok(example.endsWith(QWEN), example);
  assert.match(await text(engine, '#output'), /kind: VLLMRuntime/);

  // With the keyboard: another number, back to the old one, a mistake, and its fix.
  await click(engine, '#editor .cm-line', 'gpu: 1');
  await engine.press('End');
  await engine.press('Backspace');
  await engine.type('4');
  await eventually(async () => assert.match(await text(engine, '#output'), /tensorParallelSize: 4/));
  // Two keys that come late are two edits.
  await eventually(async () => {
    await engine.press('Control+z');
    assert.equal(await text(engine), example, 'what was typed is undone');
  });
  await engine.press('Home');
  await engine.type('s');
  await shows(engine, '#status-text', /error/);
  await engine.press('Control+.');
  await eventually(async () => assert.equal(await text(engine), example, 'its fix renames sgpu to gpu'));
  await shows(engine, '#status-text', /^3 objects/);

  for (const view of VIEWS) {
    await click(engine, `#tab-${view}`);
    await eventually(() => engine.evaluate(isShown, view).then((shown) => assert.ok(shown, view)));
    await sleep(500); // tabs change slowly
    await engine.screenshot(`${PICTURES}/${name}-${view}.png`);
  }
  assert.deepEqual(await engine.errors(), []);

  // What was typed is there again after the page was left.
  await engine.goto(`${server.origin}/icon.svg`);
  await engine.goto(server.origin);
  await shows(engine, '#status-text', /^3 objects/);
  assert.equal(await text(engine), example);
}

/** Waits until an element says something. */
function shows(engine, selector, words) {
  return eventually(async () => {
    const said = await engine.evaluate((selector) => document.querySelector(selector)?.textContent ?? '', selector);
    assert.match(said, words);
  });
}

/** Presses the middle of the first element in sight with these words, also in the shadow root of an editor. */
async function click(engine, selector, words = '') {
  const [x, y] = await eventually(async () => {
    const place = await engine.evaluate(placeOf, selector, words);
    assert.ok(place, `${selector} ${words} is in sight`);
    return place;
  });
  await engine.clickAt(x, y);
}

function placeOf(selector, words) {
  const [host, inside] = selector.split(' .cm-');
  const root = inside ? document.querySelector(host).shadowRoot : document;
  const all = [...root.querySelectorAll(inside ? `.cm-${inside}` : selector)];
  const box = all.find((element) => element.textContent.includes(words) && element.getClientRects().length > 0)?.getBoundingClientRect();
  return box && [box.left + box.width / 2, box.top + box.height / 2];
}

/** The text in an editor. */
function text(engine, host = '#editor') {
  return engine.evaluate((host) => {
    const content = document.querySelector(host).shadowRoot.querySelector('.cm-content');
    return content.cmTile.view.state.doc.toString();
  }, host);
}

function isShown(view) {
  const panel = document.querySelector(`#view-${view}`);
  return panel !== null && panel.getClientRects().length > 0;
}
