/** Takes files that are dropped anywhere on the page. */

import type { App } from '../app.ts';
import { byId } from '../dom.ts';

export function drop(app: App): void {
  const sign = byId('drop');
  const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
  // Before the editor gets the event: it would insert the text of any file.
  const early = { capture: true };
  document.addEventListener(
    'dragover',
    (event) => {
      if (carriesFiles(event)) {
        event.preventDefault();
        sign.hidden = false;
      }
    },
    early,
  );
  document.addEventListener('dragleave', (event) => {
    if (!event.relatedTarget) {
      sign.hidden = true;
    }
  });
  document.addEventListener(
    'drop',
    (event) => {
      if (carriesFiles(event)) {
        event.preventDefault();
        event.stopPropagation();
        sign.hidden = true;
        app.drop([...(event.dataTransfer?.files ?? [])]);
      }
    },
    early,
  );
}
