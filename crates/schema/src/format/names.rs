//! Host names, identifiers and colours (strfmt `default.go`, `kubernetes-extensions.go`).

use super::numbers;

/// A host name: one label, or several, of which the last has only letters. Letters and symbols of all scripts are allowed.
pub(super) fn is_hostname(text: &str) -> bool {
    let labels: Vec<_> = text.split('.').collect();
    text.len() <= 255
        && labels.iter().all(|label| label.len() <= 63)
        && match labels.split_last() {
            Some((label, [])) => is_single_label(label),
            Some((last, labels)) => {
                (2..=63).contains(&last.chars().count())
                    && last.chars().all(is_letter)
                    && labels.iter().all(|label| is_label(label))
            }
            None => false,
        }
}

/// A single label has at most one dash, and only as its second character.
fn is_single_label(label: &str) -> bool {
    let mut chars = label.chars();
    let first = chars.next().is_some_and(is_word);
    let rest = chars.as_str().strip_prefix('-').unwrap_or(chars.as_str());
    first && rest.chars().count() <= 62 && rest.chars().all(is_word)
}

fn is_label(label: &str) -> bool {
    let inside = |c: char| c == '-' || is_word(c);
    let ends = [label.chars().next(), label.chars().next_back()];
    label.chars().count() <= 63 && label.chars().all(inside) && ends.into_iter().all(|end| end.is_some_and(is_word))
}

fn is_letter(c: char) -> bool {
    c.is_alphabetic()
}

/// Letters, ASCII digits, and Unicode symbols.
fn is_word(c: char) -> bool {
    let ascii_symbol = matches!(c, '$' | '+' | '<' | '=' | '>' | '^' | '`' | '|' | '~');
    c.is_ascii_digit() || is_letter(c) || ascii_symbol || is_symbol(c)
}

/// The blocks of symbols beyond ASCII. Single symbols in blocks of punctuation are left out.
fn is_symbol(c: char) -> bool {
    matches!(c,
        '¢'..='¦' | '¨' | '©' | '¬' | '®'..='±' | '´' | '¸' | '×' | '÷'
        | '\u{2c2}'..='\u{2c5}' | '\u{2d2}'..='\u{2df}'
        | '\u{20a0}'..='\u{20c0}' | '\u{2100}'..='\u{214f}' | '\u{2190}'..='\u{23ff}' | '\u{2440}'..='\u{244a}'
        | '\u{249c}'..='\u{24e9}' | '\u{2500}'..='\u{2767}' | '\u{2794}'..='\u{27bf}' | '\u{27f0}'..='\u{2982}'
        | '\u{2b00}'..='\u{2bff}' | '\u{4dc0}'..='\u{4dff}' | '\u{1d100}'..='\u{1d1ff}' | '\u{1f000}'..='\u{1faff}')
}

/// 32 hexadecimal digits, with or without dashes. With a version, its digit must match, and from version 4 on the variant
/// too.
pub(super) fn is_uuid(text: &str, version: Option<char>) -> bool {
    let mut digits = Vec::new();
    let mut rest = text;
    for (index, length) in [8, 4, 4, 4, 12].into_iter().enumerate() {
        if index > 0 {
            rest = rest.strip_prefix('-').unwrap_or(rest);
        }
        let Some((group, after)) = rest.split_at_checked(length) else { return false };
        digits.extend(group.chars());
        rest = after;
    }
    let variant = version.is_none_or(|version| version == '3')
        || matches!(digits.get(16), Some('8' | '9' | 'a' | 'b' | 'A' | 'B'));
    rest.is_empty()
        && digits.iter().all(char::is_ascii_hexdigit)
        && version.is_none_or(|version| digits.get(12) == Some(&version))
        && variant
}

/// Three or six hexadecimal digits, with `#` or without.
pub(super) fn is_hex_color(text: &str) -> bool {
    let digits = text.strip_prefix('#').unwrap_or(text);
    matches!(digits.len(), 3 | 6) && numbers::is_hex(digits)
}

/// `rgb(R, G, B)`.
pub(super) fn is_rgb_color(text: &str) -> bool {
    let inside = text.strip_prefix("rgb(").and_then(|rest| rest.strip_suffix(')'));
    let parts: Vec<_> = inside.unwrap_or_default().split(',').map(|part| part.trim_matches(SPACES)).collect();
    parts.len() == 3 && parts.into_iter().all(is_part)
}

const SPACES: [char; 5] = [' ', '\t', '\n', '\r', '\u{c}'];

/// 0 to 255 without leading zeros.
fn is_part(text: &str) -> bool {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    digits && (text == "0" || !text.starts_with('0')) && text.parse::<u8>().is_ok()
}

/// Base64 with padding; not empty.
pub(super) fn is_base64(text: &str) -> bool {
    let data = text.strip_suffix("==").or_else(|| text.strip_suffix('=')).unwrap_or(text);
    let valid = |b: u8| b.is_ascii_alphanumeric() || b == b'+' || b == b'/';
    !text.is_empty() && text.len().is_multiple_of(4) && data.bytes().all(valid)
}

/// A DNS label (RFC 1123), in lower case.
pub(super) fn is_short_name(text: &str) -> bool {
    text.len() <= 63 && is_name(text)
}

/// Labels of any length with dots in between; 253 characters at most.
pub(super) fn is_long_name(text: &str) -> bool {
    text.len() <= 253 && text.split('.').all(is_name)
}

fn is_name(text: &str) -> bool {
    let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
    let ends = [text.bytes().next(), text.bytes().next_back()];
    text.bytes().all(|b| b == b'-' || plain(b)) && ends.into_iter().all(|end| end.is_some_and(plain))
}
