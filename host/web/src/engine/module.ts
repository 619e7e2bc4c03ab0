import type { Contents } from '../contract.ts';
import type { Answers, Question, Reply, Started } from './protocol.ts';
import { Cancelled, nextMessage, spawn } from './spawn.ts';

/** Longest that a call may take. */
const CALL_MILLIS = 5_000;
/** Longest that a worker may take to start, on a slow machine and connection. */
const START_MILLIS = 60_000;

/** What a module is made of. */
export interface Made {
  /** Address of the worker's script. */
  script: string;
  /** Code that follows it. */
  code?: string;
  core: Record<string, WebAssembly.Module>;
}

/**
 * A composition module in a worker of its own. Calls come one at a time. Whatever goes wrong in one ends the worker, and
 * the next call starts a fresh one: nothing a call does can outlive it.
 */
export class Module {
  readonly name: string;
  readonly contents: Contents;
  readonly #made: Made;
  #worker: Promise<Worker> | undefined;
  #calls = 0;

  /** Starts a module and asks it what it can do. */
  static async load(name: string, made: Made): Promise<Module> {
    const asking = new Module(name, made, { name, version: '', kinds: [], inputs: [] });
    const contents = await asking.ask({ ask: 'describe' });
    const module = new Module(name, made, contents);
    module.#worker = asking.#worker;
    return module;
  }

  private constructor(name: string, made: Made, contents: Contents) {
    this.name = name;
    this.#made = made;
    this.contents = contents;
  }

  /** Asks something. Fails with words for people, or with `Cancelled`. */
  async ask<Q extends Question>(question: Q, signal?: AbortSignal): Promise<Answers[Q['ask']]> {
    this.#worker ??= started(this.#made);
    try {
      const worker = await this.#worker;
      const id = ++this.#calls;
      worker.postMessage({ ...question, id });
      const reply = await nextMessage<Reply>(worker, CALL_MILLIS, signal);
      if ('failure' in reply) {
        throw new Error(`it stopped: ${reply.failure}`);
      }
      return reply.answer as Answers[Q['ask']];
    } catch (error) {
      this.end();
      if (error instanceof Cancelled) {
        this.#worker = started(this.#made); // the next call follows at once
        this.#worker.catch(() => {}); // it says so itself
      }
      throw error;
    }
  }

  /** Ends its worker. A later call starts it again. */
  end(): void {
    this.#worker?.then(
      (worker) => worker.terminate(),
      () => {},
    );
    this.#worker = undefined;
  }
}

async function started(made: Made): Promise<Worker> {
  const worker = spawn(made.script, made.code);
  try {
    await nextMessage<Started>(worker, START_MILLIS);
    worker.postMessage({ core: made.core });
    const said = await nextMessage<Started>(worker, START_MILLIS);
    if (!said.started) {
      throw new Error(`it did not start: ${said.failure}`);
    }
    return worker;
  } catch (error) {
    worker.terminate();
    throw error;
  }
}
