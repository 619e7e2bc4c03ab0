/**
 * A static file server, which sends the compressed copies of files as `sailplane preview` does. It sends no policy header, so the
 * policy in the page itself is tested.
 */

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';

const TYPES = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

const COPIES = { br: '.br', gzip: '.gz' };

/** Serves a folder on a free port of the loopback interface. */
export async function serve(folder) {
  const server = createServer(async (request, response) => {
    const path = normalize(new URL(request.url, 'http://server').pathname);
    try {
      const file = path.endsWith('/') ? join(folder, path, 'index.html') : join(folder, path);
      const { content, coding } = await copy(file, request.headers['accept-encoding'] ?? '');
      const type = { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' };
      response.writeHead(200, { ...type, ...(coding && { 'content-encoding': coding }) }).end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** The content of a file, in the first of its copies that is accepted. */
async function copy(file, accepted) {
  for (const [coding, ending] of Object.entries(COPIES)) {
    const content = accepted.includes(coding) ? await readFile(file + ending).catch(() => undefined) : undefined;
    if (content) {
      return { content, coding };
    }
  }
  return { content: await readFile(file) };
}
