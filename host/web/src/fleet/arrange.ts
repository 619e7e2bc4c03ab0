/** Arranges places into cards and groups. */

import type { Place } from '../render/places.ts';
import { type Fleet, takenOf } from './fleet.ts';

/** A place whose size is counted in the unit that is shown. */
export interface Row {
  /** Its path inside the outermost place, e.g. `h200 / gpu`. Empty for the outermost place itself. */
  name: string;
  place: Place;
  size: number;
  taken: number;
}

/** An outermost place, and its rows that belong to one group. */
export interface Card {
  /** Unique among all cards. */
  key: string;
  place: Place;
  rows: Row[];
}

export interface Group {
  /** The value of the label, or empty without grouping. */
  title: string;
  cards: Card[];
  rows: number;
  size: number;
  taken: number;
}

/** What is shown of a fleet. */
export interface Arrangement {
  unit: string;
  /** The label to group by; empty for no groups. */
  groupBy: string;
  /** Words that each shown place has. */
  search: string;
  /** The names of the only places to show. Absent for all. */
  only?: ReadonlySet<string>;
}

export function arrange(fleet: Fleet, { unit, groupBy, search, only }: Arrangement): Group[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const groups = new Map<string, Group>();
  for (const place of fleet.places) {
    if ((only && !only.has(place.name)) || (words.length > 0 && !hasAll(searched(fleet, place), words))) {
      continue;
    }
    const rows: [group: string, row: Row][] = [];
    collect(place, [], labelOf(place, groupBy), unit, groupBy, rows);
    // A place without any row is shown too: it is there, and has nothing to take.
    const titles = rows.length === 0 ? [labelOf(place, groupBy) ?? ''] : new Set(rows.map(([title]) => title));
    for (const title of titles) {
      const own = rows.filter(([group]) => group === title).map(([, row]) => row);
      const group = groups.get(title) ?? { title, cards: [], rows: 0, size: 0, taken: 0 };
      groups.set(title, group);
      group.cards.push({ key: `${place.name} ${title}`, place, rows: own });
      group.rows += own.length;
      for (const row of own) {
        group.size += row.size;
        group.taken += row.taken;
      }
    }
  }
  return [...groups.values()].sort(
    (a, b) => Number(a.title === '') - Number(b.title === '') || (a.title < b.title ? -1 : 1),
  );
}

/** The units in which places are counted, the outermost first. */
export function unitsOf(places: Place[]): string[] {
  const units = new Set<string>();
  const look = (place: Place) => {
    if (place.size) {
      units.add(place.size.unit);
    }
    place.inside.forEach(look);
  };
  // All outermost places are of the same sort, so a few of them are enough.
  places.slice(0, 100).forEach(look);
  return [...units];
}

/** The labels by which places can be grouped usefully: those with several values, or on a part of the places. */
export function labelsOf(places: Place[]): string[] {
  const values = new Map<string, Set<string>>();
  const look = (place: Place) => {
    for (const [key, value] of place.labels) {
      const known = values.get(key) ?? new Set();
      values.set(key, known.add(value));
    }
    place.inside.forEach(look);
  };
  places.forEach(look);
  return [...values.keys()].sort();
}

/** The rows of a place and of those inside, each with its group: the nearest value of the label. */
function collect(
  place: Place,
  path: string[],
  group: string | undefined,
  unit: string,
  groupBy: string,
  rows: [group: string, row: Row][],
): void {
  if (place.size?.unit === unit) {
    rows.push([group ?? '', { name: path.join(' / '), place, size: place.size.value, taken: takenOf(place) }]);
  }
  for (const inside of place.inside) {
    collect(inside, [...path, inside.name], labelOf(inside, groupBy) ?? group, unit, groupBy, rows);
  }
}

export function labelOf({ labels }: Place, key: string): string | undefined {
  return key === '' ? undefined : labels.find(([name]) => name === key)?.[1];
}

const texts = new WeakMap<Place, string>();

/** The text of a place in which words are searched: names and labels of it and of what is inside, and who takes it. */
function searched(fleet: Fleet, place: Place): string {
  const known = texts.get(place);
  if (known !== undefined) {
    return known;
  }
  const parts: string[] = [];
  const look = ({ name, what, labels, taken, inside }: Place) => {
    parts.push(name, what);
    for (const [key, value] of labels) {
      parts.push(`${key}=${value}`);
    }
    for (const { kind, name } of taken) {
      parts.push(kind, name, fleet.taker(kind, name).owner?.key ?? '');
    }
    inside.forEach(look);
  };
  look(place);
  const text = parts.join('\n').toLowerCase();
  texts.set(place, text);
  return text;
}

function hasAll(text: string, words: string[]): boolean {
  return words.every((word) => text.includes(word));
}
