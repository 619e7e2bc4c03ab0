/** Previews with all loaded modules. Only the latest request counts. */

import { type Diagnostic, type Entry, type KindRef, kindKey, type Request } from '../contract.ts';
import type { Answer } from '../render/answer.ts';
import { moduleKinds, type Part, passOn } from './cascade.ts';
import { merge } from './merge.ts';
import type { Module } from './module.ts';
import { Cancelled } from './spawn.ts';

/**
 * How long a call may continue when its answer is not needed any more. Most calls end earlier, and a new worker costs
 * more.
 */
const STALE_MILLIS = 250;

/** How long after an answer the whole text is checked, if nobody types. */
const PAUSE_MILLIS = 250;

/** Rounds after which a cascade ends, even when modules still compose new objects for one another. */
const MAX_ROUNDS = 16;

/** The outcome of a preview. */
export interface Outcome<T> {
  /** The data of the caller that was in the request. */
  asked: T;
  answer: Answer;
  /** The modules without an answer, and why. */
  failures: { module: string; why: string }[];
  /** The duration in milliseconds. Undefined when the answer was prepared. */
  millis: number | undefined;
  /** Whether further documents follow. */
  unfinished: boolean;
}

/** A request, and data of the caller that the outcome returns. */
export interface Asked<T> {
  request: Request;
  about: T;
}

export class Engine<T> {
  modules: Module[] = [];
  readonly #done: (outcome: Outcome<T>) => void;
  #next: Asked<T> | undefined;
  #running: { since: number; abort: AbortController } | undefined;
  #pause: ReturnType<typeof setTimeout> | undefined;

  /** `done` gets the outcome of every request, unless there was a later request. */
  constructor(done: (outcome: Outcome<T>) => void) {
    this.#done = done;
  }

  /** Adds a module. It replaces a module with the same name, and serves the kinds that earlier modules have too. */
  add(module: Module): void {
    this.remove(module.name);
    this.modules = [...this.modules, module];
  }

  remove(name: string): void {
    this.modules.find((module) => module.name === name)?.end();
    this.modules = this.modules.filter((module) => module.name !== name);
  }

  /** All kinds, each from the last module that has it. */
  get kinds(): Entry[] {
    const kinds = this.modules.flatMap((module) => module.contents.kinds);
    return [...new Map(kinds.map((entry) => [kindKey(entry.kind), entry])).values()];
  }

  /** Starts a preview. Earlier requests without an answer are dropped. */
  preview(asked: Asked<T>): void {
    this.#next = asked;
    clearTimeout(this.#pause);
    const running = this.#running;
    if (!running) {
      this.#run();
      return;
    }
    const left = running.since + STALE_MILLIS - performance.now();
    if (Number.isFinite(left)) {
      setTimeout(() => running.abort.abort(), Math.max(0, left));
    }
  }

  /** Stops the preview that runs. Its outcome says so. */
  stop(): void {
    this.#running?.abort.abort();
  }

  async #run(): Promise<void> {
    const asked = this.#next;
    if (!asked) {
      return;
    }
    this.#next = undefined;
    const since = performance.now();
    const abort = new AbortController();
    this.#running = { since, abort };
    const { parts, settled } = await cascade(this.modules, asked.request, abort.signal);
    this.#running = undefined;
    if (!this.#next) {
      const route = (kind: KindRef) =>
        this.modules.findLastIndex(({ contents }) => contents.kinds.some((has) => kindKey(has.kind) === kindKey(kind)));
      const merged = merge(asked.request.sources, parts, route);
      if (!settled) {
        merged.answer.diagnostics.push(unsettled());
      }
      const all = parts.flatMap((part) => ('answer' in part ? part.answer : []));
      const unfinished = all.some((answer) => answer.unfinished);
      const outcome = { asked: asked.about, ...merged, millis: performance.now() - since, unfinished };
      this.#done(outcome);
      if (unfinished) {
        this.#next ??= asked;
      } else if (this.modules.length === 1 && all.some(({ unchecked }) => unchecked)) {
        this.#pause = setTimeout(() => this.#check(asked, outcome), PAUSE_MILLIS);
      }
    }
    this.#run();
  }

  /** Checks the whole text, when only the documents that changed were checked, and nobody types. */
  async #check({ request }: Asked<T>, outcome: Outcome<T>): Promise<void> {
    const [module] = this.modules;
    if (!module || this.#running) {
      return;
    }
    this.#running = { since: Number.POSITIVE_INFINITY, abort: new AbortController() }; // it is soon over
    try {
      const diagnostics = await module.ask({ ask: 'check', request });
      this.#running = undefined;
      if (!this.#next) {
        this.#done({ ...outcome, answer: { ...outcome.answer, diagnostics } });
      }
    } catch {
      this.#running = undefined; // the next preview starts the module again, and says what is wrong with it
    }
    this.#run();
  }
}

/** Calls all modules, and then again those that need objects of others, until nothing changes. */
async function cascade(
  modules: Module[],
  request: Request,
  signal: AbortSignal,
): Promise<{ parts: Part[]; settled: boolean }> {
  const kinds = moduleKinds(modules.map(({ contents }) => contents));
  const ask = (index: number, given: string[]) => {
    const foreignKinds = kinds[index]?.foreign ?? [];
    return part(modules[index] as Module, { ...request, foreignKinds, foreignObjects: given }, signal);
  };
  let given = modules.map((): string[] => []);
  const parts = await Promise.all(modules.map((_, index) => ask(index, [])));
  for (let round = 1; round < MAX_ROUNDS && modules.length > 1 && !signal.aborted; round++) {
    const next = passOn(kinds, parts);
    const due = next.flatMap((objects, index) => (equal(objects, given[index] ?? []) ? [] : [index]));
    if (due.length === 0) {
      return { parts, settled: true };
    }
    given = next;
    const answers = await Promise.all(due.map((index) => ask(index, next[index] ?? [])));
    due.forEach((index, at) => {
      parts[index] = answers[at] as Part;
    });
  }
  return { parts, settled: modules.length < 2 };
}

function equal(some: string[], others: string[]): boolean {
  return some.length === others.length && some.every((one, index) => one === others[index]);
}

function unsettled(): Diagnostic {
  const message = `what modules compose for one another still changes after ${MAX_ROUNDS} rounds`;
  return { gravity: 'warning', problem: { path: '', code: 'invalid', message } };
}

async function part(module: Module, request: Request, signal: AbortSignal): Promise<Part> {
  try {
    const answer = await module.preview(request, signal);
    return { module: module.name, answer, given: request.foreignObjects };
  } catch (error) {
    const why = error instanceof Cancelled ? 'it was stopped' : error instanceof Error ? error.message : String(error);
    return { module: module.name, why };
  }
}
