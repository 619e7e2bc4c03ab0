/** Where the keyboard is: it goes to a view, and stays in its pane when the focused element goes. */

import type { App } from './app.ts';
import { byId } from './dom.ts';
import { focusEditor } from './editor/mount.ts';

/** Focuses the tab of a view or, where it has none, its button at the bottom or the first thing in it. */
export function focusView(name: string): void {
  const places = [`#tab-${name}`, `#bottom [data-view="${name}"]`, `#view-${name} :is(button, input, [tabindex="0"])`];
  const found = places.flatMap((place) => [...document.querySelectorAll<HTMLElement>(place)]);
  found.find(isSeen)?.focus();
}

/** From now on the next key does not start at the top of the page when what had the focus goes. */
export function keepFocus(app: App): void {
  let last: HTMLElement | undefined;
  let pane: HTMLElement | null = null;
  document.addEventListener('focusin', ({ target }) => {
    last = target as HTMLElement;
    pane = last.closest<HTMLElement>('#texts, #views');
  });
  const look = () => {
    const { activeElement } = document; // what is hidden has the focus until the page is drawn
    if (last && (activeElement === document.body || activeElement === last) && !isSeen(last)) {
      const { view } = app.store.state;
      if (pane?.id !== 'views' || !isSeen(pane)) {
        app.texts.view.focus();
      } else if (view === 'result') {
        focusEditor(byId('output'));
      } else {
        focusView(view);
      }
    }
  };
  // Views are drawn when the state changes, and a moment later everything is in its place.
  const keys = Object.keys(app.store.state) as (keyof typeof app.store.state)[];
  app.store.watch(keys, () => requestAnimationFrame(look));
}

function isSeen(element: HTMLElement): boolean {
  return element.isConnected && element.checkVisibility();
}
