/**
 * Starts a worker that runs the module script at `address` and then `code`.
 *
 * The worker is started from a `blob:` URL on purpose. A worker from another URL has the content security policy of its
 * response, which a plain file server does not send. A worker from a blob inherits the policy of the page, so modules
 * have no network access, wherever the page is hosted.
 */
export function spawn(address: string, code = ''): Worker {
  const absolute = new URL(address, document.baseURI).href;
  // `script-src` allows a dynamic import. A static import would be checked against `worker-src`.
  const script = `await import(${JSON.stringify(absolute)});\n${code}`;
  const url = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
  const worker = new Worker(url, { type: 'module' });
  // Its first message shows that it is loaded.
  worker.addEventListener('message', () => URL.revokeObjectURL(url), { once: true });
  worker.addEventListener('error', () => URL.revokeObjectURL(url), { once: true });
  return worker;
}

/** The next message of a worker. Fails when the worker does not load, or sends nothing for `millis`. */
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
    if (signal?.aborted) {
      aborted();
    }
  });
}

/** There was no answer in time. */
export class Deadline extends Error {
  constructor(millis: number) {
    super(`it did not answer within ${millis / 1000} s`);
  }
}

/** The answer is not needed any more. */
export class Cancelled extends Error {}
