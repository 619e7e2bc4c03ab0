//! Maps of entries, and sets, without the code of a sort for every place: it would be 4 kB of the component each time. So they are
//! inserted, where collecting them would sort them.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

/// The entries as a map; of two with the same key the later one is used.
pub fn by_key<K: Ord, V>(entries: impl IntoIterator<Item = (K, V)>) -> BTreeMap<K, V> {
    let mut map = BTreeMap::new();
    map.extend(entries);
    map
}

/// The values as a set.
pub fn set<T: Ord>(values: impl IntoIterator<Item = T>) -> BTreeSet<T> {
    let mut set = BTreeSet::new();
    set.extend(values);
    set
}

/// The fields as an object.
pub fn object(fields: impl IntoIterator<Item = (String, Value)>) -> Map<String, Value> {
    let mut object = Map::new();
    object.extend(fields);
    object
}
