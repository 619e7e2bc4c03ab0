//! The meaning of scalars: `resolve` of go.yaml.in/yaml/v2, and the conversion to JSON.
//!
//! YAML 1.2 would read `yes` as text. The toolchain has the booleans of YAML 1.1, integers with `0x`, `0o`, `0b` or a
//! leading zero (octal), and underscores in numbers. Dates are text, and there are no numbers with base 60. Because the
//! value becomes JSON, a float without a fraction is an integer, and infinities and NaN are refused.

use saphyr_parser::Tag;
use serde_json::{Number, Value};

use crate::error::shown;

/// The key whose value is merged into its mapping.
pub(crate) const MERGE: &str = "<<";

/// The value of a scalar, plain or in quotes.
///
/// # Errors
/// When JSON cannot represent the number, or when the tag does not fit.
pub(crate) fn value(text: &str, plain: bool, tag: Option<&Tag>) -> Result<Value, String> {
    let Some(tag) = tag else {
        return if plain { json_value(text) } else { Ok(Value::from(text)) };
    };
    let fits: fn(&Value) -> bool = match core_tag(tag) {
        Some("bool") => Value::is_boolean,
        Some("int") => |value| value.is_i64() || value.is_u64(),
        Some("float") => Value::is_number,
        Some("null") => Value::is_null,
        Some("binary") => return Err("tag `!!binary` has no meaning in a Kubernetes object".to_owned()),
        Some(_) | None => return Ok(Value::from(text)),
    };
    let value = json_value(text)?;
    if fits(&value) { Ok(value) } else { Err(format!("{} is no `!!{}`", shown(text), tag.suffix)) }
}

/// Whether a scalar that is a key means [`MERGE`], and is not just text.
pub(crate) fn is_merge_key(text: &str, plain: bool, tag: Option<&Tag>) -> bool {
    text == MERGE && tag.map_or(plain, |tag| core_tag(tag) == Some("merge"))
}

/// The text of a plain scalar that is a number which only a key can be, since keys become text.
pub(crate) fn number_of_key(text: &str, plain: bool, tag: Option<&Tag>) -> Option<Value> {
    if !plain || tag.is_some() || resolve(text).is_some() {
        return None;
    }
    let lower = text.to_ascii_lowercase();
    Some(Value::from(lower.trim_start_matches('+')))
}

/// A key as text. Numbers and booleans are converted as sigs.k8s.io/yaml does.
pub(crate) fn key(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Bool(_) | Value::Number(_) => Some(value.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// The value of a plain scalar. `None` when it is a number that JSON cannot represent.
pub(crate) fn resolve(text: &str) -> Option<Value> {
    Some(match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "y" | "Y" | "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => Value::Bool(true),
        "n" | "N" | "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => Value::Bool(false),
        ".nan" | ".NaN" | ".NAN" | ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" | "-.inf" | "-.Inf"
        | "-.INF" => return None,
        _ => number(text).map_or_else(|| Value::from(text), Value::Number),
    })
}

/// The value of a plain scalar, or the message that JSON cannot represent it.
fn json_value(text: &str) -> Result<Value, String> {
    resolve(text).ok_or_else(|| format!("`{text}` is no number that JSON can hold; quote it if it is meant as text"))
}

/// The name of a tag that YAML defines, such as `int` of `!!int`.
fn core_tag(tag: &Tag) -> Option<&str> {
    tag.is_yaml_core_schema().then_some(tag.suffix.as_str())
}

fn number(text: &str) -> Option<Number> {
    if !text.starts_with(|first: char| first.is_ascii_digit() || matches!(first, '+' | '-' | '.')) {
        return None;
    }
    // A number that starts with a point cannot have underscores.
    let digits = if text.starts_with('.') { text.to_owned() } else { text.replace('_', "") };
    integer(&digits).or_else(|| float(&digits))
}

/// Reads an integer like Go's `strconv.ParseInt` with base 0, which takes the base from the prefix.
fn integer(digits: &str) -> Option<Number> {
    let (negative, magnitude) = match digits.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, digits.strip_prefix('+').unwrap_or(digits)),
    };
    let lower = magnitude.to_ascii_lowercase();
    let (radix, body) = match lower.as_bytes() {
        [b'0', b'x', ..] => (16, lower.get(2..)?),
        [b'0', b'o', ..] => (8, lower.get(2..)?),
        [b'0', b'b', ..] => (2, lower.get(2..)?),
        [b'0', _, ..] => (8, lower.get(1..)?),
        _ => (10, lower.as_str()),
    };
    if body.starts_with(['+', '-']) {
        return None;
    }
    let magnitude = u64::from_str_radix(body, radix).ok()?;
    if negative { 0i64.checked_sub_unsigned(magnitude).map(Number::from) } else { Some(Number::from(magnitude)) }
}

