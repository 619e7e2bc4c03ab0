//! Lists in an order, without the code of a sort for each type: it would be 5 kB of the component each time. So one function
//! sorts places in a list, and knows no type. It is here because all layers use this crate.

use std::cmp::Ordering;

/// The values in an order. Equal ones keep theirs.
pub fn sorted<T>(values: Vec<T>, order: impl Fn(&T, &T) -> Ordering) -> Vec<T> {
    let compare = |one: usize, other: usize| match (values.get(one), values.get(other)) {
        (Some(one), Some(other)) => order(one, other),
        _ => Ordering::Equal, // there are no such places
    };
    let places = in_order(values.len(), &compare);
    let mut values: Vec<_> = values.into_iter().map(Some).collect();
    places.into_iter().filter_map(|place| values.get_mut(place)?.take()).collect()
}

/// The values in the order of their keys. Equal ones keep theirs.
pub fn sorted_by_key<T, K: Ord>(values: Vec<T>, key: impl Fn(&T) -> K) -> Vec<T> {
    sorted(values, |one, other| key(one).cmp(&key(other)))
}

/// The places below `number` in an order.
fn in_order(number: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<_> = (0..number).collect();
    places.sort_by(|one, other| compare(*one, *other));
    places
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
