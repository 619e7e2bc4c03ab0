//! Points and spans of time.
//!
//! The zone database of the IANA is left out, since it is as large as everything else here: the accessors of
//! timestamps know `UTC` and offsets (`"+02:00"`), and a name like `"Europe/Vienna"` is a runtime error.

use std::fmt;

const NANOS: i128 = 1_000_000_000;
/// Seconds of the years 1 to 9999, beyond which timestamps do not go.
const SECONDS: std::ops::RangeInclusive<i64> = -62_135_596_800..=253_402_300_799;

/// A point in time, with the offset it was written with; two points are equal whatever their offsets.
#[derive(Clone, Copy, Debug)]
pub struct Timestamp {
    /// Since 1970.
    nanos: i128,
    /// East of Greenwich, in seconds.
    offset: i32,
}

/// A span of time, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Duration(pub(crate) i64);

/// What a calendar and a clock show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Moment {
    pub(crate) year: i64,
    /// From 1.
    pub(crate) month: i64,
    /// From 1.
    pub(crate) day: i64,
    /// From 0.
    pub(crate) day_of_year: i64,
    /// From 0, a Sunday.
    pub(crate) day_of_week: i64,
    pub(crate) hour: i64,
    pub(crate) minute: i64,
    pub(crate) second: i64,
    pub(crate) milliseconds: i64,
}

impl Timestamp {
    pub(crate) fn from_seconds(seconds: i64) -> Option<Self> {
        SECONDS.contains(&seconds).then(|| Self { nanos: i128::from(seconds) * NANOS, offset: 0 })
    }

    /// Whether it is the first moment of the year 1, as which Go counts no time.
    pub(crate) fn is_zero(self) -> bool {
        self.nanos == i128::from(*SECONDS.start()) * NANOS
    }

    /// Seconds since 1970, fractions left out.
    pub(crate) fn seconds(self) -> i64 {
        i64::try_from(self.nanos.div_euclid(NANOS)).unwrap_or(0)
    }

    pub(crate) fn add(self, span: i128) -> Option<Self> {
        let sum = Self { nanos: self.nanos + span, ..self };
        SECONDS.contains(&sum.seconds()).then_some(sum)
    }

    pub(crate) fn since(self, earlier: Self) -> Option<Duration> {
        i64::try_from(self.nanos - earlier.nanos).ok().map(Duration)
    }

    /// Reads RFC 3339, as Go does.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let stamp = Self::parse_any(text)?;
        SECONDS.contains(&stamp.seconds()).then_some(stamp)
    }

    fn parse_any(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        // Go takes an hour of one digit, and two digits of everything else.
        if let (Some((date, hour)), Some(b':')) = (text.split_at_checked(11), bytes.get(12)) {
            return Self::parse_any(&format!("{date}0{hour}"));
        }
        let number = |from: usize, to: usize| -> Option<i64> {
            let digits = text.get(from..to)?;
            digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?
        };
        let is = |at: usize, byte: u8| bytes.get(at) == Some(&byte);
        if !(is(4, b'-') && is(7, b'-') && is(10, b'T') && is(13, b':') && is(16, b':')) {
            return None;
        }
        let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
        let (hour, minute, second) = (number(11, 13)?, number(14, 16)?, number(17, 19)?);
        let mut rest = text.get(19..)?;
        let mut fraction = 0i128;
        if rest.starts_with(['.', ',']) {
            let digits = rest[1..].bytes().take_while(u8::is_ascii_digit).count();
            if digits == 0 {
                return None;
            }
            let shown: String = rest[1..=digits].chars().chain(std::iter::repeat('0')).take(9).collect();
            fraction = shown.parse().ok()?;
            rest = &rest[1 + digits..];
        }
        let offset = match rest.as_bytes() {
            [b'Z'] => 0,
            [sign @ (b'+' | b'-'), _, _, b':', _, _] => {
                let at = text.len() - 5;
                let (hours, minutes) = (number(at, at + 2)?, number(at + 3, at + 5)?);
                if hours > 24 || minutes > 60 {
                    return None;
                }
                let seconds = i32::try_from(hours * 3600 + minutes * 60).ok()?;
                if *sign == b'-' { -seconds } else { seconds }
            }
            _ => return None,
        };
        let fits = (1..=12).contains(&month) && day >= 1 && day <= days_in(year, month) && hour < 24 && minute < 60;
        if !fits || second >= 60 {
            return None;
        }
        let seconds = days_before(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - i64::from(offset);
        Some(Self { nanos: i128::from(seconds) * NANOS + fraction, offset })
    }

    /// Reads a day (`2026-01-31`).
    pub(crate) fn parse_date(text: &str) -> Option<Self> {
        if text.len() == 10 { Self::parse_any(&format!("{text}T00:00:00Z")) } else { None }
    }

    /// What a calendar and a clock show `offset` seconds east of Greenwich.
    pub(crate) fn at(self, offset: i64) -> Moment {
        let local = self.nanos + i128::from(offset) * NANOS;
        let seconds = i64::try_from(local.div_euclid(NANOS)).unwrap_or(0);
        let (days, clock) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
        let (year, month, day) = date_of(days);
        Moment {
            year,
            month,
            day,
            day_of_year: days - days_before(year, 1, 1),
            day_of_week: (days + 4).rem_euclid(7),
            hour: clock / 3600,
            minute: clock / 60 % 60,
            second: clock % 60,
            milliseconds: i64::try_from(local.rem_euclid(NANOS) / 1_000_000).unwrap_or(0),
        }
    }

    fn fraction(self) -> i128 {
        self.nanos.rem_euclid(NANOS)
    }
}

