/** The list of problems below the texts, with their places and fixes. */

import type { App } from '../app.ts';
import { byId, count, h, icon } from '../dom.ts';
import { fixTitle } from '../editor/fix.ts';
import type { Problem } from '../editor/problems.ts';
import { TEXT_NAMES, TEXTS, type TextName } from '../editor/texts.ts';
import { said } from '../render/diagnostics.ts';
import { marked } from '../schema/describe.ts';
import { type Block, Blocks } from './blocks.ts';
import { type Badge, tabs } from './tabs.ts';

/** The largest number of rows. Further problems are only counted. */
const MOST = 100;

export function problems(app: App): void {
  const { store } = app;
  const all = TEXT_NAMES.map((name) => ({ name, title: TEXTS[name].title, panel: 'text-panel' }));
  const draw = tabs(byId('text-tabs'), all, (name) => app.showText(name));
  store.watch(['text', 'problems', 'filled'], ({ text, problems, filled }) =>
    draw(text, (name) => badge(name, problems, filled)),
  );
  const list = new Blocks(byId('problems-list'));
  store.watch(['problems', 'engine'], ({ problems }) => {
    const panel = byId('problems');
    const wrong = problems.filter(({ diagnostic }) => diagnostic.gravity === 'error').length;
    panel.hidden = problems.length === 0;
    byId('problems-title').textContent = summary(wrong, problems.length - wrong);
    const blocks = problems
      .slice(0, MOST)
      .map((problem): Block => ({ key: JSON.stringify(problem), draw: () => row(app, problem) }));
    if (problems.length > MOST) {
      const words = `and ${count(problems.length - MOST, 'more problem')}`;
      blocks.push({ key: words, draw: () => h('li', { class: 'more' }, words) });
    }
    list.show(blocks);
  });
}

/** `2 errors, 1 warning`. Empty when there are none. */
export function summary(errors: number, warnings: number): string {
  return [errors > 0 && count(errors, 'error'), warnings > 0 && count(warnings, 'warning')].filter(Boolean).join(', ');
}

function badge(name: TextName, problems: Problem[], filled: ReadonlySet<TextName>): Badge | undefined {
  const own = problems.filter(({ text }) => text === name);
  const errors = own.filter(({ diagnostic }) => diagnostic.gravity === 'error').length;
  if (own.length > 0) {
    return {
      text: String(own.length),
      kind: errors > 0 ? 'error' : 'warning',
      label: summary(errors, own.length - errors),
    };
  }
  return filled.has(name) && name !== 'manifest' ? { text: '', kind: 'dot', label: 'has text' } : undefined;
}

function row(app: App, problem: Problem): HTMLElement {
  const { diagnostic, line, text } = problem;
  const { hint } = diagnostic.problem;
  const title = fixTitle(diagnostic.problem);
  return h(
    'li',
    { class: `problem problem-${diagnostic.gravity}` },
    h(
      'button',
      { type: 'button', class: 'problem-go', onclick: () => app.goToProblem(problem) },
      icon(diagnostic.gravity),
      h('span', { class: 'hidden' }, `${diagnostic.gravity}: `),
      h(
        'span',
        { class: 'problem-text' },
        ...marked(said(diagnostic)),
        hint !== undefined && h('span', { class: 'hint' }, ' ', ...marked(hint)),
      ),
      h('span', { class: 'place' }, text === 'manifest' ? `line ${line}` : `${TEXTS[text].title} ${line}`),
    ),
    title !== undefined && h('button', { type: 'button', class: 'fix', onclick: () => app.fix(problem) }, title),
  );
}
