//! Ranges of IPv4 addresses, as networks of clouds have them.

use std::net::Ipv4Addr;

use contract::types::{Code, Problem};

/// Why no policy states rules about ranges.
pub const BEYOND: &str = "absent ranges have defaults, and the message names the range that is in the way";

/// A range of addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    first: u32,
    last: u32,
}

/// A field with a range: its path, what the range is of, and its text.
pub type RangeField<'t> = (String, &'static str, &'t str);

impl Range {
    /// Reads a range like `10.0.0.0/16`. `None` when it is none.
    pub fn of(text: &str) -> Option<Self> {
        let (address, bits) = text.split_once('/')?;
        let is_number = !bits.is_empty() && bits.len() <= 2 && bits.bytes().all(|byte| byte.is_ascii_digit());
        let bits: u32 = bits.parse().ok().filter(|bits| is_number && *bits <= 32)?;
        let address = u32::from(address.parse::<Ipv4Addr>().ok()?);
        let hosts = u32::MAX.checked_shr(bits).unwrap_or_default();
        Some(Self { first: address & !hosts, last: address | hosts })
    }

    /// Whether they have an address in common.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.first <= other.last && other.first <= self.last
    }

    /// Whether every address of the other one is in it.
    pub fn contains(&self, other: &Self) -> bool {
        self.first <= other.first && other.last <= self.last
    }
}

/// What is wrong with ranges that must be apart: those that are none, and those that have addresses of an earlier one.
pub fn apart(fields: &[RangeField<'_>]) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut known: Vec<(Range, &str, &str)> = Vec::new();
    for (path, what, text) in fields {
        let Some(range) = Range::of(text) else {
            problems.push(no_range(path, text));
            continue;
        };
        if let Some((_, other, taken)) = known.iter().find(|(other, ..)| other.overlaps(&range)) {
            let message = format!("`{text}` of {what} overlaps `{taken}` of {other}; choose one that is apart");
            problems.push(Problem::new(path, Code::Invalid, message));
        }
        known.push((range, what, text));
    }
    problems
}

/// What is wrong with ranges that must be in `outer`. What is no range is not judged here.
pub fn within(outer: &RangeField<'_>, fields: &[RangeField<'_>]) -> Vec<Problem> {
    let (_, whole, all) = outer;
    let Some(range) = Range::of(all) else { return Vec::new() };
    let outside = fields.iter().filter(|(.., text)| Range::of(text).is_some_and(|inner| !range.contains(&inner)));
    let problem = |(path, what, text): &RangeField<'_>| {
        let message = format!("`{text}` of {what} is not in `{all}` of {whole}");
        Problem::new(path, Code::Invalid, message)
    };
    outside.map(problem).collect()
}

/// The problem of a text that is no range.
pub fn no_range(path: &str, text: &str) -> Problem {
    let message = format!("{text:?} is no range of IPv4 addresses; write one like `10.0.0.0/16`");
    Problem::new(path, Code::Invalid, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts() {
        for text in ["10.0.0.0/16", "0.0.0.0/0", "10.1.2.3/32", "10.0.0.1/8"] {
            assert!(Range::of(text).is_some(), "{text}");
        }
        for text in [
            "",
            "10.0.0.0",
            "10.0.0.0/33",
            "10.0.0.0/",
            "10.0.0.0/+8",
            "10.0.0.0/016",
            "10.0.300.0/20",
            "10.0.0/8",
            "a/8",
            "::/0",
        ] {
            assert_eq!(Range::of(text), None, "{text}");
        }
    }

    #[test]
    fn ranges() {
        #[track_caller]
        fn check(one: &str, other: &str, overlaps: bool, contains: bool) {
            let (one, other) = (Range::of(one).expect("a range"), Range::of(other).expect("a range"));
            assert_eq!((one.overlaps(&other), one.contains(&other)), (overlaps, contains));
            assert_eq!(other.overlaps(&one), overlaps);
        }
        check("10.0.0.0/16", "10.0.255.0/24", true, true);
        check("10.0.0.0/16", "10.1.0.0/16", false, false);
        check("10.0.0.0/20", "10.0.0.0/16", true, false);
        check("0.0.0.0/0", "255.255.255.255/32", true, true);
    }

    #[test]
    fn problems() {
        let field = |path: &str, text| (path.to_owned(), "pods", text);
        let paths = |problems: Vec<Problem>| problems.into_iter().map(|it| it.path).collect::<Vec<_>>();
        let fields =
            [field("a", "10.0.0.0/16"), field("b", "10.0.1.0/24"), field("c", "odd"), field("d", "10.1.0.0/16")];
        assert_eq!(paths(apart(&fields)), ["b", "c"]);
        assert_eq!(paths(within(&field("x", "10.0.0.0/16"), &fields)), ["d"]);
        assert_eq!(paths(within(&field("x", "odd"), &fields)), [""; 0]);
    }
}
