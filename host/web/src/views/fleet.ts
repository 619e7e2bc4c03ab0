/** The fleet: places with room, what takes them, and what was decided about them. */

import type { Text } from '@codemirror/state';
import type { App } from '../app.ts';
import { isMemory, withoutMemory } from '../budget/pools.ts';
import { byId, count, fill, h } from '../dom.ts';
import { SOURCES } from '../editor/problems.ts';
import { type Arrangement, arrange, labelsOf, unitsOf } from '../fleet/arrange.ts';
import { Fleet, type Owner } from '../fleet/fleet.ts';
import { grouped } from '../render/amount.ts';
import { missing } from '../render/decisions.ts';
import type { State } from '../state.ts';
import { type Choice, choice, type Field, search } from './filters.ts';
import type { Lit } from './fleet/bar.ts';
import { type Chosen, chosenIn, type Focus, focusOf, selected } from './fleet/focus.ts';
import { FleetMap } from './fleet/map.ts';
import { Matrix } from './fleet/matrix.ts';
import { panel } from './fleet/panel.ts';
import type { View } from './view.ts';

export const fleet: View = {
  name: 'fleet',
  title: 'Fleet',
  icon: 'fleet',
  zone: 'details',
  isThere: ({ answer }) => answer?.places.some((place) => !isMemory(place)) ?? false,
  badge: ({ answer }) => {
    const composites = answer?.families.flatMap((family) => family.composites) ?? [];
    const lacking = composites.reduce((sum, { decisions, memory }) => sum + (memory ? 0 : missing(decisions)), 0);
    return lacking === 0 ? undefined : { text: String(lacking), kind: 'warning', label: `${lacking} without a place` };
  },
  draws: ['answer', 'selection', 'filters', 'pointed'],
  mount: (app, panel) => new FleetView(app, panel).draw,
};

/** The filter that has a reason against clusters. */
const REASON = 'fleet.reason';

class FleetView {
  readonly #app: App;
  readonly #find: Field;
  readonly #unit: Choice;
  readonly #group: Choice;
  readonly #show: Choice;
  readonly #matrix = new Matrix();
  readonly #box: HTMLElement;
  readonly #count = h('span', { id: 'fleet-count', role: 'status' });
  readonly #none = h('p', { id: 'fleet-none', class: 'muted', hidden: true }, 'No place has these words.');
  readonly #side = h('div', { id: 'fleet-panel', role: 'region', 'aria-label': 'Details' });
  readonly #map: FleetMap;
  #fleet: Fleet | undefined;
  #before: Partial<State> = {};
  #pointedAt: Owner | undefined;
  #soon: ReturnType<typeof setTimeout> | undefined;

