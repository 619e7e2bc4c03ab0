//! Keys of Secrets and ConfigMaps.

/// Whether the data of a Secret or a ConfigMap may have a key of this name.
pub(super) fn is_data_key(text: &str) -> bool {
    let is_of_key = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    (1..=253).contains(&text.len()) && text.bytes().all(is_of_key) && text != "." && !text.starts_with("..")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys() {
        for valid in ["a", "A_b.c-1", ".dockerconfigjson", "-", "a.."] {
            assert!(is_data_key(valid), "{valid}");
        }
        for invalid in ["", ".", "..", "..a", "a/b", "a b", "é", &"a".repeat(254)] {
            assert!(!is_data_key(invalid), "{invalid}");
        }
    }
}
