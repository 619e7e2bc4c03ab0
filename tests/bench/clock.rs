//! How long things take.

use std::time::Instant;

/// Microseconds a call takes, over a batch of calls.
pub(crate) fn micros(calls: usize, mut call: impl FnMut()) -> f64 {
    let start = Instant::now();
    for _ in 0..calls {
        call();
    }
    start.elapsed().as_secs_f64() * 1e6 / calls as f64
}

/// The median, which a noisy neighbour does not move.
pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// The median of `rounds` of each of several measurements, which take turns so that all meet the same neighbours.
pub(crate) fn in_turns<const N: usize>(rounds: usize, mut measure: [&mut dyn FnMut() -> f64; N]) -> [f64; N] {
    let mut values = [const { Vec::new() }; N];
    for _ in 0..rounds {
        for (measure, values) in measure.iter_mut().zip(&mut values) {
            values.push(measure());
        }
    }
    values.map(median)
}
