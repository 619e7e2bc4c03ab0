//! Go's durations: read as `time.ParseDuration` does, and printed as `Duration.String` does.

use std::fmt;
use std::str::FromStr;

use crate::digits;

/// A duration in nanoseconds. It may be negative.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Duration(i64);

/// A number with its unit, such as the `1.5h` of `1.5h30m`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part<'t> {
    /// The digits before the point. Empty in `.5s`.
    pub whole: &'t str,
    /// The digits after the point. Empty without a point.
    pub fraction: &'t str,
    /// The unit, in nanoseconds.
    pub unit: u64,
}

/// The text is not a duration, or the duration is longer than 292 years.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DurationError;

/// The units and their nanoseconds. `µs` has two spellings: with the micro sign, and with the Greek letter.
const UNITS: &[(&str, u64)] = &[
    ("ns", 1),
    ("us", MICROSECOND),
    ("\u{b5}s", MICROSECOND),
    ("\u{3bc}s", MICROSECOND),
    ("ms", MILLISECOND),
    ("s", SECOND),
    ("m", MINUTE),
    ("h", HOUR),
];

const MICROSECOND: u64 = 1_000;
const MILLISECOND: u64 = 1_000 * MICROSECOND;
const SECOND: u64 = 1_000 * MILLISECOND;
const MINUTE: u64 = 60 * SECOND;
const HOUR: u64 = 60 * MINUTE;

/// The nanoseconds of the longest duration. Only a negative one can be as long.
const MOST: u64 = 1 << 63;

impl Duration {
    /// A duration of `nanos` nanoseconds.
    pub const fn from_nanos(nanos: i64) -> Self {
        Self(nanos)
    }

    /// The duration in nanoseconds.
    pub const fn nanos(self) -> i64 {
        self.0
    }

    /// The parts of a duration without a sign, for callers with their own limits. The last item is `None` when the text has
    /// something else there. An empty text has no parts, and `0` without a unit is not a part.
    pub fn parts(text: &str) -> impl Iterator<Item = Option<Part<'_>>> {
        let mut rest = text;
        std::iter::from_fn(move || {
            if rest.is_empty() {
                return None;
            }
            let first = Part::first(rest);
            rest = first.map_or("", |(_, after)| after);
            Some(first.map(|(part, _)| part))
        })
    }
}

impl FromStr for Duration {
    type Err = DurationError;

    /// Reads numbers with units, e.g. `1h30m`, `-1.5s` or `250ms`, and also `0`. Fractions of a nanosecond are cut off.
    fn from_str(text: &str) -> Result<Self, DurationError> {
        let (negative, unsigned) = digits::sign(text);
        if unsigned == "0" {
            return Ok(Self(0));
        }
        if unsigned.is_empty() {
            return Err(DurationError);
        }
        let mut total = 0u64;
        for part in Self::parts(unsigned) {
            let nanos = part.and_then(|part| part.nanos()).ok_or(DurationError)?;
            // Like Go, this does not notice that 2⁶³ + 2⁶³ overflows.
            total = total.wrapping_add(nanos);
            if total > MOST {
                return Err(DurationError);
            }
        }
        if negative {
            return Ok(Self(0i64.wrapping_sub_unsigned(total)));
        }
        i64::try_from(total).map(Self).map_err(|_| DurationError)
    }
}

impl fmt::Display for Duration {
    /// Writes hours, minutes and seconds, e.g. `1h0m0.5s`. A duration below a second is written in its largest unit, e.g.
    /// `1.5ms`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nanos = self.0.unsigned_abs();
        if self.0 < 0 {
            f.write_str("-")?;
        }
        if nanos >= HOUR {
            write!(f, "{}h", nanos / HOUR)?;
        }
        if nanos >= MINUTE {
            write!(f, "{}m", nanos % HOUR / MINUTE)?;
        }
        let (number, one, unit) = match nanos {
            1..MICROSECOND => (nanos, 1, "ns"),
            MICROSECOND..MILLISECOND => (nanos, MICROSECOND, "µs"),
            MILLISECOND..SECOND => (nanos, MILLISECOND, "ms"),
            _ => (nanos % MINUTE, SECOND, "s"),
        };
        write!(f, "{}", number / one)?;
        digits::write_fraction(f, number % one, one)?;
        f.write_str(unit)
    }
}

impl<'t> Part<'t> {
    /// The part in nanoseconds; fractions of a nanosecond are cut off. `None` when it is more than 2⁶³.
    pub fn nanos(&self) -> Option<u64> {
        let whole = if self.whole.is_empty() { 0 } else { self.whole.parse::<u64>().ok()? };
        let nanos = whole.checked_mul(self.unit).filter(|nanos| *nanos <= MOST)?;
        nanos.checked_add(self.below_one()).filter(|nanos| *nanos <= MOST)
    }

    /// The part at the beginning of a text, and the rest.
    fn first(text: &'t str) -> Option<(Self, &'t str)> {
        let (whole, rest) = digits::split(text);
        let (fraction, rest) = rest.strip_prefix('.').map_or(("", rest), digits::split);
        if whole.is_empty() && fraction.is_empty() {
            return None;
        }
        let end = rest.find(|next: char| next == '.' || next.is_ascii_digit()).unwrap_or(rest.len());
        let (name, rest) = rest.split_at(end);
        let &(_, unit) = UNITS.iter().find(|row| row.0 == name)?;
        Some((Self { whole, fraction, unit }, rest))
    }

    /// The nanoseconds of the fraction. Computed with a double, as in Go, and with as many digits as Go uses.
    fn below_one(&self) -> u64 {
        let (mut number, mut scale) = (0u64, 1f64);
        for digit in self.fraction.bytes() {
            if number > (MOST - 1) / 10 {
                break;
            }
            let longer = number * 10 + u64::from(digit - b'0');
            if longer > MOST {
                break;
            }
            number = longer;
            scale *= 10.0;
        }
        (number as f64 * (self.unit as f64 / scale)) as u64
    }
}

impl fmt::Display for DurationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a duration like `1h30m`, `-1.5s` or `250ms`")
    }
}

impl std::error::Error for DurationError {}
