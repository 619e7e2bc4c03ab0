/** The keyboard shortcuts. The dialog and the page use the same table. */

import type { App } from '../app.ts';
import { byId, fill, h } from '../dom.ts';
import { TEXT_NAMES, TEXTS } from '../editor/texts.ts';
import { VIEWS } from '../state.ts';

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
        what: 'Compare with the previous result, or not',
        run: (app) => app.compare(!app.store.state.comparing),
      },
      {
        keys: 'Alt+R',
        what: 'Take all that is composed as ready, or not',
        run: (app) => app.assume(!app.store.state.settled),
      },
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
      ...VIEWS.map(({ name, title }, index) => ({
        keys: `Alt+${index + 1 + TEXT_NAMES.length}`,
        what: title,
        run: (app: App) => {
          app.showView(name);
          byId(`tab-${name}`).focus();
        },
      })),
    ],
  ],
  [
    'In a text',
    [
      { keys: 'Ctrl+Space', what: 'Complete' },
      { keys: 'F8', what: 'Next problem, with its fix' },
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
    const pressed = own.find(({ keys }) => matches(keys, event));
    if (pressed?.run) {
      event.preventDefault();
      pressed.run(app);
    }
  });
  const mac = /Mac|iPhone|iPad/.test(navigator.userAgent);
  const spelled = (keys: string) =>
    keys
      .replace('Mod', mac ? '⌘' : 'Ctrl')
      .replace('Alt', mac ? '⌥' : 'Alt')
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

function matches(keys: string, event: KeyboardEvent): boolean {
  const parts = keys.split('+');
  const key = parts.at(-1) ?? '';
  const wants = (name: string) => parts.includes(name);
  // It compares the physical key, since Alt changes the characters of keys on a Mac.
  const same =
    event.key.toLowerCase() === key.toLowerCase() || event.code === `Digit${key}` || event.code === `Key${key}`;
  return (
    same &&
    event.altKey === wants('Alt') &&
    event.shiftKey === wants('Shift') &&
    (event.ctrlKey || event.metaKey) === wants('Mod')
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
    [byId('views'), () => byId('views').querySelector<HTMLElement>('[role=tab][tabindex="0"]')?.focus()],
    [byId('outcomes'), () => within('outcomes')?.focus()],
  ];
  const shown = stops.filter(([element]) => element.offsetParent !== null);
  const at = shown.findLastIndex(([element]) => element.contains(document.activeElement));
  shown[(at + 1) % shown.length]?.[1]();
}
