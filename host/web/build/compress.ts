import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const TEXTS_AND_CODE = /\.(?:css|html|js|svg|wasm)$/;
/** A smaller file fits into the first packets as it is. */
const LEAST_BYTES = 1_000;

/** Writes a copy in Brotli (`.br`) and one in gzip (`.gz`) beside each file of the page, for servers that send such copies. */
export function compress(): Plugin {
  let folder = '';
  return {
    name: 'compress',
    apply: (_, { command }) => command === 'build' && process.env['QUICK'] === undefined,
    configResolved({ build }) {
      folder = build.outDir;
    },
    async closeBundle() {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile() && TEXTS_AND_CODE.test(entry.name));
      await Promise.all(files.map((entry) => copies(join(entry.parentPath, entry.name))));
    },
  };
}

async function copies(file: string): Promise<void> {
  const content = await readFile(file);
  if (content.length < LEAST_BYTES) {
    return;
  }
  const sized = { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }; // its default quality is the best
  await writeFile(`${file}.br`, await promisify(brotliCompress)(content, sized));
  await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }));
}
