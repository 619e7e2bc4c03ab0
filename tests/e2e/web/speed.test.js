/** The time from a keystroke to the rendered result, from an answer to the drawn fleet, of tasks that block typing, and of visits. */

import assert from 'node:assert/strict';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { BUILT, ROOT, start, status, useExample, write } from './lib/browser.js';
import { clusters, deployment } from './lib/fleets.js';
import { POOL, models } from './lib/models.js';
import { fleet, many, QWEN, showText, view } from './lib/states.js';

/** How much a limit is above its budget, because the machine does other things too. */
const SLACK = 1.5;
/** The number of rounds. Other load can only add time, so one round within the budget is enough. */
const ROUNDS = 8;
/** The number of rounds while none was within the limit: load that lasts some minutes passes. */
const MOST_ROUNDS = 20;
/** For fleets and results of many objects, whose keystrokes take so long on a slow machine that other load is among each of them. */
const LARGE_SLACK = 2.5;
/** The number of their rounds. */
const FEW_ROUNDS = Number(process.env.ROUNDS ?? 4);

/**
 * The largest example of each kind that composes something, a small one, and fleets: the budget in milliseconds for 95 of 100
 * keystrokes, how many of these in a round, and the text before the cursor. What is typed there changes the first lines of the result,
 * because only what is in sight is drawn.
 */
const TYPED = [
  ...[
    'llm-qwen',
    'llm-kimi',
    'model-pipeline',
    'cache-kimi',
    'deployment-kimi',
    'endpoint-external',
    'replica-qwen',
    'service-weighted',
    'import-opt',
  ].map((name) => ({ name, budget: 50, keys: 40, reach: (page) => useExample(page, name) })),
  ...['serve-careful', 'aws-eks-full', 'eks-cluster', 'stack', 'gateway'].map((name) => ({
    name,
    budget: 50,
    slack: LARGE_SLACK,
    keys: 20,
    reach: (page) => useExample(page, name),
  })),
  { name: '50 models', budget: 50, slack: LARGE_SLACK, keys: 20, reach: fiftyModels },
  ...['llm-kimi', 'cache-kimi'].map((name) => ({
    name: `${name} on a machine a quarter as fast`,
    budget: 150,
    slack: SLACK,
    keys: 20,
    slower: 4,
    reach: (page) => useExample(page, name),
  })),
  { name: '300 composites', budget: 200, keys: 20, reach: (page) => write(page, many(300)) },
  { name: 'the example fleet', budget: 250, keys: 12, before: 'name: l4-1', reach: async (page) => write(page, await exampleFleet()) },
  { name: '100 clusters', budget: 300, keys: 20, reach: (page) => inFleet(page, 100) },
  { name: '1,000 clusters', budget: 2_000, keys: 6, reach: (page) => inFleet(page, 1_000) },
];

/** The budget from the answer to the frame that shows the fleet. */
const DRAWN_MILLIS = 100;
/** The budget for any task of the page while somebody types. */
const TASK_MILLIS = 50;

let app;
before(async () => {
  app = await start();
});
after(() => app.stop());

for (const { name, budget, slack = budget > 50 ? LARGE_SLACK : SLACK, keys, slower = 1, before = '\n  name: ', reach } of TYPED) {
  const most = Number(process.env.LIMIT_MILLIS ?? slack * budget);
  test(`${name}: a keystroke is rendered within ${most} ms, 95 times of 100 (budget: ${budget} ms)`, { timeout: 600_000 }, async (context) => {
    const page = await app.open();
    await page.evaluate(measure);
    await reach(page);
    await status(page, 'object', 60_000);
    await putCursor(page, before);
    const client = await page.context().newCDPSession(page);
    await client.send('Emulation.setCPUThrottlingRate', { rate: slower });
    await keystrokes(page, Math.min(keys, 10)); // the browser optimises the code first
    const rounds = [];
    const held = ({ p50, p95 }) => p95 <= most && (budget > 50 || p50 <= 0.6 * most);
    do {
      rounds.push(percentiles(await keystrokes(page, keys)));
    } while (rounds.at(-1).p95 > budget && rounds.length < bound(rounds.some(held), budget > 50 ? FEW_ROUNDS : ROUNDS));
    const { p50, p95 } = rounds.sort((a, b) => held(b) - held(a) || a.p95 - b.p95)[0];
    context.diagnostic(`${name}: p50 ${p50} ms, p95 ${p95} ms, the best of ${rounds.length} rounds`);
    assert.ok(held({ p50, p95 }), `p50 ${p50} ms, p95 ${p95} ms`);
    await page.close();
  });
}

