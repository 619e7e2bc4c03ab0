//! What a scalar means.
//!
//! YAML 1.2 would read `yes` as text. The Kubernetes toolchain does not: kubectl, the API server and
//! Crossplane read YAML with sigs.k8s.io/yaml 1.6, whose core is go.yaml.in/yaml/v2, and so do we. Its
//! rules (`resolve.go` there): YAML 1.1's booleans, `0x`, `0o`, `0b` and leading-zero octal integers,
//! underscores in numbers, dates stay text, no base 60. What follows from its detour through JSON: a float
//! without a fraction is an integer, and infinities and NaN are refused.

use saphyr_parser::Tag;
use serde_json::{Number, Value};

use toolbox::words::cut;

/// What the scalar `text` means, whether plain or in quotes.
///
/// # Errors
/// When it is a number that JSON cannot hold, or not what its tag says.
pub(super) fn value(text: &str, plain: bool, tag: Option<&Tag>) -> Result<Value, String> {
    let Some(tag) = tag else {
        return if plain { resolve(text) } else { Ok(Value::from(text)) };
    };
    if !tag.is_yaml_core_schema() {
        return Ok(Value::from(text));
    }
    let value = match tag.suffix.as_str() {
        "str" | "timestamp" => return Ok(Value::from(text)),
        _ => resolve(text)?,
    };
    let fits = match tag.suffix.as_str() {
        "bool" => value.is_boolean(),
        "int" => value.is_i64() || value.is_u64(),
        "float" => value.is_number(),
        "null" => value.is_null(),
        other => return Err(format!("tag {} has no meaning in a Kubernetes object", cut(&format!("!!{other}")))),
    };
    if fits { Ok(value) } else { Err(format!("{} is no `!!{}`", cut(text), tag.suffix)) }
}

/// What the plain scalar `text` means.
fn resolve(text: &str) -> Result<Value, String> {
    if let Some(value) = word(text) {
        return Ok(value);
    }
    if matches!(text.trim_start_matches(['+', '-']), ".inf" | ".Inf" | ".INF")
        || matches!(text, ".nan" | ".NaN" | ".NAN")
    {
        return Err(format!("`{text}` is no number that JSON can hold; quote it if it is meant as text"));
    }
    Ok(number(text).map_or_else(|| Value::String(text.to_owned()), Value::Number))
}

/// The text a mapping's key stands for: numbers and booleans are spelled out, as sigs.k8s.io/yaml does.
pub(super) fn key(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Bool(_) | Value::Number(_) => Some(value.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

fn word(text: &str) -> Option<Value> {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Some(Value::Null),
        "y" | "Y" | "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => Some(Value::Bool(true)),
        "n" | "N" | "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => {
            Some(Value::Bool(false))
        }
        _ => None,
    }
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

/// A decimal float, as an integer when it has no fraction.
fn float(digits: &str) -> Option<Number> {
    /// 2⁶³, from where on a float is no `i64`.
    const LIMIT: f64 = 9_223_372_036_854_775_808.0;

    let unsigned = digits.strip_prefix(['+', '-']).unwrap_or(digits);
    let well_formed = unsigned.starts_with(|first: char| first.is_ascii_digit() || first == '.')
        && unsigned.contains(|c: char| c.is_ascii_digit())
        && unsigned.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E' | '+' | '-'));
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

    #[track_caller]
    fn check(text: &str, meaning: Value) {
        assert_eq!(resolve(text), Ok(meaning), "{text}");
    }

    #[test]
    fn words() {
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
    }

    #[test]
    fn numbers() {
        check("4", json!(4));
        check("-1", json!(-1));
        check("+7", json!(7));
        check("0x10", json!(16));
        check("0o17", json!(15));
        check("017", json!(15));
        check("018", json!(18));
        check("0b101", json!(5));
        check("-0b101", json!(-5));
        check("1_000", json!(1000));
        check("1.5", json!(1.5));
        check(".5", json!(0.5));
        check("1.0", json!(1));
        check("1e3", json!(1000));
        check("2147483648", json!(2_147_483_648_u64));
        check("9223372036854775808", json!(9_223_372_036_854_775_808_u64));
        check("-9223372036854775808", json!(i64::MIN));
        check("100000000000000000000", json!(1e20));
        check("1e400", json!("1e400")); // no float holds it
    }

    #[test]
    fn text() {
        for text in [
            "-",
            "+",
            ".",
            "1.2.3",
            "12e",
            "1:30",
            "2026-02-18",
            "2026-02-18T10:00:00Z",
            "0x",
            "1_x",
            "--1",
            "0x-1",
            "1e-+3",
        ] {
            check(text, json!(text));
        }
    }

    #[test]
    fn beyond_json() {
        for text in [".inf", "-.INF", "+.Inf", ".nan"] {
            assert!(resolve(text).is_err(), "{text}");
        }
    }

    #[test]
    fn keys() {
        assert_eq!(key(&json!(8080)).as_deref(), Some("8080"));
        assert_eq!(key(&json!(true)).as_deref(), Some("true"));
        assert_eq!(key(&Value::Null), None);
    }
}
