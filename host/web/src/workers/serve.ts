import type { instantiate, Request } from '../contract.ts';
import type { Call, Question, Reply, Start, Started } from '../engine/protocol.ts';
import { planOf } from '../render/plan.ts';
import { Previews } from './previews.ts';

/** A transpiled component. */
export interface Transpiled {
  instantiate: typeof instantiate;
}

type Module = Awaited<ReturnType<typeof instantiate>>;

/** Serves the calls of a component in this worker: the first message starts it, the others are calls. */
export function serve(component: Transpiled): void {
  self.onmessage = async ({ data }: MessageEvent<Start>) => {
    try {
      const module = await instantiated(component, data.core);
      const previews = new Previews(module);
      self.onmessage = ({ data }: MessageEvent<Call>) => post(reply(module, previews, data));
      post({ started: true });
    } catch (error) {
      post({ started: false, failure: words(error) });
    }
  };
  // The page waits for this message, because it cannot know whether the script of a worker has loaded.
  post({ started: true });
}

async function instantiated(component: Transpiled, core: Start['core']): Promise<Module> {
  const coreModule = (name: string) => {
    const found = core[name];
    if (!found) {
      throw new Error(`core module ${name} is missing`);
    }
    return found;
  };
  return component.instantiate(coreModule, {}, async (core, imports) => {
    const instance = await WebAssembly.instantiate(core, imports);
    memories.push(...Object.values(instance.exports).filter((it) => it instanceof WebAssembly.Memory));
    return instance;
  });
}

/** The memories of the component, which grow and never shrink. */
const memories: WebAssembly.Memory[] = [];

function held(): number {
  return memories.reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
}

function reply(module: Module, previews: Previews, call: Call): Reply {
  try {
    return { id: call.id, answer: answered(module, previews, call), held: held() };
  } catch (error) {
    return { id: call.id, failure: words(error) };
  }
}

function answered(module: Module, previews: Previews, call: Question): unknown {
  switch (call.ask) {
    case 'describe':
      return previews.describe();
    case 'preview':
      return previews.of(whole(call));
    case 'check':
      return previews.check(whole(call));
    case 'plan':
      return planOf(module.plan.plan(call.plan));
    case 'door':
      return through(module, call.interface, call.function, call.arguments);
  }
}

/** The texts of the preview before. */
let texts: string[] = [];

/** The request with all its texts. */
function whole({ request, same = [] }: Extract<Question, { request: Request }>): Request {
  texts = request.sources.map(({ text }, index) => (same.includes(index) ? (texts[index] ?? '') : text));
  return { ...request, sources: request.sources.map((source, index) => ({ ...source, text: texts[index] ?? '' })) };
}

/** Calls a function of any door. A `result` that is an error is an answer too. */
function through(module: Module, name: string, called: string, given: unknown[]): unknown {
  const door = (module as unknown as Record<string, Record<string, (...given: unknown[]) => unknown>>)[name]?.[called];
  if (!door) {
    throw new Error(`there is no ${name}.${called}`);
  }
  try {
    return { ok: door(...given) };
  } catch (error) {
    if (error instanceof Error && 'payload' in error) {
      return { err: error.payload };
    }
    throw error;
  }
}

/** A message about an error. After a trap the instance cannot be used again, so the page ends the worker. */
function words(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function post(message: Started | Reply): void {
  self.postMessage(message);
}
