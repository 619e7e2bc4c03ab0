/** The status line, and the text that replaces the result when there is none. */

import type { App } from '../app.ts';
import { byId, capital, count, fill, h, icon } from '../dom.ts';
import type { State, ViewName } from '../state.ts';
import { summary } from './problems.ts';
import { tabs } from './tabs.ts';

const VIEWS: { name: ViewName; title: string; panel: string }[] = [
  { name: 'result', title: 'Result', panel: 'view-result' },
  { name: 'tree', title: 'Tree', panel: 'view-tree' },
  { name: 'why', title: 'Why', panel: 'view-why' },
];

export function status(app: App): void {
  const { store } = app;
  const drawTabs = tabs(byId('view-tabs'), VIEWS, (name) => app.showView(name));
  store.watch(['view', 'sheet', 'pane'], ({ view, sheet, pane }) => {
    const derived = sheet.links.size;
    drawTabs(view, (name) => {
      const number = name === 'why' ? derived : sheet.objects;
      return number === 0 || name === 'result'
        ? undefined
        : { text: String(number), kind: 'count', label: count(number, name === 'why' ? 'value' : 'object') };
    });
    for (const { name, panel } of VIEWS) {
      byId(panel).hidden = name !== view;
    }
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
  store.watch(['engine', 'sheet', 'problems', 'failures', 'outdated', 'filled'], (state) => {
    const { kind, text } = spoken(state);
    byId('status-dot').className = `dot dot-${kind}`;
    const line = byId('status-text');
    if (line.textContent !== text) {
      line.textContent = text; // screen readers read each change
    }
    byId('views').classList.toggle('outdated', state.outdated);
    fill(byId('instead'), instead(app, state));
    byId('instead').hidden = !byId('instead').hasChildNodes();
    fill(byId('banner'), banner(app, state));
  });
  store.watch(['millis', 'sheet'], ({ millis, sheet }) => {
    byId('status-millis').textContent =
      millis === undefined || sheet.objects === 0 ? '' : `${millis < 10 ? millis.toFixed(1) : Math.round(millis)} ms`;
  });
  notices(app);
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
  const { engine, sheet, problems, failures, filled, examples } = state;
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
  if (sheet.objects > 0) {
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
