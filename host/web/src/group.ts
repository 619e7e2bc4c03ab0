/** Groups items by a key, in the order in which the keys occur. Not `Map.groupBy`, which the Node of the tests lacks. */
export function groupBy<Key, Item>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    group ? group.push(item) : groups.set(key, [item]);
  }
  return groups;
}
