/**
 * What the result of a document depends on: beside itself, on objects of the kinds that the contract lists for its kind, and for
 * what it composes.
 */

import { type Contents, type Entry, kindKey } from '../contract.ts';

export class Dependence {
  readonly #entries: Map<string, Entry>;

  constructor({ kinds }: Contents) {
    this.#entries = new Map(kinds.map((entry) => [kindKey(entry.kind), entry]));
  }

  /** Whether no result of a document of the kinds `some` depends on one of the kinds `others`, or the other way round. */
  areApart(some: Iterable<string>, others: Iterable<string>): boolean {
    const [one, other] = [this.#reach(some), this.#reach(others)];
    return !meet(one.seen, other.made) && !meet(other.seen, one.made);
  }

  /** The kinds that objects of these kinds are and become, and those that they look at. */
  #reach(kinds: Iterable<string>): { made: Set<string>; seen: Set<string> } {
    const made = new Set(kinds);
    const seen = new Set<string>();
    // What is added on the way is visited too.
    for (const kind of made) {
      const entry = this.#entries.get(kind);
      for (const { kind } of entry?.composes ?? []) {
        made.add(kindKey(kind));
      }
      for (const { kind } of entry?.looksUp ?? []) {
        seen.add(kindKey(kind));
      }
      // A check of the whole text compares objects of one kind.
      for (const { kind: read } of entry?.admission.reads ?? []) {
        if (kindKey(read) !== kind) {
          seen.add(kindKey(read));
        }
      }
    }
    return { made, seen };
  }
}

function meet(some: Set<string>, others: Set<string>): boolean {
  return [...some].some((one) => others.has(one));
}
