/** Light or dark: as the system has it until somebody chooses. */

type Choice = 'system' | 'light' | 'dark';

const KEY = 'sailplane.colours';
const watchers: ((name: string) => void)[] = [];
let choice: Choice = remembered();

/** Takes the next choice, and remembers it. */
export function nextTheme(): void {
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  // The first press changes what is seen.
  const order: Choice[] = dark ? ['system', 'light', 'dark'] : ['system', 'dark', 'light'];
  choice = order[(order.indexOf(choice) + 1) % order.length] ?? 'system';
  try {
    localStorage.setItem(KEY, choice);
  } catch {
    // Storage may be switched off; the choice then holds for this visit.
  }
  apply();
}

/** Tells which one is chosen, now and whenever that changes. */
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
