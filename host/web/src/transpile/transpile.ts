import { $init, generate } from '@bytecodealliance/jco-transpile/component';
import { limitMemory } from './limit-memory.ts';

/** The largest memory of a core module. The command line has the same limit. */
const MEMORY_BYTES = 1 << 30;

/** A component in the form that JavaScript engines run. */
export interface Transpiled {
  /** All files by name: one ES module, core modules, type declarations. */
  files: [name: string, content: Uint8Array][];
  /** The name of the ES module, which exports `instantiate`. */
  entry: string;
  /** The names of the core modules. */
  core: string[];
}

/**
 * Transpiles a component of the world `composition-module`. The build uses it for the built-in component and the page
 * for components of users, so both run in the same way.
 *
 * Fails when the bytes are no component, when the component imports anything, and when it lacks a door.
 */
export async function transpile(component: Uint8Array, name: string): Promise<Transpiled> {
  refuseOthers(component);
  await $init;
  const { files, imports, exports } = generate(component, {
    name,
    instantiation: { tag: 'async' },
    noNodejsCompat: true,
    base64Cutoff: 0, // core modules stay files, as the content security policy requires
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

/** Removes the default code that fetches core modules: the caller always passes them. */
function withoutFetching(script: Uint8Array): Uint8Array {
  const text = new TextDecoder().decode(script);
  return new TextEncoder().encode(text.replace(/^.*\bfetchCompile\(new URL\(.*$/m, ''));
}

/** Refuses files that are no component, with a clearer message than the transpiler's. */
function refuseOthers(bytes: Uint8Array): void {
  const [magic, layer] = [bytes.subarray(0, 4), bytes[6]];
  if (String.fromCharCode(...magic) !== '\0asm') {
    throw new Error('it is not WebAssembly');
  }
  if (layer !== 1) {
    throw new Error('it is a core module, not a component; `wasm-tools component new` makes one of it');
  }
}
