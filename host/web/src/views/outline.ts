/** The outline: everything that would exist, by composite, area or kind, and object, and whether it is ready. */

import type { App } from '../app.ts';
import { count, h } from '../dom.ts';
import { kindsOf, type Line, linesOf, pathTo } from '../outline/lines.ts';
import { type Node, nodesOf, readinessIn } from '../outline/nodes.ts';
import { grouped } from '../render/amount.ts';
import type { Answer } from '../render/answer.ts';
import { keyOf, shownOf } from '../render/object.ts';
import { marked } from '../schema/describe.ts';
import { NOTHING, sameObject, selectionOf } from '../selection.ts';
import type { State } from '../state.ts';
import { choice, search } from './filters.ts';
import { Rows } from './rows.ts';
import type { View } from './view.ts';

/** The height of a row in pixels, as the style sheet has it. */
const HEIGHT = 28;

export const outline: View = {
  name: 'outline',
  title: 'Outline',
  icon: 'tree',
  zone: 'outline',
  badge: ({ sheet: { objects } }) =>
    objects === 0 ? undefined : { text: grouped(objects), kind: 'count', label: count(objects, 'object') },
  draws: ['answer', 'sheet', 'selection', 'filters'],
  mount: (app, panel) => new Outline(app, panel).draw,
};

class Outline {
  readonly #app: App;
  readonly #box = h('div', { id: 'outline-list', role: 'tree', 'aria-label': 'Everything that would exist' });
  readonly #inner = h('div', { role: 'none' });
  readonly #none = h('p', { class: 'muted none', hidden: true }, 'Nothing has these words.');
  readonly #count = h('span', { id: 'outline-count', role: 'status' });
  readonly #rows: Rows;
  readonly #find: ReturnType<typeof search>;
  readonly #kind: ReturnType<typeof choice>;
  readonly #ready: ReturnType<typeof choice>;
  /** What somebody opened or closed, by the keys of nodes. */
  readonly #chosen = new Map<string, boolean>();
  #nodes: Node[] = [];
  #answer: Answer | undefined;
  #selection = NOTHING;
  #lines: Line[] = [];
  /** The key of the row that the keyboard is at. */
  #current = '';

