/** The field for the time at which composites are composed. */

import type { App } from '../app.ts';
import { byId } from '../dom.ts';

export function clock(app: App): void {
  const input = byId<HTMLInputElement>('clock');
  input.addEventListener('change', () => {
    const right = app.setClock(input.value.trim());
    input.setAttribute('aria-invalid', String(!right));
  });
  app.store.watch(['clock'], ({ clock }) => {
    input.value = clock;
    input.setAttribute('aria-invalid', 'false');
  });
}
