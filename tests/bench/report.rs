//! The report: figures with their bounds, compared with the baseline.

use std::fmt::Write as _;

use tests::baseline::{self, Baseline, Figure};

use crate::clock::Rounds;
use crate::known::{KNOWN, Known, known};

/// The rows of one run.
#[derive(Default)]
pub(crate) struct Report {
    rows: Vec<Row>,
}

struct Row {
    name: String,
    figure: Figure,
    bound: Bound,
}

/// The bound of a figure.
#[derive(Clone, Copy)]
pub(crate) enum Bound {
    /// The figure may not be above this.
    Most(f64),
    /// The figure may not be below this.
    Least(f64),
    /// None: the figure illustrates another row.
    None,
}

/// Whether a figure meets its bound.
enum Verdict {
    /// It has no bound.
    Free,
    Held,
    Missed,
    /// It is missed, for a known reason.
    Known(&'static Known),
    /// It is met, although it is listed as missed.
    HeldAfterAll,
    /// The figures of the rounds differ by more than the figure itself.
    Noise,
}

/// One figure, or the figures of several rounds.
pub(crate) enum Measured<'a> {
    Once(f64),
    Rounds(&'a Rounds),
}

impl From<f64> for Measured<'_> {
    fn from(figure: f64) -> Self {
        Self::Once(figure)
    }
}

impl<'a> From<&'a Rounds> for Measured<'a> {
    fn from(rounds: &'a Rounds) -> Self {
        Self::Rounds(rounds)
    }
}

impl Report {
    /// Adds a row, and prints it at once, because a run takes minutes.
    pub(crate) fn add<'a>(
        &mut self,
        name: impl Into<String>,
        measured: impl Into<Measured<'a>>,
        unit: &'static str,
        bound: Bound,
    ) {
        let (median, quartiles) = match measured.into() {
            Measured::Once(figure) => (figure, None),
            Measured::Rounds(rounds) => (rounds.median(), Some(rounds.quartiles())),
        };
        self.push(name.into(), Figure { median, quartiles, unit: unit.to_owned(), noise: false }, bound);
    }

    /// Adds a row with a difference. When the rounds vary more than the difference itself, it cannot be measured on
    /// this machine.
    pub(crate) fn add_difference(
        &mut self,
        name: impl Into<String>,
        rounds: &Rounds,
        unit: &'static str,
        bound: Bound,
    ) {
        let (median, [low, high]) = (rounds.median(), rounds.quartiles());
        let noise = high - low > median.abs();
        self.push(name.into(), Figure { median, quartiles: Some([low, high]), unit: unit.to_owned(), noise }, bound);
    }

    fn push(&mut self, name: String, figure: Figure, bound: Bound) {
        eprintln!("measured {name}: {:.2} {}", figure.median, figure.unit);
        self.rows.push(Row { name, figure, bound });
    }

    /// Prints the table, and notes about its rows.
    pub(crate) fn print(&self) {
        println!("{:<58} {:>10} {:<6} {:>19} {:>8}  verdict", "what", "median", "", "half lie within", "bound");
        let mut notes = String::new();
        for row in &self.rows {
            let Row { name, figure: Figure { median, quartiles, unit, .. }, bound } = row;
            let spread = quartiles.map_or_else(String::new, |[low, high]| format!("{low:.2} – {high:.2}"));
            let bound = match bound {
                Bound::Most(most) => format!("≤ {}", short(*most)),
                Bound::Least(least) => format!("≥ {}", short(*least)),
                Bound::None => String::new(),
            };
            let verdict = match row.verdict() {
                Verdict::Free => String::new(),
                Verdict::Held => "held".to_owned(),
                Verdict::Missed => "MISSED".to_owned(),
                Verdict::Noise => "not measurable here".to_owned(),
                Verdict::Known(known) => {
                    let _ = writeln!(notes, "known since {}: {name}: {}", known.since, known.reason);
                    format!("missed, known since {}", known.since)
                }
                Verdict::HeldAfterAll => {
                    let _ = writeln!(notes, "held after all: {name}: its row in tests/bench/known.rs can go");
                    "held after all".to_owned()
                }
            };
            let line = format!("{name:<58} {median:>10.2} {unit:<6} {spread:>19} {bound:>8}  {verdict}");
            println!("{}", line.trim_end());
        }
        print!("\n{notes}");
    }

    /// The failures: bounds that are missed and not listed as such. When everything was measured, also rows of that
    /// list for which there is no measurement.
    pub(crate) fn failures(&self, everything: bool) -> Vec<String> {
        let missed = self.rows.iter().filter(|row| matches!(row.verdict(), Verdict::Missed));
        let missed = missed.map(|row| format!("missed: {}: {:.2} {}", row.name, row.figure.median, row.figure.unit));
        let measured = |known: &&Known| self.rows.iter().any(|row| row.name == known.name);
        let stale = KNOWN.iter().filter(|known| everything && !measured(known));
        let stale = stale.map(|known| format!("nothing measures `{}`, of tests/bench/known.rs", known.name));
        missed.chain(stale).collect()
    }

    /// Writes the figures into the baseline. When everything was measured, all other figures are removed.
    pub(crate) fn record(&self, everything: bool) {
        let rounded = |figure: f64| (figure * 1e3).round() / 1e3;
        let figure = |Figure { median, quartiles, unit, noise }: &Figure| Figure {
            median: rounded(*median),
            quartiles: quartiles.map(|both| both.map(rounded)),
            unit: unit.clone(),
            noise: *noise,
        };
        let mut baseline = if everything { Baseline::new() } else { baseline::read() };
        baseline.extend(self.rows.iter().map(|row| (row.name.clone(), figure(&row.figure))));
        baseline::write(&baseline);
    }

    /// Prints the figures with bounds that are more than a fifth worse than the baseline.
    pub(crate) fn compare(&self) {
        let before = baseline::read();
        for Row { name, figure: Figure { median, unit, noise, .. }, bound } in &self.rows {
            let Some(Figure { median: then, .. }) = before.get(name).filter(|_| !noise) else { continue };
            let worse = match bound {
                Bound::Most(_) => *median > then * 1.2,
                Bound::Least(_) => *median < then / 1.2,
                Bound::None => false,
            };
            if worse {
                println!("worse than the baseline: {name}: {median:.2} {unit}, was {then:.2}");
            }
        }
    }
}

impl Row {
    fn verdict(&self) -> Verdict {
        let held = match self.bound {
            _ if self.figure.noise => return Verdict::Noise,
            Bound::None => return Verdict::Free,
            Bound::Most(most) => self.figure.median <= most,
            Bound::Least(least) => self.figure.median >= least,
        };
        match known(&self.name) {
            None if held => Verdict::Held,
            None => Verdict::Missed,
            Some(_) if held => Verdict::HeldAfterAll,
            Some(known) => Verdict::Known(known),
        }
    }
}

/// A bound with few digits, since some bounds are computed from other figures.
fn short(bound: f64) -> String {
    format!("{bound:.2}").trim_end_matches('0').trim_end_matches('.').to_owned()
}
