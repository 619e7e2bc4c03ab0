/** The fleet: places with room, what takes them, and what was decided about them. */

import type { Text } from '@codemirror/state';
import type { App } from '../app.ts';
import { byId, count, fill, h } from '../dom.ts';
import { SOURCES } from '../editor/problems.ts';
import { type Arrangement, arrange, labelsOf, unitsOf } from '../fleet/arrange.ts';
import { Fleet, type Owner } from '../fleet/fleet.ts';
import { grouped } from '../render/amount.ts';
import type { Answer } from '../render/answer.ts';
import type { Lit } from './fleet/bar.ts';
import { FleetMap } from './fleet/map.ts';
import { panel } from './fleet/panel.ts';
import { type Chosen, chosenIn, ownerOf, type Selection } from './fleet/selection.ts';

/** What the texts tell the fleet. */
export interface FleetHooks {
  /** The pointer is on a line of the shown text; undefined when it has left. */
  pointed(line: number | undefined): void;
  /** The cursor went to a line of the shown text. */
  moved(line: number): void;
}

export function fleet(app: App): FleetHooks {
  const { store } = app;
  const [searching, grouping, units, side] = [
    byId<HTMLInputElement>('fleet-search'),
    byId<HTMLSelectElement>('fleet-group'),
    byId<HTMLSelectElement>('fleet-unit'),
    byId('fleet-panel'),
  ];
  let known: { answer: Answer; fleet: Fleet } | undefined;
  let selection: Selection = { what: 'nothing' };
  let pointedAt: Owner | undefined;
  let soon: ReturnType<typeof setTimeout> | undefined;

  const map = new FleetMap(byId('fleet-map'), byId('fleet-places'), {
    place: (name) => select({ what: 'place', name }),
    taker: (key) => select({ what: 'taker', key }),
  });

  const isShown = () => store.state.view === 'fleet';
  const current = () => {
    const { answer } = store.state;
    if (answer && known?.answer !== answer) {
      known = { answer, fleet: new Fleet(answer) };
    }
    return answer && known?.fleet;
  };

  const select = (next: Selection) => {
    selection = next;
    pointedAt = undefined;
    drawMap();
    drawPanel();
    const fleet = current();
    const first = fleet && firstPlace(fleet, chosenIn(fleet, selection));
    if (first !== undefined) {
      map.reveal(first);
    }
  };

  const drawMap = () => {
    const fleet = current();
    if (!fleet) {
      return;
    }
    const chosen = chosenIn(fleet, selection);
    const arrangement: Arrangement = {
      unit: units.value,
      groupBy: grouping.value,
      search: searching.value,
      ...(chosen.what === 'reason' && { only: new Set(chosen.reason.passedOver.candidates) }),
    };
    const groups = arrange(fleet, arrangement);
    const shown = new Set(groups.flatMap(({ cards }) => cards.map(({ place }) => place))).size;
    const what = fleet.places[0]?.what ?? 'place';
    const all = count(fleet.places.length, what);
    byId('fleet-count').textContent = shown === fleet.places.length ? all : `${grouped(shown)} of ${all}`;
    map.draw({
      fleet,
      groups,
      unit: units.value,
      lit: litBy(fleet, pointedAt ? { what: 'owner', owner: pointedAt } : chosen),
      chosen: chosen.what === 'place' ? chosen.name : undefined,
    });
    byId('fleet-none').hidden = groups.length > 0;
  };

  const drawPanel = () => {
    clearTimeout(soon);
    const fleet = current();
    if (!fleet) {
      return;
    }
    const focused = side.contains(document.activeElement);
    const top = side.scrollTop;
    const search = (words: string) => {
      searching.value = words;
      drawMap();
      searching.focus();
    };
    const chosen = chosenIn(fleet, selection);
    fill(side, ...panel({ app, fleet, unit: units.value, select, search }, chosen));
    const key = JSON.stringify(chosen.what === 'nothing' ? '' : selection);
    side.scrollTop = side.dataset['shows'] === key ? top : 0;
    side.dataset['shows'] = key;
    if (focused) {
      // What had the focus is gone.
      (side.querySelector<HTMLElement>('h2[tabindex]') ?? side.querySelector<HTMLElement>('button'))?.focus();
    }
  };

  /** Draws the panel in a task of its own, after the map is in sight, so that neither keeps the user from typing. */
  const drawPanelSoon = () => {
    clearTimeout(soon);
    soon = setTimeout(drawPanel);
  };

  store.watch(['answer', 'view'], () => {
    const fleet = isShown() ? current() : undefined;
    if (fleet) {
      options(
        units,
        unitsOf(fleet.places).map((unit) => [unit, unit]),
      );
      options(grouping, [
        ['', 'no groups'],
        ...labelsOf(fleet.places).map((label): [string, string] => [label, label]),
      ]);
      byId('fleet-units').hidden = units.options.length < 2;
      drawMap();
      drawPanelSoon();
    }
  });
  searching.addEventListener('input', drawMap);
  grouping.addEventListener('change', drawMap);
  units.addEventListener('change', () => {
    drawMap();
    drawPanel();
  });
  byId('view-fleet').addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && selection.what !== 'nothing') {
      event.preventDefault();
      select({ what: 'nothing' });
    }
  });

  /** The owner whose document has this line of the shown text. */
  const ownerAt = (line: number): Owner | undefined => {
    const text = SOURCES.indexOf(store.state.text);
    const [first, last] = documentAt(app.texts.view.state.doc, line);
    return current()?.owners.find(
      ({ family: { origin } }) => origin.text === text && first <= origin.line && origin.line <= last,
    );
  };

  return {
    pointed: (line) => {
      if (isShown() && !store.state.outdated) {
        const owner = line === undefined ? undefined : ownerAt(line);
        if (owner?.key !== pointedAt?.key) {
          pointedAt = owner;
          drawMap();
        }
      }
    },
    moved: (line) => {
      const fleet = isShown() && !store.state.outdated ? current() : undefined;
      const owner = fleet && ownerAt(line);
      if (fleet && owner && ownerOf(chosenIn(fleet, selection))?.key !== owner.key) {
        select({ what: 'owner', key: owner.key });
      }
    },
  };
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

/** Offers these options, and keeps the selected one if it is among them. */
function options(list: HTMLSelectElement, all: [value: string, title: string][]): void {
  const key = JSON.stringify(all);
  if (list.dataset['offers'] !== key) {
    const selected = list.value;
    fill(list, ...all.map(([value, title]) => h('option', { value }, title)));
    list.value = all.some(([value]) => value === selected) ? selected : (all[0]?.[0] ?? '');
    list.dataset['offers'] = key;
  }
}
