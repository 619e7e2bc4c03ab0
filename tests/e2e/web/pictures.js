/** Takes the pictures in `docs/images`, each with a palette of its own 256 colours. */

import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT, start, status, write } from './lib/browser.js';
import { STATES, view } from './lib/states.js';

const MOST_BYTES = 150_000;
const WIDE = { width: 1200, height: 750 };
const NARROW = { width: 360, height: 640 };

const PICTURES = {
  example: {
    ...WIDE,
    colours: 'light',
    reach: async (page) => {
      await STATES.example(page);
      const line = page.locator('#output .cm-line', { hasText: 'tensorParallelSize: 8' });
      await page.locator('#output .cm-scroller').evaluate((scroller) => scroller.scrollTo(0, 1e6));
      await line.locator('span').first().hover();
      await page.locator('#output .why-tip').waitFor();
    },
  },
  problems: {
    ...WIDE,
    colours: 'dark',
    reach: async (page) => {
      await STATES.errors(page);
      await page.locator('#editor .cm-lintRange-error', { hasText: 'gpus' }).hover();
      await page.locator('#editor .cm-diagnosticAction').waitFor();
    },
  },
  why: { ...WIDE, colours: 'light', reach: STATES.why },
  fleet: {
    ...WIDE,
    colours: 'light',
    reach: async (page) => {
      await write(page, await readFile(join(ROOT, 'examples/modelplane/fleet.yaml'), 'utf8'));
      await status(page, 'objects', 60_000);
      await page.locator('#tab-fleet').waitFor({ timeout: 60_000 }); // more documents may follow
      await view(page, 'fleet');
      await page.locator('.fleet-link', { hasText: 'code/coder' }).click();
      await page.locator('.fleet-chips button', { hasText: 'text' }).click();
    },
  },
  phone: {
    ...NARROW,
    colours: 'light',
    scale: 'css',
    reach: async (page) => {
      await STATES.example(page);
      await view(page, 'outline');
    },
  },
};

const app = await start({ deviceScaleFactor: 1.5 });
for (const [name, { reach, scale, ...options }] of Object.entries(PICTURES)) {
  const page = await app.open(options);
  await STATES.example(page); // the first answer takes longer than later ones
  await reach(page);
  await page.waitForTimeout(300);
  const taken = join(ROOT, `target/web/${name}.png`);
  await page.screenshot({ path: taken, scale });
  const picture = join(ROOT, `docs/images/preview-${name}.png`);
  await promisify(execFile)('pngquant', ['--speed=1', '--strip', '--force', '--output', picture, taken]);
  const { size } = await stat(picture);
  console.log(`${picture}: ${Math.round(size / 1000)} kB`);
  if (size > MOST_BYTES) {
    throw new Error(`${picture} has more than ${MOST_BYTES} bytes`);
  }
  await page.close();
}
await app.stop();
