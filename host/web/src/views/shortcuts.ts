/** The keyboard shortcuts. The dialog and the page use the same table. */

import type { App } from '../app.ts';
import { byId, fill, h } from '../dom.ts';
import { TEXT_NAMES, TEXTS } from '../editor/texts.ts';
import { focusView } from '../focus.ts';
import { VIEWS } from './views.ts';

interface Shortcut {
  keys: string;
  what: string;
  /** Absent when the editor handles the shortcut. */
  run?: (app: App) => void;
}

const SHORTCUTS: [heading: string, rows: Shortcut[]][] = [
  [
    'Anywhere',
    [
      { keys: 'Mod+S', what: 'Save the text', run: (app) => app.save() },
      { keys: 'Mod+O', what: 'Open a file into it', run: (app) => app.open() },
      { keys: 'Alt+L', what: 'Copy a link to all texts', run: (app) => app.share() },
      {
        keys: 'Alt+C',
        what: 'Compare with another result, or not',
        run: (app) => app.compare(!app.store.state.comparing),
      },
      {
        keys: 'Alt+R',
        what: 'Take all that is composed as ready, or not',
        run: (app) => app.assume(!app.store.state.settled),
      },
      { keys: 'F8', what: 'Next problem', run: (app) => app.nextProblem() },
      { keys: 'Mod+.', what: 'Fix the problem at the cursor', run: (app) => app.fixHere() },
      { keys: 'F6', what: 'From pane to pane', run: nextPane },
      { keys: 'F1', what: 'This list', run: openShortcuts },
      ...TEXT_NAMES.map((name, index) => ({
        keys: `Alt+${index + 1}`,
        what: TEXTS[name].title,
        run: (app: App) => {
          app.showText(name);
          app.texts.view.focus();
        },
      })),
      ...VIEWS.map((view, index) => ({
        keys: view.key ?? `Alt+${(index + 1 + TEXT_NAMES.length) % 10}`,
        what: view.title,
        run: (app: App) => {
          if (view.isThere?.(app.store.state) !== false) {
            app.showView(view.name);
            focusView(view.name);
          }
        },
      })),
    ],
  ],
  [
    'In a text',
    [
      { keys: 'Ctrl+Space', what: 'Complete' },
      { keys: 'Mod+Shift+M', what: 'List of problems' },
      { keys: 'Mod+F', what: 'Find' },
      { keys: 'Mod+Z', what: 'Undo' },
      { keys: 'Tab', what: 'Indent; Esc and then Tab leaves the text' },
    ],
  ],
  ['In a result', [{ keys: 'Enter', what: 'Go to what caused the line' }]],
];

/** Listens to the shortcuts that the editor does not handle. */
export function shortcuts(app: App): void {
  const own = SHORTCUTS.flatMap(([, rows]) => rows).filter(({ run }) => run);
  document.addEventListener('keydown', (event) => {
    const pressed = event.isComposing ? undefined : own.find(({ keys }) => matches(keys, event));
    if (pressed?.run) {
      event.preventDefault();
      pressed.run(app);
    }
  });
  const spelled = (keys: string) =>
    keys
      .replace('Mod', MAC ? '⌘' : 'Ctrl')
      .replace('Alt', MAC ? '⌃' : 'Alt')
      .split('+');
  fill(
    byId('shortcuts-list'),
    ...SHORTCUTS.map(([heading, rows]) =>
      h(
        'section',
        {},
        h('h3', {}, heading),
        h(
          'dl',
          {},
          ...rows.map(({ keys, what }) =>
            h('div', {}, h('dt', {}, ...spelled(keys).map((key) => h('kbd', {}, key))), h('dd', {}, what)),
          ),
        ),
      ),
    ),
  );
  const dialog = byId<HTMLDialogElement>('shortcuts');
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) {
      dialog.close();
    }
  });
}

export function openShortcuts(): void {
  byId<HTMLDialogElement>('shortcuts').showModal();
}

const MAC = /Mac|iPhone|iPad/.test(navigator.userAgent);

/**
 * Whether somebody pressed these keys. It compares characters, never the places of keys: AltGr, or Option on a Mac, with a
 * digit or a letter is how many layouts write `@`, `[` or `|`. So a Mac has Control where others have Alt.
 */
function matches(keys: string, event: KeyboardEvent): boolean {
  const parts = keys.split('+');
  const key = parts.at(-1) ?? '';
  const wants = (name: string) => parts.includes(name);
  const { ctrlKey, metaKey, altKey } = event;
  const [mod, alt] = MAC ? [metaKey, ctrlKey] : [ctrlKey || metaKey, altKey];
  const isLetter = /^[a-z]$/i.test(key);
  return (
    event.key.toLowerCase() === key.toLowerCase() &&
    alt === wants('Alt') &&
    mod === wants('Mod') &&
    !(MAC && altKey) &&
    !event.getModifierState('AltGraph') &&
    // Some layouts need Shift for digits and signs.
    (event.shiftKey === wants('Shift') || !(isLetter || key.length > 1))
  );
}

/** Focuses the next visible pane: texts, problems, views, conditions. */
function nextPane(app: App): void {
  const focusable = 'button, [tabindex="0"], [role=treeitem], input';
  const within = (id: string) => byId(id).querySelector<HTMLElement>(focusable);
  const stops: [HTMLElement, () => void][] = [
    [byId('texts-bar'), () => byId('texts-bar').querySelector<HTMLElement>('[tabindex="0"]')?.focus()],
    [byId('text-panel'), () => app.texts.view.focus()],
    [byId('problems'), () => within('problems')?.focus()],
    [byId('views'), () => focusView(app.store.state.view)],
    [byId('outcomes'), () => within('outcomes')?.focus()],
  ];
  const shown = stops.filter(([element]) => element.offsetParent !== null);
  const at = shown.findLastIndex(([element]) => element.contains(document.activeElement));
  shown[(at + 1) % shown.length]?.[1]();
}
