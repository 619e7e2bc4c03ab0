import type { Contents } from '../contract.ts';
import type { Answers, Question, Reply, Started } from './protocol.ts';
import { Cancelled, nextMessage, spawn } from './spawn.ts';

/** The deadline of a call, and what a megabyte of text adds: to read a large fleet alone takes a second. */
const CALL_MILLIS = 5_000;
const MEGABYTE_MILLIS = 5_000;
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
  /** The texts that the worker has, from the preview before. */
  #sent: string[] = [];

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
    if (!this.#worker) {
      this.#worker = started(this.#code);
      this.#sent = [];
    }
    try {
      const worker = await this.#worker;
      const id = ++this.#calls;
      worker.postMessage({ ...this.#slim(question), id });
      const reply = await nextMessage<Reply>(worker, deadline(question), signal);
      if ('failure' in reply) {
        throw new Error(`it stopped: ${reply.failure}`);
      }
      return reply.answer as Answers[Q['ask']];
    } catch (error) {
      this.end();
      if (error instanceof Cancelled) {
        this.#worker = started(this.#code); // so that it is ready for the next call
        this.#sent = [];
        this.#worker.catch(() => {}); // the next call gets the error
      }
      throw error;
    }
  }

  /** The question without the texts that the worker has: to send a megabyte of them takes longer than a frame. */
  #slim(question: Question): Question {
    if (question.ask !== 'preview') {
      return question;
    }
    const { request } = question;
    const texts = request.sources.map(({ text }) => text);
    const same = texts.flatMap((text, index) => (text !== '' && text === this.#sent[index] ? [index] : []));
    this.#sent = texts;
    const sources = request.sources.map((source, index) => (same.includes(index) ? { ...source, text: '' } : source));
    return { ...question, request: { ...request, sources }, same };
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

function deadline(question: Question): number {
  const characters =
    question.ask === 'preview' ? question.request.sources.reduce((sum, { text }) => sum + text.length, 0) : 0;
  return CALL_MILLIS + MEGABYTE_MILLIS * Math.floor(characters / 1_000_000);
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
