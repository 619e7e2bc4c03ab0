import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';
import { transpile } from '../src/transpile/transpile.ts';

const CORE = /(?:^|\/)sailplane\.core[^/]*\.wasm$/;

/**
 * Transpiles the component in `file` to ES modules, core modules and type declarations in `folder`. The page imports
 * them as `component/…`. The page fetches the core modules while its script loads.
 */
export function component(file: string, folder: string): Plugin {
  return {
    name: 'component',
    async config() {
      const component = await readFile(file).catch(() => {
        throw new Error(`there is no component at ${file}; \`make web\` builds it`);
      });
      const { files, core } = await transpile(component, 'sailplane');
      for (const [name, content] of files) {
        await mkdir(dirname(join(folder, name)), { recursive: true });
        await writeFile(join(folder, name), content);
      }
      await writeFile(join(folder, 'core.js'), addresses(core));
      await writeFile(join(folder, 'core.d.ts'), 'export const core: Record<string, string>;\n');
    },
    transformIndexHtml: {
      order: 'post',
      handler: (_, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter((name) => CORE.test(name))
          .map((name) => ({
            tag: 'link',
            // As `fetch` asks for it; otherwise it would be fetched twice.
            attrs: { rel: 'preload', as: 'fetch', type: 'application/wasm', href: `./${name}`, crossorigin: '' },
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
