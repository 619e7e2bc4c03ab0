/** Printing prints the whole result: the editor has only those of its lines that are in sight. */

import type { App } from '../app.ts';
import { h, visible } from '../dom.ts';

export function print(app: App): void {
  const paper = h('pre', { id: 'print', hidden: true, 'aria-hidden': 'true' });
  document.body.append(paper);
  addEventListener('beforeprint', () => {
    paper.textContent = visible(app.store.state.sheet.text || app.texts.text(app.texts.shown));
    paper.hidden = false;
  });
  addEventListener('afterprint', () => {
    paper.textContent = '';
    paper.hidden = true;
  });
}
