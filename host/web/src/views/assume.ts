/** The switch that takes what is composed as ready. */

import type { App } from '../app.ts';
import { byId } from '../dom.ts';

/** What the switch assumes, in one line. */
export const ASSUMED = 'Assumed: everything that is composed exists and is ready, and so is what follows from it.';

export function assume(app: App): void {
  const button = byId('do-assume');
  button.title = ASSUMED;
  button.addEventListener('click', () => app.assume(!app.store.state.settled));
  app.store.watch(['settled'], ({ settled }) => button.setAttribute('aria-pressed', String(settled)));
}
