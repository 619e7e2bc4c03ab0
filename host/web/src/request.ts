/** Makes a request of the contract from the texts. */

import {
  type Change,
  type Entry,
  kindKey,
  type Pipeline,
  type PlanRequest,
  type Request,
  type Source,
} from './contract.ts';
import { SOURCES } from './editor/problems.ts';
import { TEXTS, type TextName } from './editor/texts.ts';

/** The name of the step that gets the options. The command line uses the same. */
const ONLY_STEP = 'sailplane';

/** What a preview depends on beside the texts. */
export interface Circumstances {
  /** The time in seconds since 1970. */
  now: bigint | undefined;
  /** Whether what is composed counts as observed and ready. */
  settled: boolean;
}

/** A request to preview the whole cascade of the texts. */
export function requestOf(text: (name: TextName) => string, kinds: Entry[], { now, settled }: Circumstances): Request {
  return {
    sources: SOURCES.map(
      (name): Source => ({ name: TEXTS[name].file, role: TEXTS[name].role ?? 'subject', text: text(name) }),
    ),
    pipelines: pipelines(text('options'), kinds),
    context: [],
    cascade: true,
    settled,
    explain: true,
    ...(now !== undefined && { now }),
    foreignKinds: [], // the engine adds them
    foreignObjects: [],
    foreignInputs: [], // the options are an input of the kinds themselves
    foreignSteps: [],
  };
}

/** The same of a manifest alone, without a time and as it is. */
export function requestOfManifest(manifest: string): Request {
  return requestOf((name) => (name === 'manifest' ? manifest : ''), [], { now: undefined, settled: false });
}

/** A request to plan with all texts. Their roles do not matter. */
export function planRequestOf(text: (name: TextName) => string, changes: Change[]): PlanRequest {
  const filled = SOURCES.filter((name) => text(name).trim() !== '');
  const options = text('options');
  return {
    sources: filled.map((name): Source => ({ name: TEXTS[name].file, role: 'subject', text: text(name) })),
    ...(options.trim() !== '' && { input: options }),
    changes,
  };
}

/** A pipeline with the options for every kind, when there are options. They are sorted, as the contract requires. */
function pipelines(options: string, kinds: Entry[]): Pipeline[] {
  if (options.trim() === '') {
    return [];
  }
  const input = { name: TEXTS.options.file, text: options, document: 0, path: '' };
  const all = kinds.map(({ kind }): Pipeline => ({ kind, steps: [{ name: ONLY_STEP, input, credentials: [] }] }));
  return all.sort((a, b) => (kindKey(a.kind) < kindKey(b.kind) ? -1 : 1));
}
