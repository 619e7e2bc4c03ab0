import type { Contents } from '../contract.ts';
import type { Answers, Question, Reply, Started } from './protocol.ts';
import { Cancelled, nextMessage, spawn } from './spawn.ts';

/** The deadline of a call. */
const CALL_MILLIS = 5_000;
/** The deadline for the start of a worker, on a slow machine with a slow connection. */
const START_MILLIS = 60_000;

/** The code of a module. */
export interface ModuleCode {
  /** The address of the worker's script. */
  script: string;
  /** Code that follows it. */
  code?: string;
  core: Record<string, WebAssembly.Module>;
}

/**
 * A composition module in its own worker. There is one call at a time. When a call fails, the worker is ended and the
 * next call starts a new one, so a failed call has no effect on later ones.
 */
export class Module {
  readonly name: string;
  readonly contents: Contents;
  readonly #code: ModuleCode;
  #worker: Promise<Worker> | undefined;
  #calls = 0;

  /** Starts a module and reads its catalog. */
  static async load(name: string, code: ModuleCode): Promise<Module> {
    const asking = new Module(name, code, { name, version: '', kinds: [], inputs: [] });
    const contents = await asking.ask({ ask: 'describe' });
    const module = new Module(name, code, contents);
    module.#worker = asking.#worker;
    return module;
  }

  private constructor(name: string, code: ModuleCode, contents: Contents) {
    this.name = name;
    this.#code = code;
    this.contents = contents;
  }

  /** Makes a call. Fails with a message for people, or with `Cancelled`. */
  async ask<Q extends Question>(question: Q, signal?: AbortSignal): Promise<Answers[Q['ask']]> {
    this.#worker ??= started(this.#code);
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
        this.#worker = started(this.#code); // so that it is ready for the next call
        this.#worker.catch(() => {}); // the next call gets the error
      }
      throw error;
    }
  }

  /** Ends the worker. A later call starts a new one. */
  end(): void {
    this.#worker?.then(
      (worker) => worker.terminate(),
      () => {},
    );
    this.#worker = undefined;
  }
}

async function started(code: ModuleCode): Promise<Worker> {
  const worker = spawn(code.script, code.code);
  try {
    await nextMessage<Started>(worker, START_MILLIS);
    worker.postMessage({ core: code.core });
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
