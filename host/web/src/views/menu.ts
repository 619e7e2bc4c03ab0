/** Menus that open below a button. */

import { fill, h, icon } from '../dom.ts';

export interface Item {
  title: string;
  detail?: string;
  icon?: string;
  run: () => void;
}

/** Lets `button` open a menu of the items that `items` returns at that time. A plain string is a heading. */
export function menu(button: HTMLElement, items: () => (Item | string)[]): void {
  const list = h('div', {
    class: 'menu',
    role: 'menu',
    hidden: true,
    'aria-label': button.getAttribute('aria-label') ?? button.textContent?.trim().replace(/\s+/g, ' '),
  });
  button.setAttribute('aria-haspopup', 'menu');
  button.setAttribute('aria-expanded', 'false');
  document.querySelector('header')?.append(list); // a landmark, where no box cuts it off

  const entries = () => [...list.querySelectorAll<HTMLElement>('[role=menuitem]')];
  const close = (focus: boolean) => {
    list.hidden = true;
    fill(list);
    button.setAttribute('aria-expanded', 'false');
    if (focus) {
      button.focus();
    }
  };
  const open = () => {
    fill(
      list,
      ...items().map((item) =>
        typeof item === 'string' ? h('div', { class: 'menu-heading', role: 'presentation' }, item) : entry(item, close),
      ),
    );
    list.hidden = false;
    placeBelow(list, button);
    button.setAttribute('aria-expanded', 'true');
    entries()[0]?.focus();
  };
  button.addEventListener('click', () => (list.hidden ? open() : close(true)));
  button.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown' && list.hidden) {
      event.preventDefault();
      open();
    }
  });
  list.addEventListener('keydown', (event) => {
    const all = entries();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const to = {
      ArrowDown: (at + 1) % all.length,
      ArrowUp: (at - 1 + all.length) % all.length,
      Home: 0,
      End: all.length - 1,
    }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      all[to]?.focus();
    } else if (event.key === 'Escape') {
      event.stopPropagation();
      close(true);
    } else if (event.key === 'Tab') {
      close(false);
    }
  });
  document.addEventListener('pointerdown', (event) => {
    if (
      !list.hidden &&
      event.target instanceof Node &&
      !list.contains(event.target) &&
      !button.contains(event.target)
    ) {
      close(false);
    }
  });
}

function entry(item: Item, close: (focus: boolean) => void): HTMLElement {
  const run = () => {
    close(true);
    item.run();
  };
  return h(
    'button',
    { role: 'menuitem', type: 'button', tabindex: -1, onclick: run },
    item.icon !== undefined && icon(item.icon),
    h(
      'span',
      {},
      h('span', { class: 'menu-title' }, item.title),
      item.detail !== undefined && h('span', { class: 'menu-detail' }, item.detail),
    ),
  );
}

/** The least distance to the edges of the window. */
const EDGE = 8;

/** Places a list below a button, or above it where there is more room, and wholly inside the window. */
function placeBelow(list: HTMLElement, button: HTMLElement): void {
  const { left, top, bottom } = button.getBoundingClientRect();
  const [above, below] = [top - 2 * EDGE, innerHeight - bottom - 2 * EDGE];
  const isAbove = below < Math.min(list.scrollHeight, above);
  list.style.maxHeight = `${isAbove ? above : below}px`;
  list.style.left = `${Math.max(EDGE, Math.min(left, innerWidth - list.offsetWidth - EDGE))}px`;
  list.style.top = isAbove ? `${top - list.offsetHeight - EDGE}px` : `${bottom + EDGE}px`;
}
