/** The theme, light or dark. It follows the system until the user chooses one. */

type Choice = 'system' | 'light' | 'dark';

const KEY = 'sailplane.colours';
const watchers: ((name: string) => void)[] = [];
let choice: Choice = remembered();

/** Selects the next choice and stores it. */
export function nextTheme(): void {
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  // The order makes sure that the first press has a visible effect.
  const order: Choice[] = dark ? ['system', 'light', 'dark'] : ['system', 'dark', 'light'];
  choice = order[(order.indexOf(choice) + 1) % order.length] ?? 'system';
  try {
    localStorage.setItem(KEY, choice);
  } catch {
    // Storage may be disabled; then the choice is lost with the visit.
  }
  apply();
}

/** Calls `watcher` with the name of the choice, now and after each change. */
export function watchTheme(watcher: (name: string) => void): void {
  watchers.push(watcher);
  apply();
}

function apply(): void {
  document.documentElement.dataset['theme'] = choice;
  const name = choice === 'system' ? 'as the system' : choice;
  for (const watcher of watchers) {
    watcher(name);
  }
}

function remembered(): Choice {
  try {
    const stored = localStorage.getItem(KEY);
    return stored === 'light' || stored === 'dark' ? stored : 'system';
  } catch {
    return 'system';
  }
}
