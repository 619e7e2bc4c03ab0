/**
 * The cascade as a tree: composites with their resources, by areas if there are some, and whether they are ready. Above the
 * resources of a composite are its fields that other objects make what they are.
 */

import type { App } from '../app.ts';
import { type Attributes, byId, count, fill, h } from '../dom.ts';
import type { Composite, Derivation, Family, Printed, Resource } from '../render/answer.ts';
import { byArea } from '../render/areas.ts';
import { titleOf } from '../render/object.ts';
import type { Readiness } from '../render/readiness.ts';
import { marked } from '../schema/describe.ts';
import type { State } from '../state.ts';

/** The number of families at first. The button below adds as many. */
const STEP = 100;

/** Areas of a composite with more resources are closed at first. */
const MOST_OPEN = 30;

export function tree(app: App): void {
  const host = byId('tree-list');
  let shown = STEP;
  /** The rows that somebody opened or closed, by their keys. */
  const chosen = new Map<string, boolean>();
  const draw = ({ answer, view }: Pick<State, 'answer' | 'view'>) => {
    if (view !== 'tree') {
      return; // drawn when the view is opened
    }
    const families = answer?.families ?? [];
    fill(host, ...families.slice(0, shown).flatMap((family, index) => root(app, family, [index, families.length])));
    for (const node of host.querySelectorAll<HTMLElement>('[data-key]')) {
      const open = chosen.get(node.dataset['key'] ?? '') ?? !('closed' in node.dataset);
      if (!open) {
        expand(node, false);
      }
    }
    const first = host.querySelector<HTMLElement>('[role=treeitem]');
    if (first) {
      first.tabIndex = 0;
    }
    const left = families.length - shown;
    const more = () => {
      shown += STEP;
      draw(app.store.state);
    };
    fill(
      byId('tree-more'),
      left > 0 &&
        h('button', { type: 'button', class: 'quiet', onclick: more }, `Show ${count(left, 'more composite')}`),
    );
  };
  app.store.watch(['answer', 'view'], (state) => {
    shown = STEP;
    draw(state);
  });
  const toggle = (node: HTMLElement, open: boolean) => {
    expand(node, open);
    chosen.set(node.dataset['key'] ?? '', open);
  };
  host.addEventListener('click', ({ target }) => {
    const element = target as HTMLElement;
    const node = element.closest<HTMLElement>('[role=treeitem]');
    if (node && ('area' in node.dataset || element.closest('.twist[aria-hidden]'))) {
      toggle(node, node.getAttribute('aria-expanded') !== 'true');
    }
  });
  host.addEventListener('keydown', (event) => keyboard(host, event, toggle));
}

function root(app: App, family: Family, place: [index: number, size: number]): HTMLElement[] {
  const [composite] = family.composites;
  return composite ? rows(app, family, rowOf(composite), { level: 1, place, path: '' }) : [];
}

/** A row of the tree: an object, an area with objects, or a field that another object makes what it is. */
interface Row {
  /** Absent for an area and for a field. */
  object?: Printed;
  /** Absent for a field. */
  ready?: Readiness;
  /** The composition resource name, that of the area, or the path of the field; empty for a composite of the user. */
  name: string;
  /** Why the field is what it is. */
  link?: Derivation;
  composite?: Composite;
  /** When the object is composed, where what is composed is taken as ready. */
  phase?: Resource['phase'];
  /** The rows below. */
  below: Row[];
  /** Whether the rows below are closed at first. */
  closed?: boolean;
}

/** Where a row is. */
interface At {
  level: number;
  place: [index: number, size: number];
  /** The path of what is above. */
  path: string;
}

function rowOf(composite: Composite, name = ''): Row {
  const { object, ready } = composite;
  return { name, object, ready, composite, below: [] };
}

/** The rows below a composite. */
function below(family: Family, composite: Composite): Row[] {
  const resourceRow = ({ name, object, ready, child, phase }: Resource): Row => {
    const inner = child === undefined ? undefined : family.composites[child];
    return { ...(inner ? rowOf(inner, name) : { name, object, ready, below: [] }), ...(phase && { phase }) };
  };
  const links = composite.derivations.filter(({ resource, path }) => resource === '' && path.startsWith('spec.'));
  const areas = byArea(composite, composite.resources).flatMap(({ name, resources }): Row[] => {
    const inside = resources.map(resourceRow);
    const ready = inside.every((row) => row.ready === 'ready') ? 'ready' : 'not ready';
    const closed = composite.resources.length > MOST_OPEN;
    return name === '' ? inside : [{ name, ready, below: inside, closed }];
  });
  return [...links.map((link): Row => ({ name: link.path, link, below: [] })), ...areas];
}

/**
 * The rows of a composite and all below it. The rows are a flat list with levels, so that a screen reader reads one at
 * a time.
 */
function rows(app: App, family: Family, row: Row, { level, place, path }: At): HTMLElement[] {
  const children = row.composite ? below(family, row.composite) : row.below;
  const key = `${path}\n${row.object ? titleOf(row.object) : row.name}`;
  const inside = children.flatMap((child, index) =>
    rows(app, family, child, { level: level + 1, place: [index, children.length], path: key }),
  );
  const own = row.link
    ? linkLine(app, family, row.link, { level, place, path: key })
    : line(app, row, { level, place, path: key }, children.length);
  return [own, ...inside];
}

