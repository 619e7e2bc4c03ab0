//! Times of RFC 3339, as Go's `time.Parse` reads them with `time.RFC3339Nano` and `Time.Format` prints them.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use crate::date::{Date, TimeError};
use crate::digits;
use crate::duration::Duration;

/// A point in time, with the offset that it was written with. Two points are equal whatever their offsets.
#[derive(Clone, Copy, Debug)]
pub struct Time {
    /// Since 1970, rounded down.
    seconds: i64,
    /// Since that second.
    nanosecond: u32,
    /// East of Greenwich, in seconds.
    offset: i32,
}

/// What a calendar and a clock show.
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
    /// Since the second.
    pub nanosecond: i64,
}

const DAY: i64 = 86_400;
const NANOS: i128 = 1_000_000_000;

impl Time {
    /// The time so many seconds after the beginning of 1970, in UTC.
    pub const fn from_seconds(seconds: i64) -> Self {
        Self { seconds, nanosecond: 0, offset: 0 }
    }

    /// The seconds since the beginning of 1970, rounded down.
    pub const fn seconds(self) -> i64 {
        self.seconds
    }

    /// The nanoseconds since that second.
    pub const fn nanosecond(self) -> u32 {
        self.nanosecond
    }

    /// The time so many nanoseconds later. `None` when its seconds do not fit 64 bits.
    pub fn checked_add(self, nanos: i128) -> Option<Self> {
        let sum = self.nanos().checked_add(nanos)?;
        let seconds = i64::try_from(sum.div_euclid(NANOS)).ok()?;
        let nanosecond = u32::try_from(sum.rem_euclid(NANOS)).ok()?;
        Some(Self { seconds, nanosecond, ..self })
    }

    /// The time that has passed since an earlier time. `None` beyond 292 years.
    pub fn since(self, earlier: Self) -> Option<Duration> {
        i64::try_from(self.nanos() - earlier.nanos()).ok().map(Duration::from_nanos)
    }

    /// What a calendar and a clock show `offset` seconds east of Greenwich.
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

    /// The nanoseconds since the beginning of 1970.
    fn nanos(self) -> i128 {
        i128::from(self.seconds) * NANOS + i128::from(self.nanosecond)
    }
}

impl FromStr for Time {
    type Err = TimeError;

    /// Reads a time of the years 0000 to 9999: `2026-01-31T12:00:00Z`, `2026-01-31T12:00:00.5+02:00`. Like Go it also
    /// takes an hour of one digit, a comma before the decimals, and offsets up to `24:60`; decimals beyond the ninth
    /// are cut off.
    fn from_str(text: &str) -> Result<Self, TimeError> {
        read(text).ok_or(TimeError::Time)
    }
}

impl fmt::Display for Time {
    /// Writes as many decimals as there are, and the offset that was read.
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

/// Whether strfmt takes a text as a `date-time`, which is another rule than Go's: `t` and `z` may be small letters,
/// any character may stand before the decimals, any four digits are an offset, and after a second `T` all may follow.
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

/// `hh:mm:ss` as the second of the day, with so many digits of the hour, and what follows.
fn clock(text: &str, hour_digits: usize) -> Option<(i64, &str)> {
    let (hour, rest) = digits::fixed(text, hour_digits)?;
    let (minute, rest) = digits::fixed(rest.strip_prefix(':')?, 2)?;
    let (second, rest) = digits::fixed(rest.strip_prefix(':')?, 2)?;
    (hour < 24 && minute < 60 && second < 60).then_some((hour * 3600 + minute * 60 + second, rest))
}

/// The nanoseconds that a point or comma with digits stands for, and what follows them. None at all is zero.
fn fraction(text: &str) -> (u32, &str) {
    let Some(after) = text.strip_prefix(['.', ',']) else { return (0, text) };
    let (decimals, rest) = digits::split(after);
    if decimals.is_empty() {
        return (0, text);
    }
    let nine = decimals.bytes().chain(std::iter::repeat(b'0')).take(9);
    (nine.fold(0, |number, digit| number * 10 + u32::from(digit - b'0')), rest)
}

/// `±hh:mm` in seconds, as far as Go takes it.
fn go_offset(text: &str) -> Option<i32> {
    let (hours, minutes, "") = offset(text)? else { return None };
    if hours > 24 || minutes > 60 {
        return None;
    }
    let seconds = i32::try_from(hours * 3600 + minutes * 60).ok()?;
    Some(if text.starts_with('-') { -seconds } else { seconds })
}

/// The hours and minutes of `±hh:mm`, and what follows them.
fn offset(text: &str) -> Option<(i64, i64, &str)> {
    let (hours, rest) = digits::fixed(text.strip_prefix(['+', '-'])?, 2)?;
    let (minutes, rest) = digits::fixed(rest.strip_prefix(':')?, 2)?;
    Some((hours, minutes, rest))
}
