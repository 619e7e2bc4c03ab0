//! Maps of entries.

use std::collections::BTreeMap;

/// The entries as a map; of two with the same key the later one is used. Each is inserted: to collect them would bring the
/// code of a sort to the component for every type of entry.
pub fn by_key<K: Ord, V>(entries: impl IntoIterator<Item = (K, V)>) -> BTreeMap<K, V> {
    let mut map = BTreeMap::new();
    map.extend(entries);
    map
}
