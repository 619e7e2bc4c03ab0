//! Numbers with check digits (kube-openapi `internal/third_party/govalidator`).

/// The number of a credit card, with the digits of an issuer and a valid Luhn checksum. Other characters are ignored.
pub(super) fn is_credit_card(text: &str) -> bool {
    let digits: Vec<u32> = text.chars().filter_map(|c| c.to_digit(10)).collect();
    let number = |count: usize| digits.iter().take(count).fold(0, |number, digit| number * 10 + digit);
    let issued = match digits.len() {
        13 => number(1) == 4,
        14 => matches!(number(3), 300..=305) || matches!(number(2), 36 | 38),
        15 => matches!(number(2), 34 | 37) || matches!(number(4), 2131 | 1800),
        16 => number(1) == 4 || matches!(number(2), 51..=55 | 35) || number(4) == 6011 || matches!(number(2), 65),
        _ => false,
    };
    let luhn = |(place, digit): (usize, &u32)| match digit * 2 {
        _ if place % 2 == 0 => *digit,
        double if double >= 10 => double % 10 + 1,
        double => double,
    };
    issued && digits.iter().rev().enumerate().map(luhn).sum::<u32>() % 10 == 0
}

/// Ten digits, of which the last may be `X`. Spaces and dashes are ignored.
pub(super) fn is_isbn10(text: &str) -> bool {
    let digits = bare(text);
    let value = |(place, c): (u32, char)| match c {
        'X' if place == 10 => Some(10 * place),
        c => c.to_digit(10).map(|digit| digit * place),
    };
    let sum: Option<u32> = (1..).zip(digits.chars()).map(value).sum();
    digits.chars().count() == 10 && sum.is_some_and(|sum| sum % 11 == 0)
}

/// Thirteen digits. Spaces and dashes are ignored.
pub(super) fn is_isbn13(text: &str) -> bool {
    let digits = bare(text);
    let value = |(factor, c): (u32, char)| c.to_digit(10).map(|digit| digit * factor);
    let sum: Option<u32> = [1, 3].into_iter().cycle().zip(digits.chars()).map(value).sum();
    digits.chars().count() == 13 && sum.is_some_and(|sum| sum % 10 == 0)
}

/// A number like `123-45-6789`, with dashes or spaces.
pub(super) fn is_ssn(text: &str) -> bool {
    let shape = |(index, b): (usize, u8)| match index {
        3 | 6 => b == b'-' || b == b' ',
        _ => b.is_ascii_digit(),
    };
    text.len() == 11 && text.bytes().enumerate().all(shape)
}

fn bare(text: &str) -> String {
    text.chars().filter(|c| !matches!(c, ' ' | '\t' | '\n' | '\r' | '\u{c}' | '-')).collect()
}

/// Whether a text has only hexadecimal digits.
pub(super) fn is_hex(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_hexdigit())
}
