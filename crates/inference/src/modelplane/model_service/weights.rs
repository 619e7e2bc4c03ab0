//! The weights of backends: each entry's share of the traffic, spread over its endpoints. §7.1 of Modelplane v0.3.1.

/// The largest weight that a backend of an HTTPRoute may have.
const LARGEST: u64 = 1_000_000;

/// The weights of the endpoints of each entry. An entry is its weight and the number of its endpoints. Without endpoints its
/// share goes to the others.
pub fn weights(entries: &[(u32, usize)]) -> Vec<Vec<u64>> {
    let mut weights = exact(entries);
    let largest = largest(&weights);
    if largest > LARGEST {
        weights.iter_mut().flatten().for_each(|weight| *weight = scaled_down(*weight, largest));
    }
    weights
}

/// Whether the shares of requests are others than the weights say, because an HTTPRoute takes no weights that are so far
/// apart.
pub fn are_distorted(entries: &[(u32, usize)]) -> bool {
    let exact = exact(entries);
    let largest = largest(&exact);
    largest > LARGEST && exact.iter().flatten().any(|weight| !(weight * LARGEST).is_multiple_of(largest))
}

/// The weights in smallest integers.
fn exact(entries: &[(u32, usize)]) -> Vec<Vec<u64>> {
    let sizes = || entries.iter().map(|&(weight, endpoints)| (u64::from(weight.max(1)), endpoints as u64));
    // Every endpoint gets at least one.
    let scale = sizes().map(|(weight, endpoints)| endpoints.div_ceil(weight)).fold(1, u64::max);
    let mut weights: Vec<Vec<u64>> = sizes().map(|(weight, endpoints)| spread(weight * scale, endpoints)).collect();
    let divisor = weights.iter().flatten().copied().fold(0, greatest_common_divisor).max(1);
    weights.iter_mut().flatten().for_each(|weight| *weight /= divisor);
    weights
}

fn largest(weights: &[Vec<u64>]) -> u64 {
    weights.iter().flatten().copied().fold(0, u64::max)
}

/// `total` in `parts` that differ by one at most. The first ones are the larger ones.
fn spread(total: u64, parts: u64) -> Vec<u64> {
    (0..parts).map(|part| total / parts + u64::from(part < total % parts)).collect()
}

/// A weight, when the largest one becomes [`LARGEST`]. Halves are rounded to even, as in Modelplane.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "between 0 and a million"
)]
fn scaled_down(weight: u64, largest: u64) -> u64 {
    let share = weight as f64 / largest as f64;
    ((share * LARGEST as f64).round_ties_even() as u64).max(1)
}

fn greatest_common_divisor(one: u64, other: u64) -> u64 {
    if other == 0 { one } else { greatest_common_divisor(other, one % other) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_entries() {
        #[track_caller]
        fn check(entries: &[(u32, usize)], want: &[&[u64]]) {
            let weights = weights(entries);
            assert_eq!(weights, want);
            assert!(weights.iter().flatten().all(|weight| (1..=LARGEST).contains(weight)));
        }
        check(&[(80, 3), (20, 1)], &[&[27, 27, 26], &[20]]);
        check(&[(1, 5), (1, 1)], &[&[1, 1, 1, 1, 1], &[5]]);
        check(&[(95, 2), (5, 1)], &[&[48, 47], &[5]]);
        check(&[(2, 4), (6, 4)], &[&[1, 1, 1, 1], &[3, 3, 3, 3]]);
        // The exact shares are 2000000, 1 and 1.
        check(&[(1_000_000, 1), (1, 2)], &[&[1_000_000], &[1, 1]]);
        check(&[(999_983, 2), (7, 3)], &[&[499_992, 499_991], &[3, 2, 2]]);
        check(&[(3, 0), (1, 1)], &[&[], &[1]]);
        check(&[(7, 1)], &[&[1]]);
        check(&[(1, 3)], &[&[1, 1, 1]]);
        check(&[(1_000_000, 1), (999_999, 1)], &[&[1_000_000], &[999_999]]);
        check(&[(1_000_000, 1), (5, 1), (15, 1), (1, 4)], &[&[1_000_000], &[5], &[15], &[1, 1, 1, 1]]);
        check(&[(3, 0), (5, 0)], &[&[], &[]]);
        check(&[], &[]);
    }

    #[test]
    fn distortion() {
        #[track_caller]
        fn check(entries: &[(u32, usize)], want: bool) {
            assert_eq!(are_distorted(entries), want, "{entries:?}");
        }
        check(&[(80, 3), (20, 1)], false);
        check(&[(1_000_000, 1), (1, 1)], false);
        check(&[(1_000_000, 1), (1, 2)], true);
        check(&[(1_000_000, 2), (1, 2)], false); // 500000, 500000, 1, 1
        check(&[(999_983, 2), (7, 3)], false);
        check(&[(999_983, 1), (1, 3)], true);
        check(&[(1_000_000, 1), (1, 0)], false);
        check(&[], false);
    }

    #[test]
    fn rounding() {
        #[track_caller]
        fn check(weight: u64, largest: u64, want: u64) {
            assert_eq!(scaled_down(weight, largest), want, "{weight} of {largest}");
        }
        check(2_000_000, 2_000_000, 1_000_000);
        check(1, 2_000_000, 1); // 0.5 is 0, which no backend may have
        check(3, 2_000_000, 2);
        check(5, 2_000_000, 2);
        check(7, 2_000_000, 4);
        check(1_999_999, 2_000_000, 1_000_000);
        check(1, 3_000_000, 1);
        check(4, 3_000_000, 1);
        check(5, 3_000_000, 2);
    }
}