impl PartialEq for Timestamp {
    fn eq(&self, other: &Self) -> bool {
        self.nanos == other.nanos
    }
}

impl Eq for Timestamp {}

impl PartialOrd for Timestamp {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Timestamp {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.nanos.cmp(&other.nanos)
    }
}

impl fmt::Display for Timestamp {
    /// RFC 3339, with as many decimals as there are.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Moment { year, month, day, hour, minute, second, .. } = self.at(i64::from(self.offset));
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}")?;
        let fraction = format!("{:09}", self.fraction());
        match fraction.trim_end_matches('0') {
            "" => {}
            digits => write!(f, ".{digits}")?,
        }
        if self.offset == 0 {
            return f.write_str("Z");
        }
        let minutes = self.offset.abs() / 60;
        write!(f, "{}{:02}:{:02}", if self.offset < 0 { '-' } else { '+' }, minutes / 60, minutes % 60)
    }
}

impl Duration {
    /// Reads what Go's `time.ParseDuration` reads: `1h30m`, `-1.5s`, `0`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (negative, mut rest) = match text.strip_prefix(['+', '-']) {
            Some(rest) => (text.starts_with('-'), rest),
            None => (false, text),
        };
        if rest == "0" {
            return Some(Self(0));
        }
        let mut total = 0u128;
        if rest.is_empty() {
            return None;
        }
        while !rest.is_empty() {
            let whole = rest.bytes().take_while(u8::is_ascii_digit).count();
            let (digits, after) = rest.split_at(whole);
            let (fraction, after) = match after.strip_prefix('.') {
                Some(after) => after.split_at(after.bytes().take_while(u8::is_ascii_digit).count()),
                None => ("", after),
            };
            if digits.is_empty() && fraction.is_empty() {
                return None;
            }
            let length = after.bytes().take_while(|byte| *byte != b'.' && !byte.is_ascii_digit()).count();
            let (unit, after) = after.split_at(length);
            let nanos = unit_of(unit)?;
            let digits = if digits.is_empty() { 0 } else { digits.parse::<u64>().ok().filter(|it| *it <= 1 << 63)? };
            total += u128::from(digits) * nanos + fraction_of(fraction, nanos);
            if total > 1 << 63 {
                return None;
            }
            rest = after;
        }
        let total = i128::try_from(total).ok()?;
        i64::try_from(if negative { -total } else { total }).ok().map(Self)
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

fn unit_of(unit: &str) -> Option<u128> {
    Some(match unit {
        "ns" => 1,
        "us" | "\u{b5}s" | "\u{3bc}s" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        "m" => 60_000_000_000,
        "h" => 3_600_000_000_000,
        _ => return None,
    })
}

/// `0.fraction` of a unit, by way of a double as upstream.
fn fraction_of(fraction: &str, nanos: u128) -> u128 {
    let (mut value, mut scale, mut overflowed) = (0u64, 1f64, false);
    for digit in fraction.bytes() {
        if overflowed || value > (i64::MAX as u64) / 10 {
            overflowed = true;
            continue;
        }
        value = value * 10 + u64::from(digit - b'0');
        scale *= 10.0;
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "less than one unit")]
    let part = (value as f64 * (nanos as f64 / scale)) as u128;
    part
}

/// Days since 1970 of a day, by the proleptic Gregorian calendar; years are counted from March.
fn days_before(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let in_era = year.rem_euclid(400);
    let in_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + in_era * 365 + in_era / 4 - in_era / 100 + in_year - 719_468
}

/// The inverse of [`days_before`].
fn date_of(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let in_era = days.rem_euclid(146_097);
    let year = (in_era - in_era / 1_460 + in_era / 36_524 - in_era / 146_096) / 365;
    let in_year = in_era - (365 * year + year / 4 - year / 100);
    let month = (5 * in_year + 2) / 153;
    let day = in_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year + era * 400 + i64::from(month <= 2), month, day)
}

fn days_in(year: i64, month: i64) -> i64 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}
