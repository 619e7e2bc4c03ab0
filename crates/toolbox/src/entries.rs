//! Maps of entries, sets, and sorted lists, without the code of a sort for every place: it would be 4 kB of the component each time.
//! So entries of maps and sets are inserted, where collecting them would sort them, and lists are sorted by one function.

use std::cmp::Ordering;
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

/// The values in an order. Equal ones keep theirs.
pub fn sorted<T>(values: Vec<T>, order: impl Fn(&T, &T) -> Ordering) -> Vec<T> {
    let compare = |one: usize, other: usize| match (values.get(one), values.get(other)) {
        (Some(one), Some(other)) => order(one, other),
        _ => Ordering::Equal, // there are no such indices
    };
    let indices = in_order(values.len(), &compare);
    let mut values: Vec<_> = values.into_iter().map(Some).collect();
    indices.into_iter().filter_map(|index| values.get_mut(index)?.take()).collect()
}

/// The values in the order of their keys. Equal ones keep theirs.
pub fn sorted_by_key<T, K: Ord>(values: Vec<T>, key: impl Fn(&T) -> K) -> Vec<T> {
    sorted(values, |one, other| key(one).cmp(&key(other)))
}

/// The indices below `number` in an order. It knows no type, so it is there once.
fn in_order(number: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut indices: Vec<_> = (0..number).collect();
    indices.sort_by(|one, other| compare(*one, *other));
    indices
}

/// The fields as an object.
pub fn object(fields: impl IntoIterator<Item = (String, Value)>) -> Map<String, Value> {
    let mut object = Map::new();
    object.extend(fields);
    object
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_keep_their_order() {
        let values = vec![(2, 'a'), (1, 'b'), (2, 'c'), (1, 'd'), (0, 'e')];
        let want = [(0, 'e'), (1, 'b'), (1, 'd'), (2, 'a'), (2, 'c')];
        assert_eq!(sorted_by_key(values.clone(), |it| it.0), want);
        assert_eq!(sorted(values, |one, other| one.0.cmp(&other.0)), want);
        assert_eq!(sorted_by_key(Vec::<u8>::new(), |it| *it), Vec::<u8>::new());
    }
}
