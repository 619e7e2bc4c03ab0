//! Prints YAML as the Kubernetes toolchain does, to the byte.
//!
//! People compare what `crossplane render` prints with golden files, as text. It prints with sigs.k8s.io/yaml,
//! whose emitter is go.yaml.in/yaml/v2, a libyaml at heart: keys in its own natural order, lists not indented,
//! lines folded after 80 columns, double quotes around text that would be read as something else. No Rust
//! crate prints that, so this module does; a test holds it against the real one.

use std::cmp::Ordering;
use std::fmt::Write as _;

use serde_json::{Map, Number, Value};

/// Column after which a space becomes a line break.
const WIDTH: usize = 80;

/// Longest key that stands on one line with its value, in bytes.
const SIMPLE_KEY: usize = 128;

/// Spells a document, with a line break at its end.
pub(crate) fn to_string(value: &Value) -> String {
    let mut printer = Printer::default();
    printer.node(value, 0);
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
    /// Prints a value at the current place. What it consists of stands at `indent`.
    fn node(&mut self, value: &Value, indent: usize) {
        match value {
            Value::Null => self.text.push_str("null"),
            Value::Bool(value) => drop(write!(self.text, "{value}")),
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
                // Lists stand at the column of their key.
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

    /// Begins a line, unless the first thing of a collection is to stand where we are.
    fn line(&mut self, indent: usize, first: bool) {
        if !first {
            if !self.text.ends_with('\n') {
                self.text.push('\n');
            }
            self.text.push_str(&" ".repeat(indent));
        }
    }

    /// Prints text. Where it takes more than one line, the others stand at `indent`.
    fn scalar(&mut self, text: &str, indent: usize, as_key: bool) {
        match Style::of(text, as_key) {
            Style::Literal => self.literal(text, indent),
            style => self.folded(text, style, if as_key { None } else { Some(indent) }),
        }
    }

    /// Prints a scalar in plain or quoted style. Where it grows too wide, it goes on at the indent `fold`.
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
                    let spelled = match (style, c) {
                        (Style::Double, c) => escaped(c),
                        (Style::Single, '\'') => "''".to_owned(),
                        (_, c) => c.to_string(),
                    };
                    column += spelled.chars().count();
                    self.text.push_str(&spelled);
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
                self.text.push_str(&" ".repeat(indent));
                self.text.push_str(line);
            }
            self.text.push('\n');
        }
        if breaks == 0 {
            self.text.pop();
        }
    }
}

/// How a scalar is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    Plain,
    Single,
    Double,
    Literal,
}

impl Style {
    /// The emitter's choice for `text`.
    fn of(text: &str, as_key: bool) -> Self {
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

/// Whether plain text would be read as structure.
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

/// Whether plain text would be read as a boolean, a number, a date or nothing.
fn means_something_else(text: &str) -> bool {
    const WORDS: &[&str] = &[
        "", "~", "null", "Null", "NULL", "y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON", "n",
        "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF", ".nan", ".NaN", ".NAN", ".inf", ".Inf",
        ".INF", "+.inf", "+.Inf", "+.INF", "-.inf", "-.Inf", "-.INF",
    ];
    WORDS.contains(&text) || is_number(text) || is_base_60(text) || is_date(text)
}

fn is_number(text: &str) -> bool {
    if text.starts_with('.') {
        return is_float(text);
    }
    if !text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '+' | '-')) {
        return false;
    }
    let plain = text.replace('_', "");
    let lower = plain.to_ascii_lowercase();
    let magnitude = lower.strip_prefix(['+', '-']).unwrap_or(&lower);
    let (radix, digits) = match magnitude.as_bytes() {
        [b'0', b'x', ..] => (16, magnitude.get(2..)),
        [b'0', b'o', ..] => (8, magnitude.get(2..)),
        [b'0', b'b', ..] => (2, magnitude.get(2..)),
        [b'0', _, ..] => (8, magnitude.get(1..)),
        _ => (10, Some(magnitude)),
    };
    let fits = |digits: &str| match (u64::from_str_radix(digits, radix), lower.as_bytes().first()) {
        (Ok(value), Some(b'-')) => value <= 1 << 63,
        (Ok(value), Some(b'+')) => value < 1 << 63,
        (Ok(_), _) => true,
        (Err(_), _) => false,
    };
    digits.is_some_and(|digits| !digits.starts_with(['+', '-']) && fits(digits)) || is_float(&plain)
}

/// `[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?`, and in the range of floats.
fn is_float(text: &str) -> bool {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent.strip_prefix(['+', '-']).unwrap_or(exponent))),
        None => (unsigned, None),
    };
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let well_formed = digits(whole)
        && digits(fraction)
        && !(whole.is_empty() && fraction.is_empty())
        && exponent.is_none_or(|exponent| !exponent.is_empty() && digits(exponent));
    well_formed && text.parse::<f64>().is_ok_and(f64::is_finite)
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

/// A date, or a date and a time, in the forms that the toolchain takes for one.
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

/// What the emitter does not escape.
fn is_printable(c: char) -> bool {
    matches!(c, '\n' | ' '..='~' | '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}') && c != '\u{feff}'
}

fn is_break(c: char) -> bool {
    matches!(c, '\r' | '\n' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

fn escaped(c: char) -> String {
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

/// Go's `%g`, in which the toolchain prints floats.
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

/// The entries of a mapping in the toolchain's order.
fn sorted(map: &Map<String, Value>) -> Vec<(&str, &Value)> {
    let mut entries: Vec<(&str, &Value)> = Vec::with_capacity(map.len());
    for (key, value) in map {
        // The order is not always transitive, which library sorts may object to.
        let at = entries.iter().rposition(|(known, _)| !before(key, known)).map_or(0, |at| at + 1);
        entries.insert(at, (key, value));
    }
    entries
}

fn before(a: &str, b: &str) -> bool {
    natural(a, b) == Ordering::Less
}

/// The order of `keyList` in go.yaml.in/yaml/v2: numbers in keys count as numbers, other characters come
/// before letters.
fn natural(a: &str, b: &str) -> Ordering {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let Some(at) = a.iter().zip(&b).position(|(x, y)| x != y) else { return a.len().cmp(&b.len()) };
    let (Some(&x), Some(&y)) = (a.get(at), b.get(at)) else { return Ordering::Equal };
    match (x.is_alphabetic(), y.is_alphabetic()) {
        (true, true) => return x.cmp(&y),
        (true, false) => return Ordering::Greater,
        (false, true) => return Ordering::Less,
        (false, false) => {}
    }
    let run = |key: &[char]| key.iter().skip(at).take_while(|c| c.is_ascii_digit()).count();
    let inside_number = (x == '0' || y == '0') && {
        let digits = a.iter().take(at).rev().take_while(|c| c.is_ascii_digit());
        digits.into_iter().any(|&c| c != '0')
    };
    let value = |key: &[char]| {
        let digits = key.iter().skip(at).take_while(|c| c.is_ascii_digit()).filter_map(|c| c.to_digit(10));
        digits.fold(i64::from(inside_number), |value, digit| value.wrapping_mul(10).wrapping_add(digit.into()))
    };
    value(&a).cmp(&value(&b)).then(run(&a).cmp(&run(&b))).then(x.cmp(&y))
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
        let wide = "word ".repeat(30).trim().to_owned();
        let text = to_string(&json!({ "a": { "b": wide } }));
        assert!(
            text.lines().all(|line| line.len() <= 90)
                && text.lines().nth(2).is_some_and(|line| line.starts_with("    word")),
            "{text}"
        );
    }
}
