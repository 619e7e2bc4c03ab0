//! Times in RFC 3339, read as Go's `time.Parse` does with `time.RFC3339Nano`, and printed as `Time.Format` does.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use crate::date::{Date, TimeError};
use crate::digits;
use crate::duration::Duration;

/// A point in time, and the UTC offset that it was written with. The offset does not matter for comparisons.
#[derive(Clone, Copy, Debug)]
pub struct Time {
    /// Seconds since the beginning of 1970 in UTC, rounded down.
    seconds: i64,
    /// Nanoseconds since that second.
    nanosecond: u32,
    /// The UTC offset in seconds; positive east of Greenwich.
    offset: i32,
}

/// A day and a time of day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The day.
    pub date: Date,
    /// From 0 to 23.
    pub hour: i64,
    /// From 0 to 59.
    pub minute: i64,
    /// From 0 to 59. There are no leap seconds.
    pub second: i64,
    /// Nanoseconds since the second.
    pub nanosecond: i64,
}

const DAY: i64 = 86_400;
const NANOS: i128 = 1_000_000_000;

impl Time {
    /// The time `seconds` seconds after the beginning of 1970 in UTC.
    pub const fn from_seconds(seconds: i64) -> Self {
        Self { seconds, nanosecond: 0, offset: 0 }
    }

    /// The seconds since the beginning of 1970 in UTC, rounded down.
    pub const fn seconds(self) -> i64 {
        self.seconds
    }

    /// The nanoseconds since that second.
    pub const fn nanosecond(self) -> u32 {
        self.nanosecond
    }

    /// The time `nanos` nanoseconds later. `None` when its seconds do not fit 64 bits.
    pub fn checked_add(self, nanos: i128) -> Option<Self> {
        let sum = self.nanos().checked_add(nanos)?;
        let seconds = i64::try_from(sum.div_euclid(NANOS)).ok()?;
        let nanosecond = u32::try_from(sum.rem_euclid(NANOS)).ok()?;
        Some(Self { seconds, nanosecond, ..self })
    }

    /// The duration since an earlier time. `None` when it is longer than 292 years.
    pub fn since(self, earlier: Self) -> Option<Duration> {
        i64::try_from(self.nanos() - earlier.nanos()).ok().map(Duration::from_nanos)
    }

    /// The day and time of day with a UTC offset of `offset` seconds.
    pub fn at(self, offset: i64) -> Moment {
        let seconds = self.seconds.saturating_add(offset);
        let clock = seconds.rem_euclid(DAY);
        Moment {
            date: Date::from_days(seconds.div_euclid(DAY)),
            hour: clock / 3600,
            minute: clock / 60 % 60,
            second: clock % 60,
            nanosecond: self.nanosecond.into(),
        }
    }

    /// The nanoseconds since the beginning of 1970 in UTC.
    fn nanos(self) -> i128 {
        i128::from(self.seconds) * NANOS + i128::from(self.nanosecond)
    }
}

impl FromStr for Time {
    type Err = TimeError;

    /// Reads a time such as `2026-01-31T12:00:00Z` or `2026-01-31T12:00:00.5+02:00`, with a year from 0000 to 9999. Like Go it
    /// also accepts an hour with one digit, a comma before the decimals, and offsets up to `24:60`. Decimals after the ninth
    /// are cut off.
    fn from_str(text: &str) -> Result<Self, TimeError> {
        read(text).ok_or(TimeError::Time)
    }
}

impl fmt::Display for Time {
    /// Writes the decimals without trailing zeros, and the offset that was read.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Moment { date, hour, minute, second, .. } = self.at(self.offset.into());
        write!(f, "{date}T{hour:02}:{minute:02}:{second:02}")?;
        digits::write_fraction(f, self.nanosecond.into(), 1_000_000_000)?;
        if self.offset == 0 {
            return f.write_str("Z");
        }
        let (sign, minutes) = (if self.offset < 0 { '-' } else { '+' }, self.offset.abs() / 60);
        write!(f, "{sign}{:02}:{:02}", minutes / 60, minutes % 60)
    }
}

impl PartialEq for Time {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Time {}

impl PartialOrd for Time {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Time {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.seconds, self.nanosecond).cmp(&(other.seconds, other.nanosecond))
    }
}

/// Whether kube-openapi's `strfmt` accepts a text as `date-time`. Its rule is not Go's: `t` and `z` may be lower case, any
/// character may precede the decimals, any four digits are an offset, and anything may follow a second `T`.
pub fn is_date_time(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    let mut parts = text.split('t');
    let (Some(date), Some(time)) = (parts.next(), parts.next()) else { return false };
    let Some((_, zone)) = clock(time, 2) else { return false };
    let is_zone = |zone: &str| zone == "z" || matches!(offset(zone), Some((_, _, "")));
    let without_decimals = || match digits::split(zone.strip_prefix(|separator| separator != '\n')?) {
        ("", _) => None,
        (_, rest) => Some(rest),
    };
    date.parse::<Date>().is_ok() && (is_zone(zone) || without_decimals().is_some_and(is_zone))
}

fn read(text: &str) -> Option<Time> {
    let (date, rest) = text.split_at_checked(10)?;
    let date: Date = date.parse().ok()?;
    let rest = rest.strip_prefix('T')?;
    let (second, rest) = clock(rest, if rest.as_bytes().get(1) == Some(&b':') { 1 } else { 2 })?;
    let (nanosecond, rest) = fraction(rest);
    let offset = if rest == "Z" { 0 } else { go_offset(rest)? };
    let seconds = date.days() * DAY + second - i64::from(offset);
    Some(Time { seconds, nanosecond, offset })
}

/// `hh:mm:ss` as seconds since midnight, and the rest. The hour has `hour_digits` digits.
fn clock(text: &str, hour_digits: usize) -> Option<(i64, &str)> {
    let (hour, rest) = digits::fixed(text, hour_digits)?;
    let (minute, rest) = digits::fixed(rest.strip_prefix(':')?, 2)?;
    let (second, rest) = digits::fixed(rest.strip_prefix(':')?, 2)?;
    (hour < 24 && minute < 60 && second < 60).then_some((hour * 3600 + minute * 60 + second, rest))
}

/// The nanoseconds that a point or comma with digits expresses, and the rest. Without decimals they are zero.
fn fraction(text: &str) -> (u32, &str) {
    let Some(after) = text.strip_prefix(['.', ',']) else { return (0, text) };
    let (decimals, rest) = digits::split(after);
    if decimals.is_empty() {
        return (0, text);
    }
    let nine = decimals.bytes().chain(std::iter::repeat(b'0')).take(9);
    (nine.fold(0, |number, digit| number * 10 + u32::from(digit - b'0')), rest)
}

/// `±hh:mm` in seconds, if Go accepts it.
fn go_offset(text: &str) -> Option<i32> {
    let (hours, minutes, "") = offset(text)? else { return None };
    if hours > 24 || minutes > 60 {
        return None;
    }
    let seconds = i32::try_from(hours * 3600 + minutes * 60).ok()?;
    Some(if text.starts_with('-') { -seconds } else { seconds })
}

/// The hours and minutes of `±hh:mm`, and the rest.
fn offset(text: &str) -> Option<(i64, i64, &str)> {
    let (hours, rest) = digits::fixed(text.strip_prefix(['+', '-'])?, 2)?;
    let (minutes, rest) = digits::fixed(rest.strip_prefix(':')?, 2)?;
    Some((hours, minutes, rest))
}
