//! The last recorded measurement, `tests/bench/baseline.json`. `make bench` compares with it, and documents quote it.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::files::workspace;

/// Figures, by the names of measurements.
pub type Baseline = BTreeMap<String, Figure>;

/// The figure of a measurement.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Figure {
    /// The figure. With several rounds, their median.
    pub median: f64,
    /// Half of the rounds are between these two. `None` for one round.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quartiles: Option<[f64; 2]>,
    /// `ms`, `MB` and so on; `×` for a ratio.
    pub unit: String,
    /// Whether the rounds differ too much for a result.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub noise: bool,
}

/// Reads the baseline.
pub fn read() -> Baseline {
    let text = fs::read_to_string(path()).expect("there is a baseline");
    serde_json::from_str(&text).expect("the baseline is a map of figures")
}

/// Writes a new baseline, with a line for each figure.
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
