/** Compares two results object by object: a change in one object stays in it, among however many others. */

/** An object in a text: from its separator to the one after it. */
interface Part {
  /** Its heading. */
  key: string;
  from: number;
  to: number;
}

/** Objects that are compared with each other, as positions in both texts. */
export interface Pair {
  fromA: number;
  toA: number;
  fromB: number;
  toB: number;
}

/**
 * The parts of two texts that differ. Objects with the same heading are one pair. Between those, what is only in one text is
 * a pair with what is only in the other: the object may have another name.
 */
export function differing(a: string, b: string): Pair[] {
  const [before, after] = [partsOf(a), partsOf(b)];
  const places = new Map(after.map(({ key }, index) => [key, index]));
  const pairs: Pair[] = [];
  const add = (pair: Pair) => {
    if (a.slice(pair.fromA, pair.toA) !== b.slice(pair.fromB, pair.toB)) {
      pairs.push(pair);
    }
  };
  let [fromA, next] = [0, 0];
  for (const part of before) {
    const index = places.get(part.key);
    const other = index === undefined || index < next ? undefined : after[index];
    if (index !== undefined && other) {
      add({ fromA, toA: part.from, fromB: after[next]?.from ?? b.length, toB: other.from });
      add({ fromA: part.from, toA: part.to, fromB: other.from, toB: other.to });
      [fromA, next] = [part.to, index + 1];
    }
  }
  add({ fromA, toA: a.length, fromB: after[next]?.from ?? b.length, toB: b.length });
  return pairs;
}

/** The objects of a text, one after another without a gap. */
function partsOf(text: string): Part[] {
  const starts = [0, ...[...text.matchAll(/^---\n(?=# )/gm)].map(({ index }) => index)];
  return [...new Set(starts)].map((from, at, all) => {
    const to = all[at + 1] ?? text.length;
    const heading = text.startsWith('---\n', from) ? from + 4 : from;
    const end = text.indexOf('\n', heading);
    return { key: text.slice(heading, end < 0 ? to : end), from, to };
  });
}
