//! Points and spans of time, as far as they are CEL's own: their bounds, and how spans print.
//!
//! The zone database of the IANA is left out, since it is as large as everything else here: the accessors of
//! timestamps know `UTC` and offsets (`"+02:00"`), and a name like `"Europe/Vienna"` is a runtime error.

use std::fmt;

use quantity::{Date, Moment, Time};

/// Seconds of the years 1 to 9999, beyond which timestamps do not go.
const SECONDS: std::ops::RangeInclusive<i64> = -62_135_596_800..=253_402_300_799;

/// A point in time, with the offset it was written with; two points are equal whatever their offsets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Timestamp(Time);

/// A span of time, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Duration(pub(crate) i64);

impl Timestamp {
    fn new(time: Time) -> Option<Self> {
        SECONDS.contains(&time.seconds()).then_some(Self(time))
    }

    pub(crate) fn from_seconds(seconds: i64) -> Option<Self> {
        Self::new(Time::from_seconds(seconds))
    }

    /// Whether it is the first moment of the year 1, as which Go counts no time.
    pub(crate) fn is_zero(self) -> bool {
        self.0 == Time::from_seconds(*SECONDS.start())
    }

    /// Seconds since 1970, fractions left out.
    pub(crate) fn seconds(self) -> i64 {
        self.0.seconds()
    }

    pub(crate) fn add(self, span: i128) -> Option<Self> {
        self.0.checked_add(span).and_then(Self::new)
    }

    pub(crate) fn since(self, earlier: Self) -> Option<Duration> {
        self.0.since(earlier.0).map(|span| Duration(span.nanos()))
    }

    /// Reads RFC 3339, as Go does.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        text.parse().ok().and_then(Self::new)
    }

    /// Reads a day (`2026-01-31`), of the year 0 too.
    pub(crate) fn parse_date(text: &str) -> Option<Self> {
        text.parse().ok().map(|date: Date| Self(Time::from_seconds(date.days() * 86_400)))
    }

    /// What a calendar and a clock show `offset` seconds east of Greenwich.
    pub(crate) fn at(self, offset: i64) -> Moment {
        self.0.at(offset)
    }
}

impl fmt::Display for Timestamp {
    /// RFC 3339, with as many decimals as there are.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Duration {
    /// Reads what Go's `time.ParseDuration` reads: `1h30m`, `-1.5s`, `0`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        text.parse().ok().map(|span: quantity::Duration| Self(span.nanos()))
    }
}

impl fmt::Display for Duration {
    /// In seconds, `5400s`, `1.5s`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Like upstream, by way of a double.
        let seconds = (self.0 / 1_000_000_000) as f64 + (self.0 % 1_000_000_000) as f64 / 1e9;
        write!(f, "{seconds}s")
    }
}
