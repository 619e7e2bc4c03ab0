/**
 * Weighs the built page, gzipped, and fails when it is over its budget. The component, and what loads only on demand, are
 * counted apart.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';

/** Without the component, whose size has a bound in `make bench`. */
const BUDGET_BYTES = 300_000;
const COMPONENT = /(?:^|\/)sailplane\.core/;
/** The transpiler, and the worker of components that are brought: loaded with the first such component. */
const ON_DEMAND = /(?:^|\/)(?:transpile-|brought-|js-component-bindgen-|__vite-browser-external)/;

const folder = process.argv[2] ?? '.';
const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
  .filter((name) => !/\.(?:br|gz)$/.test(name)) // copies for servers
  .map((name) => ({ name, bytes: gzipSync(readFileSync(join(folder, name)), { level: 9 }).length }))
  .sort((a, b) => b.bytes - a.bytes);

const always = files.filter(({ name }) => !ON_DEMAND.test(name) && !COMPONENT.test(name));
const onDemand = files.filter(({ name }) => ON_DEMAND.test(name));
const total = print('The page, gzipped', always);
print(
  'The component, gzipped',
  files.filter(({ name }) => COMPONENT.test(name)),
);
print('On demand, gzipped', onDemand);
if (total > BUDGET_BYTES) {
  console.error(`the page is ${kilobytes(total - BUDGET_BYTES)} over its budget of ${kilobytes(BUDGET_BYTES)}`);
  process.exit(1);
}

function print(title, weighed) {
  const total = weighed.reduce((sum, { bytes }) => sum + bytes, 0);
  console.log(`${title}: ${kilobytes(total)}`);
  for (const { name, bytes } of weighed) {
    console.log(`  ${kilobytes(bytes).padStart(10)}  ${name}`);
  }
  return total;
}

function kilobytes(bytes) {
  return `${(bytes / 1000).toFixed(1)} kB`;
}
