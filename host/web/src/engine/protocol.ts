/** The messages between the page and the worker of a module. */

import type { Contents, Diagnostic, PlanRequest, Request } from '../contract.ts';
import type { Plan } from '../render/plan.ts';
import type { Sent } from '../workers/previews.ts';

/** The first message: the compiled core modules of the module, by name. */
export interface Start {
  core: Record<string, WebAssembly.Module>;
}

/** A call. Its reply has the same number. */
export type Call = { id: number } & Question;

/**
 * The calls. `check` gives the diagnostics of the preview before, with a check of the whole text. `same` has the indices of sources whose text is that of the preview before: it is not sent again. `plan` is
 * asked of a worker that does nothing else. `door` is for tests: a function of any door, with the answer in jco's form.
 */
export type Question =
  | { ask: 'describe' }
  | { ask: 'preview'; request: Request; same?: number[] }
  | { ask: 'check'; request: Request; same?: number[] }
  | { ask: 'plan'; plan: PlanRequest }
  | { ask: 'door'; interface: string; function: string; arguments: unknown[] };

/** The answer to each call. */
export interface Answers {
  describe: Contents;
  preview: Sent;
  check: Diagnostic[];
  plan: Plan;
  door: unknown;
}

/** `held`: the bytes of memory that the component has taken. */
export type Reply = { id: number } & ({ answer: unknown; held: number } | { failure: string });

/** The reply to the first message: the worker is ready for calls, or why not. */
export type Started = { started: true } | { started: false; failure: string };
