//! Names with a hash. The hash keeps names different that were truncated, or that are joined from several parts.

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

use crate::names::LONGEST_LABEL;

/// The number of hexadecimal digits in the hash of a name.
const DIGITS: usize = 5;

/// The name of an object that belongs to others: `parts` joined with `-`, then always a hash of them.
pub fn child(parts: &[&str]) -> String {
    child_within(parts, LONGEST_LABEL)
}

/// The same name, truncated to fewer characters.
pub fn child_within(parts: &[&str], longest: usize) -> String {
    let full = parts.join("-");
    hashed(&full, &full, "", longest)
}

/// A name that shows only `visible`, then a hash of `visible` and `hidden`.
pub fn opaque(visible: &str, hidden: &[&str]) -> String {
    let full = [&[visible], hidden].concat().join("-");
    hashed(visible, &full, "", LONGEST_LABEL)
}

/// The name `stem` + `suffix`. If it would be longer than a DNS label, the stem is truncated, and a hash of `whole`
/// stands before the suffix.
pub fn fitting(stem: &str, suffix: &str, whole: &str) -> String {
    let full = format!("{stem}{suffix}");
    if full.chars().count() > LONGEST_LABEL { hashed(stem, whole, suffix, LONGEST_LABEL) } else { full }
}

/// The SHA-256 of the concatenated `parts`, in lower-case hexadecimal digits.
pub fn sha256<'p>(parts: impl IntoIterator<Item = &'p str>) -> String {
    let hash = parts.into_iter().fold(Sha256::new(), Sha256::chain_update);
    hex(&hash.finalize())
}

/// Bytes in lower-case hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut digits, byte| {
        let _ = write!(digits, "{byte:02x}");
        digits
    })
}

/// `visible`, truncated if necessary, then a hash of `full`, then `suffix`.
fn hashed(visible: &str, full: &str, suffix: &str, longest: usize) -> String {
    let room = longest.saturating_sub(1 + DIGITS + suffix.chars().count());
    let start: String = visible.chars().take(room).collect();
    let digits: String = sha256([full]).chars().take(DIGITS).collect();
    format!("{}-{digits}{suffix}", start.trim_end_matches('-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children() {
        #[track_caller]
        fn check(parts: &[&str], want: &str) {
            assert_eq!(child(parts), want);
        }
        check(&["llama"], "llama-fc5a1");
        check(&["llama", "gpu-east"], "llama-gpu-east-e7f25");
        check(&["llama-09209", "main"], "llama-09209-main-5e9e5");
        check(&["llama-09209", "main", "standalone", "devices"], "llama-09209-main-standalone-devices-98cfe");
        check(&["modelcache", "ml", "weights"], "modelcache-ml-weights-5f3f2");
        assert_eq!(child_within(&["llama-09209", "main"], 22), "llama-09209-main-5e9e5");
        assert_eq!(child_within(&["llama-09209", "main"], 18), "llama-09209-5e9e5");
    }

    #[test]
    fn opaque_names() {
        #[track_caller]
        fn check(visible: &str, apart: &[&str], want: &str) {
            let name = opaque(visible, apart);
            assert_eq!(name, want);
            assert!(name.len() <= LONGEST_LABEL);
        }
        check("llama", &["gpu-east", "0"], "llama-09209");
        check("llama", &["gpu-east", "1"], "llama-1685a");
        check("a-b", &["c", "0"], "a-b-e75c6");
        check("a", &["b-c", "0"], "a-e75c6");
        check(&"a".repeat(70), &["c", "0"], &format!("{}-6377a", "a".repeat(57)));
        check(&format!("{}-tail", "x".repeat(56)), &["c", "0"], &format!("{}-7c523", "x".repeat(56)));
    }

    #[test]
    fn names_that_fit_stay() {
        #[track_caller]
        fn check(stem: &str, want: &str) {
            let name = fitting(stem, "-epp", stem);
            assert_eq!(name, want);
            assert!(name.len() <= LONGEST_LABEL);
        }
        check("qwen3", "qwen3-epp");
        check(&"a".repeat(59), &format!("{}-epp", "a".repeat(59)));
        check(&"a".repeat(60), &format!("{}-{}-epp", "a".repeat(53), &sha256(["a".repeat(60).as_str()])[..5]));
        let dashed = format!("{}-{}", "a".repeat(52), "b".repeat(20));
        check(&dashed, &format!("{}-{}-epp", "a".repeat(52), &sha256([dashed.as_str()])[..5]));
    }

    #[test]
    fn parts_are_hashed_one_after_another() {
        assert_eq!(sha256(["a", "bc"]), sha256(["abc"]));
        assert_eq!(sha256([]), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    }
}
