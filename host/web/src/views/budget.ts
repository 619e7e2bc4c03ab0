/** The budget: pools of memory, who has it, who waits and why, beside a baseline, and how that changes with time. */

import type { App } from '../app.ts';
import { type Moment, momentAt, momentsOf } from '../budget/moments.ts';
import { difference, isMemory, type Model, type Pool, poolsOf, quantity } from '../budget/pools.ts';
import { capital, fill, h, icon } from '../dom.ts';
import { marked } from '../schema/describe.ts';
import type { State } from '../state.ts';
import { baselines } from './comparison.ts';
import { menu } from './menu.ts';
import type { View } from './view.ts';

/** What the parts of a bar are, beside what is free. */
const LEGEND = ['confirmed', 'claimed', 'given back', 'taken'];
/** The most models of a pool that have a row. */
const MOST = 200;

export const budget: View = {
  name: 'budget',
  title: 'Budget',
  icon: 'budget',
  key: 'Alt+M',
  zone: 'details',
  isThere: ({ answer }) => answer?.places.some(isMemory) ?? false,
  badge: ({ answer }) => {
    const waiting = new Set(waitingIn(answer)).size;
    return waiting === 0 ? undefined : { text: String(waiting), kind: 'warning', label: `${waiting} without memory` };
  },
  draws: ['answer', 'selection', 'clock', 'baseline', 'comparing'],
  mount,
};

function waitingIn(answer: State['answer']): string[] {
  const pools = answer?.places.some(isMemory) ? poolsOf(answer) : [];
  return pools.flatMap(({ models }) => models.flatMap(({ situation, key }) => (situation === 'waits' ? [key] : [])));
}

function mount(app: App, panel: HTMLElement): (state: State) => void {
  const legend = h(
    'span',
    { class: 'legend budget-legend' },
    ...[...LEGEND, 'free'].map((name) => h('span', {}, swatch(name), name)),
  );
  const compared = h('span', { id: 'budget-compared', class: 'legend' });
  const choose = h('button', { type: 'button', id: 'budget-baseline', class: 'quiet' }, 'Compare with…');
  menu(choose, () => baselines(app));
  const list = h('div', { id: 'budget-pools' });
  const time = timeline(app);
  panel.append(
    h('div', { class: 'filter' }, legend, compared, h('div', { class: 'anchor' }, choose)),
    list,
    time.element,
  );
  let drawn: Partial<State> = {};
  return (state) => {
    const { answer, baseline, comparing, selection, selectedBy, clock } = state;
    const before = comparing ? baseline : undefined;
    if (answer !== drawn.answer || baseline !== drawn.baseline || comparing !== drawn.comparing) {
      const known =
        before && new Map(poolsOf(before.answer ?? { families: [], places: [] }).map((it) => [it.name, it]));
      const pools = poolsOf(answer ?? { families: [], places: [] });
      fill(
        list,
        ...pools.map((pool) => section(app, pool, known)),
        ...[...(known?.values() ?? [])].filter(({ name }) => !pools.some((it) => it.name === name)).map(gone),
      );
      fill(compared, ...(before ? [swatch('before'), before.title] : []));
    }
    if (answer !== drawn.answer || clock !== drawn.clock) {
      const documents = `${app.texts.text('manifest')}\n---\n${app.texts.text('observed')}`.split(/^---/m);
      const written = (name: string) => documents.filter((text) => text.includes(`name: ${name}\n`)).join('\n');
      time.draw(momentsOf(answer ?? { families: [] }, written), clock);
    }
    drawn = state;
    for (const row of list.querySelectorAll<HTMLElement>('tr[data-model]')) {
      const isSelected = row.dataset['model'] === selection.composite;
      row.classList.toggle('selected', isSelected);
      row.querySelector('button')?.setAttribute('aria-pressed', String(isSelected));
    }
    if (selectedBy !== 'budget') {
      list.querySelector('tr.selected')?.scrollIntoView({ block: 'nearest' });
    }
  };
}

function section(app: App, pool: Pool, known: ReadonlyMap<string, Pool> | undefined): HTMLElement {
  const { name, size, taken, models } = pool;
  const before = known?.get(name);
  const { unit } = size;
  const free = size.value - taken;
  return h(
    'section',
    { class: 'pool' },
    h(
      'h2',
      {},
      name,
      h(
        'span',
        { class: free < 0 ? 'pool-sum over' : 'pool-sum muted' },
        `${quantity({ value: taken, unit })} of ${quantity(size)} taken, `,
        free < 0 ? `${quantity({ value: -free, unit })} too much` : `${quantity({ value: free, unit })} free`,
        known && h('span', { class: 'pool-difference' }, difference(pool, before)),
      ),
    ),
    before && h('div', { class: 'thin' }, bar(before)),
    bar(pool),
    models.length > 0 && table(app, pool),
  );
}