  constructor(app: App, panel: HTMLElement) {
    this.#app = app;
    this.#find = search(app, 'fleet.find', 'Search names, labels, replicas', 'Search places');
    this.#unit = choice(app, 'fleet.unit', 'Count');
    this.#group = choice(app, 'fleet.group', 'Group');
    this.#show = choice(app, 'fleet.show', 'Show');
    const inner = h('div', { id: 'fleet-places' });
    const box = h('div', { id: 'fleet-map', role: 'region', 'aria-label': 'Places' }, this.#none, inner);
    this.#box = box;
    const fields = [this.#find, this.#show, this.#unit, this.#group].map(({ element }) => element);
    panel.append(
      h('div', { class: 'filter' }, ...fields, this.#count),
      h('div', { class: 'fleet' }, box, this.#matrix.element, this.#side),
    );
    this.#map = new FleetMap(box, inner, {
      place: (name) => this.#select({ what: 'place', name }),
      taker: (key) => this.#select({ what: 'taker', key }),
    });
    panel.addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && this.#chosen()?.what !== 'nothing') {
        event.preventDefault();
        this.#select({ what: 'nothing' });
      }
    });
  }

  readonly draw = (state: State): void => {
    const before = this.#before;
    this.#before = state;
    const { answer, selection, filters, pointed } = state;
    if (answer !== before.answer) {
      this.#fleet = answer && new Fleet(withoutMemory(answer)); // the budget has that
    }
    const fleet = this.#fleet;
    if (!fleet) {
      return;
    }
    if (selection !== before.selection && state.selectedBy !== 'fleet' && before.selection && filters[REASON]) {
      this.#app.filter(REASON, ''); // it is about what was selected before
      return; // drawn by now
    }
    const units = unitsOf(fleet.places);
    this.#unit.offer(units.map((unit) => [unit, unit]));
    this.#unit.element.hidden = units.length < 2;
    this.#group.offer([['', 'no groups'], ...labelsOf(fleet.places).map((label): [string, string] => [label, label])]);
    this.#show.offer([
      ['', 'map'],
      ['table', 'table'],
    ]);
    this.#box.hidden = filters['fleet.show'] === 'table';
    this.#matrix.element.hidden = !this.#box.hidden;
    for (const field of [this.#find, this.#show, this.#unit, this.#group]) {
      field.draw(filters);
    }
    const owner = pointed === undefined || state.outdated ? undefined : this.#ownerAt(state, pointed);
    const isNew = answer !== before.answer || selection !== before.selection || filters !== before.filters;
    if (isNew || owner?.key !== this.#pointedAt?.key) {
      this.#pointedAt = owner;
      this.#drawMap(fleet);
    }
    if (answer !== before.answer) {
      // In a task of its own, after the map is in sight, so that neither keeps the user from typing.
      clearTimeout(this.#soon);
      this.#soon = setTimeout(() => this.#drawPanel());
    } else if (isNew) {
      this.#drawPanel();
    }
    const first = selection !== before.selection && firstPlace(fleet, this.#chosen() ?? { what: 'nothing' });
    if (first) {
      this.#map.reveal(first);
    }
  };

  #chosen(): Chosen | undefined {
    const { selection, filters } = this.#app.store.state;
    const fleet = this.#fleet;
    return fleet && chosenIn(fleet, focusOf(fleet, selection, filters[REASON] ?? ''));
  }

  #select(focus: Focus): void {
    if (this.#fleet) {
      const { selection, reason } = selected(this.#fleet, focus);
      this.#pointedAt = undefined;
      const { filters } = this.#app.store.state;
      this.#app.store.set({ selection, selectedBy: 'fleet', filters: { ...filters, [REASON]: reason } });
    }
  }

  #shownUnit(): string {
    const units = this.#fleet ? unitsOf(this.#fleet.places) : [];
    const wanted = this.#app.store.state.filters['fleet.unit'] ?? '';
    return units.includes(wanted) ? wanted : (units[0] ?? '');
  }

  #drawMap(fleet: Fleet): void {
    const { filters } = this.#app.store.state;
    const chosen = this.#chosen() ?? { what: 'nothing' };
    const unit = this.#shownUnit();
    const arrangement: Arrangement = {
      unit,
      groupBy: filters['fleet.group'] ?? '',
      search: filters['fleet.find'] ?? '',
      ...(chosen.what === 'reason' && { only: new Set(chosen.reason.passedOver.candidates) }),
    };
    const groups = arrange(fleet, arrangement);
    const shown = new Set(groups.flatMap(({ cards }) => cards.map(({ place }) => place))).size;
    const all = count(fleet.places.length, fleet.places[0]?.what ?? 'place');
    this.#count.textContent = shown === fleet.places.length ? all : `${grouped(shown)} of ${all}`;
    this.#none.hidden = groups.length > 0;
    if (this.#box.hidden) {
      this.#matrix.draw({ fleet, groups, unit, select: (focus) => this.#select(focus) });
      return;
    }
    this.#map.draw({
      fleet,
      groups,
      unit,
      lit: litBy(fleet, this.#pointedAt ? { what: 'owner', owner: this.#pointedAt } : chosen),
      chosen: chosen.what === 'place' ? chosen.name : undefined,
    });
  }

  #drawPanel(): void {
    clearTimeout(this.#soon);
    const [fleet, chosen, side, app] = [this.#fleet, this.#chosen(), this.#side, this.#app];
    if (!fleet || !chosen) {
      return;
    }
    const focused = side.contains(document.activeElement);
    const top = side.scrollTop;
    const search = (words: string) => {
      app.filter('fleet.find', words);
      byId('fleet-find').focus();
    };
    const select = (focus: Focus) => this.#select(focus);
    fill(side, ...panel({ app, fleet, unit: this.#shownUnit(), select, search }, chosen));
    const { selection, filters } = app.store.state;
    const key = JSON.stringify(chosen.what === 'nothing' ? '' : [selection, filters[REASON]]);
    side.scrollTop = side.dataset['shows'] === key ? top : 0;
    side.dataset['shows'] = key;
    if (focused) {
      // What had the focus is gone.
      (side.querySelector<HTMLElement>('h2[tabindex]') ?? side.querySelector<HTMLElement>('button'))?.focus();
    }
  }

  /** The owner whose document has this line of the shown text. */
  #ownerAt({ text }: State, line: number): Owner | undefined {
    const [first, last] = documentAt(this.#app.texts.view.state.doc, line);
    return this.#fleet?.owners.find(
      ({ family: { origin } }) => origin.text === SOURCES.indexOf(text) && first <= origin.line && origin.line <= last,
    );
  }
}

/** The first and the last line of the YAML document with this line. */
function documentAt(text: Text, line: number): [first: number, last: number] {
  const separates = (line: number) => /^---(?:\s|$)/.test(text.line(line).text);
  let [first, last] = [Math.min(line, text.lines), Math.min(line, text.lines)];
  while (first > 1 && !separates(first)) {
    first--;
  }
  while (last < text.lines && !separates(last + 1)) {
    last++;
  }
  return [first, last];
}

/** What of the takers stands out. */
function litBy(fleet: Fleet, chosen: Chosen): Lit {
  switch (chosen.what) {
    case 'owner': {
      const takers = fleet.takersOf(chosen.owner);
      return takers.length > 0 ? new Set(takers.map(({ key }) => key)) : undefined;
    }
    case 'taker':
      return new Set([chosen.taker.key]);
    default:
      return undefined;
  }
}

/** The outermost place to bring in sight. */
function firstPlace(fleet: Fleet, chosen: Chosen): string | undefined {
  switch (chosen.what) {
    case 'place':
      return chosen.name;
    case 'taker':
      return chosen.taker.choice?.shares[0]?.place[0];
    case 'owner':
      return fleet.takersOf(chosen.owner)[0]?.choice?.shares[0]?.place[0];
    default:
      return undefined;
  }
}
