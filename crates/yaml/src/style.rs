//! The style in which a scalar is printed: `resolve` and the emitter of go.yaml.in/yaml/v2.

use crate::scalar;

/// The style of a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    Plain,
    Single,
    Double,
    Literal,
}

impl Style {
    /// The style that the emitter chooses for `text`.
    pub(crate) fn of(text: &str, as_key: bool) -> Self {
        let special = text.chars().any(|c| !is_printable(c) || (is_break(c) && c != '\n'));
        let broken = text.contains('\n');
        let space_before_break = text.contains(" \n");
        if broken {
            let literal = !as_key && !special && !space_before_break && !text.ends_with(' ');
            return if literal { Self::Literal } else { Self::Double };
        }
        if special || means_something_else(text) {
            return Self::Double;
        }
        let blank_ends = text.starts_with(' ') || text.ends_with(' ');
        if blank_ends || has_indicators(text) || (text.is_empty() && as_key) { Self::Single } else { Self::Plain }
    }
}

/// Whether the text in plain style would be read as structure.
fn has_indicators(text: &str) -> bool {
    let mut previous_blank = true;
    let mut chars = text.chars().enumerate().peekable();
    while let Some((at, c)) = chars.next() {
        let blank_follows = chars.peek().is_none_or(|&(_, next)| matches!(next, ' ' | '\t'));
        let indicator = match c {
            '#' | ',' | '[' | ']' | '{' | '}' | '&' | '*' | '!' | '|' | '>' | '\'' | '"' | '%' | '@' | '`'
                if at == 0 =>
            {
                true
            }
            '?' | '-' if at == 0 => blank_follows,
            ':' => blank_follows,
            '#' => previous_blank,
            _ => false,
        };
        if indicator {
            return true;
        }
        previous_blank = matches!(c, ' ' | '\t');
    }
    text.starts_with("---") || text.starts_with("...")
}

/// Whether the text in plain style would be read as a boolean, a number, a date or null.
fn means_something_else(text: &str) -> bool {
    scalar::resolve(text).is_none_or(|value| !value.is_string()) || is_base_60(text) || is_date(text)
}

/// `[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?`, which YAML 1.1 reads as a number.
fn is_base_60(text: &str) -> bool {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
    let mut groups = whole.split(':');
    let first = groups.next().unwrap_or_default();
    let digit_or_line = |byte: u8| byte.is_ascii_digit() || byte == b'_';
    let sixty = |group: &str| match group.as_bytes() {
        [one] => one.is_ascii_digit(),
        [ten, one] => matches!(ten, b'0'..=b'5') && one.is_ascii_digit(),
        _ => false,
    };
    whole.contains(':')
        && first.starts_with(|c: char| c.is_ascii_digit())
        && first.bytes().all(digit_or_line)
        && fraction.bytes().all(digit_or_line)
        && groups.all(sixty)
}

/// A date, or a date and a time, in the forms that the toolchain recognises.
fn is_date(text: &str) -> bool {
    let (date, time) = match text.split_once(['T', 't', ' ']) {
        Some((date, time)) => (date, Some(time)),
        None => (text, None),
    };
    let number = |text: &str, longest: usize, range: std::ops::RangeInclusive<u32>| {
        (1..=longest).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_digit())
            && text.parse().is_ok_and(|value| range.contains(&value))
    };
    let parts: Vec<_> = date.split('-').collect();
    let is_day = match parts.as_slice() {
        [year, month, day] => {
            year.len() == 4 && number(year, 4, 0..=9999) && number(month, 2, 1..=12) && number(day, 2, 1..=31)
        }
        _ => false,
    };
    let Some(time) = time.filter(|_| is_day) else { return is_day };
    let zoned = !text.contains(' ');
    let end = time.find(['Z', '+', '-']).unwrap_or(time.len());
    let (clock, zone) = time.split_at(end);
    let zone = match zone.as_bytes() {
        [] => !zoned,
        [b'Z'] => zoned,
        [b'+' | b'-', h1, h2, b':', m1, m2] => zoned && [h1, h2, m1, m2].iter().all(|byte| byte.is_ascii_digit()),
        _ => false,
    };
    let (whole, fraction) = clock.split_once('.').unwrap_or((clock, "0"));
    let parts: Vec<_> = whole.split(':').collect();
    let clock = match parts.as_slice() {
        [hour, minute, second] => number(hour, 2, 0..=23) && number(minute, 2, 0..=59) && number(second, 2, 0..=59),
        _ => false,
    };
    zone && clock && !fraction.is_empty() && fraction.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether the emitter prints the character without an escape.
fn is_printable(c: char) -> bool {
    matches!(c, '\n' | ' '..='~' | '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}') && c != '\u{feff}'
}

/// Whether the character ends a line.
pub(crate) fn is_break(c: char) -> bool {
    matches!(c, '\r' | '\n' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// A character as it is written in double quotes.
pub(crate) fn escaped(c: char) -> String {
    let short = match c {
        '\0' => '0',
        '\u{7}' => 'a',
        '\u{8}' => 'b',
        '\t' => 't',
        '\n' => 'n',
        '\u{b}' => 'v',
        '\u{c}' => 'f',
        '\r' => 'r',
        '\u{1b}' => 'e',
        '"' => '"',
        '\\' => '\\',
        '\u{85}' => 'N',
        '\u{2028}' => 'L',
        '\u{2029}' => 'P',
        _ if is_printable(c) => return c.to_string(),
        _ => {
            return match u32::from(c) {
                code @ ..=0xff => format!("\\x{code:02X}"),
                code @ ..=0xffff => format!("\\u{code:04X}"),
                code => format!("\\U{code:08X}"),
            };
        }
    };
    format!("\\{short}")
}
