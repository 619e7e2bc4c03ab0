//! Dates and durations (strfmt `date.go` and `duration.go`). For times there is `quantity::is_date_time`.

use quantity::{Date, Duration};

/// A day that exists, like `2006-01-02`.
pub(super) fn is_date(text: &str) -> bool {
    text.parse::<Date>().is_ok()
}

/// A Go duration (`1h30m`), or a text with numbers and units like Scala's durations (`3 weeks`).
pub(super) fn is_duration(text: &str) -> bool {
    text.parse::<Duration>().is_ok() || is_scala_duration(text)
}

/// The units: their short names, and the beginning of their long names.
const SCALA_UNITS: [(&[&str], &str); 8] = [
    (&["ns"], "nano"),
    (&["us", "µs"], "micro"),
    (&["ms"], "milli"),
    (&["s"], "sec"),
    (&["m"], "min"),
    (&["h", "hr"], "hour"),
    (&["d"], "day"),
    (&["w", "wk"], "week"),
];

/// Whether a number in the text is followed by a unit, and no number that is followed by letters overflows.
fn is_scala_duration(text: &str) -> bool {
    let mut found = false;
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        let (number, after) = digits(&rest[at..]);
        let letters = after.trim_start_matches([' ', '\t', '\n', '\r', '\u{c}']);
        let end = letters.find(|c: char| !(c.is_ascii_alphabetic() || c == 'µ')).unwrap_or(letters.len());
        let (unit, after_unit) = letters.split_at(end);
        if unit.is_empty() {
            rest = after;
            continue;
        }
        if number.parse::<i64>().is_err() {
            return false;
        }
        let unit = unit.to_lowercase();
        found |= SCALA_UNITS.iter().any(|(names, prefix)| names.contains(&unit.as_str()) || unit.starts_with(prefix));
        rest = after_unit;
    }
    found
}

fn digits(text: &str) -> (&str, &str) {
    text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()))
}
