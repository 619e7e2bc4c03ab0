/** The status line, and the text that replaces the result when there is none. */

import type { App } from '../app.ts';
import { byId, capital, count, fill, h, icon } from '../dom.ts';
import { isEqual } from '../equal.ts';
import { grouped } from '../render/amount.ts';
import { firstOf } from '../scenes.ts';
import type { Example, State } from '../state.ts';
import { firstSteps } from './about.ts';
import { ASSUMED } from './assume.ts';
import { summary } from './problems.ts';
import { everything } from './result.ts';

/** Why there is no answer to a text yet. */
const LOADING = 'The component is still loading; what you edit is previewed when it is there.';

export function status(app: App): void {
  const { store } = app;
  /** What the page says while it loads. It is there before any script. */
  const opening = h('div', {}, ...byId('instead').children);
  const greeting = greetingOf(app);
  store.watch(['view', 'details', 'wide', 'sheet'], ({ view, details, wide, sheet }) => {
    const isResult = (wide ? details : view) === 'result' && sheet.objects > 0;
    for (const button of document.querySelectorAll<HTMLElement>('.result-tool')) {
      button.hidden = !isResult;
    }
  });
  const { copy, save, observe } = withResult(app);
  byId('do-copy').addEventListener('click', copy);
  byId('do-download').addEventListener('click', save);
  byId('do-observe').addEventListener('click', observe);
  byId('do-compare').addEventListener('click', () => app.compare(!store.state.comparing));
  store.watch(['comparing', 'baseline'], ({ comparing, baseline }) => {
    byId('do-compare').setAttribute('aria-pressed', String(comparing));
    byId('do-compare').title = `Show what changed since ${baseline?.title ?? 'the previous result'}`;
  });
  store.watch(
    [
      'engine',
      'waiting',
      'sheet',
      'answer',
      'view',
      'problems',
      'failures',
      'outdated',
      'filled',
      'examples',
      'settled',
    ],
    (state) => {
      const { kind, text } = spoken(state);
      byId('status-dot').className = `dot dot-${kind}`;
      const line = byId('status-text');
      if (line.textContent !== text) {
        line.textContent = text; // screen readers read each change
        line.title = state.engine === 'loading' ? LOADING : '';
      }
      byId('views').classList.toggle('outdated', state.outdated);
      const shown = isOpening(state) ? opening : instead(app, state, greeting);
      if (!shown || byId('instead').firstChild !== shown) {
        fill(byId('instead'), shown);
      }
      byId('instead').hidden = shown === undefined;
      fill(byId('banner'), banner(app, state), state.settled && assumed(app));
    },
  );
  store.watch(['millis', 'sheet'], ({ millis, sheet }) => {
    byId('status-millis').textContent =
      millis === undefined || sheet.objects === 0 ? '' : `${millis < 10 ? millis.toFixed(1) : Math.round(millis)} ms`;
  });
  notices(app);
}

/** What can be done with the whole result. */
export function withResult(app: App): Record<'copy' | 'save' | 'observe', () => void> {
  const { store } = app;
  return {
    copy: () => {
      const { sheet } = store.state;
      app.copy(everything(sheet), `${count(sheet.objects, 'object')} are copied`);
    },
    save: () => app.saveCopy(everything(store.state.sheet), 'result.yaml'),
    observe: () => app.observe(),
  };
}

function spoken({ engine, waiting, sheet, problems, failures, outdated }: State): { kind: string; text: string } {
  const errors = problems.filter(({ diagnostic }) => diagnostic.gravity === 'error').length;
  if (engine === 'loading') {
    return { kind: 'unknown', text: sheet.objects === 0 ? 'Loading' : 'Loading; edits are previewed later' };
  }
  if (waiting) {
    return { kind: 'busy', text: 'Working' };
  }
  if (engine === 'broken' || (failures.length > 0 && sheet.objects === 0) || (failures.length > 0 && outdated)) {
    return { kind: 'error', text: 'No answer' };
  }
  if (errors > 0) {
    // Documents without errors have a result all the same.
    const others = sheet.objects === 0 || outdated ? '' : `, ${count(sheet.objects, 'other object')}`;
    return { kind: 'error', text: `${summary(errors, problems.length - errors)}${others}` };
  }
  if (sheet.objects === 0) {
    return { kind: 'unknown', text: 'Nothing yet' };
  }
  // Green only when nothing is wrong.
  const words = [
    count(sheet.objects, 'object'),
    problems.length > 0 && count(problems.length, 'warning'),
    sheet.notReady > 0 && `${grouped(sheet.notReady)} not ready`,
  ];
  const kind = problems.length > 0 ? 'warning' : sheet.notReady > 0 ? 'not-ready' : 'ready';
  return { kind, text: words.filter(Boolean).join(', ') };
}

