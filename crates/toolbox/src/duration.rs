//! Durations in options: `1m`, `10s`, `1h30m`, `1.5s`. They are written like Go's durations. Unlike those they have a
//! resolution of one millisecond, may be longer than 292 years, and print without the units that are zero.

use std::fmt;
use std::str::FromStr;

use quantity::Part;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A duration in whole milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Duration {
    millis: u64,
}

/// A regular expression for schemas. [`Duration`] can read every text that matches it.
pub const PATTERN: &str = r"^([0-9]{1,9}(\.[0-9]{1,9})?(ms|s|m|h)){1,4}$";

/// The units that are printed, and their lengths in milliseconds.
const UNITS: [(&str, u64); 4] = [("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1)];

impl Duration {
    /// A duration of `millis` milliseconds.
    pub const fn from_millis(millis: u64) -> Self {
        Self { millis }
    }

    /// The duration in milliseconds.
    pub const fn as_millis(self) -> u64 {
        self.millis
    }
}

/// A text is not a duration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseError;

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a span of time like `1m`, `10s` or `1h30m`")
    }
}

impl FromStr for Duration {
    type Err = ParseError;

    /// Reads a sequence of decimal numbers with units, as Go's `time.ParseDuration` does. Fractions of a millisecond are
    /// dropped. Signs, and units below the millisecond, are errors, since no option could use them.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        if text.is_empty() {
            return Err(ParseError);
        }
        let mut millis = 0u64;
        for part in quantity::Duration::parts(text) {
            let part = part.and_then(millis_of).ok_or(ParseError)?;
            millis = millis.checked_add(part).ok_or(ParseError)?;
        }
        Ok(Self { millis })
    }
}

impl fmt::Display for Duration {
    /// Writes the shortest sequence of units, largest first, e.g. `1m30s`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.millis == 0 {
            return f.write_str("0s");
        }
        let mut rest = self.millis;
        for (unit, length) in UNITS {
            if rest >= length {
                write!(f, "{}{unit}", rest / length)?;
                rest %= length;
            }
        }
        Ok(())
    }
}

impl Serialize for Duration {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Duration {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(feature = "generate")]
impl schemars::JsonSchema for Duration {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Duration".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"type": "string", "pattern": PATTERN})
    }
}

/// A number with its unit in milliseconds, rounded down; `None` beyond the range, and for units below the millisecond.
fn millis_of(part: Part<'_>) -> Option<u64> {
    let length = part.unit / 1_000_000;
    if length == 0 {
        return None;
    }
    let number = |digits: &str| if digits.is_empty() { Some(0) } else { digits.parse::<u64>().ok() };
    // More than nine digits cannot change the milliseconds, even of an hour.
    let fraction = &part.fraction[..part.fraction.len().min(9)];
    let below = number(fraction)? * length / 10u64.pow(u32::try_from(fraction.len()).ok()?);
    number(part.whole)?.checked_mul(length)?.checked_add(below)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading() {
        let check = |text: &str, want: Option<u64>| {
            assert_eq!(text.parse::<Duration>().ok().map(Duration::as_millis), want, "{text:?}");
        };
        check("1m", Some(60_000));
        check("10s", Some(10_000));
        check("1h30m", Some(5_400_000));
        check("1.5s", Some(1_500));
        check(".5s", Some(500));
        check("2.s", Some(2_000));
        check("250ms", Some(250));
        check("0.0001s", Some(0));
        check("1.0000000000000000001h", Some(3_600_000));
        check("0s", Some(0));
        check("5124095576031h", None); // more milliseconds than there are numbers
        check("99999999999999999999s", None);
        for text in ["", "10", "s", ".s", "-1s", "+1s", "1 s", "1d", "1us", "1m ", "1sm", "m1"] {
            check(text, None);
        }
    }

    #[test]
    fn writing() {
        let check = |millis, want: &str| {
            let text = Duration::from_millis(millis).to_string();
            assert_eq!(text, want);
            assert_eq!(text.parse(), Ok(Duration::from_millis(millis)));
        };
        check(0, "0s");
        check(60_000, "1m");
        check(10_000, "10s");
        check(5_400_250, "1h30m250ms");
    }
}
