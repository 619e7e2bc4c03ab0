/** The plan: how many more fit on the fleet, what runs out first, and what a change would move. */

import type { App } from '../app.ts';
import { count, fill, h, icon } from '../dom.ts';
import { SOURCES } from '../editor/problems.ts';
import { TEXTS } from '../editor/texts.ts';
import { changeOf, commandOf, readChanges, spellChanges, type Written } from '../plan/changes.ts';
import { type Fate, fatesIn, hasPlan, replicaAt, selectionIn } from '../plan/rows.ts';
import { type Amount, counted, grouped } from '../render/amount.ts';
import type { Plan, Planned, Seat, Stock } from '../render/plan.ts';
import { marked } from '../schema/describe.ts';
import { NOTHING, type Selection } from '../selection.ts';
import type { State } from '../state.ts';
import { changeForm } from './plan/form.ts';
import type { View } from './view.ts';

/** The filter with the changes, as arguments of the command line. */
const CHANGES = 'plan.changes';
/** The most rows of a table. */
const MOST = 200;

export const plan: View = {
  name: 'plan',
  title: 'Plan',
  icon: 'plan',
  key: 'Alt+W',
  zone: 'details',
  isThere: ({ answer }) => hasPlan(answer),
  draws: ['answer', 'millis', 'filters', 'planning', 'planWaiting', 'outdated', 'selection'],
  mount,
};

function mount(app: App, panel: HTMLElement): (state: State) => void {
  const about = h('span', { id: 'plan-about', role: 'status' });
  const stop = h(
    'button',
    { type: 'button', class: 'quiet', id: 'plan-stop', onclick: () => app.stopPlan('it was stopped') },
    'Stop',
  );
  const again = h(
    'button',
    { type: 'button', class: 'quiet', id: 'plan-again', onclick: () => app.planAgain() },
    'Plan again',
  );
  const changes = () => readChanges(app.store.state.filters[CHANGES] ?? '');
  const change = (next: Written[]) => app.filter(CHANGES, spellChanges(next));
  const form = changeForm(changes, change);
  const chips = h('ul', { id: 'plan-changes', 'aria-label': 'Changes' });
  const command = h('code', { id: 'plan-command' });
  const copy = h(
    'button',
    {
      type: 'button',
      class: 'quiet',
      id: 'plan-copy',
      onclick: () => app.copy(command.textContent ?? '', 'The command is copied'),
    },
    'Copy',
  );
  const tables = h('div', { id: 'plan-tables' });
  panel.append(
    h('div', { class: 'filter' }, about, stop, again),
    h('div', { id: 'plan-try' }, form.element, chips, h('p', { class: 'plan-command' }, command, copy)),
    tables,
  );
  let drawn: Partial<State> = {};
  return (state) => {
    const { answer, filters, planning, planWaiting, outdated, selection } = state;
    const tried = changes();
    if (!outdated && answer) {
      app.plan(tried.flatMap((it) => changeOf(it) ?? []));
    }
    about.textContent = planWaiting
      ? `Planning: ${count(planWaiting.seconds, 'second')} of at most ${planWaiting.most}`
      : said(planning?.plan, planning?.why);
    stop.hidden = !planWaiting;
    again.hidden = planWaiting !== undefined || planning?.why === undefined;
    tables.setAttribute('aria-busy', String(planWaiting !== undefined));
    if (answer !== drawn.answer || filters !== drawn.filters) {
      form.offer(answer);
      const remove = (it: Written) => change(tried.filter((other) => other !== it));
      fill(chips, ...tried.map((it) => chip(it, () => remove(it))));
      chips.hidden = tried.length === 0;
      const files = SOURCES.filter((name) => app.texts.text(name).trim() !== '').map((name) => TEXTS[name].file);
      const input = app.texts.text('options').trim() === '' ? undefined : TEXTS.options.file;
      command.textContent = commandOf(files, input, tried);
    }
    if (planning !== drawn.planning || answer !== drawn.answer) {
      fill(tables, ...(planning?.plan ? parts(app, state, planning.plan, tried.length > 0) : []));
    }
    drawn = state;
    for (const row of tables.querySelectorAll<HTMLElement>('tr[data-key]')) {
      row.classList.toggle('selected', row.dataset['key'] === selection.composite);
    }
  };
}

function said(plan: Plan | undefined, why: string | undefined): string {
  if (why !== undefined) {
    return `There is no plan: ${why}`;
  }
  if (!plan) {
    return 'Nothing is planned yet';
  }
  const lost = plan.subjects.reduce((sum, { lost }) => sum + lost, 0);
  const moves = plan.subjects.reduce((sum, { moves }) => sum + moves.length, 0);
  const words = [lost > 0 && `${grouped(lost)} would have no place`, moves > 0 && `${count(moves, 'move')}`];
  return words.filter(Boolean).join(', ') || (plan.problems.length > 0 ? 'A change is wrong' : 'Nothing moves');
}

