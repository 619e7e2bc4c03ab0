/** Says that this browser tab keeps the texts, and lets people clear them. */

import type { App } from '../app.ts';
import { byId } from '../dom.ts';

export function draft(app: App): void {
  byId('do-clear').addEventListener('click', () => app.clear());
  app.store.watch(['draft'], ({ draft }) => {
    byId('draft').hidden = draft === 'none';
    byId('draft-text').textContent =
      draft === 'too large'
        ? 'Too large to be kept: save it before you leave.'
        : 'Kept in this browser tab, on this machine only.';
  });
}
