//! Right-sizing: how much of its memory a model uses, and how much would be enough. Whole numbers of bytes throughout.

use budget::memory::canonical;

const GI: i128 = 1 << 30;
const MI: i128 = 1 << 20;

/// What the peak says about the declared memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sizing {
    /// The peak in percent of what is declared, at most 100.
    pub percent: i128,
    /// What would be enough, and how much less that is. `None` when there is nothing to recommend.
    pub recommendation: Option<String>,
    /// Whether more was used than is declared.
    pub exceeds: bool,
}

/// Judges a peak. A model that uses less than `below` percent gets a recommendation.
pub fn judge(declared: i128, peak: i128, below: i128) -> Sizing {
    let percent = (100 * peak / declared.max(1)).min(100);
    let over = (100 * (declared - peak) / declared.max(1)).max(0);
    let enough = recommended(declared, peak);
    let text = || {
        let (declared, enough, peak) = (canonical(declared), canonical(enough), canonical(peak));
        format!("Consider reducing memory from {declared} to {enough} (observed peak {peak}, {over}% overprovisioned)")
    };
    Sizing { percent, recommendation: (percent < below && enough < declared).then(text), exceeds: peak > declared }
}

/// The peak and a tenth of it, in whole units. Where that is not less than what is declared, half of the way.
fn recommended(declared: i128, peak: i128) -> i128 {
    let unit = if declared >= 10 * GI { GI } else { MI };
    let whole = |bytes: i128| up(bytes, unit) * unit;
    let headroom = whole(up(peak * 110, 100));
    if headroom < declared { headroom } else { whole(up(peak + declared, 2)) }
}

/// The quotient, rounded up.
fn up(number: i128, by: i128) -> i128 {
    (number + by - 1).div_euclid(by)
}

#[cfg(test)]
mod tests {
    use super::*;
    use budget::memory::{bytes, declared};

    #[test]
    fn recommendations() {
        #[track_caller]
        fn check(memory: &str, peak: &str, percent: i128, over: i128, enough: &str, at_95: bool, at_90: bool) {
            let (declared, observed) = (declared(memory).expect("memory"), bytes(peak).expect("a quantity"));
            let text = format!(
                "Consider reducing memory from {memory} to {enough} (observed peak {peak}, {over}% overprovisioned)"
            );
            for (below, is_said) in [(95, at_95), (90, at_90)] {
                let sizing = judge(declared, observed, below);
                assert_eq!(sizing.percent, percent);
                assert_eq!(sizing.recommendation, is_said.then(|| text.clone()), "below {below}");
            }
            assert_eq!(canonical(recommended(declared, observed)), enough);
        }
        check("80Gi", "75Gi", 93, 6, "78Gi", true, false);
        check("80Gi", "73Gi", 91, 8, "77Gi", true, false);
        check("80Gi", "70Gi", 87, 12, "77Gi", true, true);
        check("80Gi", "60Gi", 75, 25, "66Gi", true, true);
        check("100Gi", "75Gi", 75, 25, "83Gi", true, true);
        check("100Gi", "70Gi", 70, 30, "77Gi", true, true);
        check("60Gi", "58Gi", 96, 3, "59Gi", false, false);
        check("4Gi", "1Gi", 25, 75, "1127Mi", true, true);
        check("80Gi", "80Gi", 100, 0, "80Gi", false, false);
        check("80Gi", "90Gi", 100, 0, "85Gi", false, false);
        // What is declared is at least 10Gi, or it is not.
        check("10Gi", "5Gi", 50, 50, "6Gi", true, true);
        check("10239Mi", "5Gi", 50, 49, "5632Mi", true, true);
        check("1Ki", "1Ki", 100, 0, "1Mi", false, false);
        // A threshold of 0 says nothing, and one of 100 speaks up to 99 percent.
        assert_eq!(judge(100 * GI, GI, 0).recommendation, None);
        assert_eq!(judge(100 * GI, 98 * GI, 95).recommendation, None);
        assert!(judge(100 * GI, 98 * GI, 100).recommendation.is_some_and(|text| text.contains("to 99Gi")));
    }

    #[test]
    fn peaks_over_what_is_declared() {
        assert!(judge(80 * GI, 90 * GI, 95).exceeds);
        assert!(!judge(80 * GI, 80 * GI, 95).exceeds);
        // Nothing overflows.
        let most = i128::from(i64::MAX);
        assert_eq!(judge(1, most, 95).percent, 100);
        assert_eq!(judge(most, 0, 95).percent, 0);
    }
}
