/** The status line, and the text that replaces the result when there is none. */

import type { App } from '../app.ts';
import { byId, capital, count, fill, h, icon } from '../dom.ts';
import { missing } from '../render/decisions.ts';
import { type State, VIEWS, type ViewName } from '../state.ts';
import { ASSUMED } from './assume.ts';
import { summary } from './problems.ts';
import { type Badge, tabs } from './tabs.ts';

export function status(app: App): void {
  const { store } = app;
  const drawTabs = tabs(
    byId('view-tabs'),
    VIEWS.map(({ name, title }) => ({ name, title, panel: `view-${name}` })),
    (name) => app.showView(name),
  );
  store.watch(['view', 'sheet', 'pane', 'answer'], (state) => {
    const { view, sheet, pane, answer } = state;
    const noFleet = (answer?.places.length ?? 0) === 0;
    drawTabs(
      view,
      (name) => badge(name, state),
      (name) => name === 'fleet' && noFleet,
    );
    for (const { name } of VIEWS) {
      byId(`view-${name}`).hidden = name !== view;
    }
    byId('bottom').classList.toggle('no-fleet', noFleet);
    byId('main').dataset['pane'] = pane;
    byId('do-compare').hidden = view !== 'result' || sheet.objects === 0;
    for (const button of byId('bottom').querySelectorAll<HTMLElement>('button')) {
      const own = button.dataset['view'] === (pane === 'texts' ? 'texts' : view);
      own ? button.setAttribute('aria-current', 'page') : button.removeAttribute('aria-current');
    }
  });
  byId('bottom').addEventListener('click', (event) => {
    const name = (event.target as HTMLElement).closest('button')?.dataset['view'];
    const view = VIEWS.find((each) => each.name === name);
    view ? app.showView(view.name) : name === 'texts' && app.showTexts();
  });
  byId('do-compare').addEventListener('click', () => app.compare(!store.state.comparing));
  store.watch(['comparing', 'previous'], ({ comparing, previous }) => {
    byId('do-compare').setAttribute('aria-pressed', String(comparing));
    byId('do-compare').title =
      previous === undefined ? 'There is no previous result yet' : 'Show what changed since the previous result';
  });
  store.watch(
    ['engine', 'sheet', 'answer', 'view', 'problems', 'failures', 'outdated', 'filled', 'settled'],
    (state) => {
      const { kind, text } = spoken(state);
      byId('status-dot').className = `dot dot-${kind}`;
      const line = byId('status-text');
      if (line.textContent !== text) {
        line.textContent = text; // screen readers read each change
      }
      byId('views').classList.toggle('outdated', state.outdated);
      fill(byId('instead'), instead(app, state));
      byId('instead').hidden = !byId('instead').hasChildNodes();
      fill(byId('banner'), banner(app, state), state.settled && assumed(app));
    },
  );
  store.watch(['millis', 'sheet'], ({ millis, sheet }) => {
    byId('status-millis').textContent =
      millis === undefined || sheet.objects === 0 ? '' : `${millis < 10 ? millis.toFixed(1) : Math.round(millis)} ms`;
  });
  notices(app);
}

/** The badge of a tab. */
function badge(name: ViewName, { sheet, answer }: State): Badge | undefined {
  const number = (text: number, what: string): Badge | undefined =>
    text === 0 ? undefined : { text: String(text), kind: 'count', label: count(text, what) };
  switch (name) {
    case 'tree':
      return number(sheet.objects, 'object');
    case 'why':
      return number(sheet.links.size, 'value');
    case 'fleet': {
      const composites = answer?.families.flatMap((family) => family.composites) ?? [];
      const lacking = composites.reduce((sum, { decisions }) => sum + missing(decisions), 0);
      return lacking === 0
        ? undefined
        : { text: String(lacking), kind: 'warning', label: `${lacking} without a place` };
    }
    default:
      return undefined;
  }
}

function spoken({ engine, sheet, problems, failures, outdated }: State): { kind: string; text: string } {
  const errors = problems.filter(({ diagnostic }) => diagnostic.gravity === 'error').length;
  if (engine === 'loading') {
    return { kind: 'unknown', text: 'Loading' };
  }
  if (engine === 'broken' || (failures.length > 0 && sheet.objects === 0) || (failures.length > 0 && outdated)) {
    return { kind: 'error', text: 'No answer' };
  }
  if (errors > 0) {
    return { kind: 'error', text: summary(errors, problems.length - errors) };
  }
  return sheet.objects === 0
    ? { kind: 'unknown', text: 'Nothing yet' }
    : { kind: 'ready', text: count(sheet.objects, 'object') };
}