function chip({ kind, what }: Written, remove: () => void): HTMLElement {
  const words = `${kind} ${what}`;
  return h(
    'li',
    {},
    h(
      'button',
      { type: 'button', class: 'chip', 'aria-label': `Remove ${words}`, title: 'Remove', onclick: remove },
      words,
      icon('remove'),
    ),
  );
}

function parts(app: App, { answer }: State, plan: Plan, isChanged: boolean): HTMLElement[] {
  const select = (selection: Selection) => app.select(selection, 'plan');
  const press = (words: string, selection: Selection | undefined) =>
    selection
      ? h('button', { type: 'button', class: 'cluster-name', onclick: () => select(selection) }, words)
      : h('span', {}, words);
  const deployment = ({ key, name }: Planned) => press(name, selectionIn(answer, key));
  const place = (path: string[]) => press(path.join(' / '), { ...NOTHING, cluster: path[0] ?? '' });
  const seat = (seat: Seat) =>
    seat.flatMap(({ place: path, part }, index) => [index > 0 && ', ', part !== '' && `${part} on `, place(path)]);
  const where = (before: Seat | undefined, after: Seat | undefined) => [
    ...(before ? seat(before) : []),
    ...(before && after ? [' → '] : []),
    ...(after ? seat(after) : []),
  ];
  const fates = fatesIn(plan);
  const placed = ({ before, after }: Planned) => (isChanged && before !== after ? `${before} → ${after}` : `${after}`);

  const fate = ({ what, planned, before, after, number }: Fate) => {
    const reason = planned.passedOver.map(
      ({ candidates, because }) => `${count(candidates.length, 'cluster')} ${because}`,
    );
    const replica = before && replicaAt(answer, planned.key, before);
    return h(
      'tr',
      { 'data-key': planned.key, class: `fate-${what.replaceAll(' ', '-')}` },
      h('th', { scope: 'row' }, what, number > 1 && ` × ${grouped(number)}`),
      h('td', {}, deployment(planned), replica && h('span', {}, ' ', press(`(${replica.name})`, replica.selection))),
      h('td', {}, ...(what === 'without a place' ? marked(reason.join('; ')) : where(before, after))),
    );
  };
  const subject = (planned: Planned) => {
    const { key, wanted, after, more, atLeast, scarce, withOneMore } = planned;
    return h(
      'tr',
      { 'data-key': key },
      h('th', { scope: 'row' }, deployment(planned)),
      h('td', { class: after < wanted ? 'fleet-lack' : undefined }, `${placed(planned)} of ${grouped(wanted)}`),
      h('td', {}, `${atLeast ? '≥ ' : ''}${grouped(more)}`),
      scarce
        ? h(
            'td',
            {},
            place(scarce.place),
            `: ${grouped(scarce.found.value)} of ${counted(scarce.needed)}`,
            planned.class !== '' && `, ${planned.class}`,
            h('span', { class: 'muted' }, `; one more gives ${grouped(withOneMore)}`),
          )
        : h('td', {}, '–'),
    );
  };
  return [
    ...plan.problems.map((words) => h('p', { class: 'plan-problem' }, icon('error'), h('span', {}, ...marked(words)))),
    ...(fates.length > 0 ? [table('What changes', ['', 'deployment', 'where'], fates, fate)] : []),
    ...(plan.subjects.length > 0
      ? [table('How many more fit', ['deployment', 'placed', 'more fit', 'runs out first'], plan.subjects, subject)]
      : []),
    ...(plan.stock.length > 0 ? [table('Classes', ['class', 'there are', 'free'], plan.stock, stock)] : []),
  ];
}

function stock({ class: name, before, after, freeBefore, freeAfter }: Stock): HTMLElement {
  return h(
    'tr',
    {},
    h('th', { scope: 'row' }, name),
    h('td', {}, changed(before, after)),
    h('td', {}, changed(freeBefore, freeAfter)),
  );
}

function changed(before: Amount, after: Amount): string {
  return before.value === after.value ? counted(after) : `${grouped(before.value)} → ${counted(after)}`;
}

function table<T>(title: string, heads: string[], rows: readonly T[], row: (it: T) => HTMLElement): HTMLElement {
  const more = rows.length - MOST;
  return h(
    'section',
    {},
    h('h2', {}, title),
    h(
      'table',
      { class: 'plain', 'aria-label': title },
      h('thead', {}, h('tr', {}, ...heads.map((it) => (it === '' ? h('td', {}) : h('th', { scope: 'col' }, it))))),
      h(
        'tbody',
        {},
        ...rows.slice(0, MOST).map(row),
        more > 0 && h('tr', {}, h('td', { colspan: heads.length, class: 'more' }, `and ${grouped(more)} more`)),
      ),
    ),
  );
}
