/** Takes pictures of states of the page at the widths that people have, to be looked at: `node look.js [STATE…]`. */

import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ROOT, start } from './lib/browser.js';
import { STATES, view } from './lib/states.js';

const FOLDER = resolve(ROOT, 'target/web/look');
const SIZES = [[390, 844], [768, 1024], [1280, 800], [2560, 1440]];

await mkdir(FOLDER, { recursive: true });
const app = await start();
const names = process.argv.slice(2);
for (const [name, reach] of Object.entries(STATES).filter(([name]) => names.length === 0 || names.includes(name))) {
  for (const [width, height] of SIZES) {
    for (const colours of ['light', 'dark']) {
      const page = await app.open({ width, height, colours });
      await reach(page);
      if (width < 500 && ['example', 'large'].includes(name)) {
        await view(page, 'result');
      }
      await page.waitForTimeout(200);
      await page.screenshot({ path: `${FOLDER}/${name}-${width}-${colours}.png` });
      await page.close();
    }
  }
  console.log(name);
}
await app.stop();
