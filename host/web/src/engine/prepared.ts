/**
 * What the built-in component says to a first visit. It was asked when the page was built, because the component itself takes seconds
 * to arrive over a slow connection.
 */

import type { Request } from '../contract.ts';
import { isEqual } from '../equal.ts';
import type { Answer } from '../render/answer.ts';
import { requestOfManifest } from '../request.ts';
import type { Example } from '../state.ts';

/** What was prepared: examples to begin with, and the answers to manifests, without any other text. */
export interface Prepared {
  examples: Example[];
  answers: { manifest: string; answer: Answer }[];
}

/** Loads it. It is in a file of its own, since most visits do not need it. */
export async function loadPrepared(): Promise<Prepared> {
  const { prepared } = await import('component/prepared.js');
  return prepared as Prepared;
}

/** The answer to a request; undefined when it was not prepared. */
export function preparedAnswer({ answers }: Prepared, request: Request): Answer | undefined {
  return answers.find(({ manifest }) => isEqual(requestOfManifest(manifest), request))?.answer;
}
