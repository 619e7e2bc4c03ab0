/** Whether two values of the contract say the same. */

/** Compares texts, numbers, lists and records, and what is in them. */
export function isEqual(one: unknown, other: unknown): boolean {
  if (one === other || typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) {
    return one === other;
  }
  if (Array.isArray(one) !== Array.isArray(other)) {
    return false;
  }
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => key in other && isEqual(one[key as keyof typeof one], other[key as keyof typeof other]))
  );
}