for (const [number, keys] of [[3, 20], [100, 20], [1_000, 6]]) {
  const [drawnIn, taskOf] = [LARGE_SLACK * DRAWN_MILLIS, LARGE_SLACK * TASK_MILLIS];
  test(`${number} clusters: drawn within ${drawnIn} ms after the answer, no task over ${taskOf} ms (budgets: ${DRAWN_MILLIS}, ${TASK_MILLIS} ms)`, { timeout: 600_000 }, async (context) => {
    const page = await app.open();
    await page.evaluate(measure);
    await fleet(page, clusters(number), deployment('kimi'));
    await page.locator('#fleet-group').selectOption('class');
    await putCursor(page, '\n  name: ');
    await keystrokes(page, Math.min(keys, 10), 'fleetDrawn');
    const rounds = [];
    const best = () => Object.fromEntries(['p95', 'task'].map((name) => [name, Math.min(...rounds.map((round) => round[name]))]));
    do {
      await page.evaluate(() => window.longest());
      const { p95 } = percentiles(await keystrokes(page, keys, 'fleetDrawn'));
      rounds.push({ p95, task: await page.evaluate(() => window.longest()) });
    } while ((rounds.at(-1).p95 > DRAWN_MILLIS || rounds.at(-1).task > TASK_MILLIS) && rounds.length < bound(best().p95 <= drawnIn && best().task <= taskOf, FEW_ROUNDS));
    const { p95, task } = best();
    context.diagnostic(`${number} clusters: drawn p95 ${p95} ms after the answer, longest task ${task || 'below 50'} ms, the best of ${rounds.length} rounds`);
    assert.ok(p95 <= drawnIn && task <= taskOf, `drawn p95 ${p95} ms, longest task ${task} ms`);
    await page.close();
  });
}

/** Connections as browsers' tools name them, with the budget in milliseconds for the first result of a first visit. */
const CONNECTIONS = {
  'Fast 3G': { latency: 562.5, bits: 1.44e6, budget: 6_000 },
  '10 Mbit/s': { latency: 40, bits: 10e6, budget: 1_500 },
};
/** Beside the bytes: what is said before the first one comes, and what is computed when the last one has. */
const ROUND_TRIPS = 4;
const COMPUTED_MILLIS = 1_500;

