//! The timeout that an API server states in the query of its request.

use std::time::Duration;

/// The largest timeout, in nanoseconds: about 30 years.
const MOST: u64 = 1_000_000_000 * 1_000_000_000;

/// The timeout in `query`, less a tenth, which is left for sending the answer. `None` when the query has no timeout.
pub(super) fn stated(query: Option<&str>) -> Option<Duration> {
    let text = query?.split('&').find_map(|pair| pair.strip_prefix("timeout="))?;
    let nanos = nanos(&text.replace("%C2%B5s", "µs")).filter(|nanos| *nanos < MOST)?;
    Some(Duration::from_nanos(nanos / 10 * 9))
}

/// Reads a duration in Go's format, such as `4.98s` or `1m0s`. It cannot be negative.
fn nanos(text: &str) -> Option<u64> {
    quantity::Duration::parts(text).try_fold(0u64, |sum, part| sum.checked_add(part?.nanos()?))
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
