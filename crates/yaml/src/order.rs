//! The order in which keys are printed.

use std::cmp::Ordering;

use serde_json::{Map, Value};

/// So many entries are sorted by insertion, as the toolchain does.
const FEW: usize = 12;

/// The entries of a mapping in the toolchain's order.
pub(crate) fn sorted(map: &Map<String, Value>) -> Vec<KeyAndValue<'_>> {
    sort(map.iter().map(|(key, value)| (key.as_str(), value)).collect())
}

/// A key with its value.
type KeyAndValue<'a> = (&'a str, &'a Value);

/// Sorts entries. The order is not always transitive, and the sort of the standard library may panic then.
fn sort(mut entries: Vec<KeyAndValue<'_>>) -> Vec<KeyAndValue<'_>> {
    if entries.len() <= FEW {
        return inserted(entries);
    }
    let second = entries.split_off(entries.len() / 2);
    merged(sort(entries), sort(second))
}

fn inserted(entries: Vec<KeyAndValue<'_>>) -> Vec<KeyAndValue<'_>> {
    let mut sorted: Vec<KeyAndValue<'_>> = Vec::with_capacity(entries.len());
    for (key, value) in entries {
        let at = sorted.iter().rposition(|(known, _)| !before(key, known)).map_or(0, |at| at + 1);
        sorted.insert(at, (key, value));
    }
    sorted
}

fn merged<'a>(first: Vec<KeyAndValue<'a>>, second: Vec<KeyAndValue<'a>>) -> Vec<KeyAndValue<'a>> {
    let mut merged = Vec::with_capacity(first.len() + second.len());
    let mut first = first.into_iter().peekable();
    for entry in second {
        while let Some(earlier) = first.next_if(|(key, _)| !before(entry.0, key)) {
            merged.push(earlier);
        }
        merged.push(entry);
    }
    merged.extend(first);
    merged
}

fn before(a: &str, b: &str) -> bool {
    natural(a, b) == Ordering::Less
}

/// The order of `keyList` in go.yaml.in/yaml/v2: numbers in keys compare as numbers, and letters come after other
/// characters. This differs from Go for combining marks, which are not letters there.
fn natural(a: &str, b: &str) -> Ordering {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let Some(at) = a.iter().zip(&b).position(|(x, y)| x != y) else { return a.len().cmp(&b.len()) };
    let (Some(&x), Some(&y)) = (a.get(at), b.get(at)) else { return Ordering::Equal };
    match (x.is_alphabetic(), y.is_alphabetic()) {
        (true, true) => return x.cmp(&y),
        (true, false) => return Ordering::Greater,
        (false, true) => return Ordering::Less,
        (false, false) => {}
    }
    let run = |key: &[char]| key.iter().skip(at).take_while(|c| c.is_ascii_digit()).count();
    let inside_number = (x == '0' || y == '0') && {
        let digits = a.iter().take(at).rev().take_while(|c| c.is_ascii_digit());
        digits.into_iter().any(|&c| c != '0')
    };
    let value = |key: &[char]| {
        let digits = key.iter().skip(at).take_while(|c| c.is_ascii_digit()).filter_map(|c| c.to_digit(10));
        digits.fold(i64::from(inside_number), |value, digit| value.wrapping_mul(10).wrapping_add(digit.into()))
    };
    value(&a).cmp(&value(&b)).then(run(&a).cmp(&run(&b))).then(x.cmp(&y))
}
