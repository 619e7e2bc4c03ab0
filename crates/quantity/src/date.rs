//! Calendar days.

use std::fmt;
use std::str::FromStr;

use crate::digits;

/// A day of the Gregorian calendar. As in Go, the calendar is extended to all earlier years.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Date {
    year: i64,
    month: i64,
    day: i64,
}

/// The number of days in 400 years; after them the calendar repeats.
const ERA: i64 = 146_097;
/// The day 1970-01-01, counted from 0000-03-01. Years begin in March here, so that a leap day is the last day of a year.
const EPOCH: i64 = 719_468;

impl Date {
    /// The day with this year, month (from 1) and day of the month (from 1). `None` when there is no such day, or when the
    /// year is not in 0 to 9999.
    pub fn new(year: i64, month: i64, day: i64) -> Option<Self> {
        let exists = (0..=9999).contains(&year) && day >= 1 && day <= days_in(year, month);
        exists.then_some(Self { year, month, day })
    }

    /// The day that is `days` days after 1970-01-01.
    pub fn from_days(days: i64) -> Self {
        let days = days.saturating_add(EPOCH);
        let (era, in_era) = (days.div_euclid(ERA), days.rem_euclid(ERA));
        let year = (in_era - in_era / 1_460 + in_era / 36_524 - in_era / 146_096) / 365;
        let in_year = in_era - (365 * year + year / 4 - year / 100);
        let month = (5 * in_year + 2) / 153;
        let day = in_year - (153 * month + 2) / 5 + 1;
        let month = if month < 10 { month + 3 } else { month - 9 };
        Self { year: year + era * 400 + i64::from(month <= 2), month, day }
    }

    /// The number of days since 1970-01-01.
    pub fn days(self) -> i64 {
        let year = if self.month <= 2 { self.year - 1 } else { self.year };
        let (era, in_era) = (year.div_euclid(400), year.rem_euclid(400));
        era * ERA + (in_era * 365 + in_era / 4 - in_era / 100 + self.since_march() - EPOCH)
    }

    /// The year.
    pub const fn year(self) -> i64 {
        self.year
    }

    /// The month, from 1.
    pub const fn month(self) -> i64 {
        self.month
    }

    /// The day of the month, from 1.
    pub const fn day(self) -> i64 {
        self.day
    }

    /// The day of the year, from 0.
    pub fn day_of_year(self) -> i64 {
        // January and February have 59 or 60 days.
        if self.month <= 2 { self.since_march() - 306 } else { self.since_march() + 31 + days_in(self.year, 2) }
    }

    /// The day of the week, from 0, which is Sunday.
    pub fn day_of_week(self) -> i64 {
        (self.days().rem_euclid(7) + 4) % 7
    }

    /// The number of days since the last 1 March.
    const fn since_march(self) -> i64 {
        (153 * ((self.month + 9) % 12) + 2) / 5 + self.day - 1
    }
}

impl FromStr for Date {
    type Err = TimeError;

    /// Reads a day such as `2026-01-31`, with a year from 0000 to 9999.
    fn from_str(text: &str) -> Result<Self, TimeError> {
        let read = || {
            let (year, rest) = digits::fixed(text, 4)?;
            let (month, rest) = digits::fixed(rest.strip_prefix('-')?, 2)?;
            let (day, rest) = digits::fixed(rest.strip_prefix('-')?, 2)?;
            if rest.is_empty() { Self::new(year, month, day) } else { None }
        };
        read().ok_or(TimeError::Date)
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.year < 0 { "-" } else { "" };
        write!(f, "{sign}{:04}-{:02}-{:02}", self.year.unsigned_abs(), self.month, self.day)
    }
}

/// The number of days in a month; 0 when there is no such month.
fn days_in(year: i64, month: i64) -> i64 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    }
}

/// The text is not a day, or not a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeError {
    /// A day was expected.
    Date,
    /// A time was expected.
    Time,
}

impl fmt::Display for TimeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Date => "not a day like `2026-01-31`",
            Self::Time => "not a time like `2026-01-31T12:00:00Z` or `2026-01-31T12:00:00.5+02:00`",
        })
    }
}

impl std::error::Error for TimeError {}
