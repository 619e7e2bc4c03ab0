//! Keeps warnings within the limits of the API server, which cuts a longer warning and drops further ones.

use crate::foreign::{ELLIPSIS, shortened};

/// The largest length of a warning, in characters.
const LONGEST: usize = 256;
/// The largest length of all warnings together.
const TOTAL: usize = 4096;

/// The warnings within the limits, without repetitions. When some are left out, the last line says how many.
pub(super) fn limited(warnings: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    for warning in warnings {
        let warning = cut(&warning);
        if !kept.contains(&warning) {
            kept.push(warning);
        }
    }
    let mut fitting = 0;
    let mut length = 0;
    for warning in &kept {
        length += warning.chars().count();
        if length > TOTAL {
            break;
        }
        fitting += 1;
    }
    if fitting == kept.len() {
        return kept;
    }
    // The line about the others needs space too.
    fitting = fitting.saturating_sub(1);
    let dropped = kept.len() - fitting;
    kept.truncate(fitting);
    kept.push(format!("{ELLIPSIS}and {dropped} more warnings"));
    kept
}

/// One line of no more than [`LONGEST`] characters.
fn cut(warning: &str) -> String {
    shortened(&warning.replace(['\n', '\r'], " "), LONGEST).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares the lengths of the kept warnings, and the end of the last one.
    fn check(lengths: &[usize], kept: &[usize], last: &str) {
        let warnings =
            lengths.iter().enumerate().map(|(index, &length)| format!("{:<length$.length$}", index.to_string()));
        let limited = limited(warnings);
        assert_eq!(limited.iter().map(|warning| warning.chars().count()).collect::<Vec<_>>(), kept);
        assert!(limited.iter().map(|warning| warning.chars().count()).sum::<usize>() <= TOTAL);
        assert!(limited.last().is_none_or(|line| line.ends_with(last)), "{limited:?}");
    }

    #[test]
    fn limits() {
        check(&[], &[], "");
        check(&[1, 256], &[1, 256], " ");
        check(&[257], &[256], "…");
        check(&[5000], &[256], "…");
        check(&[256; 16], &[256; 16], " ");
        let fifteen = [vec![256; 15], vec![20]].concat();
        check(&[256; 17], &fifteen, "…and 2 more warnings");
        check(&[5000; 100], &[vec![256; 15], vec![21]].concat(), "…and 85 more warnings");
        check(&[300, 1, 300], &[256, 1, 256], "…");
    }

    #[test]
    fn what_is_said_twice_is_said_once() {
        assert_eq!(limited(["a", "b", "a"].map(str::to_owned)), ["a", "b"]);
        assert_eq!(limited(["a\nb".to_owned()]), ["a b"]);
    }
}
