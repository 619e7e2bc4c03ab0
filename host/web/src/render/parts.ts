/**
 * Large parts of objects: the fields of a definition of an API, or a manifest that is wrapped. A new name or label changes what is
 * around such a part alone, and to parse and print half a megabyte again would take longer than a frame.
 */

import { parseObject } from './object.ts';
import { type Printed, print } from './print.ts';
import { type Reference, referencesIn } from './references.ts';

/** Where a part is: its key, the keys to the object that has it, and what comes before it in the JSON text. */
interface PartPlace {
  key: string;
  within: readonly string[];
  opening: string;
}

/** In a string, the quotes of an opening would be escaped. */
const PLACES: readonly PartPlace[] = [
  { key: 'manifest', within: ['spec', 'forProvider'], opening: '"forProvider":{"manifest":' },
  { key: 'spec', within: [], opening: ',"spec":' },
];
/** The length of a part that is worth keeping. */
const LARGE = 10_000;

/** A parsed object, and what is made of all of it. */
export interface Read {
  object: unknown;
  lines: string[];
  /** The line of a field, from 0. */
  lineOf(path: string): number | undefined;
  references: Reference[];
}

interface Part {
  place: PartPlace;
  json: string;
  value: object;
  /** With the indent that they have in the object. */
  lines: string[];
  places: Printed['places'];
  references: Reference[];
}

export class Parts {
  #before: Part[] = [];
  #now: Part[] = [];

  /** A new answer begins: what was not in the one before is forgotten. */
  begin(): void {
    this.#before = this.#now;
    this.#now = [];
  }

  /** Reads an object from its JSON text. */
  read(json: string): Read {
    for (const place of json.length < LARGE ? [] : PLACES) {
      const found = this.#around(json, place);
      if (found) {
        return found;
      }
    }
    const object = parseObject(json);
    const { lines, places } = print(object);
    return { object, lines, lineOf: (path) => places.get(path), references: referencesIn(object) };
  }

  /** Reads an object with a part at a place. Undefined when there is none. */
  #around(json: string, place: PartPlace): Read | undefined {
    const found = json.indexOf(place.opening);
    const from = found + place.opening.length;
    if (found < 0) {
      return undefined;
    }
    const known = this.#at(json, from, place);
    // Others may have a field of that name elsewhere.
    const beside = known && parseObject(`${json.slice(0, from)}null${json.slice(from + known.json.length)}`);
    if (known && holder(beside, place)?.[place.key] === null) {
      return joined(beside, known);
    }
    const object = parseObject(json);
    const value = holder(object, place)?.[place.key];
    const text = typeof value === 'object' && !Array.isArray(value) ? JSON.stringify(value) : '';
    if (text.length < LARGE || !json.startsWith(text, from)) {
      return undefined;
    }
    const part = made(place, text, value as object);
    this.#now.push(part);
    return joined(object, part);
  }

  /** The part that stands at a position of a text. */
  #at(json: string, from: number, place: PartPlace): Part | undefined {
    const isThere = (part: Part) => part.place === place && json.startsWith(part.json, from);
    const now = this.#now.find(isThere);
    const known = now ?? this.#before.find(isThere);
    if (known && !now) {
      this.#now.push(known);
    }
    return known;
  }
}

/** The object that has a part. */
function holder(object: unknown, { within }: PartPlace): Record<string, unknown> | undefined {
  const found = within.reduce<unknown>((held, key) => (held as Record<string, unknown> | null)?.[key], object);
  return typeof found === 'object' && found !== null ? (found as Record<string, unknown>) : undefined;
}

function made(place: PartPlace, json: string, value: object): Part {
  const { lines, places } = print(value);
  const indent = '  '.repeat(place.within.length + 1);
  const indented = lines.map((line) => (line === '' ? '' : indent + line));
  return { place, json, value, lines: indented, places, references: referencesIn({ spec: value }) };
}

/** An object that has this part. */
function joined(object: unknown, { place, value, lines, places, references }: Part): Read {
  const held = holder(object, place) ?? {};
  const path = [...place.within, place.key].join('.');
  Object.assign(held, { [place.key]: null });
  const printed = print(object);
  const own = referencesIn(object);
  Object.assign(held, { [place.key]: value });
  const at = printed.places.get(path) ?? 0;
  const key = (printed.lines[at] ?? '').replace(/ null$/, '');
  return {
    object,
    lines: [...printed.lines.slice(0, at), key, ...lines, ...printed.lines.slice(at + 1)],
    lineOf: (wanted) => {
      if (wanted.startsWith(path) && /^[.[]/.test(wanted.slice(path.length))) {
        const line = places.get(wanted.slice(path.length).replace(/^\./, ''));
        return line === undefined ? undefined : at + 1 + line;
      }
      const line = printed.places.get(wanted);
      return line === undefined || line <= at ? line : line + lines.length;
    },
    references: [...own, ...references.filter((it) => !own.some((other) => isSame(it, other)))],
  };
}

function isSame(one: Reference, other: Reference): boolean {
  return one.kind === other.kind && one.name === other.name && one.labels.join() === other.labels.join();
}
