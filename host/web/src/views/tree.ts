/** The cascade as a tree: composites with their resources, and whether they are ready. */

import type { App } from '../app.ts';
import { byId, count, fill, h } from '../dom.ts';
import type { Composite, Family, Printed } from '../render/answer.ts';
import type { Readiness } from '../render/readiness.ts';
import type { State } from '../state.ts';

/** The number of families at first. The button below adds as many. */
const STEP = 100;

export function tree(app: App): void {
  const host = byId('tree-list');
  let shown = STEP;
  const draw = ({ answer, view }: Pick<State, 'answer' | 'view'>) => {
    if (view !== 'tree') {
      return; // drawn when the view is opened
    }
    const families = answer?.families ?? [];
    fill(host, ...families.slice(0, shown).flatMap((family, index) => root(app, family, [index, families.length])));
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
  host.addEventListener('keydown', (event) => keyboard(host, event));
}

function root(app: App, family: Family, place: [index: number, size: number]): HTMLElement[] {
  const [composite] = family.composites;
  return composite
    ? rows(app, family, { name: '', object: composite.object, ready: composite.ready, composite }, 1, place)
    : [];
}

/** A row of the tree. */
interface Row {
  object: Printed;
  ready: Readiness;
  /** The composition resource name; empty for a composite of the user. */
  name: string;
  composite?: Composite | undefined;
}

/**
 * The rows of a composite and all below it. The rows are a flat list with levels, so that a screen reader reads one at
 * a time.
 */
function rows(app: App, family: Family, row: Row, level: number, place: [index: number, size: number]): HTMLElement[] {
  const children = (row.composite?.resources ?? []).map((resource): Row => {
    const composite = resource.child === undefined ? undefined : family.composites[resource.child];
    const { name } = resource;
    return composite
      ? { name, object: composite.object, ready: composite.ready, composite }
      : { name, object: resource.object, ready: resource.ready };
  });
  const below = children.flatMap((child, index) => rows(app, family, child, level + 1, [index, children.length]));
  return [line(app, row, level, place, children.length > 0), ...below];
}

function line(app: App, row: Row, level: number, [index, size]: [number, number], isBranch: boolean): HTMLElement {
  const { object, ready, name, composite } = row;
  const condition = composite?.conditions.find(({ type }) => type === 'Ready');
  return h(
    'li',
    {
      class: 'node',
      role: 'treeitem',
      tabindex: -1,
      'aria-level': level,
      'aria-posinset': index + 1,
      'aria-setsize': size,
      'aria-expanded': isBranch && 'true',
      onclick: () => app.reveal(object),
    },
    ...Array.from({ length: level - 1 }, () => h('i', { class: 'rail' })),
    isBranch
      ? h('span', { class: 'twist', 'aria-hidden': 'true', onclick: toggle }, '▾')
      : h('span', { class: 'twist' }),
    h(
      'span',
      { class: `dot dot-${ready.replace(' ', '-')}`, title: ready },
      h('span', { class: 'hidden' }, `${ready} `),
    ),
    h(
      'span',
      { class: 'node-words' },
      name !== '' && h('span', { class: 'node-name' }, name),
      h('span', { class: 'node-kind' }, object.kind),
      h('span', { class: 'node-object' }, object.name),
      object.carries &&
        h(
          'span',
          { class: 'node-carries' },
          '→ ',
          h('span', { class: 'node-kind' }, object.carries.kind),
          ` ${object.carries.name}`,
        ),
      condition && ready !== 'ready' && h('span', { class: 'node-note' }, condition.message || condition.reason),
    ),
  );
}

function toggle(event: MouseEvent): void {
  event.stopPropagation();
  const node = (event.target as HTMLElement).closest<HTMLElement>('[role=treeitem]');
  if (node) {
    expand(node, node.getAttribute('aria-expanded') !== 'true');
  }
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

function keyboard(host: HTMLElement, event: KeyboardEvent): void {
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
    ArrowRight: () => (state === 'false' ? expand(at, true) : state === 'true' && go(visible[index + 1])),
    ArrowLeft: () => (state === 'true' ? expand(at, false) : go(above())),
    Enter: () => at.click(),
    ' ': () => at.click(),
  };
  const action = keys[event.key];
  if (action) {
    event.preventDefault();
    action();
  }
}
