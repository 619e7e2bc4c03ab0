/** The order of printed keys: the same as in `sailplane render`, kubectl and Crossplane. */

/** The keys of an object in order. In the order of JavaScript engines, integers would be first. */
export function sortedKeys(object: object): string[] {
  const sorted: string[] = [];
  for (const key of Object.keys(object).sort()) {
    // Not `sort`, because the order is not always transitive.
    const at = sorted.findLastIndex((known) => natural(key, known) >= 0);
    sorted.splice(at + 1, 0, key);
  }
  return sorted;
}

/** Compares numbers in keys by value, and sorts other characters before letters (`keyList` in go.yaml.in/yaml/v2). */
function natural(a: string, b: string): number {
  const [left, right] = [[...a], [...b]];
  const at = left.findIndex((character, index) => character !== right[index]);
  const [x, y] = [left[at], right[at]];
  if (x === undefined || y === undefined) {
    return left.length - right.length;
  }
  const letters = [x, y].map((character) => Number(/\p{Alphabetic}/u.test(character)));
  const [isLetter = 0, otherIsLetter = 0] = letters;
  if (isLetter || otherIsLetter) {
    return isLetter - otherIsLetter || codePoint(x) - codePoint(y);
  }
  const before = left.slice(0, at).join('');
  const inNumber = (x === '0' || y === '0') && /[1-9]\d*$/.test(before) ? '1' : '';
  const [digits, others] = [left, right].map((key) => /^\d*/.exec(key.slice(at).join(''))?.[0] ?? '');
  const difference = numeral(`${inNumber}${digits}`) - numeral(`${inNumber}${others}`);
  return Number(difference) || (digits?.length ?? 0) - (others?.length ?? 0) || codePoint(x) - codePoint(y);
}

function codePoint(character: string): number {
  return character.codePointAt(0) ?? 0;
}

/** The number as an `int64`, which overflows as in Go. */
function numeral(digits: string): bigint {
  return BigInt.asIntN(64, BigInt(digits || '0'));
}
