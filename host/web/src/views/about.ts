/** What this page is, where to read on, and the same on the command line. It takes no room from the texts for longer than people want. */

import type { App } from '../app.ts';
import { byId, fill, h, icon } from '../dom.ts';
import type { Item } from './menu.ts';

const WHAT = 'See what a few lines of YAML become in Kubernetes, and why.';
const SOURCE = 'https://github.com/sailplane/sailplane';
const LINKS = { Documentation: `${SOURCE}/blob/main/docs/preview.md`, Source: SOURCE };
const COMMAND = 'sailplane render --cascade manifest.yaml';

/** Whether somebody has closed the line. Only that is stored. */
const KEY = 'sailplane.about';

/**
 * The line in the header. Where the header has no room, it is below, and only for those who came by a link and have not closed
 * it: to others the empty page says the same.
 */
export function about(app: App): void {
  const line = byId('about');
  const close = () => {
    line.classList.add('closed');
    store();
  };
  fill(
    line,
    h('span', {}, WHAT),
    ...links(),
    h('button', { type: 'button', class: 'icon-button', 'aria-label': 'Close', onclick: close }, icon('remove')),
  );
  line.classList.toggle('closed', !app.cameByLink || isStored());
}

/** What a menu has about the page. */
export function aboutItems(app: App): (Item | string)[] {
  return [
    WHAT,
    ...Object.entries(LINKS).map(
      ([title, href]): Item => ({ title, icon: 'link', run: () => open(href, '_blank', 'noreferrer') }),
    ),
    { title: 'Copy the command that does the same', detail: COMMAND, icon: 'copy', run: () => copy(app) },
  ];
}

/** Where to read on, and the same on the command line. */
export function firstSteps(app: App): HTMLElement {
  return h(
    'p',
    { class: 'first-steps' },
    ...links(),
    h('span', {}, 'On the command line: ', h('code', {}, COMMAND)),
    h('button', { type: 'button', class: 'quiet', onclick: () => copy(app) }, 'Copy'),
  );
}

function links(): HTMLElement[] {
  return Object.entries(LINKS).map(([title, href]) => h('a', { href, target: '_blank', rel: 'noreferrer' }, title));
}

function copy(app: App): void {
  app.copy(COMMAND, 'The command is copied');
}

function isStored(): boolean {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return false; // storage may be disabled
  }
}

function store(): void {
  try {
    localStorage.setItem(KEY, 'closed');
  } catch {
    // Then the line is there again at the next visit.
  }
}
