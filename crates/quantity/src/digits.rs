//! Reads and writes decimal digits.

use std::fmt;

/// Whether a text begins with a minus, and the text without its sign.
pub(crate) fn sign(text: &str) -> (bool, &str) {
    match text.strip_prefix(['+', '-']) {
        Some(unsigned) => (text.starts_with('-'), unsigned),
        None => (false, text),
    }
}

/// The digits at the beginning of a text, and the rest.
pub(crate) fn split(text: &str) -> (&str, &str) {
    text.split_at(text.bytes().take_while(u8::is_ascii_digit).count())
}

/// The number that the first `count` bytes are, and the rest. `None` if they are not all digits.
pub(crate) fn fixed(text: &str, count: usize) -> Option<(i64, &str)> {
    let (number, rest) = text.split_at_checked(count)?;
    if !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    number.parse().ok().map(|number| (number, rest))
}

/// Writes `number / one`, which is less than one, as a decimal point and decimals. Writes nothing for zero.
pub(crate) fn write_fraction(f: &mut fmt::Formatter<'_>, number: u64, one: u64) -> fmt::Result {
    if number == 0 {
        return Ok(());
    }
    let digits = format!("{number:00$}", one.ilog10() as usize);
    write!(f, ".{}", digits.trim_end_matches('0'))
}
