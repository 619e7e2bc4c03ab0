//! Values as Go prints them, for messages of the API server.

use std::fmt::Write;

use quantity::order::{sorted, sorted_by_key};
use serde_json::{Number, Value};

/// A text in double quotes, as `strconv.Quote` prints it.
pub(crate) fn quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{7}' => out.push_str("\\a"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{b}' => out.push_str("\\v"),
            c if printable(c) => out.push(c),
            c if (c as u32) < 0x80 => push(&mut out, format_args!("\\x{:02x}", c as u32)),
            c if (c as u32) < 0x1_0000 => push(&mut out, format_args!("\\u{:04x}", c as u32)),
            c => push(&mut out, format_args!("\\U{:08x}", c as u32)),
        }
    }
    out.push('"');
    out
}

/// Whether Go prints the character without an escape: letters, marks, numbers, punctuation, symbols and the space. Rust's
/// `Debug` does the same, except for marks.
fn printable(c: char) -> bool {
    let mark = matches!(c,
        '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1ace}' | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20f0}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{fe20}'..='\u{fe2f}');
    mark || c == '\'' || c.escape_debug().count() == 1
}

/// JSON as `encoding/json` prints it: keys in order; `<`, `>` and `&` escaped.
pub(crate) fn json(value: &Value) -> String {
    let mut out = String::new();
    write_json(&mut out, value);
    out
}

fn write_json(out: &mut String, value: &Value) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(flag) => push(out, format_args!("{flag}")),
        Value::Number(number) => out.push_str(&json_number(number)),
        Value::String(text) => write_json_text(out, text),
        Value::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write_json(out, item);
            }
            out.push(']');
        }
        Value::Object(fields) => {
            // Sorted here, because serde_json keeps the order of insertion if a crate of the build asks for it.
            let fields = sorted_by_key(fields.iter().collect(), |(name, _)| name.as_str());
            out.push('{');
            for (index, (name, value)) in fields.into_iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write_json_text(out, name);
                out.push(':');
                write_json(out, value);
            }
            out.push('}');
        }
    }
}

fn write_json_text(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' | '\u{0}'..='\u{1f}' => {
                push(out, format_args!("\\u{:04x}", c as u32));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

/// A number in JSON: decimal below 10²¹, with an exponent above.
fn json_number(number: &Number) -> String {
    let Some(float) = float(number) else { return number.to_string() };
    let size = float.abs();
    if size != 0.0 && !(1e-6..1e21).contains(&size) { scientific(float, 1) } else { format!("{float}") }
}

/// A float as `%v` prints it: with the fewest digits, and with an exponent below 10⁻⁴ and from 10⁶ on.
pub(crate) fn float_text(float: f64) -> String {
    let size = float.abs();
    if size == 0.0 || (1e-4..1e6).contains(&size) { format!("{float}") } else { scientific(float, 2) }
}

fn scientific(float: f64, exponent_digits: usize) -> String {
    let text = format!("{float:e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (sign, exponent) = exponent.strip_prefix('-').map_or(('+', exponent), |exponent| ('-', exponent));
    format!("{digits}e{sign}{exponent:0>exponent_digits$}")
}

/// The `float64` that Go's decoder makes of a number with a fraction or exponent, or of one that does not fit an `int64`.
/// `None` when it makes an `int64`.
pub(crate) fn float(number: &Number) -> Option<f64> {
    if number.is_i64() { None } else { number.as_f64() }
}

/// A value as `%v` prints it in a list.
pub(crate) fn plain(value: &Value) -> String {
    match value {
        Value::Null => "<nil>".to_owned(),
        Value::String(text) => text.clone(),
        Value::Number(number) => float(number).map_or_else(|| number.to_string(), float_text),
        Value::Array(items) => format!("[{}]", items.iter().map(plain).collect::<Vec<_>>().join(" ")),
        Value::Object(fields) => {
            let fields = fields.iter().map(|(name, value)| format!("{name}:{}", plain(value))).collect();
            let fields = sorted(fields, String::cmp);
            format!("map[{}]", fields.join(" "))
        }
        Value::Bool(flag) => flag.to_string(),
    }
}

fn push(out: &mut String, text: std::fmt::Arguments<'_>) {
    // This cannot fail.
    let _ = out.write_fmt(text);
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Each row has the output of Go 1.26.
    #[test]
    fn as_go_prints() {
        for (float, want) in [
            (1_234_567.0, "1.234567e+06"),
            (1e20, "1e+20"),
            (100_000.0, "100000"),
            (999_999.0, "999999"),
            (1e6, "1e+06"),
            (123_456_789.5, "1.234567895e+08"),
            (3.0, "3"),
            (0.0001, "0.0001"),
            (1.5e-5, "1.5e-05"),
            (-1e7, "-1e+07"),
        ] {
            assert_eq!(float_text(float), want);
        }
        let value = json!(["<a>&\u{8}\u{c}\u{7f}\u{2028}é", 1e21, 1e20, 1e-7, 1.5, "\u{1}", {"b": 1, "a": null}]);
        let want =
            r#"["\u003ca\u003e\u0026\b\f#D\u2028é",1e+21,100000000000000000000,1e-7,1.5,"\u0001",{"a":null,"b":1}]"#;
        assert_eq!(json(&value), want.replace("#D", "\u{7f}"));
        let text = "a\u{301}\u{200b}\u{a0}é\u{7f}\0😀\u{e000}'\"";
        assert_eq!(quote(text), "\"a\u{301}\\u200b\\u00a0é\\x7f\\x00😀\\ue000'\\\"\"");
    }
}