/** The text that replaces the result when there is none. */
function instead(app: App, state: State): HTMLElement | undefined {
  const { engine, sheet, answer, view, problems, failures, filled, examples } = state;
  if (engine === 'loading') {
    return h(
      'div',
      { class: 'skeleton', role: 'img', 'aria-label': 'Loading the component' },
      ...Array.from({ length: 9 }, () => h('i')),
    );
  }
  if (engine === 'broken') {
    return h(
      'div',
      { class: 'message-box' },
      h('h2', {}, 'The component did not load'),
      h('p', {}, `${failures[0]?.why ?? 'there is no reason given'}. Your text is untouched.`),
      h('button', { type: 'button', class: 'primary', onclick: () => app.load() }, 'Try again'),
    );
  }
  if (sheet.objects > 0 || (view === 'fleet' && answer)) {
    return undefined;
  }
  if (problems.length > 0 || failures.length > 0) {
    return h(
      'div',
      { class: 'message-box' },
      h('h2', {}, failures.length > 0 ? 'There is no answer' : 'Nothing is composed yet'),
      h(
        'p',
        {},
        failures.length > 0
          ? 'Your text is untouched.'
          : 'What is wrong stands below the text, with what would put it right.',
      ),
    );
  }
  const written = filled.has('manifest');
  return h(
    'div',
    { class: 'message-box welcome' },
    h('h2', {}, written ? 'No composite yet' : 'See what a few lines become'),
    h(
      'p',
      {},
      written
        ? 'Write a manifest of a kind that is composed, or start from an example.'
        : 'Write a manifest, drop a file, or start from an example. Everything happens in this page; nothing is sent anywhere.',
    ),
    h(
      'ul',
      { class: 'cards' },
      ...examples
        // The first one of each kind: a kind may have more than there is room for.
        .filter(({ kind, name }) => examples.find((other) => other.kind === kind)?.name === name)
        .slice(0, 6)
        .map((example) =>
          h(
            'li',
            {},
            h(
              'button',
              { type: 'button', class: 'card', onclick: () => app.useExample(example) },
              h('b', {}, capital(example.title)),
              h('span', {}, `${example.kind} · ${example.name}.yaml`),
            ),
          ),
        ),
    ),
  );
}

/** The text above a result that is outdated or incomplete. */
function banner(app: App, { failures, outdated, engine }: State): HTMLElement | undefined {
  if (engine === 'broken') {
    return undefined;
  }
  const [failure] = failures;
  if (failure) {
    return h(
      'div',
      { class: 'banner banner-error', role: 'alert' },
      icon('error'),
      h('span', {}, `${failure.module}: ${failure.why}. Your text is untouched, and the component was restarted.`),
      h('button', { type: 'button', class: 'quiet', onclick: () => app.run() }, 'Try again'),
    );
  }
  return outdated
    ? h('div', { class: 'banner' }, icon('info'), h('span', {}, 'This is the result of the last text without errors.'))
    : undefined;
}

/** What is assumed, as long as it is. */
function assumed(app: App): HTMLElement {
  return h(
    'div',
    { class: 'banner' },
    icon('assume'),
    h('span', {}, ASSUMED),
    h('button', { type: 'button', class: 'quiet', onclick: () => app.assume(false) }, 'As it is'),
  );
}

/** Short messages. They disappear after some time; errors stay until the user closes them. */
function notices(app: App): void {
  const host = byId('notice');
  let timer: ReturnType<typeof setTimeout> | undefined;
  const close = () => app.store.set({ notice: undefined });
  app.store.watch(['notice'], ({ notice }) => {
    clearTimeout(timer);
    fill(
      host,
      notice &&
        h(
          'div',
          { class: `toast toast-${notice.gravity}` },
          icon(notice.gravity),
          h('span', {}, notice.text),
          h('button', { type: 'button', class: 'icon-button', 'aria-label': 'Close', onclick: close }, icon('remove')),
        ),
    );
    if (notice?.gravity === 'info') {
      timer = setTimeout(close, 6_000);
    }
  });
}
