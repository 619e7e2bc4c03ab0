//! Measures times, in rounds. Measurements that are compared take turns.

use std::time::Instant;

/// One figure for each round of a measurement.
#[derive(Clone, Debug)]
pub(crate) struct Rounds(Vec<f64>);

impl Rounds {
    /// The figures of a measurement that was made in other rounds.
    pub(crate) fn of(figures: Vec<f64>) -> Self {
        Self(figures)
    }

    /// The median, which other load on the machine hardly changes.
    pub(crate) fn median(&self) -> f64 {
        self.part(0.5)
    }

    /// The lower and the upper quartile.
    pub(crate) fn quartiles(&self) -> [f64; 2] {
        [self.part(0.25), self.part(0.75)]
    }

    /// The ratio to `other`, round by round: both had the same other load on the machine.
    pub(crate) fn over(&self, other: &Self) -> Self {
        self.beside(other, |ours, theirs| ours / theirs)
    }

    /// The difference to `other`, round by round.
    pub(crate) fn minus(&self, other: &Self) -> Self {
        self.beside(other, |ours, theirs| ours - theirs)
    }

    /// All figures, times a factor.
    pub(crate) fn times(&self, factor: f64) -> Self {
        Self(self.0.iter().map(|figure| figure * factor).collect())
    }

    fn beside(&self, other: &Self, of: impl Fn(f64, f64) -> f64) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(ours, theirs)| of(*ours, *theirs)).collect())
    }

    fn part(&self, part: f64) -> f64 {
        quantile(self.0.clone(), part)
    }
}

/// The quantile of figures: `part` of them are below it.
pub(crate) fn quantile(mut figures: Vec<f64>, part: f64) -> f64 {
    figures.sort_by(f64::total_cmp);
    let position = (figures.len() - 1) as f64 * part;
    figures[position.round() as usize]
}

/// The figures of several measurements. They take turns, so that all have the same other load on the machine, and each
/// round begins with another one.
pub(crate) fn in_turns<const N: usize>(rounds: usize, measure: [&mut dyn FnMut() -> f64; N]) -> [Rounds; N] {
    let mut figures = [const { Vec::new() }; N];
    for round in 0..rounds {
        for turn in 0..N {
            let which = (round + turn) % N;
            figures[which].push(measure[which]());
        }
    }
    figures.map(Rounds)
}

/// The microseconds that a call takes, as the mean of several calls.
pub(crate) fn micros(calls: usize, mut call: impl FnMut()) -> f64 {
    let start = Instant::now();
    for _ in 0..calls {
        call();
    }
    start.elapsed().as_secs_f64() * 1e6 / calls as f64
}

/// The milliseconds that something takes, and its result.
pub(crate) fn millis<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let start = Instant::now();
    let done = work();
    (start.elapsed().as_secs_f64() * 1e3, done)
}
