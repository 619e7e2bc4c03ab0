//! Keys and values of labels, as an API server judges them in what is composed.

/// Whether a text is the key of a label, an annotation or a toleration: a name of at most 63 characters, perhaps after a
/// domain and `/`.
pub fn is_key(text: &str) -> bool {
    match text.split_once('/') {
        Some((domain, name)) => toolbox::names::is_subdomain(domain) && is_name(name),
        None => is_name(text),
    }
}

/// Whether a text is the value of a label.
pub fn is_value(text: &str) -> bool {
    text.is_empty() || is_name(text)
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
        assert!(is_value("") && is_value("a.b") && !is_value("a/b") && !is_value("é"));
    }
}
