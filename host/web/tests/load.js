/** Loads modules of the page into node, so that what needs no browser is tested without one. */

import { resolve } from 'node:path';
import { createServer } from 'vite';

/** Loads modules by their path below `src`. */
export async function load(...paths) {
  const server = await createServer({
    configFile: false,
    root: resolve(import.meta.dirname, '..'),
    logLevel: 'error',
    appType: 'custom',
    server: { middlewareMode: true, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  });
  const modules = await Promise.all(paths.map((path) => server.ssrLoadModule(`/src/${path}`)));
  await server.close();
  return Object.assign({}, ...modules);
}
