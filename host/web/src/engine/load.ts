/** Loads modules. */

import { core } from 'component/core.js';
import type { Transpiled } from '../transpile/transpile.ts';
import brought from '../workers/brought.ts?worker&url';
import builtin from '../workers/builtin.ts?worker&url';
import transpiler from '../workers/transpile.ts?worker&url';
import { Module, type ModuleCode } from './module.ts';
import { nextMessage, spawn } from './spawn.ts';

/** The deadline for transpiling, including the download of the transpiler over a slow connection. */
const TRANSPILE_MILLIS = 120_000;

/** Loads the component that is built into the page, and the script of its worker beside it. */
export function loadBuiltIn(early: (module: Module) => Promise<void>): Promise<Module> {
  const compiling = Object.entries(core).map(async ([name, address]) => [name, await compiled(address)] as const);
  return Module.load('built in', { script: builtin, core: together(compiling) }, early);
}

/** Loads a component of the user from the bytes of its file. */
export async function loadBrought(name: string, bytes: Uint8Array): Promise<Module> {
  const { files, entry, core } = await transpiled(bytes);
  const content = new Map(files);
  const compiling = core.map(async (file) => [file, await WebAssembly.compile(bytesOf(content, file))] as const);
  const code = `${new TextDecoder().decode(bytesOf(content, entry))}\nself.serveSailplaneModule({ instantiate });\n`;
  return Module.load(name, { script: brought, code, core: together(compiling) });
}

/** The core modules by name. Who waits for them gets the error, if there is one. */
function together(compiling: Promise<readonly [string, WebAssembly.Module]>[]): ModuleCode['core'] {
  const all = Promise.all(compiling).then((modules) => Object.fromEntries(modules));
  all.catch(() => {});
  return all;
}

async function transpiled(bytes: Uint8Array): Promise<Transpiled> {
  const worker = spawn(transpiler);
  try {
    await nextMessage(worker, TRANSPILE_MILLIS);
    worker.postMessage(bytes);
    const reply = await nextMessage<{ transpiled: Transpiled } | { failure: string }>(worker, TRANSPILE_MILLIS);
    if ('failure' in reply) {
      throw new Error(reply.failure);
    }
    return reply.transpiled;
  } finally {
    worker.terminate();
  }
}

async function compiled(address: string): Promise<WebAssembly.Module> {
  const response = await fetch(address);
  if (!response.ok) {
    throw new Error(`${address} could not be loaded: ${response.status} ${response.statusText}`);
  }
  // Streaming needs a content type that some file servers do not know.
  return response.headers.get('content-type') === 'application/wasm'
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer());
}

function bytesOf(files: Map<string, Uint8Array>, name: string): Uint8Array<ArrayBuffer> {
  const found = files.get(name);
  if (!found) {
    throw new Error(`the transpiler made no ${name}`);
  }
  return found as Uint8Array<ArrayBuffer>;
}
