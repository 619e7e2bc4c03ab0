import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { instantiate } from '../src/contract.ts';
import type { Prepared } from '../src/engine/prepared.ts';
import type { Answer } from '../src/render/answer.ts';
import { requestOfManifest } from '../src/request.ts';
import { examplesOf, firstOf } from '../src/scenes.ts';
import { Previews } from '../src/workers/previews.ts';

/**
 * Asks a transpiled component for the examples that an empty page offers, and for the preview of each and of nothing, as the worker of
 * the page does. `folder` has its ES module `entry` and its core modules.
 */
export async function prepare(folder: string, entry: string): Promise<Prepared> {
  // With another query it is another module: a development server that starts anew may have another component.
  const address = `${pathToFileURL(join(folder, entry))}?${Date.now()}`;
  const component: { instantiate: typeof instantiate } = await import(address);
  const core = async (name: string) => WebAssembly.compile(new Uint8Array(await readFile(join(folder, name))));
  const module = await component.instantiate(core, {});
  const examples = firstOf(examplesOf(module.catalog.describe().kinds));
  const answerTo = (manifest: string): Answer => {
    // Each is asked first, so its answer leaves nothing out that the page would have from another one.
    const { families, diagnostics, places } = new Previews(module).of(requestOfManifest(manifest));
    return { families: families.flatMap((it) => ('again' in it ? [] : it)), diagnostics, places };
  };
  const manifests = ['', ...examples.map(({ text }) => text)];
  return { examples, answers: manifests.map((manifest) => ({ manifest, answer: answerTo(manifest) })) };
}
