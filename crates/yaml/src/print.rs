//! The printer: values → text.

use std::fmt::Write as _;

use serde_json::{Map, Number, Value};

use crate::order::sorted;
use crate::style::{Style, escaped, is_break};

/// After this column a space becomes a line break.
const WIDTH: usize = 80;

/// The longest key, in bytes, that is written on one line with its value.
const SIMPLE_KEY: usize = 128;

/// Prints a document as the toolchain does, byte for byte, with a line break at its end.
pub fn to_string(value: &Value) -> String {
    let mut printer = Printer::default();
    // A document that is just text is indented as in a list.
    printer.node(value, if value.is_string() { 2 } else { 0 });
    if !printer.text.ends_with('\n') {
        printer.text.push('\n');
    }
    printer.text
}

#[derive(Default)]
struct Printer {
    text: String,
}

impl Printer {
    /// Prints a value at the current position. The lines of its content are indented by `indent`.
    fn node(&mut self, value: &Value, indent: usize) {
        match value {
            Value::Null => self.text.push_str("null"),
            Value::Bool(true) => self.text.push_str("true"),
            Value::Bool(false) => self.text.push_str("false"),
            Value::Number(number) => self.text.push_str(&spell_number(number)),
            Value::String(text) => self.scalar(text, indent, false),
            Value::Array(items) if items.is_empty() => self.text.push_str("[]"),
            Value::Object(map) if map.is_empty() => self.text.push_str("{}"),
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    self.line(indent, index == 0);
                    self.text.push_str("- ");
                    self.node(item, indent + 2);
                }
            }
            Value::Object(map) => self.mapping(map, indent),
        }
    }

    fn mapping(&mut self, map: &Map<String, Value>, indent: usize) {
        for (index, (key, value)) in sorted(map).into_iter().enumerate() {
            self.line(indent, index == 0);
            if key.len() > SIMPLE_KEY || key.contains(is_break) {
                self.text.push_str("? ");
                self.scalar(key, indent + 2, false);
                self.line(indent, false);
                self.text.push_str(": ");
                self.node(value, indent + 2);
                continue;
            }
            self.scalar(key, indent, true);
            self.text.push(':');
            match value {
                // Lists have the same indent as their key.
                Value::Array(items) if !items.is_empty() => {
                    self.line(indent, false);
                    self.node(value, indent);
                }
                Value::Object(map) if !map.is_empty() => {
                    self.line(indent + 2, false);
                    self.node(value, indent + 2);
                }
                _ => {
                    self.text.push(' ');
                    self.node(value, indent + 2);
                }
            }
        }
    }

    /// Begins a new line, but not before the first item of a collection, which continues the current line.
    fn line(&mut self, indent: usize, first: bool) {
        if !first {
            if !self.text.ends_with('\n') {
                self.text.push('\n');
            }
            self.spaces(indent);
        }
    }

    fn spaces(&mut self, count: usize) {
        const SPACES: &str = "                                                                ";
        let mut left = count;
        while let Some(some) = SPACES.get(..left.min(SPACES.len())).filter(|some| !some.is_empty()) {
            self.text.push_str(some);
            left -= some.len();
        }
    }

    /// Prints text. Its second and later lines are indented by `indent`.
    fn scalar(&mut self, text: &str, indent: usize, as_key: bool) {
        match Style::of(text, as_key) {
            Style::Literal => self.literal(text, indent),
            style => self.folded(text, style, if as_key { None } else { Some(indent) }),
        }
    }

    /// Prints a scalar in plain or quoted style. A line that is too wide is continued on the next line, indented by `fold`.
    fn folded(&mut self, text: &str, style: Style, fold: Option<usize>) {
        let quote = match style {
            Style::Plain | Style::Literal => "",
            Style::Single => "'",
            Style::Double => "\"",
        };
        self.text.push_str(quote);
        let mut column = self.text.rsplit('\n').next().unwrap_or_default().chars().count();
        let mut after_space = false;
        let mut chars = text.char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            let space_follows = chars.peek().is_some_and(|&(_, next)| next == ' ');
            let inside = style == Style::Plain || (at > 0 && at + 1 < text.len());
            let folds =
                c == ' ' && !after_space && column > WIDTH && inside && (style == Style::Double || !space_follows);
            match fold.filter(|_| folds) {
                Some(indent) => {
                    let more = if space_follows { "\\" } else { "" };
                    let _ = write!(self.text, "\n{:indent$}{more}", "");
                    column = indent + more.len();
                }
                None => {
                    let before = self.text.len();
                    match (style, c) {
                        (Style::Double, c) => self.text.push_str(&escaped(c)),
                        (Style::Single, '\'') => self.text.push_str("''"),
                        (_, c) => self.text.push(c),
                    }
                    column += self.text.get(before..).unwrap_or_default().chars().count();
                }
            }
            after_space = c == ' ';
        }
        self.text.push_str(quote);
    }

    fn literal(&mut self, text: &str, indent: usize) {
        self.text.push('|');
        if text.starts_with([' ', '\n']) {
            self.text.push('2');
        }
        let breaks = text.len() - text.trim_end_matches('\n').len();
        match breaks {
            0 => self.text.push('-'),
            1 if text.len() > 1 => {}
            _ => self.text.push('+'),
        }
        self.text.push('\n');
        for line in text.strip_suffix('\n').unwrap_or(text).split('\n') {
            if !line.is_empty() {
                self.spaces(indent);
                self.text.push_str(line);
            }
            self.text.push('\n');
        }
        if breaks == 0 {
            self.text.pop();
        }
    }
}

