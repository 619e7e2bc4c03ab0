/** The texts as a request of the contract. */

import { type Entry, kindKey, type Pipeline, type Request, type Source } from './contract.ts';
import { SOURCES } from './editor/problems.ts';
import { TEXTS, type TextName } from './editor/texts.ts';

/** The step that the options are for, as the command line names it. */
const ONLY_STEP = 'sailplane';

/** A preview of the whole cascade of what the texts hold, at a time in seconds since 1970. */
export function requestOf(text: (name: TextName) => string, kinds: Entry[], now: bigint | undefined): Request {
  return {
    sources: SOURCES.map(
      (name): Source => ({ name: TEXTS[name].file, role: TEXTS[name].role ?? 'subject', text: text(name) }),
    ),
    pipelines: pipelines(text('options'), kinds),
    context: [],
    cascade: true,
    ...(now !== undefined && { now }),
    foreignKinds: [], // which the engine knows
    foreignObjects: [],
  };
}

/** Every kind composed with the options, when there are any. Pipelines are sorted, as the contract asks. */
function pipelines(options: string, kinds: Entry[]): Pipeline[] {
  if (options.trim() === '') {
    return [];
  }
  const input = { name: TEXTS.options.file, text: options, document: 0, path: '' };
  const all = kinds.map(({ kind }): Pipeline => ({ kind, steps: [{ name: ONLY_STEP, input, credentials: [] }] }));
  return all.sort((a, b) => (kindKey(a.kind) < kindKey(b.kind) ? -1 : 1));
}
