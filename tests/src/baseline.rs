//! The last recorded measurement, `tests/bench/baseline.json`: what `make bench` compares with, and what documents say.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::files::workspace;

/// Figures, by what was measured.
pub type Baseline = BTreeMap<String, Figure>;

/// What one measurement gave.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Figure {
    /// The figure; the median where there were several rounds.
    pub median: f64,
    /// Half of the rounds lie between these two. Nothing where there was one round.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quartiles: Option<[f64; 2]>,
    /// `ms`, `MB` and so on; `×` for a ratio.
    pub unit: String,
    /// Whether the rounds differ by more than what was to be measured.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub noise: bool,
}

/// Reads it.
pub fn read() -> Baseline {
    let text = fs::read_to_string(path()).expect("there is a baseline");
    serde_json::from_str(&text).expect("the baseline is a map of figures")
}

/// Writes a new one, with a line for each figure.
pub fn write(baseline: &Baseline) {
    let line = |(name, figure): (&String, &Figure)| {
        let figure = serde_json::to_string(figure).expect("figures are numbers");
        format!("  {}: {figure}", Value::from(name.as_str()))
    };
    let lines: Vec<_> = baseline.iter().map(line).collect();
    fs::write(path(), format!("{{\n{}\n}}\n", lines.join(",\n"))).expect("the baseline can be written");
}

fn path() -> PathBuf {
    workspace().join("tests/bench/baseline.json")
}
