/** The explanation: every derived value, its rule, and the fields that it depends on. */

import type { App } from '../app.ts';
import { byId, count, fill, h } from '../dom.ts';
import type { Composite, Derivation, Family } from '../render/answer.ts';
import { titleOf } from '../render/object.ts';
import { marked } from '../schema/describe.ts';

/** The number of rows at first. The button below adds as many. */
const STEP = 200;

interface Row {
  family: Family;
  composite: Composite;
  derivation: Derivation;
}

export function why(app: App): void {
  const filter = byId<HTMLInputElement>('why-filter');
  let shown = STEP;
  const draw = () => {
    const { answer, view } = app.store.state;
    if (view !== 'why') {
      return; // drawn when the view is opened
    }
    const words = filter.value.toLowerCase();
    const rows = (answer?.families ?? []).flatMap((family) =>
      family.composites.flatMap((composite) =>
        composite.derivations
          .filter((derivation) => words === '' || text(derivation).includes(words))
          .map((derivation): Row => ({ family, composite, derivation })),
      ),
    );
    byId('why-count').textContent = words === '' ? count(rows.length, 'value') : `${count(rows.length, 'value')} found`;
    fill(byId('why-list'), ...grouped(rows.slice(0, shown)).map((group) => section(app, group)));
    const left = rows.length - shown;
    const more = () => {
      shown += STEP;
      draw();
    };
    fill(
      byId('why-more'),
      left > 0 &&
        h('button', { type: 'button', class: 'quiet', onclick: more }, `Show more of ${count(left, 'further value')}`),
    );
  };
  const fresh = () => {
    shown = STEP;
    draw();
  };
  filter.addEventListener('input', fresh);
  app.store.watch(['answer', 'view'], fresh);
}

function text({ path, value, because, causes, resource }: Derivation): string {
  return [resource, path, value, because, ...causes].join(' ').toLowerCase();
}

/** Groups the rows by object. */
function grouped(rows: Row[]): Row[][] {
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

function section(app: App, rows: Row[]): HTMLElement {
  const [first] = rows;
  const { composite, derivation } = first as Row;
  const resource = composite.resources.find(({ name }) => name === derivation.resource);
  return h(
    'section',
    { class: 'why-group' },
    h(
      'h3',
      {},
      derivation.resource || 'composite',
      ' ',
      h('span', { class: 'muted' }, titleOf(resource?.object ?? composite.object)),
    ),
    h('ul', {}, ...rows.map((row) => entry(app, row))),
  );
}

/** The beginning of paths inside a wrapped object. It is not shown. */
const MANIFEST = 'spec.forProvider.manifest.';

function entry(app: App, { family, derivation }: Row): HTMLElement {
  const { path, value, because, causes } = derivation;
  const short = path.startsWith(MANIFEST) ? path.slice(MANIFEST.length) : path;
  return h(
    'li',
    { class: 'why-row' },
    h(
      'div',
      { class: 'why-what' },
      h('code', { class: 'why-path', title: path }, short),
      h('code', { class: 'why-value' }, value),
    ),
    h('p', { class: 'why-because' }, ...marked(because)),
    causes.length > 0 && h('p', { class: 'why-causes' }, ...causes.map((cause) => chip(app, family, cause))),
  );
}

function chip(app: App, family: Family, cause: string): HTMLElement {
  const origin = app.origins?.of(family, cause);
  return origin
    ? h(
        'button',
        { type: 'button', class: 'chip', onclick: () => app.go(origin) },
        cause,
        h('span', { class: 'place' }, `line ${origin.line}`),
      )
    : h(
        'span',
        { class: 'chip chip-unset', title: 'it is not written, so its default counts' },
        cause,
        h('span', { class: 'place' }, 'not set'),
      );
}
