/** Issues: problems, warnings, conditions and what is not ready in one list, the worst first, each with its place and fix. */

import type { App } from '../app.ts';
import { count, fill, h, icon } from '../dom.ts';
import { fixTitle } from '../editor/fix.ts';
import { type Group, groupsOf, type Issue } from '../issues/issues.ts';
import { grouped } from '../render/amount.ts';
import { marked } from '../schema/describe.ts';
import type { State } from '../state.ts';
import type { View } from './view.ts';

/** The most issues of a group that are shown. Further ones are a press away, so many at a time. */
const MOST = 12;
const MOST_MORE = 100;

const ICONS = { error: 'error', warning: 'warning', condition: 'info', 'not ready': 'wait' };
const WORDS = { error: 'Error', warning: 'Warning', condition: 'Condition', 'not ready': 'Not ready' };

export const issues: View = {
  name: 'issues',
  title: 'Issues',
  icon: 'warning',
  zone: 'details',
  badge: ({ problems }) => {
    const errors = problems.filter(({ diagnostic }) => diagnostic.gravity === 'error').length;
    return problems.length === 0
      ? undefined
      : {
          text: grouped(problems.length),
          kind: errors > 0 ? 'error' : 'warning',
          label: count(problems.length, 'problem'),
        };
  },
  draws: ['answer', 'problems'],
  mount,
};

function mount(app: App, panel: HTMLElement): (state: State) => void {
  const about = h('span', { id: 'issues-count', role: 'status' });
  const all = h('button', { type: 'button', id: 'fix-all', class: 'fix', onclick: () => app.fixAll() }, 'Fix all');
  const list = h('div', { id: 'issues-list' });
  panel.append(h('div', { class: 'filter' }, about, all), list);
  return ({ answer, problems }) => {
    const groups = groupsOf(answer, problems);
    const fixes = problems.filter(({ diagnostic }) => fixTitle(diagnostic.problem) !== undefined).length;
    const number = groups.reduce((sum, { issues }) => sum + issues.length, 0);
    about.textContent = number === 0 ? 'Nothing is wrong' : count(number, 'issue');
    all.hidden = fixes === 0;
    all.textContent = fixes === 1 ? 'Fix it' : `Fix all ${grouped(fixes)}`;
    fill(list, ...groups.map((group) => section(app, group)));
  };
}

function section(app: App, { gravity, message, issues }: Group): HTMLElement {
  const many = issues.length > 1;
  const isReadiness = gravity === 'not ready';
  return h(
    'section',
    { class: `issue issue-${gravity.replace(' ', '-')}` },
    h(
      'h2',
      {},
      icon(ICONS[gravity]),
      h('span', { class: 'issue-what' }, WORDS[gravity], many && ` × ${grouped(issues.length)}`),
      h('span', { class: 'issue-message' }, ...marked(isReadiness ? message : many ? general(issues) : message)),
    ),
    ...rows(issues, (issue) => row(app, issue, many && !isReadiness)),
  );
}

/** A list of the first issues, and a button for the next ones. */
function rows(issues: Issue[], draw: (issue: Issue) => HTMLElement): HTMLElement[] {
  const list = h('ul', {}, ...issues.slice(0, MOST).map(draw));
  let shown = MOST;
  const more = h('button', { type: 'button', class: 'quiet', onclick: () => show() });
  const say = () => {
    more.hidden = shown >= issues.length;
    more.textContent = `Show more of ${count(issues.length - shown, 'further issue')}`;
  };
  const show = () => {
    list.append(...issues.slice(shown, shown + MOST_MORE).map(draw));
    list.children[shown]?.querySelector('button')?.focus();
    shown += MOST_MORE;
    say();
  };
  say();
  return [list, more];
}

/** What the messages of a group have in common: where they differ are dots. */
function general(issues: Issue[]): string {
  const [first, ...others] = issues.map(({ message }) => message.split(/(`[^`]*`|"[^"]*"|\d+)/));
  return (first ?? []).map((part, at) => (others.every((other) => other[at] === part) ? part : '…')).join('');
}

/** An issue: where it is, and what can be done. `said`: with its own message. */
function row(app: App, issue: Issue, said: boolean): HTMLElement {
  const { problem, about, message } = issue;
  const title = problem && fixTitle(problem.diagnostic.problem);
  return h(
    'li',
    {},
    problem &&
      h(
        'button',
        { type: 'button', class: 'chip', onclick: () => app.goToProblem(problem) },
        problem.text,
        h('span', { class: 'place' }, `line ${problem.line}`),
      ),
    about &&
      h('button', { type: 'button', class: 'chip', onclick: () => app.select(about.selection, 'link') }, about.title),
    said && h('span', { class: 'issue-own' }, ...marked(message)),
    title !== undefined &&
      problem &&
      h('button', { type: 'button', class: 'fix', onclick: () => app.fix(problem) }, title),
  );
}
