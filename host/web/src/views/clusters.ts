/** Clusters: whose they are and where, their pools of nodes, the phases in which they are made, and what they wait for. */

import type { App } from '../app.ts';
import { type Card, cardsOf, hasClusters, type Phase } from '../clusters/clusters.ts';
import { count, fill, h, icon } from '../dom.ts';
import { grouped } from '../render/amount.ts';
import type { Answer } from '../render/answer.ts';
import type { NodePool } from '../render/cluster.ts';
import { marked } from '../schema/describe.ts';
import { selectionOf } from '../selection.ts';
import type { State } from '../state.ts';
import { search } from './filters.ts';
import { condition } from './outcomes.ts';
import type { View } from './view.ts';

/** The most clusters that are shown. The search finds the others. */
const MOST = 60;

export const clusters: View = {
  name: 'clusters',
  title: 'Clusters',
  icon: 'cluster',
  key: 'Alt+U',
  zone: 'details',
  isThere: ({ answer }) => hasClusters(answer),
  draws: ['answer', 'selection', 'filters', 'settled'],
  mount,
};

function mount(app: App, panel: HTMLElement): (state: State) => void {
  const find = search(app, 'clusters.find', 'Search names, regions, GPUs', 'Search clusters');
  const about = h('span', { id: 'clusters-count', role: 'status' });
  const all = h(
    'button',
    { type: 'button', class: 'quiet', id: 'clusters-assume', onclick: () => app.assume(true) },
    'Show phases',
  );
  all.title = 'Take all that is composed as ready: what follows, and in which order';
  const list = h('ul', { id: 'clusters-list' });
  panel.append(h('div', { class: 'filter' }, find.element, about, all), list);
  let drawn: { answer?: Answer | undefined; words?: string } = {};
  let cards = new Map<Card, HTMLElement>();
  return ({ answer, filters, selection, selectedBy, settled }) => {
    const words = filters['clusters.find'] ?? '';
    find.draw(filters);
    all.hidden = settled;
    if (answer !== drawn.answer || words !== drawn.words) {
      drawn = { answer, words };
      const found = cardsOf(answer ?? { families: [] }, words);
      about.textContent = count(found.length, 'cluster');
      cards = new Map(found.slice(0, MOST).map((card) => [card, element(app, card)]));
      const more = found.length - MOST;
      fill(
        list,
        ...cards.values(),
        more > 0 && h('li', { class: 'more' }, `and ${grouped(more)} more; the search finds them`),
      );
    }
    for (const [card, element] of cards) {
      const isSelected = card.key === selection.composite;
      element.classList.toggle('selected', isSelected);
      element.querySelector('.cluster-name')?.setAttribute('aria-pressed', String(isSelected));
      element.querySelectorAll('.phase').forEach((phase, at) => {
        const { resources = [] } = card.phases[at] ?? {};
        const isIn = isSelected && resources.some(({ name }) => name === selection.object);
        phase.setAttribute('aria-pressed', String(isIn));
      });
      if (isSelected && selectedBy !== 'clusters') {
        element.scrollIntoView({ block: 'nearest' });
      }
    }
  };
}

function element(app: App, card: Card): HTMLElement {
  const { family, composite, cluster, whole, ready, phases, waits } = card;
  const { object, resources } = composite;
  const place = [cluster.provider, cluster.region].filter(Boolean).join(' · ');
  return h(
    'li',
    { class: 'cluster' },
    h(
      'h2',
      {},
      h(
        'button',
        {
          type: 'button',
          class: 'cluster-name',
          onclick: () => app.select(selectionOf({ family, composite }), 'clusters'),
        },
        object.name,
      ),
      h('span', { class: 'muted' }, object.kind),
      place !== '' && h('span', { class: 'cluster-place' }, place),
    ),
    h(
      'p',
      { class: 'cluster-about muted' },
      readiness(ready, resources.length),
      whole !== undefined && `, for ${whole.object.kind} ${whole.object.name}`,
    ),
    cluster.pools.length > 0 && pools(cluster.pools),
    phases.length > 0 && h('ol', { class: 'phases' }, ...phases.map((it) => h('li', {}, phase(app, it)))),
    waits.length > 0 && h('ul', { class: 'conditions' }, ...waits.map((it) => condition(it, false))),
  );
}

function readiness(ready: number, all: number): string {
  return all === 0 ? 'nothing is composed yet' : `${grouped(ready)} of ${count(all, 'object')} ready`;
}

function pools(pools: NodePool[]): HTMLElement {
  const cell = (text: string) => h('td', {}, text || '–');
  return h(
    'table',
    { class: 'plain' },
    h('thead', {}, h('tr', {}, ...['pool', 'nodes', 'GPUs of a node', 'machine'].map((it) => h('th', {}, it)))),
    h(
      'tbody',
      {},
      ...pools.map(({ name, nodes, gpus, machine }) =>
        h('tr', {}, h('th', { scope: 'row' }, name), cell(nodes), cell(gpus), cell(machine)),
      ),
    ),
  );
}

function phase(app: App, { number, waitsFor, resources, ready, first }: Phase): HTMLElement {
  return h(
    'button',
    { type: 'button', class: 'phase', onclick: () => app.select(first, 'clusters') },
    h('span', { class: 'phase-number' }, number),
    h(
      'span',
      { class: 'phase-words' },
      ...(waitsFor.length > 0 ? ['waits for ', ...marked(waitsFor.join(', and for '))] : ['at once']),
    ),
    h('span', { class: 'muted' }, `${grouped(ready)} of ${grouped(resources.length)} ready`),
    icon('chevron'),
  );
}
