/** The whole as a graph: composites, what they compose, and dashed what refers to what. */

import type { App } from '../app.ts';
import { count, fill, h } from '../dom.ts';
import { type Edge, type Graph, type GraphNode, graphOf, keyOfNode } from '../graph/graph.ts';
import { sameObject } from '../selection.ts';
import type { State } from '../state.ts';
import type { View } from './view.ts';

/** Sizes in pixels. */
const [WIDTH, HEIGHT, ACROSS, DOWN, EDGE] = [210, 40, 96, 12, 16];

export const graph: View = {
  name: 'graph',
  title: 'Graph',
  icon: 'graph',
  zone: 'details',
  draws: ['answer', 'selection'],
  mount,
};

function mount(app: App, panel: HTMLElement): (state: State) => void {
  const about = h('span', { id: 'graph-about', role: 'status' });
  const legend = h('span', { class: 'legend' }, line('composes'), 'composes', line('refers'), 'refers to');
  const box = h('div', { id: 'graph', role: 'group', 'aria-label': 'Graph of objects' });
  panel.append(h('div', { class: 'filter' }, about, legend), box);
  let drawn: State['answer'];
  let nodes = new Map<HTMLElement, GraphNode>();
  box.addEventListener('click', ({ target }) => {
    const node = nodes.get((target as HTMLElement).closest<HTMLElement>('.graph-node') ?? box);
    if (node?.selection) {
      app.select(node.selection, 'graph');
    }
  });
  return ({ answer, selection, selectedBy }) => {
    if (answer !== drawn) {
      drawn = answer;
      const made = graphOf(answer ?? { families: [] });
      nodes = new Map(made.nodes.map((node) => [element(node), node]));
      const height = made.rows * (HEIGHT + DOWN) + 2 * EDGE;
      const width = made.columns * (WIDTH + ACROSS) + 2 * EDGE;
      const sheet = h('div', { class: 'graph-sheet' }, edges(made, width, height), ...nodes.keys());
      sheet.style.width = `${width}px`;
      sheet.style.height = `${height}px`;
      fill(box, sheet);
      const refers = made.edges.filter(({ what }) => what === 'refers').length;
      about.textContent = [
        `${count(made.nodes.length, 'node')}, ${count(refers, 'reference')}`,
        made.left > 0 && `and ${count(made.left, 'more composite')}`,
      ]
        .filter(Boolean)
        .join(' ');
    }
    for (const [element, node] of nodes) {
      const isSelected = node.selection !== undefined && sameObject(node.selection, selection);
      element.setAttribute('aria-pressed', String(isSelected));
      if (isSelected && selectedBy !== 'graph') {
        element.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      }
    }
    const selected = [...nodes.values()].find((node) => node.selection && sameObject(node.selection, selection));
    for (const path of box.querySelectorAll<SVGElement>('path[data-ends]')) {
      const isLit = selected !== undefined && path.dataset['ends']?.split('\t').includes(keyOfNode(selected));
      path.classList.toggle('lit', isLit);
    }
  };
}

function element(node: GraphNode): HTMLElement {
  const { kind, name, ready, composes, selection } = node;
  const inside = [
    h('span', { class: `dot dot-${ready.replace(' ', '-')}` }, h('span', { class: 'hidden' }, `${ready} `)),
    h(
      'span',
      { class: 'graph-words' },
      h('span', { class: 'node-kind' }, kind),
      h('span', { class: 'node-object' }, name),
    ),
  ];
  const classes = `graph-node${composes ? ' composes' : ''}`;
  const it = selection
    ? h('button', { type: 'button', class: classes, title: `${kind} ${name}` }, ...inside)
    : h('div', { class: classes }, ...inside);
  const { x, y } = placeOf(node);
  it.style.left = `${x}px`;
  it.style.top = `${y}px`;
  return it;
}

function placeOf({ column, row }: GraphNode): { x: number; y: number } {
  return { x: EDGE + column * (WIDTH + ACROSS), y: EDGE + row * (HEIGHT + DOWN) };
}

function edges({ edges }: Graph, width: number, height: number): SVGElement {
  const picture = svg('svg', { width, height, 'aria-hidden': 'true' });
  picture.append(...edges.map(path));
  return picture;
}

/** A curve between two nodes. References leave on the right too, when both are in one column. */
function path({ from, to, what }: Edge): SVGElement {
  const [a, b] = [placeOf(from), placeOf(to)];
  const half = HEIGHT / 2;
  const start = { x: a.x + WIDTH, y: a.y + half };
  const isAside = to.column <= from.column;
  const end = { x: isAside ? b.x + WIDTH : b.x, y: b.y + half };
  const bend = isAside ? Math.min(ACROSS - 10, 30 + Math.abs(start.y - end.y) / 6) : ACROSS / 2;
  const d = `M${start.x} ${start.y}C${start.x + bend} ${start.y} ${end.x + (isAside ? bend : -bend)} ${end.y} ${end.x} ${end.y}`;
  return svg('path', { d, class: `edge-${what}`, 'data-ends': `${keyOfNode(from)}\t${keyOfNode(to)}` });
}

function line(what: Edge['what']): SVGElement {
  const picture = svg('svg', { width: 28, height: 8, 'aria-hidden': 'true' });
  picture.append(svg('path', { d: 'M0 4H28', class: `edge-${what}` }));
  return picture;
}

function svg(tag: string, attributes: Record<string, string | number>): SVGElement {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag) as SVGElement;
  for (const [name, value] of Object.entries(attributes)) {
    made.setAttribute(name, String(value));
  }
  return made;
}
