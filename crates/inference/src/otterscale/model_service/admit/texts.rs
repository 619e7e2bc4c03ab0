//! Small texts, as an API server judges them in what is composed.

pub(super) use crate::label_texts::{is_key, is_value as is_label_value};

/// Whether a text is the host name of a route, perhaps with a wildcard in front.
pub(super) fn is_host(text: &str) -> bool {
    toolbox::names::is_subdomain(text.strip_prefix("*.").unwrap_or(text)) && text.len() <= 253
}

/// Whether Prometheus reads a text as a duration: numbers with units, the largest unit first, each once.
pub(super) fn is_duration(text: &str) -> bool {
    const UNITS: [&str; 7] = ["y", "w", "d", "h", "m", "s", "ms"];
    if text == "0" {
        return true;
    }
    let (mut rest, mut next) = (text, 0);
    while !rest.is_empty() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let Some(after) = rest.get(digits..).filter(|_| digits > 0) else { return false };
        let letters = after.bytes().take_while(u8::is_ascii_alphabetic).count();
        let unit = after.get(..letters).unwrap_or_default();
        let Some(place) = UNITS.iter().position(|known| *known == unit).filter(|place| *place >= next) else {
            return false;
        };
        (rest, next) = (after.get(letters..).unwrap_or_default(), place + 1);
    }
    !text.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts() {
        assert!(is_host("a.example.org") && is_host("*.example.org") && !is_host("*") && !is_host("A.org"));
    }

    #[test]
    fn durations_of_prometheus() {
        for valid in ["0", "30s", "1m30s", "1y2w3d4h5m6s7ms", "100ms"] {
            assert!(is_duration(valid), "{valid}");
        }
        for invalid in ["", "30", "s", "1s1m", "1s1s", "1.5s", "-1s", "1 s", "1µs", "0.0"] {
            assert!(!is_duration(invalid), "{invalid}");
        }
    }
}
