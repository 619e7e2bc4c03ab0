//! Figures in documents are those of the last recorded measurement, `tests/bench/baseline.json`.

use std::collections::BTreeMap;
use std::fs;

use tests::files::{bless, workspace};

const BEGIN: &str = "<!-- figures of tests/bench/baseline.json: `make generate` writes them -->\n";
const END: &str = "<!-- end -->";

/// What was measured, in words for people, with its unit.
type Row = (&'static str, &'static str, &'static str);

/// What is shown where.
const TABLES: &[(&str, &[Row])] = &[
    (
        "docs/function.md",
        &[
            ("process start to first answer", "from start to first answer", "ms"),
            ("RunFunction calls a second, LLMInference", "calls a second, each composing an `LLMInference`", ""),
            ("4 MB of state, from the wire and back to it", "time of a call, for each MB of what exists", "ms"),
            ("resident memory, idle", "memory, idle", "MB"),
            ("resident memory, after 2 MB of state", "memory, after calls with 2 MB of what exists", "MB"),
            ("resident memory, after 10 MB of state", "memory, after calls with 10 MB of what exists", "MB"),
        ],
    ),
    (
        "docs/admission.md",
        &[
            ("reviews a second over TLS, LLMInference", "reviews a second, of one replica", ""),
            ("reviews, 99 of 100 within", "99 of 100 reviews are answered within", "ms"),
            ("resident memory of admission, loaded", "memory under that load", "MB"),
        ],
    ),
];

#[test]
fn are_those_that_were_measured() {
    let baseline = fs::read_to_string(workspace().join("tests/bench/baseline.json")).expect("a baseline");
    let baseline: BTreeMap<String, f64> = serde_json::from_str(&baseline).expect("a map of figures");
    for (document, rows) in TABLES {
        let path = workspace().join(document);
        let text = fs::read_to_string(&path).expect("a document");
        let (before, rest) = text.split_once(BEGIN).unwrap_or_else(|| panic!("{document} has no place for figures"));
        let (_, after) = rest.split_once(END).unwrap_or_else(|| panic!("{document}: the figures have no end"));
        // What is new is measured when the baseline is next recorded.
        let measured = rows.iter().filter_map(|(name, words, unit)| Some((baseline.get(*name)?, words, unit)));
        let lines = measured.map(|(value, words, unit)| {
            format!("| {words} | {} |\n", format!("{} {unit}", rounded(*value)).trim_end())
        });
        let lines: String = lines.collect();
        let table = if lines.is_empty() { lines } else { format!("\n| What | Measured |\n|---|---|\n{lines}\n") };
        let expected = format!("{before}{BEGIN}{table}{END}{after}");
        let difference = bless(&path, &expected).err().unwrap_or_default();
        assert!(difference.is_empty(), "{difference}");
    }
}

/// What is shown is measured.
#[test]
fn all_are_measured() {
    let folder = fs::read_dir(workspace().join("tests/bench")).expect("the measurements");
    let texts = folder.map(|entry| fs::read_to_string(entry.expect("an entry").path()).expect("text"));
    let texts: String = texts.collect();
    for (name, ..) in TABLES.iter().flat_map(|(_, rows)| rows.iter()) {
        assert!(texts.contains(&format!("\"{name}\", ")), "nothing measures {name}");
    }
}

/// The figure with two digits that count, since the next machine has others.
pub(crate) fn rounded(value: f64) -> String {
    let text = format!("{value:.1e}");
    let (exponent, value): (usize, f64) = match text.split_once('e') {
        Some((_, exponent)) => (exponent.parse().unwrap_or_default(), text.parse().unwrap_or_default()),
        None => (0, value),
    };
    let digits = 1_usize.saturating_sub(exponent) + usize::from(value < 1.0);
    let text = format!("{value:.digits$}");
    let (whole, part) = text.split_once('.').map_or((text.as_str(), String::new()), |(a, b)| (a, format!(".{b}")));
    let mut grouped = String::new();
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index) % 3 == 0 {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped + &part
}

#[test]
fn rounding() {
    for (value, expected) in [
        (4831.81, "4,800"),
        (14.31, "14"),
        (139.5, "140"),
        (2.449, "2.4"),
        (0.571, "0.57"),
        (12_345.0, "12,000"),
        (9.96, "10"),
    ] {
        assert_eq!(rounded(value), expected, "{value}");
    }
}
