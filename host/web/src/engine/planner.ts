/** Plans, in workers of their own, so that no preview waits for one. Only the latest request counts. */

import type { PlanRequest } from '../contract.ts';
import type { Plan } from '../render/plan.ts';
import type { Module } from './module.ts';
import { Cancelled } from './spawn.ts';

export type PlanOutcome = { plan: Plan } | { why: string };

export class Planner {
  readonly #modules: () => Module[];
  readonly #apart = new Map<Module, Module>();
  #abort: AbortController | undefined;
  /** Ends when no call runs: a module takes one at a time. */
  #idle: Promise<unknown> = Promise.resolve();

  constructor(modules: () => Module[]) {
    this.#modules = modules;
  }

  /** Plans with all modules. Undefined when it was stopped. */
  async ask(request: PlanRequest): Promise<PlanOutcome | undefined> {
    this.stop();
    const abort = new AbortController();
    this.#abort = abort;
    const before = this.#idle;
    const asking = before.then(() => this.#all(request, abort.signal));
    this.#idle = asking;
    return asking;
  }

  /** Stops the plan that runs. */
  stop(): void {
    this.#abort?.abort();
    this.#abort = undefined;
  }

  async #all(plan: PlanRequest, signal: AbortSignal): Promise<PlanOutcome | undefined> {
    if (signal.aborted) {
      return undefined;
    }
    const modules = this.#modules();
    this.#release(modules);
    const asked = modules.map((module) => this.#own(module).ask({ ask: 'plan', plan }, signal));
    const answers = await Promise.allSettled(asked);
    const failed = answers.find((answer) => answer.status === 'rejected');
    if (!failed) {
      return { plan: joined(answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))) };
    }
    const { reason } = failed;
    return reason instanceof Cancelled ? undefined : { why: reason instanceof Error ? reason.message : String(reason) };
  }

  #own(module: Module): Module {
    const own = this.#apart.get(module) ?? module.apart();
    this.#apart.set(module, own);
    return own;
  }

  /** Ends the workers of modules that are not there any more. */
  #release(modules: Module[]): void {
    for (const [module, own] of this.#apart) {
      if (!modules.includes(module)) {
        own.end();
        this.#apart.delete(module);
      }
    }
  }
}

/** What all modules plan. Each reads all texts, so what is wrong is said once. */
function joined(plans: Plan[]): Plan {
  return {
    subjects: plans.flatMap(({ subjects }) => subjects),
    stock: plans.flatMap(({ stock }) => stock),
    problems: [...new Set(plans.flatMap(({ problems }) => problems))],
  };
}