/** A field that another object makes what it is. It leads to the field. */
function linkLine(app: App, family: Family, { path, because }: Derivation, { level, place }: At): HTMLElement {
  const go = () => {
    const origin = app.origins?.nearest(family, path);
    if (origin) {
      app.go(origin);
    }
  };
  return node(
    { level, place, path: '' },
    { onclick: go },
    h('span', { class: 'twist' }),
    h(
      'span',
      { class: 'node-words' },
      h('span', { class: 'node-name' }, path),
      h('span', {}, '← ', ...marked(because)),
    ),
  );
}

function line(app: App, row: Row, at: At, children: number): HTMLElement {
  const { object, ready = 'not ready', name, composite, phase } = row;
  const condition = composite?.conditions.find(({ type }) => type === 'Ready');
  return node(
    at,
    {
      'aria-expanded': children > 0 && 'true',
      'data-key': children > 0 && at.path,
      'data-closed': row.closed === true,
      'data-area': !object,
      onclick: ({ target }: MouseEvent) => {
        if (object && !(target as HTMLElement).closest('.twist[aria-hidden]')) {
          app.reveal(object);
        }
      },
    },
    children > 0 ? h('span', { class: 'twist', 'aria-hidden': 'true' }, '▾') : h('span', { class: 'twist' }),
    h(
      'span',
      { class: `dot dot-${ready.replace(' ', '-')}`, title: ready },
      h('span', { class: 'hidden' }, `${ready} `),
    ),
    h(
      'span',
      { class: 'node-words' },
      name !== '' && h('span', { class: object ? 'node-name' : 'node-area' }, name),
      object && h('span', { class: 'node-kind' }, object.kind),
      h('span', { class: 'node-object' }, object ? object.name : count(children, 'object')),
      object?.carries &&
        h(
          'span',
          { class: 'node-carries' },
          '→ ',
          h('span', { class: 'node-kind' }, object.carries.kind),
          ` ${object.carries.name}`,
        ),
      phase && phase.number > 1 && h('span', { class: 'node-note' }, wordsOf(phase)),
      condition && ready !== 'ready' && h('span', { class: 'node-note' }, condition.message || condition.reason),
    ),
  );
}

/** When an object is composed, and what it waits for. */
function wordsOf({ number, waitsFor }: NonNullable<Resource['phase']>): string {
  return waitsFor === '' ? `phase ${number}` : `phase ${number}, waits for ${waitsFor}`;
}

/** The element of a row. */
function node({ level, place: [index, size] }: At, more: Attributes, ...inside: HTMLElement[]): HTMLElement {
  return h(
    'li',
    {
      class: 'node',
      role: 'treeitem',
      tabindex: -1,
      'aria-level': level,
      'aria-posinset': index + 1,
      'aria-setsize': size,
      ...more,
    },
    ...Array.from({ length: level - 1 }, () => h('i', { class: 'rail' })),
    ...inside,
  );
}

/** Shows or hides the rows below a row. Rows below a closed row stay hidden. */
function expand(node: HTMLElement, open: boolean): void {
  node.setAttribute('aria-expanded', String(open));
  let closed = open ? Number.POSITIVE_INFINITY : levelOf(node);
  for (
    let next = node.nextElementSibling as HTMLElement | null;
    next;
    next = next.nextElementSibling as HTMLElement | null
  ) {
    const level = levelOf(next);
    if (level <= levelOf(node)) {
      return;
    }
    if (level <= closed) {
      closed = next.getAttribute('aria-expanded') === 'false' ? level : Number.POSITIVE_INFINITY;
      next.hidden = !open;
    } else {
      next.hidden = true;
    }
  }
}

function levelOf(node: HTMLElement): number {
  return Number(node.getAttribute('aria-level'));
}

function keyboard(host: HTMLElement, event: KeyboardEvent, toggle: (node: HTMLElement, open: boolean) => void): void {
  const at = document.activeElement?.closest<HTMLElement>('[role=treeitem]');
  if (!at) {
    return;
  }
  const visible = [...host.querySelectorAll<HTMLElement>('[role=treeitem]:not([hidden])')];
  const index = visible.indexOf(at);
  const state = at.getAttribute('aria-expanded');
  const go = (node: HTMLElement | null | undefined) => {
    if (node) {
      at.tabIndex = -1;
      node.tabIndex = 0;
      node.focus();
    }
  };
  const above = () => visible.slice(0, index).findLast((node) => levelOf(node) < levelOf(at));
  const keys: Record<string, () => void> = {
    ArrowDown: () => go(visible[index + 1]),
    ArrowUp: () => go(visible[index - 1]),
    Home: () => go(visible[0]),
    End: () => go(visible.at(-1)),
    ArrowRight: () => (state === 'false' ? toggle(at, true) : state === 'true' && go(visible[index + 1])),
    ArrowLeft: () => (state === 'true' ? toggle(at, false) : go(above())),
    Enter: () => at.click(),
    ' ': () => at.click(),
  };
  const action = keys[event.key];
  if (action) {
    event.preventDefault();
    action();
  }
}
