/** What the page and a module's worker say to each other. */

import type { Contents, Request } from '../contract.ts';
import type { PartialAnswer } from '../render/answer.ts';

/** The first message: the module's compiled core modules, by name. */
export interface Start {
  core: Record<string, WebAssembly.Module>;
}

/** A call, numbered so that its reply is told from others'. */
export type Call = { id: number } & Question;

/** What can be asked. `door` is for tests: any door of the contract, answered as jco does. */
export type Question =
  | { ask: 'describe' }
  | { ask: 'preview'; request: Request }
  | { ask: 'door'; interface: string; function: string; arguments: unknown[] };

/** What is answered, by what was asked. */
export interface Answers {
  describe: Contents;
  preview: PartialAnswer;
  door: unknown;
}

export type Reply = { id: number } & ({ answer: unknown } | { failure: string });

/** What the worker says when it is ready for calls, or why it never will be. */
export type Started = { started: true } | { started: false; failure: string };
