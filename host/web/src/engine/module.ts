import type { Contents, Request } from '../contract.ts';
import { isEqual } from '../equal.ts';
import type { Family, PartialAnswer } from '../render/answer.ts';
import type { Sent } from '../workers/previews.ts';
import type { Answers, Question, Reply, Started } from './protocol.ts';
import { Cancelled, Deadline, nextMessage, spawn } from './spawn.ts';

/** The deadline of a call, and what a megabyte of text adds: to read a large fleet alone takes a second. */
const CALL_MILLIS = 5_000;
const MEGABYTE_MILLIS = 5_000;
/**
 * The deadline for the start of a worker, on a slow machine with a slow connection, and for answers until the module has said what
 * it can do: an engine may compile the component only then.
 */
const START_MILLIS = 60_000;
/**
 * A component never gives memory back. When it has more than so many bytes, of an earlier text that was so many times as long, a
 * new worker takes its place.
 */
const HELD_BYTES = 128 << 20;
const LONGER = 8;

/** The deadline of a plan, as on the command line. */
export const PLAN_MILLIS = 60_000;

/** How long a question may take. */
function millisFor(question: Question): number {
  if ('request' in question) {
    return previewMillis(question.request);
  }
  const most = { describe: START_MILLIS, plan: PLAN_MILLIS, door: CALL_MILLIS };
  return most[question.ask];
}

/** How long a preview may take. */
export function previewMillis(request: Request): number {
  return CALL_MILLIS + MEGABYTE_MILLIS * Math.floor(length(request) / 1_000_000);
}

function length({ sources }: Request): number {
  return sources.reduce((sum, { text }) => sum + text.length, 0);
}

/** An answer with all its families. */
export type Previewed = PartialAnswer & Pick<Sent, 'unchecked' | 'unfinished'>;

/** The code of a module. */
export interface ModuleCode {
  /** The address of the worker's script. */
  script: string;
  /** Code that follows it. */
  code?: string;
  /** Its core modules, once they are compiled. */
  core: Promise<Record<string, WebAssembly.Module>>;
}

/** What is known of a module before it has said what it can do. */
const NOTHING: Contents = { name: '', version: '', kinds: [], inputs: [] };

/**
 * A composition module in its own worker. There is one call at a time. When a call fails, the worker is ended and the
 * next call starts a new one, so a failed call has no effect on later ones.
 */
export class Module {
  readonly name: string;
  readonly #code: ModuleCode;
  #contents: Contents;
  #worker: Promise<Worker> | undefined;
  #calls = 0;
  /** The texts that the worker has, from the preview before. */
  #sent: string[] = [];
  /** The length of the longest texts that the worker had. */
  #longest = 0;
  /** The families of the answer before. */
  #families: Family[] = [];

  /** Starts a module and reads its catalog. Before that, which takes a while, `early` may ask it something. */
  static async load(name: string, code: ModuleCode, early?: (module: Module) => Promise<void>): Promise<Module> {
    const module = new Module(name, code, NOTHING);
    await early?.(module);
    module.#contents = await module.ask({ ask: 'describe' });
    return module;
  }

  private constructor(name: string, code: ModuleCode, contents: Contents) {
    this.name = name;
    this.#code = code;
    this.#contents = contents;
  }

  /** What it can do. */
  get contents(): Contents {
    return this.#contents;
  }

  /** Whether it has said what it can do. */
  get #isKnown(): boolean {
    return this.#contents !== NOTHING;
  }

  /** The same module with a worker of its own, for questions that previews must not wait for. */
  apart(): Module {
    return new Module(this.name, this.#code, this.#contents);
  }

  /** Whether it came with the page. */
  get builtIn(): boolean {
    return this.#code.code === undefined;
  }

  /** Makes a call. Fails with a message for people, or with `Cancelled`. */
  async ask<Q extends Question>(question: Q, signal?: AbortSignal): Promise<Answers[Q['ask']]> {
    if (!this.#worker) {
      this.#start();
    }
    try {
      const worker = (await this.#worker) as Worker;
      const id = ++this.#calls;
      worker.postMessage({ ...this.#slim(question), id });
      const reply = await nextMessage<Reply>(worker, this.#isKnown ? millisFor(question) : START_MILLIS, signal);
      if ('failure' in reply) {
        throw new Error(`it stopped: ${reply.failure}`);
      }
      this.#release(question, reply.held);
      return reply.answer as Answers[Q['ask']];
    } catch (error) {
      this.end();
      if (error instanceof Cancelled) {
        this.#start();
      }
      throw error instanceof Deadline && this.#isKnown ? new Error(`${error.message}; ${this.#advice}`) : error;
    }
  }

  /** Starts a worker, so that it is ready for the next call. */
  #start(): void {
    this.#worker = started(this.#code);
    this.#worker.catch(() => {}); // the next call gets the error
    this.#sent = [];
    this.#longest = 0;
  }

  /** Gives back the memory that long texts took, once the texts are short. */
  #release(question: Question, held: number): void {
    const now = 'request' in question ? length(question.request) : 0;
    this.#longest = Math.max(this.#longest, now);
    if (held > HELD_BYTES && LONGER * now < this.#longest) {
      this.end();
      this.#start();
    }
  }

  /** What helps when there is no answer in time. */
  get #advice(): string {
    return this.builtIn
      ? 'take some documents out of the texts, and try again'
      : 'remove it in the menu of modules, or take some documents out of the texts';
  }

  /** The question without the texts that the worker has: to send a megabyte of them takes longer than a frame. */
  #slim(question: Question): Question {
    if (!('request' in question)) {
      return question;
    }
    const { request } = question;
    const texts = request.sources.map(({ text }) => text);
    const same = texts.flatMap((text, index) => (text !== '' && text === this.#sent[index] ? [index] : []));
    this.#sent = texts;
    const sources = request.sources.map((source, index) => (same.includes(index) ? { ...source, text: '' } : source));
    return { ...question, request: { ...request, sources }, same };
  }

  /** Previews a request. Families that are those of the answer before have the same composites. */
  async preview(request: Request, signal?: AbortSignal): Promise<Previewed> {
    const answer = await this.ask({ ask: 'preview', request }, signal);
    const known = this.#families;
    this.#families = answer.families.map((family) => {
      if (!('again' in family)) {
        return family;
      }
      const { again, origin } = family;
      const same = known[again] as Family;
      return isEqual(same.origin, origin) ? same : { ...same, origin };
    });
    return { ...answer, families: this.#families };
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
    worker.postMessage({ core: await code.core });
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