/** A pool that only the baseline has. */
function gone(pool: Pool): HTMLElement {
  const { name, size, taken } = pool;
  const was = `had ${quantity({ value: taken, unit: size.unit })} of ${quantity(size)} taken, and is not there any more`;
  return h(
    'section',
    { class: 'pool' },
    h('h2', {}, name, h('span', { class: 'pool-sum muted' }, was)),
    h('div', { class: 'thin' }, bar(pool)),
  );
}

/** The bar of a pool. It is a picture: the table below says the same. */
function bar({ size, taken, models }: Pool): HTMLElement {
  const parts = models.filter(({ value }) => value > 0);
  const whole = h(
    'div',
    { class: `pool-bar${taken > size.value ? ' over' : ''}`, 'aria-hidden': 'true' },
    ...parts.map(({ name, situation, value }) => {
      const amount = quantity({ value, unit: size.unit });
      return part(value, situation, `${name.split('/').at(-1)} ${amount}`, `${name}: ${amount} ${situation}`);
    }),
    size.value > taken && part(size.value - taken, 'free', '', ''),
  );
  return whole;
}

function part(value: number, what: string, words: string, title: string): HTMLElement {
  const element = h('i', { class: classOf(what), title: title || undefined }, words);
  element.style.flexGrow = String(value);
  return element;
}

function table(app: App, { models, size, name }: Pool): HTMLElement {
  const more = models.length - MOST;
  return h(
    'table',
    { class: 'plain', 'aria-label': `Models of ${name}` },
    h('thead', {}, h('tr', {}, ...['model', 'memory', 'how it is'].map((it) => h('th', { scope: 'col' }, it)))),
    h(
      'tbody',
      {},
      ...models.slice(0, MOST).map((model) => row(app, model, size.unit)),
      more > 0 && h('tr', {}, h('td', { colspan: 3, class: 'more' }, `and ${more} more`)),
    ),
  );
}

function row(app: App, { key, name, situation, value, why, selection }: Model, unit: string): HTMLElement {
  const press = selection && (() => app.select(selection, 'budget'));
  return h(
    'tr',
    { 'data-model': key },
    h(
      'th',
      { scope: 'row' },
      press ? h('button', { type: 'button', class: 'cluster-name', onclick: press }, name) : name,
    ),
    h('td', { class: 'amount' }, value > 0 ? quantity({ value, unit }) : '–'),
    h(
      'td',
      { class: 'situation' },
      swatch(situation),
      ...marked(why.startsWith(situation) ? why : `${situation}: ${why}`),
    ),
  );
}

function swatch(what: string): HTMLElement {
  return h('i', { class: `swatch ${classOf(what)}`, 'aria-hidden': 'true' });
}

function classOf(what: string): string {
  return `budget-${what.replace(' ', '-')}`;
}

/** What moves the clock from moment to moment. */
function timeline(app: App): { element: HTMLElement; draw(moments: Moment[], clock: string): void } {
  let shown: Moment[] = [];
  const go = (index: number) => {
    const moment = shown[index];
    moment && app.setClock(moment.at);
  };
  const slider = h('input', {
    type: 'range',
    id: 'budget-time',
    min: 0,
    step: 1,
    'aria-label': 'Time',
    oninput: () => go(Number(slider.value)),
  });
  const step = (id: string, title: string, by: number) =>
    h(
      'button',
      {
        type: 'button',
        id,
        class: 'icon-button',
        'aria-label': title,
        title,
        onclick: () => go(next(shown, app.store.state.clock, by)),
      },
      icon('chevron'),
    );
  const earlier = step('budget-earlier', 'Earlier moment', -1);
  const later = step('budget-later', 'Later moment', 1);
  const now = h('output', { id: 'budget-now', for: 'budget-time' });
  const none = h(
    'button',
    { type: 'button', id: 'budget-no-time', class: 'quiet', onclick: () => app.setClock('') },
    'No time',
  );
  const steps = h('div', { class: 'time-steps' }, earlier, slider, later);
  const element = h('div', { id: 'budget-timeline', role: 'group', 'aria-label': 'Time' }, steps, now, none);
  const draw = (moments: Moment[], clock: string) => {
    shown = moments;
    const at = momentAt(moments, clock);
    const here = moments[at]?.at === clock ? moments[at] : undefined;
    slider.max = String(Math.max(0, moments.length - 1));
    slider.value = String(Math.max(0, at));
    steps.hidden = moments.length === 0;
    none.hidden = clock === '';
    earlier.disabled = next(moments, clock, -1) < 0;
    later.disabled = next(moments, clock, 1) >= moments.length;
    const happens = here ? capital(here.what.join(', ')) : '';
    slider.setAttribute('aria-valuetext', [clock || 'no time', happens].filter(Boolean).join(': '));
    const words =
      moments.length > 0 ? 'No time: nothing falls asleep' : 'No moment is known: no text says when somebody asked';
    fill(now, h('b', {}, clock), ...marked(clock === '' ? words : happens));
  };
  return { element, draw };
}

/** The index of the moment before or after a time. */
function next(moments: readonly Moment[], clock: string, by: number): number {
  const at = momentAt(moments, clock);
  return by < 0 && at >= 0 && moments[at]?.at !== clock ? at : at + by;
}
