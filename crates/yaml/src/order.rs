//! The order in which keys are printed.

use std::cmp::Ordering;

use serde_json::{Map, Value};

/// The entries of a mapping in the toolchain's order.
pub(crate) fn sorted(map: &Map<String, Value>) -> Vec<(&str, &Value)> {
    let mut entries: Vec<(&str, &Value)> = Vec::with_capacity(map.len());
    for (key, value) in map {
        // The order is not always transitive, and the sort of the standard library may panic then.
        let at = entries.iter().rposition(|(known, _)| !before(key, known)).map_or(0, |at| at + 1);
        entries.insert(at, (key, value));
    }
    entries
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
