import { $init, generate } from '@bytecodealliance/jco-transpile/component';
import { limitMemory } from './limit-memory.ts';

/** Most memory a core module may take: what the host of the command line allows too. */
const MEMORY_BYTES = 1 << 30;

/** A component as what a JavaScript engine runs. */
export interface Transpiled {
  /** Every file by name: one ES module, core modules, type declarations. */
  files: [name: string, content: Uint8Array][];
  /** Name of the ES module; it exports `instantiate`. */
  entry: string;
  /** Names of the core modules. */
  core: string[];
}

/**
 * Transpiles a component of the world `composition-module`. The page's build and the page itself (for components that
 * people bring) both come here, so that what is brought runs as what is built in does.
 *
 * Fails when the bytes are no component, and when it imports anything or lacks a door.
 */
export async function transpile(component: Uint8Array, name: string): Promise<Transpiled> {
  refuseOthers(component);
  await $init;
  const { files, imports, exports } = generate(component, {
    name,
    instantiation: { tag: 'async' },
    noNodejsCompat: true,
    base64Cutoff: 0, // core modules stay files, which the page's policy asks for
  });
  if (imports.length > 0) {
    throw new Error(`it imports ${imports.join(', ')}; a composition module imports nothing`);
  }
  for (const door of ['catalog', 'preview']) {
    if (!exports.some(([exported]) => exported === `sailplane:composition/${door}@0.1.0`)) {
      throw new Error(`it has no \`sailplane:composition/${door}@0.1.0\`: it is a component of another world`);
    }
  }
  const core = files.map(([file]) => file).filter((file) => file.endsWith('.wasm'));
  const entry = `${name}.js`;
  const finished = files.map(([file, content]): [string, Uint8Array] => {
    if (file === entry) {
      return [file, withoutFetching(content)];
    }
    return [file, core.includes(file) ? limitMemory(content, MEMORY_BYTES) : content];
  });
  return { files: finished, entry, core };
}

/** Takes out the default way to load core modules, by their address: they are always handed in. */
function withoutFetching(script: Uint8Array): Uint8Array {
  const text = new TextDecoder().decode(script);
  return new TextEncoder().encode(text.replace(/^.*\bfetchCompile\(new URL\(.*$/m, ''));
}

/** Says what a file is when it is no component, before the transpiler says it in its own words. */
function refuseOthers(bytes: Uint8Array): void {
  const [magic, layer] = [bytes.subarray(0, 4), bytes[6]];
  if (String.fromCharCode(...magic) !== '\0asm') {
    throw new Error('it is not WebAssembly');
  }
  if (layer !== 1) {
    throw new Error('it is a core module, not a component; `wasm-tools component new` makes one of it');
  }
}
