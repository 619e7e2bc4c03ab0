//! Small texts, as an API server judges them in what is composed.

/// Whether a text is the key of a label, an annotation or a toleration: a name of at most 63 characters, perhaps after a
/// domain and `/`.
pub(super) fn is_key(text: &str) -> bool {
    match text.split_once('/') {
        Some((domain, name)) => toolbox::names::is_subdomain(domain) && is_name(name),
        None => is_name(text),
    }
}

/// Whether a text is the value of a label.
pub(super) fn is_label_value(text: &str) -> bool {
    text.is_empty() || is_name(text)
}

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

fn is_name(text: &str) -> bool {
    let ends = |end: Option<&u8>| end.is_some_and(u8::is_ascii_alphanumeric);
    let bytes = text.as_bytes();
    bytes.len() <= 63
        && ends(bytes.first())
        && ends(bytes.last())
        && bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_values() {
        for valid in ["a", "A_b.c-1", "example.org/a", "nvidia.com/gpu"] {
            assert!(is_key(valid), "{valid}");
        }
        for invalid in ["", "/a", "a/", "a/b/c", "-a", "a b", "Example.org/a", &"a".repeat(64)] {
            assert!(!is_key(invalid), "{invalid}");
        }
        assert!(is_label_value("") && is_label_value("a.b") && !is_label_value("a/b") && !is_label_value("é"));
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
