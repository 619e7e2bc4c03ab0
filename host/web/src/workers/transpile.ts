/** A worker that transpiles one component and is then ended, which frees its memory. It is loaded only when needed. */
import { transpile } from '../transpile/transpile.ts';

self.onmessage = async ({ data }: MessageEvent<Uint8Array>) => {
  try {
    self.postMessage({ transpiled: await transpile(data, 'module') });
  } catch (error) {
    self.postMessage({ failure: said(error) });
  }
};
self.postMessage({ started: true });

/** The message of an error. The transpiler's errors are results (`payload`) with a context of many lines. */
function said(error: unknown): string {
  const payload = error instanceof Error && 'payload' in error ? error.payload : undefined;
  const text = typeof payload === 'string' ? payload : error instanceof Error ? error.message : String(error);
  return text.split('\n')[0] ?? text;
}
