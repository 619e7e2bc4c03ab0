/** The cascade as a tree: what composes what, and whether it is ready. */

import type { App } from '../app.ts';
import { byId, count, fill, h } from '../dom.ts';
import type { Composite, Family, Printed, Resource } from '../render/answer.ts';
import type { Readiness } from '../render/readiness.ts';
import type { State } from '../state.ts';

/** Families that are drawn at first, and with each press of the button below them. */
const STEP = 100;

export function tree(app: App): void {
  const host = byId('tree-list');
  let shown = STEP;
  const draw = ({ answer }: Pick<State, 'answer'>) => {
    const families = answer?.families ?? [];
    fill(host, ...families.slice(0, shown).map((family) => root(app, family)));
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
  app.store.watch(['answer'], (state) => {
    shown = STEP;
    draw(state);
  });
  host.addEventListener('keydown', (event) => keyboard(host, event));
}

function root(app: App, family: Family): HTMLElement {
  const [first] = family.composites;
  return first ? item(app, family, first.object, first.ready, '', first) : h('li');
}

function item(
  app: App,
  family: Family,
  object: Printed,
  ready: Readiness,
  name: string,
  composite: Composite | undefined,
): HTMLElement {
  const children = composite?.resources.map((resource) => child(app, family, resource)) ?? [];
  const conditions = composite?.conditions.find(({ type }) => type === 'Ready');
  const open = () => app.reveal(object);
  const label = [name, object.kind, object.name].filter(Boolean).join(' ');
  return h(
    'li',
    {
      role: 'treeitem',
      tabindex: -1,
      'aria-label': `${label}, ${ready}`,
      ...(children.length > 0 && { 'aria-expanded': 'true' }),
    },
    h(
      'div',
      { class: 'node', onclick: open },
      children.length > 0
        ? h('span', { class: 'twist', 'aria-hidden': 'true', onclick: (event: MouseEvent) => toggle(event) }, '▾')
        : h('span', { class: 'twist' }),
      h('span', { class: `dot dot-${ready.replace(' ', '-')}`, title: ready }),
      name !== '' && h('span', { class: 'node-name' }, name),
      h('span', { class: 'node-kind' }, object.kind),
      h('span', { class: 'node-object' }, object.name),
      object.carries &&
        h(
          'span',
          { class: 'node-carries' },
          '→ ',
          h('span', { class: 'node-kind' }, object.carries.kind),
          ' ',
          object.carries.name,
        ),
      conditions && ready !== 'ready' && h('span', { class: 'node-note' }, conditions.message || conditions.reason),
    ),
    children.length > 0 && h('ul', { role: 'group' }, ...children),
  );
}

function child(app: App, family: Family, resource: Resource): HTMLElement {
  const composite = resource.child === undefined ? undefined : family.composites[resource.child];
  return item(
    app,
    family,
    composite?.object ?? resource.object,
    composite?.ready ?? resource.ready,
    resource.name,
    composite,
  );
}

function toggle(event: MouseEvent): void {
  event.stopPropagation();
  const node = (event.target as HTMLElement).closest<HTMLElement>('[role=treeitem]');
  if (node) {
    expand(node, node.getAttribute('aria-expanded') !== 'true');
  }
}

function expand(node: HTMLElement, open: boolean): void {
  if (node.hasAttribute('aria-expanded')) {
    node.setAttribute('aria-expanded', String(open));
  }
}

function keyboard(host: HTMLElement, event: KeyboardEvent): void {
  const at = document.activeElement?.closest<HTMLElement>('[role=treeitem]');
  if (!at) {
    return;
  }
  const visible = [...host.querySelectorAll<HTMLElement>('[role=treeitem]')].filter(
    (node) => node.offsetParent !== null,
  );
  const index = visible.indexOf(at);
  const isOpen = at.getAttribute('aria-expanded') === 'true';
  const go = (node: HTMLElement | null | undefined) => {
    if (node) {
      at.tabIndex = -1;
      node.tabIndex = 0;
      node.focus();
    }
  };
  const keys: Record<string, () => void> = {
    ArrowDown: () => go(visible[index + 1]),
    ArrowUp: () => go(visible[index - 1]),
    Home: () => go(visible[0]),
    End: () => go(visible.at(-1)),
    ArrowRight: () =>
      at.getAttribute('aria-expanded') === 'false'
        ? expand(at, true)
        : go(at.querySelector<HTMLElement>('[role=treeitem]')),
    ArrowLeft: () => (isOpen ? expand(at, false) : go(at.parentElement?.closest<HTMLElement>('[role=treeitem]'))),
    Enter: () => at.querySelector<HTMLElement>('.node')?.click(),
    ' ': () => at.querySelector<HTMLElement>('.node')?.click(),
  };
  const action = keys[event.key];
  if (action) {
    event.preventDefault();
    action();
  }
}