/// Reads a number `[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?` in the range of floats. Without a fraction it becomes
/// an integer.
fn float(digits: &str) -> Option<Number> {
    /// 2⁶³, the smallest float that does not fit an `i64`.
    const LIMIT: f64 = 9_223_372_036_854_775_808.0;

    // The parser of the standard library accepts the same, and also words such as `inf`.
    let well_formed = digits.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E' | '+' | '-'));
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

    /// The value that sigs.k8s.io/yaml 1.6.0 gives to plain scalars.
    #[test]
    fn meanings() {
        let check = |text: &str, meaning: Value| assert_eq!(resolve(text), Some(meaning), "{text}");
        // Words.
        check("", Value::Null);
        check("~", Value::Null);
        check("NULL", Value::Null);
        check("nULL", json!("nULL"));
        check("yes", json!(true));
        check("on", json!(true));
        check("N", json!(false));
        check("True", json!(true));
        check("tRUE", json!("tRUE"));
        check("Qwen/Qwen2.5-1.5B-Instruct", json!("Qwen/Qwen2.5-1.5B-Instruct"));
        // Integers.
        check("4", json!(4));
        check("-1", json!(-1));
        check("+7", json!(7));
        check("-0", json!(0));
        check("0x10", json!(16));
        check("0X1F", json!(31));
        check("0x_1", json!(1));
        check("0o17", json!(15));
        check("017", json!(15));
        check("018", json!(18));
        check("0b101", json!(5));
        check("-0b101", json!(-5));
        check("1_000", json!(1000));
        check("1_", json!(1));
        check("2147483648", json!(2_147_483_648_u64));
        check("9223372036854775808", json!(9_223_372_036_854_775_808_u64));
        check("18446744073709551615", json!(u64::MAX));
        check("-9223372036854775808", json!(i64::MIN));
        // Floats.
        check("1.5", json!(1.5));
        check(".5", json!(0.5));
        check("+.5", json!(0.5));
        check("5.", json!(5));
        check("1.0", json!(1));
        check("1e3", json!(1000));
        check("1_000.5", json!(1000.5));
        check("100000000000000000000", json!(1e20));
        check("1e400", json!("1e400")); // too large for a float
    }

    #[test]
    fn text() {
        for text in [
            "-",
            "+",
            ".",
            "e5",
            "-.e5",
            "1.2.3",
            "12e",
            "1:30",
            "2026-02-18",
            "2026-02-18T10:00:00Z",
            "0x",
            "1_x",
            "_1",
            "--1",
            "+-1.5",
            "0x-1",
            "1e-+3",
            "--.inf",
            "+-.inf",
            "+.nan",
            "infinity",
            "<<",
        ] {
            assert_eq!(resolve(text), Some(json!(text)));
        }
    }

    #[test]
    fn beyond_json() {
        for text in [".inf", "-.INF", "+.Inf", ".nan"] {
            assert_eq!(resolve(text), None, "{text}");
        }
    }

    #[test]
    fn keys() {
        let check = |value: Value, text: Option<&str>| assert_eq!(key(&value).as_deref(), text, "{value}");
        check(json!(8080), Some("8080"));
        check(json!(true), Some("true"));
        check(json!(""), Some(""));
        check(Value::Null, None);
        check(json!([]), None);
    }
}
