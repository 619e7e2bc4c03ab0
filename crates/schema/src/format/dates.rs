//! Dates, times and durations (strfmt `date.go`, `time.go`, `duration.go`, and Go's `time`).

/// `2006-01-02`, a day that exists.
pub(super) fn is_date(text: &str) -> bool {
    let bytes = text.as_bytes();
    if bytes.len() != 10 || bytes[4] != b'-' || bytes[7] != b'-' {
        return false;
    }
    let number = |range: std::ops::Range<usize>| -> Option<u32> {
        let digits = text.get(range)?;
        digits.bytes().all(|b| b.is_ascii_digit()).then(|| digits.parse().ok()).flatten()
    };
    let (Some(year), Some(month), Some(day)) = (number(0..4), number(5..7), number(8..10)) else { return false };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 => 28 + u32::from(leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return false,
    };
    (1..=days).contains(&day)
}

/// A date, `T`, a time, an optional fraction, and `Z` or an offset.
pub(super) fn is_date_time(text: &str) -> bool {
    let lower = text.to_lowercase();
    let mut parts = lower.split('t');
    let (Some(date), Some(time)) = (parts.next(), parts.next()) else { return false };
    is_date(date) && text.len() >= 4 && is_time(time)
}

fn is_time(time: &str) -> bool {
    let Some((clock, rest)) = time.split_at_checked(8) else { return false };
    let clock: Vec<_> = clock.split(':').collect();
    let two_digits = |text: &str| text.len() == 2 && text.bytes().all(|b| b.is_ascii_digit());
    let [hour, minute, second] = clock[..] else { return false };
    let in_range =
        [hour, minute, second].into_iter().all(two_digits) && hour <= "23" && minute <= "59" && second <= "59";
    let is_offset = |text: &str| {
        let hours_minutes = text.strip_prefix(['+', '-']).and_then(|offset| offset.split_once(':'));
        text == "z" || hours_minutes.is_some_and(|(hours, minutes)| two_digits(hours) && two_digits(minutes))
    };
    // Any character may stand before the digits of a fraction.
    let without_fraction = || {
        let mut rest = rest.chars();
        let separator = rest.next()?;
        let digits = rest.as_str();
        let offset = digits.trim_start_matches(|c: char| c.is_ascii_digit());
        (separator != '\n' && offset.len() < digits.len()).then_some(offset)
    };
    in_range && (is_offset(rest) || without_fraction().is_some_and(is_offset))
}

/// A Go duration (`1h30m`), or a text with numbers before units as Scala has them (`3 weeks`).
pub(super) fn is_duration(text: &str) -> bool {
    is_go_duration(text) || is_scala_duration(text)
}

/// Go's units and their nanoseconds.
const GO_UNITS: [(&str, u64); 8] = [
    ("ns", 1),
    ("us", 1_000),
    ("µs", 1_000),
    ("μs", 1_000),
    ("ms", 1_000_000),
    ("s", 1_000_000_000),
    ("m", 60_000_000_000),
    ("h", 3_600_000_000_000),
];

fn is_go_duration(text: &str) -> bool {
    const MOST: u64 = 1 << 63;
    let (negative, mut rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if rest == "0" {
        return true;
    }
    if rest.is_empty() {
        return false;
    }
    let mut total = 0_u64;
    while !rest.is_empty() {
        let (whole, after) = digits(rest);
        let (fraction, after) = after.strip_prefix('.').map_or(("", after), digits);
        if whole.is_empty() && fraction.is_empty() {
            return false;
        }
        let end = after.find(|c: char| c == '.' || c.is_ascii_digit()).unwrap_or(after.len());
        let (unit, after) = after.split_at(end);
        let Some((_, nanoseconds)) = GO_UNITS.iter().find(|(name, _)| *name == unit) else { return false };
        let count: Option<u64> = if whole.is_empty() { Some(0) } else { whole.parse().ok() };
        let Some(value) = count.filter(|&count| count <= MOST / nanoseconds).map(|count| count * nanoseconds) else {
            return false;
        };
        #[expect(
            clippy::cast_precision_loss,
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "as Go"
        )]
        let part = (format!("0.{fraction}0").parse().unwrap_or(0.0_f64) * *nanoseconds as f64) as u64;
        match total.checked_add(value).and_then(|total| total.checked_add(part)).filter(|&total| total <= MOST) {
            Some(sum) => total = sum,
            None => return false,
        }
        rest = after;
    }
    negative || total < MOST
}

fn digits(text: &str) -> (&str, &str) {
    text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()))
}

/// Units by name; what begins with a name of the second column is that unit too.
const SCALA_UNITS: [(&[&str], &str); 8] = [
    (&["ns"], "nano"),
    (&["us", "µs"], "micro"),
    (&["ms"], "milli"),
    (&["s"], "sec"),
    (&["m"], "min"),
    (&["h", "hr"], "hour"),
    (&["d"], "day"),
    (&["w", "wk"], "week"),
];

/// Whether any number in the text has a unit after it, and no number with letters after it overflows.
fn is_scala_duration(text: &str) -> bool {
    let mut found = false;
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        let (number, after) = digits(&rest[at..]);
        let letters = after.trim_start_matches([' ', '\t', '\n', '\r', '\u{c}']);
        let end = letters.find(|c: char| !(c.is_ascii_alphabetic() || c == 'µ')).unwrap_or(letters.len());
        let (unit, after_unit) = letters.split_at(end);
        if unit.is_empty() {
            rest = after;
            continue;
        }
        if number.parse::<i64>().is_err() {
            return false;
        }
        let unit = unit.to_lowercase();
        found |= SCALA_UNITS.iter().any(|(names, prefix)| names.contains(&unit.as_str()) || unit.starts_with(prefix));
        rest = after_unit;
    }
    found
}
