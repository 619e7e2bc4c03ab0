/** What is shown while an answer takes long, and the button that stops it. */

import type { App } from '../app.ts';
import { byId } from '../dom.ts';

/** After so many seconds there are numbers and a button; before, the status line says enough. */
const LONG_SECONDS = 1;

export function waiting(app: App): void {
  const bar = byId('waiting');
  const progress = byId<HTMLProgressElement>('waiting-progress');
  byId('do-stop').addEventListener('click', () => app.stop());
  app.store.watch(['waiting'], ({ waiting }) => {
    byId('views').setAttribute('aria-busy', String(waiting !== undefined));
    bar.hidden = !waiting || waiting.seconds < LONG_SECONDS;
    if (waiting && !bar.hidden) {
      progress.max = waiting.most;
      progress.value = waiting.seconds;
      byId('waiting-text').textContent = `Working for ${waiting.seconds} s; it is given up after ${waiting.most} s`;
    }
  });
}
