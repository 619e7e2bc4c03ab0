/**
 * A worker that runs the module script at `address`, followed by `code`.
 *
 * It is started from a `blob:` URL on purpose. A worker with an address of its own goes by the policy of the response it
 * came in, which a plain file server does not send; one from a blob inherits the policy of the page, so no module reaches
 * the network wherever the page is hosted.
 */
export function spawn(address: string, code = ''): Worker {
  const absolute = new URL(address, document.baseURI).href;
  // Imported in this way, the script goes by `script-src`; stated at the top it would have to be a worker's own source.
  const script = `await import(${JSON.stringify(absolute)});\n${code}`;
  const url = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
  const worker = new Worker(url, { type: 'module' });
  // Once it speaks it has been loaded.
  worker.addEventListener('message', () => URL.revokeObjectURL(url), { once: true });
  worker.addEventListener('error', () => URL.revokeObjectURL(url), { once: true });
  return worker;
}

/** The next message of a worker; fails when it does not load, or is silent for `millis`. */
export function nextMessage<T>(worker: Worker, millis: number, signal?: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => settle(() => reject(new Deadline(millis))), millis);
    const settle = (then: () => void) => {
      clearTimeout(timer);
      worker.removeEventListener('message', spoke);
      worker.removeEventListener('error', broke);
      signal?.removeEventListener('abort', aborted);
      then();
    };
    const spoke = ({ data }: MessageEvent<T>) => settle(() => resolve(data));
    const broke = (event: ErrorEvent) => {
      event.preventDefault();
      settle(() => reject(new Error(event.message || 'the worker did not load')));
    };
    const aborted = () => settle(() => reject(new Cancelled()));
    worker.addEventListener('message', spoke);
    worker.addEventListener('error', broke);
    signal?.addEventListener('abort', aborted);
  });
}

/** Nothing was answered in time. */
export class Deadline extends Error {
  constructor(millis: number) {
    super(`it did not answer within ${millis / 1000} s`);
  }
}

/** Nobody wants the answer any more. */
export class Cancelled extends Error {}
