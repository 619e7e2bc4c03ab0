//! What a plain scalar means: go.yaml.in/yaml/v2's `resolve`, and what becomes of it as JSON.
//!
//! YAML 1.1's booleans, `0x`, `0o`, `0b` and leading-zero octal integers, underscores in numbers; dates are text,
//! and a float without a fraction is an integer.

use serde_json::{Number, Value};

/// What the plain scalar `text` means. None when it is a number that JSON cannot hold.
pub(super) fn resolve(text: &str) -> Option<Value> {
    Some(match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "y" | "Y" | "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => Value::Bool(true),
        "n" | "N" | "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => Value::Bool(false),
        ".nan" | ".NaN" | ".NAN" | ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" | "-.inf" | "-.Inf"
        | "-.INF" => return None,
        _ => number(text).map_or_else(|| Value::from(text), Value::Number),
    })
}

fn number(text: &str) -> Option<Number> {
    if !text.starts_with(|first: char| first.is_ascii_digit() || matches!(first, '+' | '-' | '.')) {
        return None;
    }
    // Only what starts like an integer may hold underscores.
    let digits = if text.starts_with('.') { text.to_owned() } else { text.replace('_', "") };
    integer(&digits).or_else(|| float(&digits))
}

/// Go's `strconv.ParseInt` with base 0, which takes the base from the prefix.
fn integer(digits: &str) -> Option<Number> {
    let lower = digits.to_ascii_lowercase();
    let magnitude = lower.strip_prefix(['+', '-']).unwrap_or(&lower);
    let (radix, body) = match magnitude.as_bytes() {
        [b'0', b'x', ..] => (16, magnitude.get(2..)?),
        [b'0', b'o', ..] => (8, magnitude.get(2..)?),
        [b'0', b'b', ..] => (2, magnitude.get(2..)?),
        [b'0', _, ..] => (8, magnitude.get(1..)?),
        _ => (10, magnitude),
    };
    let magnitude = if body.starts_with(['+', '-']) { None } else { u64::from_str_radix(body, radix).ok() }?;
    if lower.starts_with('-') {
        0i64.checked_sub_unsigned(magnitude).map(Number::from)
    } else {
        Some(Number::from(magnitude))
    }
}

/// `[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?`, and in the range of floats.
fn float(digits: &str) -> Option<Number> {
    /// 2⁶³, from where on a float is no `i64`.
    const LIMIT: f64 = 9_223_372_036_854_775_808.0;

    let well_formed = digits.contains(|c: char| c.is_ascii_digit())
        && digits.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E' | '+' | '-'));
    let value: f64 = if well_formed { digits.parse().ok()? } else { return None };
    #[expect(clippy::cast_possible_truncation, reason = "it has no fraction and is in range")]
    if value.fract() == 0.0 && (-LIMIT..LIMIT).contains(&value) {
        return Some(Number::from(value as i64));
    }
    Number::from_f64(value)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn meanings() {
        for (text, meaning) in [
            ("", Value::Null),
            ("~", Value::Null),
            ("on", json!(true)),
            ("N", json!(false)),
            ("tRUE", json!("tRUE")),
            ("+7", json!(7)),
            ("-0b101", json!(-5)),
            ("0x1F", json!(31)),
            ("017", json!(15)),
            ("018", json!(18)),
            ("1_000", json!(1000)),
            ("1e3", json!(1000)),
            (".5", json!(0.5)),
            ("18446744073709551615", json!(u64::MAX)),
            ("-9223372036854775808", json!(i64::MIN)),
            ("100000000000000000000", json!(1e20)),
            ("1e400", json!("1e400")),
            ("0x-1", json!("0x-1")),
            ("-", json!("-")),
            (".", json!(".")),
            ("e5", json!("e5")),
            ("2026-02-18", json!("2026-02-18")),
            ("1:30", json!("1:30")),
        ] {
            assert_eq!(resolve(text), Some(meaning), "{text}");
        }
        assert_eq!(resolve("-.inf"), None);
    }
}
