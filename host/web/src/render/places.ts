/** Places with room, as a tree: e.g. clusters, in these the pools of nodes, and in these the devices. */

import type { Capacity } from '../contract.ts';
import { type Amount, amountOf } from './amount.ts';

export interface Place {
  /** Its name inside the place that it is in. */
  name: string;
  /** What it is, e.g. `cluster`. */
  what: string;
  /** How much there is of it. Absent when the places inside are counted instead. */
  size?: Amount;
  /** What takes it, in the unit of the size. */
  taken: Taking[];
  labels: [key: string, value: string][];
  inside: Place[];
}

export interface Taking {
  kind: string;
  /** `namespace/name`, or the name alone. */
  name: string;
  value: number;
}

/**
 * The outermost places. There may be ten thousand places, and all of them are sent to the page: equal labels are one
 * list, because a list that is sent twice is written and read once.
 */
export function placesOf(capacities: Capacity[]): Place[] {
  const outermost: Place[] = [];
  const nothing: never[] = [];
  const lists = new Map<string, [string, string][]>();
  const path: Place[] = [];
  for (const { place, what, size, taken, labels } of capacities) {
    const key = labels.join('\n');
    const known = lists.get(key) ?? labels;
    lists.set(key, known);
    const made: Place = {
      name: place.at(-1) ?? '',
      what,
      ...(size && { size: amountOf(size) }),
      taken: taken.length === 0 ? nothing : taken.map(takingOf),
      labels: known,
      inside: nothing,
    };
    path.length = Math.min(path.length, place.length - 1);
    const around = path.at(-1);
    path.push(made);
    if (!around) {
      outermost.push(made);
    } else if (around.inside === nothing) {
      around.inside = [made];
    } else {
      around.inside.push(made);
    }
  }
  return outermost;
}

function takingOf({ kind, namespace, name, takes }: Capacity['taken'][number]): Taking {
  return { kind: kind.kind, name: namespace === '' ? name : `${namespace}/${name}`, value: Number(takes.value) };
}