/// A number in the format in which the toolchain prints floats: Go's `%g`.
fn spell_number(number: &Number) -> String {
    let Some(value) = number.as_f64().filter(|_| number.is_f64()) else { return number.to_string() };
    let scientific = format!("{value:e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or_default();
    if (-4..6).contains(&exponent) {
        return format!("{value}");
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}e{sign}{:02}", exponent.abs())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(value: Value, text: &str) {
        assert_eq!(to_string(&value), text);
    }

    #[test]
    fn collections() {
        check(json!({}), "{}\n");
        check(json!({ "a": { "b": [], "c": {} } }), "a:\n  b: []\n  c: {}\n");
        check(json!({ "a": [1, [2, 3], { "x": 1, "y": [4] }] }), "a:\n- 1\n- - 2\n  - 3\n- x: 1\n  \"y\":\n  - 4\n");
        check(json!([null, true, 1.5, 2_500_000.5, 1e-7]), "- null\n- true\n- 1.5\n- 2.5000005e+06\n- 1e-07\n");
    }

    #[test]
    fn order() {
        let keys = |keys: &[&str]| {
            let map: Map<_, _> = keys.iter().map(|key| ((*key).to_owned(), Value::Null)).collect();
            sorted(&map).into_iter().map(|(key, _)| key.to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(keys(&["a10", "a2", "a02"]), ["a2", "a02", "a10"]);
        assert_eq!(keys(&["b", "B", "a-b", "ab", "a.b", "a1"]), ["B", "a-b", "a.b", "a1", "ab", "b"]);
        assert_eq!(keys(&["a100", "a10x", "a1"]), ["a1", "a100", "a10x"]);
        // However many there are, in whatever order they come. This would take minutes if it was quadratic.
        let many: Vec<_> = (0..50_000).flat_map(|at| [format!("aA{at}"), format!("a_{at}")]).collect();
        let sorted = keys(&many.iter().map(String::as_str).collect::<Vec<_>>());
        let wanted = ["a_", "aA"].into_iter().flat_map(|start| (0..50_000).map(move |at| format!("{start}{at}")));
        assert!(sorted.into_iter().eq(wanted));
    }

    #[test]
    fn quoting() {
        for (text, spelled) in [
            ("", "\"\""),
            ("plain text", "plain text"),
            ("yes", "\"yes\""),
            ("4", "\"4\""),
            ("0x1F", "\"0x1F\""),
            ("1_000", "\"1_000\""),
            ("0.9", "\"0.9\""),
            ("1e3", "\"1e3\""),
            ("1:30", "\"1:30\""),
            ("2026-02-18", "\"2026-02-18\""),
            ("2024-01-01T00:00:00Z", "\"2024-01-01T00:00:00Z\""),
            ("2025-12", "2025-12"),
            ("8Gi", "8Gi"),
            ("docker.io", "docker.io"),
            ("lmcache/vllm-openai:v0.3.13", "lmcache/vllm-openai:v0.3.13"),
            ("a: b", "'a: b'"),
            ("it's", "it's"),
            ("- it's", "'- it''s'"),
            ("--trust-remote-code", "--trust-remote-code"),
            ("--- a", "'--- a'"),
            ("-", "'-'"),
            ("*.example.org", "'*.example.org'"),
            ("#a", "'#a'"),
            ("a #b", "'a #b'"),
            ("a#b", "a#b"),
            (" a", "' a'"),
            ("{a}", "'{a}'"),
            ("a\tb", "\"a\\tb\""),
            ("ü", "ü"),
            ("😀", "\"\\U0001F600\""),
            ("<<", "<<"),
        ] {
            check(json!([text]), &format!("- {spelled}\n"));
        }
    }

    #[test]
    fn lines() {
        check(json!({ "a": "x\ny\n" }), "a: |\n  x\n  y\n");
        check(json!({ "a": "x\n\ny" }), "a: |-\n  x\n\n  y\n");
        check(json!({ "a": "x\n\n", "b": 1 }), "a: |+\n  x\n\nb: 1\n");
        check(json!({ "a": [" x\ny"] }), "a:\n- |2-\n   x\n  y\n");
        check(json!({ "a": "x \ny" }), "a: \"x \\ny\"\n");
        check(json!("\nx\n"), "|2\n\n  x\n");
        let wide = "word ".repeat(30).trim().to_owned();
        let text = to_string(&json!({ "a": { "b": wide } }));
        assert!(
            text.lines().all(|line| line.len() <= 90)
                && text.lines().nth(2).is_some_and(|line| line.starts_with("    word")),
            "{text}"
        );
    }
}