  constructor(app: App, panel: HTMLElement) {
    this.#app = app;
    this.#find = search(app, 'outline.find', 'Search any name', 'Search objects');
    this.#kind = choice(app, 'outline.kind', 'Kind');
    this.#ready = choice(app, 'outline.ready', 'Readiness');
    this.#box.append(this.#inner);
    const filter = h(
      'div',
      { class: 'filter' },
      this.#find.element,
      this.#kind.element,
      this.#ready.element,
      this.#count,
    );
    panel.append(filter, this.#none, this.#box);
    this.#rows = new Rows(this.#box, this.#inner);
    this.#box.addEventListener('click', (event) => this.#press(event));
    this.#box.addEventListener('focusin', ({ target }) => {
      this.#current = (target as HTMLElement).dataset['key'] ?? this.#current;
    });
    this.#box.addEventListener('keydown', (event) => this.#keyboard(event));
  }

  readonly draw = ({ answer, selection, selectedBy, filters }: State): void => {
    if (answer !== this.#answer) {
      this.#answer = answer;
      this.#nodes = answer ? nodesOf(answer) : [];
      this.#kind.offer([['', 'any kind'], ...kindsOf(this.#nodes).map((kind): [string, string] => [kind, kind])]);
    }
    this.#ready.offer([
      ['', 'ready or not'],
      ['not ready', 'not ready'],
      ['ready', 'ready'],
    ]);
    for (const filter of [this.#find, this.#kind, this.#ready]) {
      filter.draw(filters);
    }
    const isNews = selection !== this.#selection;
    this.#selection = selection;
    const path = isNews ? pathTo(this.#nodes, (node) => this.#isSelected(node)) : [];
    for (const node of path.slice(0, -1)) {
      this.#chosen.set(node.key, true);
    }
    this.#list();
    const selected = path.at(-1);
    if (selected) {
      this.#current = selected.key;
      this.#reveal(selectedBy === 'outline');
    }
  };

  /** Draws the lines anew. */
  #list(): void {
    const focused = this.#box.contains(document.activeElement);
    const { filters } = this.#app.store.state;
    const wanted = {
      find: filters['outline.find'] ?? '',
      kind: filters['outline.kind'] ?? '',
      ready: filters['outline.ready'] ?? '',
    };
    const { lines, found } = linesOf(this.#nodes, wanted, (node) => this.#chosen.get(node.key) ?? !node.closed);
    this.#lines = lines;
    if (!lines.some(({ node }) => node.key === this.#current)) {
      this.#current = lines[0]?.node.key ?? '';
    }
    const all = this.#nodes.reduce((sum, { objects }) => sum + objects, 0);
    this.#count.textContent = found === undefined ? '' : `${grouped(found)} of ${grouped(all)}`;
    this.#none.hidden = lines.length > 0 || all === 0;
    this.#rows.set(lines.map((line) => ({ height: HEIGHT, draw: () => this.#row(line) })));
    if (focused) {
      this.#focus();
    }
  }

  #row(line: Line): HTMLElement {
    const { node, level, index, size, open } = line;
    const { key, what, name, object, ready, note } = node;
    const words = what === 'field' ? [h('span', {}, '← ', ...marked(note))] : this.#words(node);
    return h(
      'div',
      {
        class: 'node',
        role: 'treeitem',
        tabindex: key === this.#current ? 0 : -1,
        'aria-level': level,
        'aria-posinset': index + 1,
        'aria-setsize': size,
        'aria-expanded': open === undefined ? undefined : String(open),
        'aria-selected': String(this.#isSelected(node)),
        'data-key': key,
        title: [name, object && keyOf(object), note].filter(Boolean).join('\n'),
      },
      ...Array.from({ length: level - 1 }, () => h('i', { class: 'rail' })),
      h('span', { class: 'twist', 'aria-hidden': 'true' }, open === undefined ? '' : open ? '▾' : '▸'),
      what !== 'field' &&
        what !== 'wrapper' &&
        h('span', { class: `dot dot-${ready.replace(' ', '-')}` }, h('span', { class: 'hidden' }, `${ready} `)),
      h(
        'span',
        { class: 'node-words' },
        name !== '' && h('span', { class: what === 'group' ? 'node-area' : 'node-name' }, name),
        ...words,
      ),
    );
  }

  #words({ what, object, note, objects, notReady }: Node): (HTMLElement | false)[] {
    if (!object) {
      return [
        h('span', { class: 'node-object' }, count(objects, 'object')),
        h('span', { class: 'node-note' }, readinessIn({ objects, notReady })),
      ];
    }
    const { kind, name, cluster } = what === 'wrapper' ? { ...object, cluster: '' } : shownOf(object);
    return [
      what === 'wrapper' && h('span', { class: 'node-note' }, 'wrapped by'),
      h('span', { class: 'node-kind' }, kind),
      h('span', { class: 'node-object' }, name),
      cluster !== '' && h('span', { class: 'node-cluster' }, `on cluster ${cluster}`),
      note !== '' && h('span', { class: 'node-note' }, note),
    ];
  }

  #isSelected({ what, found }: Node): boolean {
    return what === 'object' && found !== undefined && sameObject(selectionOf(found), this.#selection);
  }

  #press({ target }: MouseEvent): void {
    const element = target as HTMLElement;
    const line = this.#at(element.closest<HTMLElement>('[data-key]')?.dataset['key']);
    if (line) {
      this.#current = line.node.key;
      if (line.open !== undefined && (line.node.what === 'group' || element.closest('.twist'))) {
        this.#toggle(line);
      } else {
        this.#choose(line.node);
      }
      this.#focus();
    }
  }

  #choose({ found, link }: Node): void {
    if (found) {
      this.#app.select(selectionOf(found, link?.path), 'outline');
    }
    if (!this.#app.store.state.wide && !link) {
      this.#app.showView('result');
    }
  }

  #toggle({ node, open }: Line): void {
    this.#chosen.set(node.key, !open);
    this.#list();
  }

  #at(key: string | undefined): Line | undefined {
    return this.#lines.find(({ node }) => node.key === key);
  }

  /** Brings the current row in sight. */
  #reveal(focus: boolean): void {
    const index = this.#lines.findIndex(({ node }) => node.key === this.#current);
    if (index >= 0) {
      this.#rows.reveal(index);
    }
    if (focus) {
      this.#focus();
    }
  }

  #focus(): void {
    for (const row of this.#box.querySelectorAll<HTMLElement>('[data-key]')) {
      const isCurrent = row.dataset['key'] === this.#current;
      row.tabIndex = isCurrent ? 0 : -1;
      isCurrent && row.focus({ preventScroll: true });
    }
  }

  #keyboard(event: KeyboardEvent): void {
    const index = this.#lines.findIndex(({ node }) => node.key === this.#current);
    const line = this.#lines[index];
    if (!line || event.altKey || event.ctrlKey || event.metaKey) {
      return;
    }
    const go = (to: number) => {
      this.#current = this.#lines[Math.min(this.#lines.length - 1, Math.max(0, to))]?.node.key ?? '';
      this.#reveal(true);
    };
    const above = () => this.#lines.slice(0, index).findLastIndex(({ level }) => level < line.level);
    const keys: Record<string, () => void> = {
      ArrowDown: () => go(index + 1),
      ArrowUp: () => go(index - 1),
      PageDown: () => go(index + this.#rows.page),
      PageUp: () => go(index - this.#rows.page),
      Home: () => go(0),
      End: () => go(this.#lines.length - 1),
      ArrowRight: () => (line.open === false ? this.#toggle(line) : line.open && go(index + 1)),
      ArrowLeft: () => (line.open ? this.#toggle(line) : above() >= 0 && go(above())),
      Enter: () => (line.node.what === 'group' ? this.#toggle(line) : this.#choose(line.node)),
      ' ': () => (line.node.what === 'group' ? this.#toggle(line) : this.#choose(line.node)),
    };
    const run = keys[event.key];
    if (run) {
      event.preventDefault();
      run();
    }
  }
}
