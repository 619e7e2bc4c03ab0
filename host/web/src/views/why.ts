/** The explanation: every derived value, its rule, and the fields that it depends on. */

import type { App } from '../app.ts';
import { count, fill, h } from '../dom.ts';
import { grouped } from '../render/amount.ts';
import type { Answer, Composite, Derivation, Family } from '../render/answer.ts';
import { keyOf, titleOf } from '../render/object.ts';
import { marked } from '../schema/describe.ts';
import { type Found, NOTHING, objectOf, type Selection, sameObject, selectedIn } from '../selection.ts';
import type { State } from '../state.ts';
import { causes, shortened } from './explanation.ts';
import { search } from './filters.ts';
import type { View } from './view.ts';

/** The number of rows at first. The button below adds as many. */
const STEP = 200;

interface Row {
  family: Family;
  composite: Composite;
  derivation: Derivation;
}

export const why: View = {
  name: 'why',
  title: 'Why',
  icon: 'why',
  zone: 'why',
  badge: ({ sheet: { links } }) =>
    links.size === 0 ? undefined : { text: grouped(links.size), kind: 'count', label: count(links.size, 'value') },
  draws: ['answer', 'sheet', 'selection', 'filters'],
  mount,
};

function mount(app: App, panel: HTMLElement): (state: State) => void {
  const find = search(app, 'why.find', 'Path, value, rule or field', 'Filter values');
  const about = h('span', { id: 'why-count', role: 'status' });
  const only = h('div', { id: 'why-only' });
  const list = h('div', { id: 'why-list' });
  const rest = h('div', { id: 'why-more' });
  panel.append(h('div', { class: 'filter' }, find.element, about), only, list, rest);
  let shown = STEP;
  let before: Partial<State> = {};
  /** The object whose values are shown. What is selected among the values narrows them no further. */
  let scope = NOTHING;
  const draw = (state: State) => {
    const { answer, selection, filters } = state;
    if (answer !== before.answer || selection !== before.selection || filters !== before.filters) {
      shown = STEP;
    }
    if (selection !== before.selection && state.selectedBy !== 'why') {
      scope = selection;
    }
    find.draw(filters);
    const words = (filters['why.find'] ?? '').toLowerCase();
    const found = selectedIn(answer, scope);
    const all = found ? rowsOf(found, scope) : everything(answer);
    const rows = all.filter(({ derivation }) => words === '' || text(derivation).includes(words));
    about.textContent = `${count(rows.length, 'value')}${words === '' ? '' : ' found'}`;
    fill(
      only,
      found &&
        h(
          'p',
          { class: 'only' },
          h('span', {}, 'Only ', h('b', {}, titleOf(objectOf(found)))),
          h('button', { type: 'button', class: 'quiet', onclick: () => app.select(NOTHING, 'all') }, 'Show all'),
        ),
    );
    fill(list, ...byObject(rows.slice(0, shown)).map((group) => section(app, group, selection)));
    const left = rows.length - shown;
    const more = () => {
      shown += STEP;
      before = state;
      draw(app.store.state);
    };
    fill(
      rest,
      left > 0 &&
        h('button', { type: 'button', class: 'quiet', onclick: more }, `Show more of ${count(left, 'further value')}`),
    );
    if (selection !== before.selection && state.selectedBy !== 'why') {
      list.querySelector('[aria-current]')?.scrollIntoView({ block: 'center' });
    }
    before = state;
  };
  return draw;
}

/** The values of an object; those of all objects for a composite. */
function rowsOf({ family, composite }: Found, { object }: Selection): Row[] {
  return composite.derivations
    .filter(({ resource }) => object === '' || resource === object)
    .map((derivation) => ({ family, composite, derivation }));
}

function everything(answer: Answer | undefined): Row[] {
  return (answer?.families ?? []).flatMap((family) =>
    family.composites.flatMap((composite) =>
      composite.derivations.map((derivation) => ({ family, composite, derivation })),
    ),
  );
}

function text({ path, value, because, causes, resource }: Derivation): string {
  return [resource, path, value, because, ...causes].join(' ').toLowerCase();
}

/** Groups the rows by object. */
function byObject(rows: Row[]): Row[][] {
  const groups: Row[][] = [];
  for (const row of rows) {
    const group = groups.at(-1);
    const [last] = group ?? [];
    if (group && last?.composite === row.composite && last.derivation.resource === row.derivation.resource) {
      group.push(row);
    } else {
      groups.push([row]);
    }
  }
  return groups;
}

function section(app: App, rows: Row[], selection: Selection): HTMLElement {
  const [first] = rows;
  const { composite, derivation } = first as Row;
  const resource = composite.resources.find(({ name }) => name === derivation.resource);
  return h(
    'section',
    { class: 'why-group' },
    h(
      'h2',
      {},
      derivation.resource || 'composite',
      ' ',
      h('span', { class: 'muted' }, titleOf(resource?.object ?? composite.object)),
    ),
    h('ul', {}, ...rows.map((row) => entry(app, row, selection))),
  );
}

function entry(app: App, { family, composite, derivation }: Row, selection: Selection): HTMLElement {
  const { path, value, because } = derivation;
  const own: Selection = { ...NOTHING, composite: keyOf(composite.object), object: derivation.resource, field: path };
  const isCurrent = sameObject(own, selection) && path === selection.field;
  return h(
    'li',
    { class: 'why-row', 'aria-current': isCurrent && 'true' },
    h(
      'div',
      { class: 'why-what' },
      h(
        'button',
        { type: 'button', class: 'why-path', title: path, onclick: () => app.select(own, 'why') },
        path === '' ? 'the whole object' : shortened(path),
      ),
      h('code', { class: 'why-value' }, value),
    ),
    h('p', { class: 'why-because' }, ...marked(because)),
    causes(app, family, derivation),
  );
}