for (const [name, { latency, bits, budget }] of Object.entries(CONNECTIONS)) {
  const within = SLACK * budget;
  test(`${name}, a first visit: the first example has its result within ${within} ms (budget: ${budget} ms)`, { timeout: 120_000 }, async (context) => {
    const rounds = [];
    do {
      const page = await connected({ latency, bits });
      await page.addInitScript(takeFirst);
      await page.goto(app.origin, { waitUntil: 'commit' });
      await page.waitForFunction(() => window.took, undefined, { timeout: 60_000 });
      await status(page, '3 objects', 60_000);
      const live = await page.evaluate(() => Math.round(performance.now()));
      rounds.push({ ...(await page.evaluate(() => window.took)), live });
      await page.close();
    } while (rounds.at(-1).result > budget && rounds.length < bound(rounds.some(({ result }) => result <= within), FEW_ROUNDS));
    const { offered, result, live } = rounds.sort((one, other) => one.result - other.result)[0];
    context.diagnostic(`${name}, a first visit: examples after ${offered} ms, the result of the first one after ${result} ms, the component runs after ${live} ms`);
    assert.ok(result <= within, `the result is there after ${result} ms`);
  });

  test(`${name}, with a text of one's own: there is something to read at once, and a result when the bytes are there`, { timeout: 120_000 }, async (context) => {
    const bytes = await weight();
    const most = ROUND_TRIPS * latency + (8_000 * bytes) / bits + SLACK * COMPUTED_MILLIS;
    const rounds = [];
    do {
      const page = await connected({ latency, bits });
      await page.evaluate(([text]) => sessionStorage.setItem('sailplane.draft', JSON.stringify({ texts: { manifest: text }, text: 'manifest', view: 'result', fragment: '' })), [QWEN]);
      const begun = Date.now();
      await page.goto(app.origin, { waitUntil: 'commit' });
      await page.locator('#instead p').first().waitFor();
      const read = Date.now() - begun;
      await page.locator('#output .cm-line', { hasText: 'kind: LLMInference' }).first().waitFor({ timeout: 60_000 });
      rounds.push({ read, result: Date.now() - begun });
      await page.close();
    } while (rounds.at(-1).result > most && rounds.length < FEW_ROUNDS);
    const { read, result } = rounds.at(-1);
    context.diagnostic(`${name}, a text of one's own: ${Math.round(bytes / 1000)} kB; something to read after ${read} ms, the result after ${result} ms`);
    assert.ok(read <= ROUND_TRIPS * latency + COMPUTED_MILLIS, `there is something to read after ${read} ms`);
    assert.ok(result <= most, `the result is there after ${result} ms; the bytes take ${Math.round(most)} ms`);
  });
}

/** A page of the server with nothing in its cache, and such a connection from now on. */
async function connected({ latency, bits }) {
  const page = await app.open({ path: '/icon.svg', ready: false });
  const client = await page.context().newCDPSession(page);
  await client.send('Network.enable');
  await client.send('Network.setCacheDisabled', { cacheDisabled: true });
  const rate = { downloadThroughput: bits / 8, uploadThroughput: bits / 8 };
  await client.send('Network.emulateNetworkConditions', { offline: false, latency, ...rate });
  return page;
}

