//! What was measured, beside what was promised and what it was before.

use std::collections::BTreeMap;
use std::fs;

/// Rows of one run.
#[derive(Default)]
pub(crate) struct Report {
    rows: Vec<Row>,
}

struct Row {
    name: &'static str,
    value: f64,
    unit: &'static str,
    bound: Bound,
}

/// What a figure is held to.
#[derive(Clone, Copy)]
pub(crate) enum Bound {
    /// No more than this.
    Most(f64),
    /// No less than this.
    Least(f64),
    /// Nothing: it illustrates another row.
    None,
}

impl Report {
    /// Adds a row and says so, since a run takes a minute.
    pub(crate) fn add(&mut self, name: &'static str, value: f64, unit: &'static str, bound: Bound) {
        eprintln!("measured {name}: {value:.2} {unit}");
        self.rows.push(Row { name, value, unit, bound });
    }

    /// Prints the table.
    pub(crate) fn print(&self) {
        println!("{:<58} {:>12} {:<8} {:>10}", "what", "measured", "", "budget");
        for Row { name, value, unit, bound } in &self.rows {
            let (budget, held) = match *bound {
                Bound::Most(most) => (format!("≤ {most}"), *value <= most),
                Bound::Least(least) => (format!("≥ {least}"), *value >= least),
                Bound::None => (String::new(), true),
            };
            println!("{name:<58} {value:>12.2} {unit:<8} {budget:>10}{}", if held { "" } else { "  missed" });
        }
    }

    /// Writes the figures as the new baseline.
    pub(crate) fn record(&self, path: &str) {
        let rows: BTreeMap<_, _> =
            self.rows.iter().map(|row| (row.name, (row.value * 100.0).round() / 100.0)).collect();
        let text = serde_json::to_string_pretty(&rows).expect("figures are numbers");
        fs::write(path, text + "\n").expect("the baseline can be written");
    }

    /// Says which held figures are more than a fifth worse than the baseline.
    pub(crate) fn compare(&self, path: &str) {
        let Ok(text) = fs::read_to_string(path) else { return };
        let before: BTreeMap<String, f64> = serde_json::from_str(&text).expect("the baseline is a map of figures");
        for Row { name, value, unit, bound } in &self.rows {
            let Some(&then) = before.get(*name) else { continue };
            let worse = match bound {
                Bound::Most(_) => *value > then * 1.2,
                Bound::Least(_) => *value < then / 1.2,
                Bound::None => false,
            };
            if worse {
                println!("worse than the baseline: {name}: {value:.2} {unit}, was {then:.2}");
            }
        }
    }
}
