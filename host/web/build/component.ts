import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';
import type { Prepared } from '../src/engine/prepared.ts';
import { transpile } from '../src/transpile/transpile.ts';
import { prepare } from './prepare.ts';

const CORE = /(?:^|\/)sailplane\.core[^/]*\.wasm$/;

/**
 * Transpiles the component in `file` to ES modules, core modules and type declarations in `folder`, and asks it for what the page
 * shows before it is there. The page imports them as `component/…`. The page begins to fetch the core modules while its script loads.
 */
export function component(file: string, folder: string): Plugin {
  return {
    name: 'component',
    async config() {
      const component = await readFile(file).catch(() => {
        throw new Error(`there is no component at ${file}; \`make web\` builds it`);
      });
      const { files, entry, core } = await transpile(component, 'sailplane');
      for (const [name, content] of files) {
        await mkdir(dirname(join(folder, name)), { recursive: true });
        await writeFile(join(folder, name), content);
      }
      await writeFile(join(folder, 'core.js'), addresses(core));
      await writeFile(join(folder, 'core.d.ts'), 'export const core: Record<string, string>;\n');
      const prepared = await prepare(folder, entry).catch((error): Prepared => {
        console.warn(`nothing is prepared for a first visit: ${error}`);
        return { examples: [], answers: [] }; // the page waits for the component
      });
      await writeFile(join(folder, 'prepared.js'), `export const prepared = ${JSON.stringify(prepared)};\n`);
      await writeFile(join(folder, 'prepared.d.ts'), 'export const prepared: unknown;\n');
    },
    transformIndexHtml: {
      order: 'post',
      handler: (_, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter((name) => CORE.test(name))
          .map((name) => ({
            tag: 'link',
            attrs: {
              rel: 'preload',
              // As `fetch` asks for it; otherwise it would be fetched twice.
              as: 'fetch',
              crossorigin: '',
              type: 'application/wasm',
              href: `./${name}`,
              // It is large: what is shown without it comes first.
              fetchpriority: 'low',
            },
            injectTo: 'head',
          })),
    },
  };
}

/** An ES module with the address of each core module, by name. */
function addresses(core: string[]): string {
  const imports = core.map((name, index) => `import address${index} from './${name}?url&no-inline';\n`);
  const entries = core.map((name, index) => `  '${name}': address${index},\n`);
  return `${imports.join('')}export const core = {\n${entries.join('')}};\n`;
}
