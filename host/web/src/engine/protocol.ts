/** The messages between the page and the worker of a module. */

import type { Contents, Request } from '../contract.ts';
import type { PartialAnswer } from '../render/answer.ts';

/** The first message: the compiled core modules of the module, by name. */
export interface Start {
  core: Record<string, WebAssembly.Module>;
}

/** A call. Its reply has the same number. */
export type Call = { id: number } & Question;

/**
 * The calls. `same` has the indices of sources whose text is that of the preview before: it is not sent again. `door` is for
 * tests: a function of any door, with the answer in jco's form.
 */
export type Question =
  | { ask: 'describe' }
  | { ask: 'preview'; request: Request; same?: number[] }
  | { ask: 'door'; interface: string; function: string; arguments: unknown[] };

/** The answer to each call. */
export interface Answers {
  describe: Contents;
  preview: PartialAnswer;
  door: unknown;
}

export type Reply = { id: number } & ({ answer: unknown } | { failure: string });

/** The reply to the first message: the worker is ready for calls, or why not. */
export type Started = { started: true } | { started: false; failure: string };
