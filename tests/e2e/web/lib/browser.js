/** The page in Debian's Chromium. Tests see what it requests, what its policy refuses, and what it logs. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, beforeEach } from 'node:test';
import { chromium } from 'playwright-core';
import { serve } from './server.js';

export const ROOT = resolve(import.meta.dirname, '../../../..');
export const BUILT = resolve(ROOT, process.env.PREVIEW ?? 'target/web/dist');

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * Starts server and browser for a test file. With `PREVIEW_URL`, the page at that URL is tested, e.g. one served by
 * `sailplane preview`.
 */
export async function start({ deviceScaleFactor = 1 } = {}) {
  const server = process.env.PREVIEW_URL ? undefined : await serve(BUILT);
  const profile = await mkdtemp(join(tmpdir(), 'preview-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: FLAGS,
    headless: true,
    viewport: { width: 1440, height: 900 },
    deviceScaleFactor,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const origin = process.env.PREVIEW_URL ?? server.origin;
  return {
    origin,
    context,
    open: (options = {}) => open(context, origin, options),
    async stop() {
      await context.close();
      await server?.close();
      await rm(profile, { recursive: true, force: true });
    },
  };
}

/** Opens a new page for each test of a file, and passes it to `take`. */
export function eachTest(take) {
  let app;
  let page;
  before(async () => {
    app = await start();
  });
  beforeEach(async () => {
    await page?.close();
    page = await app.open();
    take(page);
  });
  after(() => app.stop());
}

/** Opens the page, and waits until the component runs, unless an option says otherwise. */
async function open(context, origin, { path = '/', width = 1440, height = 900, colours = 'light', ready = true } = {}) {
  const page = await context.newPage();
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme: colours, reducedMotion: 'reduce' });
  const seen = { requests: [], refused: [], errors: [] };
  page.on('request', (request) => seen.requests.push(request.url()));
  page.on('worker', (worker) => worker.on?.('console', (message) => seen.errors.push(message.text())));
  page.on('console', (message) => {
    if (message.type() === 'error') {
      seen.errors.push(message.text());
    }
  });
  page.on('pageerror', (error) => seen.errors.push(String(error)));
  await page.exposeFunction('refusedByPolicy', (what) => seen.refused.push(what));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) =>
      window.refusedByPolicy(`${event.effectiveDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`),
    );
  });
  await page.goto(origin + path);
  if (ready) {
    await page.locator('#status-text', { hasNotText: 'Loading' }).waitFor({ state: 'attached' }); // on a narrow screen another pane is shown
  }
  return Object.assign(page, { seen });
}

/** Replaces the text in the visible editor by pasting. On a narrow screen the editor is shown first. */
export async function write(page, text) {
  const texts = page.locator('#bottom [data-view=texts]');
  if (await texts.isVisible()) {
    await texts.click();
  }
  await page.locator('#editor .cm-content').focus();
  await page.evaluate((text) => navigator.clipboard.writeText(text), text);
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+v');
}

/** The text of the visible editor, or of the result, which is in `#output`. */
export function written(page, host = '#editor') {
  return page.evaluate((host) => {
    const content = document.querySelector(host).shadowRoot.querySelector('.cm-content');
    return content.cmTile?.view.state.doc.toString() ?? content.cmView.rootView.view.state.doc.toString();
  }, host);
}

/** Waits until the status line has the expected text. The component may have to be loaded first. */
export function status(page, text, timeout = 30_000) {
  return page.locator('#status-text', { hasText: text }).waitFor({ state: 'attached', timeout });
}

/** Loads the example with this name, by the menu. */
export async function useExample(page, name) {
  await page.locator('#do-examples').click();
  await page.locator('.menu [role=menuitem]', { hasText: `${name}.yaml` }).click();
  await page.locator('#status-text', { hasText: /object|error/ }).waitFor({ state: 'attached' });
  await page.locator('#output .cm-content', { hasText: '# ' }).waitFor({ state: 'attached' });
}