/** Whether there is nothing yet but what was there before the script. */
function isOpening({ engine, sheet, filled, examples }: State): boolean {
  return engine === 'loading' && sheet.objects === 0 && (filled.size > 0 || examples.length === 0);
}

/** The text that replaces the result when there is none. */
function instead(app: App, state: State, greeting: Greeting): HTMLElement | undefined {
  const { engine, sheet, answer, view, problems, failures, filled, examples } = state;
  if (engine === 'broken' && sheet.objects === 0) {
    return h(
      'div',
      { class: 'message-box' },
      h('h2', {}, 'The component did not load'),
      h('p', {}, `${failures[0]?.why ?? 'there is no reason given'}. Your text is untouched.`),
      h('button', { type: 'button', class: 'primary', onclick: () => app.load() }, 'Try again'),
    );
  }
  if (sheet.objects > 0 || (view === 'fleet' && answer) || (view === 'issues' && problems.length > 0)) {
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
  return greeting(filled.has('manifest'), examples);
}

/** What a page without a result says. */
type Greeting = (written: boolean, examples: Example[]) => HTMLElement;

/** It is the same element as long as it says the same: a card keeps the focus when the component arrives. */
function greetingOf(app: App): Greeting {
  let last: { said: unknown; element: HTMLElement } | undefined;
  return (written, examples) => {
    const first = firstOf(examples);
    if (!last || !isEqual(last.said, [written, first])) {
      last = { said: [written, first], element: welcome(app, written, first) };
    }
    return last.element;
  };
}

function welcome(app: App, written: boolean, first: Example[]): HTMLElement {
  return h(
    'div',
    { class: 'message-box welcome' },
    h('h2', {}, written ? 'No composite yet' : 'See what a few lines become'),
    h(
      'p',
      {},
      written
        ? 'Write a manifest of a kind that is composed, or start from an example.'
        : 'Sailplane turns a short manifest into all Kubernetes objects that serve a model, and says why each value is what it is. Write one, drop a file, or start from an example. Everything happens in this page; nothing is sent anywhere.',
    ),
    firstSteps(app),
    h(
      'ul',
      { class: 'cards' },
      ...first.map((example) =>
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
function banner(app: App, { failures, outdated, engine, sheet }: State): HTMLElement | undefined {
  const [failure] = failures;
  if (engine === 'broken') {
    const why = `The component did not load: ${failure?.why ?? 'there is no reason given'}. Your text is untouched.`;
    return sheet.objects > 0 ? alarm(why, () => app.load()) : undefined;
  }
  if (failure) {
    const why = `${failure.module}: ${failure.why}. Your text is untouched, and the component was restarted.`;
    return alarm(why, () => app.run());
  }
  const old =
    engine === 'loading'
      ? 'This is the result before your edit. The component, which previews it, is still loading.'
      : 'This is the result of the last text without errors.';
  return outdated ? h('div', { class: 'banner' }, icon('info'), h('span', {}, old)) : undefined;
}

function alarm(why: string, again: () => void): HTMLElement {
  return h(
    'div',
    { class: 'banner banner-error', role: 'alert' },
    icon('error'),
    h('span', {}, why),
    h('button', { type: 'button', class: 'quiet', onclick: again }, 'Try again'),
  );
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
          notice.action &&
            h('button', { type: 'button', class: 'quiet', onclick: notice.action.run }, notice.action.title),
          h('button', { type: 'button', class: 'icon-button', 'aria-label': 'Close', onclick: close }, icon('remove')),
        ),
    );
    if (notice?.gravity === 'info') {
      timer = setTimeout(close, notice.action ? 30_000 : 6_000);
    }
  });
}
