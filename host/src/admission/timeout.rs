//! The deadline that an API server states in its query.

use std::time::Duration;

/// Units of Go's durations, in seconds; longer names first where one ends with another.
const UNITS: &[(&str, f64)] = &[
    ("ns", 1e-9),
    ("us", 1e-6),
    ("%C2%B5s", 1e-6),
    ("µs", 1e-6),
    ("ms", 1e-3),
    ("s", 1.0),
    ("m", 60.0),
    ("h", 3600.0),
];

/// How long a review may take whose query is `query`, less what it takes to send the answer: a tenth. Nothing when it
/// does not say.
pub(super) fn stated(query: Option<&str>) -> Option<Duration> {
    let text = query?.split('&').find_map(|pair| pair.strip_prefix("timeout="))?;
    let seconds = seconds(text).filter(|seconds| (0.0..1e9).contains(seconds))?;
    Some(Duration::from_secs_f64(seconds * 0.9))
}

/// A duration as Go prints it, such as `4.98s` or `1m0s`.
fn seconds(mut text: &str) -> Option<f64> {
    let mut sum = 0.0;
    while !text.is_empty() {
        let end = text.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let (number, rest) = text.split_at(end);
        let (unit, seconds) = UNITS.iter().find(|(unit, _)| rest.starts_with(unit))?;
        sum += number.parse::<f64>().ok()? * seconds;
        text = &rest[unit.len()..];
    }
    Some(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        for (query, milliseconds) in [
            ("timeout=10s", Some(9000)),
            ("timeout=500ms", Some(450)),
            ("timeout=1m0s", Some(54_000)),
            ("timeout=4.5s", Some(4050)),
            ("a=b&timeout=1s&c", Some(900)),
            ("timeout=1h", Some(3_240_000)),
            ("timeout=100%C2%B5s", Some(0)),
            ("timeout=", Some(0)),
            ("timeout=5", None),
            ("timeout=-5s", None),
            ("timeout=1e9s", None),
            ("timeout=.s", None),
            ("timeout=99999999999999999999h", None),
            ("timeou=5s", None),
            ("", None),
        ] {
            assert_eq!(stated(Some(query)).map(|time| time.as_millis()), milliseconds, "{query}");
        }
        assert_eq!(stated(None), None);
    }
}
