//! Timestamps and durations with the rules of CEL: the range of timestamps, and the text of durations.
//!
//! There is no time zone database, which would be as large as all other code here. The accessors of timestamps know `UTC` and
//! offsets (`"+02:00"`); a name like `"Europe/Vienna"` is a runtime error.

use std::fmt;

use quantity::{Date, Moment, Time};

/// The range of timestamps, in seconds since 1970: the years 1 to 9999.
const SECONDS: std::ops::RangeInclusive<i64> = -62_135_596_800..=253_402_300_799;

/// A point in time, and the UTC offset that it was written with. The offset does not matter for comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Timestamp(Time);

/// A duration in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Duration(pub(crate) i64);

impl Timestamp {
    fn new(time: Time) -> Option<Self> {
        SECONDS.contains(&time.seconds()).then_some(Self(time))
    }

    pub(crate) fn from_seconds(seconds: i64) -> Option<Self> {
        Self::new(Time::from_seconds(seconds))
    }

    /// Whether it is the beginning of the year 1, Go's zero time.
    pub(crate) fn is_zero(self) -> bool {
        self.0 == Time::from_seconds(*SECONDS.start())
    }

    /// Seconds since 1970, without fractions.
    pub(crate) fn seconds(self) -> i64 {
        self.0.seconds()
    }

    pub(crate) fn add(self, span: i128) -> Option<Self> {
        self.0.checked_add(span).and_then(Self::new)
    }

    pub(crate) fn since(self, earlier: Self) -> Option<Duration> {
        self.0.since(earlier.0).map(|span| Duration(span.nanos()))
    }

    /// Reads a time in RFC 3339, as Go does.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        text.parse().ok().and_then(Self::new)
    }

    /// Reads a day (`2026-01-31`). The year 0 is also accepted.
    pub(crate) fn parse_date(text: &str) -> Option<Self> {
        text.parse().ok().map(|date: Date| Self(Time::from_seconds(date.days() * 86_400)))
    }

    /// The day and time of day with a UTC offset of `offset` seconds.
    pub(crate) fn at(self, offset: i64) -> Moment {
        self.0.at(offset)
    }
}

impl fmt::Display for Timestamp {
    /// Writes RFC 3339, without trailing zeros of the decimals.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Duration {
    /// Reads a duration as Go's `time.ParseDuration` does: `1h30m`, `-1.5s`, `0`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        text.parse().ok().map(|span: quantity::Duration| Self(span.nanos()))
    }
}

impl fmt::Display for Duration {
    /// Writes the seconds: `5400s`, `1.5s`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Computed with a double, as upstream.
        let seconds = (self.0 / 1_000_000_000) as f64 + (self.0 % 1_000_000_000) as f64 / 1e9;
        write!(f, "{seconds}s")
    }
}