/** Takes the first example as soon as it is offered. `took` is when it was, and when its result is drawn, in milliseconds of the visit. */
function takeFirst() {
  const now = () => Math.round(performance.now());
  let offered;
  const look = () => {
    const card = document.querySelector('.welcome .card');
    const drawn = document.querySelector('#output')?.shadowRoot?.querySelector('.cm-content')?.textContent ?? '';
    if (offered !== undefined && drawn.includes('kind: Ingress')) {
      window.took = { offered, result: now() };
      return;
    }
    if (offered === undefined && card?.checkVisibility()) {
      offered = now();
      card.click();
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/** The bytes that arrive before the result of a text of one's own, in Brotli. */
async function weight() {
  const folder = join(BUILT, 'assets');
  const needed = (await readdir(folder)).filter((name) => /^(?:index-|builtin-|sailplane\.core).*\.br$/.test(name));
  const sizes = await Promise.all(needed.map(async (name) => (await stat(join(folder, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

test('2 MB that are pasted have their first results within a second, and the others follow', { timeout: 600_000 }, async (context) => {
  const page = await app.open();
  await page.evaluate(measure);
  await write(page, QWEN);
  await status(page, '3 objects');
  await page.evaluate(() => window.forget());
  const text = many(8_700);
  assert.ok(text.length > 2_000_000);
  await write(page, text);
  const first = Math.round(await page.evaluate(() => window.drawn()));
  await status(page, '26,100 objects', 500_000);
  const all = await page.evaluate(() => Math.round(window.sincePressed()));
  context.diagnostic(`2 MB: first results after ${first} ms, all after ${all} ms`);
  assert.ok(first <= LARGE_SLACK * 1_000, `the first results are there after ${first} ms`);
  await page.close();
});

test('10,000 rows scroll without a dropped frame on a machine a quarter as fast', { timeout: 600_000 }, async (context) => {
  const page = await app.open();
  await write(page, many(3_334));
  await status(page, '10,002 objects', 500_000);
  await view(page, 'outline');
  const rows = page.locator('#outline-list [role=treeitem]');
  await rows.first().click();
  await rows.nth(2).waitFor();
  const client = await page.context().newCDPSession(page);
  await client.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  await page.evaluate(watchGaps);
  const rounds = [];
  do {
    rounds.push({ ...(await scrolled(client, page)), gap: await page.evaluate(() => Math.max(0, ...window.gaps.splice(0))) });
  } while (rounds.at(-1).dropped > 0 && rounds.length < bound(false, MOST_ROUNDS));
  const { dropped, frames, gap } = rounds.sort((a, b) => a.dropped + a.gap - b.dropped - b.gap)[0];
  context.diagnostic(`10,000 rows: ${dropped} of ${frames} frames dropped, ${gap} pixels without rows, the best of ${rounds.length} rounds`);
  assert.ok(frames > 100, `${frames} frames`);
  assert.deepEqual({ dropped, gap }, { dropped: 0, gap: 0 });
  await page.close();
});

/**
 * Scrolls the outline for two seconds as a wheel does that somebody spins, 107 rows a second. Returns the number of frames that the
 * browser drew, and of those that it should have drawn between them.
 */
async function scrolled(client, page) {
  const { x, y } = await page.locator('#outline-list').boundingBox();
  const drawn = [];
  const collect = ({ value }) => drawn.push(...value.filter(({ name }) => name === 'DrawFrame').map(({ ts }) => ts / 1000));
  client.on('Tracing.dataCollected', collect);
  await client.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories: ['devtools.timeline.frame', 'disabled-by-default-devtools.timeline.frame'] } });
  await client.send('Input.synthesizeScrollGesture', { x: x + 200, y: y + 200, yDistance: -6_000, speed: 3_000, gestureSourceType: 'mouse' });
  const complete = new Promise((resolve) => client.once('Tracing.tracingComplete', resolve));
  await client.send('Tracing.end');
  await complete;
  client.off('Tracing.dataCollected', collect);
  // Not the first frames, before the wheel is known to go on, and not the last, in which nothing moves any more.
  const times = drawn.sort((a, b) => a - b).slice(2, -8);
  // A frame is missed when the time of a whole one passes without any: each is drawn at some moment of its own time.
  const missed = times.slice(1).map((time, index) => Math.max(0, Math.floor(((time - times[index]) * 60) / 1000 + 0.1) - 1));
  return { frames: times.length, dropped: missed.reduce((sum, each) => sum + each, 0) };
}

/** Notes, whenever the outline has scrolled, how much of it is without rows before they are drawn. */
function watchGaps() {
  window.gaps = [];
  const box = document.querySelector('#outline-list');
  const note = () => {
    const tops = [...box.querySelectorAll('.node')].map((row) => Number.parseFloat(row.style.top));
    const missing = Math.max(Math.min(...tops) - box.scrollTop, box.scrollTop + box.clientHeight - Math.max(...tops) - 28);
    window.gaps.push(Math.round(missing));
  };
  box.addEventListener('scroll', note, { capture: true });
}

/** The number of rounds that are enough, which depends on whether one has held the limit. `ROUNDS` in the environment bounds all. */
function bound(held, rounds) {
  return held || process.env.ROUNDS ? rounds : MOST_ROUNDS;
}

function exampleFleet() {
  return readFile(resolve(ROOT, 'examples/modelplane/fleet.yaml'), 'utf8');
}

/** Models that want more memory than their pool has. */
async function fiftyModels(page) {
  await showText(page, 'options');
  await write(page, POOL);
  await showText(page, 'manifest');
  await write(page, models(50));
}

async function inFleet(page, number) {
  await fleet(page, clusters(number), deployment('kimi'));
  await showText(page, 'manifest');
  await view(page, 'result');
}

/** Puts the cursor behind a text of the manifest. */
async function putCursor(page, before) {
  await page.locator('#editor .cm-content').focus();
  await page.evaluate((before) => {
    const { view } = document.querySelector('#editor').shadowRoot.querySelector('.cm-content').cmTile;
    const text = view.state.doc.toString();
    const line = text.indexOf('\n', text.indexOf(before) + before.length);
    view.dispatch({ selection: { anchor: line }, scrollIntoView: true });
  }, before);
}

/** Types a letter and deletes it, again and again, as a fast typist would. Returns the time of each keystroke. */
async function keystrokes(page, number, what = 'drawn') {
  await page.evaluate(() => window.forget()); // keys that pasted a text count for nothing
  const millis = [];
  for (let index = 0; index < number; index++) {
    await page.keyboard.press(index % 2 === 0 ? 'x' : 'Backspace');
    millis.push(await page.evaluate((what) => window[what](), what));
    await page.waitForTimeout(80);
  }
  return millis;
}

/**
 * Defines functions on the page: `drawn`, the time from the event of the last key to the frame in which the result was drawn;
 * `fleetDrawn`, the time from the answer to the frame in which the fleet was drawn; `longest`, the longest task of the page
 * since the last call, or 0 when all took less than 50 ms.
 */
function measure() {
  let pressed;
  let answered;
  let last;
  document.querySelector('#editor').addEventListener('keydown', (event) => (last = pressed = event.timeStamp), { capture: true });
  window.sincePressed = () => performance.now() - last;
  // The page reads a message of its worker with listeners that come and go; this one is asked first.
  const { postMessage } = Worker.prototype;
  const known = new WeakSet();
  Worker.prototype.postMessage = function (...message) {
    if (!known.has(this)) {
      known.add(this);
      this.addEventListener('message', (event) => (answered = event.timeStamp));
    }
    return postMessage.apply(this, message);
  };
  const all = [];
  window.forget = () => {
    pressed = answered = undefined;
    all.forEach((taken) => taken.splice(0));
  };
  const watch = (element, since) => {
    const taken = [];
    all.push(taken);
    let settle;
    new MutationObserver(() => {
      const began = since();
      if (began !== undefined) {
        requestAnimationFrame(() => {
          taken.push(performance.now() - began);
          settle?.();
        });
      }
    }).observe(element, { childList: true, characterData: true, subtree: true });
    return async () => {
      if (taken.length === 0) {
        await new Promise((resolve, reject) => {
          settle = resolve;
          setTimeout(() => reject(new Error('what a key changes is not in sight')), 30_000);
        });
      }
      return taken.shift();
    };
  };
  window.drawn = watch(document.querySelector('#output').shadowRoot.querySelector('.cm-content'), () => {
    const began = pressed;
    pressed = undefined;
    return began;
  });
  window.fleetDrawn = watch(document.querySelector('#fleet-places'), () => {
    const began = answered;
    answered = undefined;
    return pressed === undefined ? undefined : began;
  });
  const tasks = [];
  const observer = new PerformanceObserver((list) => tasks.push(...list.getEntries()));
  observer.observe({ type: 'longtask' });
  window.longest = () => {
    tasks.push(...observer.takeRecords());
    return Math.round(Math.max(0, ...tasks.splice(0).map(({ duration }) => duration)));
  };
}

function percentiles(millis) {
  return { p50: at(millis, 0.5), p95: at(millis, 0.95) };
}

function at(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return Math.round((sorted[Math.ceil(sorted.length * share) - 1] ?? 0) * 10) / 10;
}
