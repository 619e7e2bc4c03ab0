//! Regular expressions in Go's syntax (RE2), matched by a crate whose syntax differs in details.

use std::fmt::Write;
use std::iter::Peekable;
use std::str::Chars;

use regex_lite::Regex;

/// A pattern, compiled once.
#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    text: String,
    compiled: Result<Regex, String>,
}

impl Pattern {
    pub(crate) fn new(text: &str) -> Self {
        let compiled = Regex::new(&translated(text)).map_err(|error| error.to_string());
        Self { text: text.to_owned(), compiled }
    }

    /// The pattern as it was written.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn error(&self) -> Option<&str> {
        self.compiled.as_ref().err().map(String::as_str)
    }

    /// Whether it occurs in `text`; never when it does not compile.
    pub(crate) fn is_match(&self, text: &str) -> bool {
        self.compiled.as_ref().is_ok_and(|regex| regex.is_match(text))
    }
}

/// Go's syntax in Rust's: in Go a brace that begins no repetition is a character, classes know no operators and
/// no nesting, `\Q…\E` quotes, and `\<` is a character. Classes such as `\d` and `\w` are ASCII in both.
fn translated(pattern: &str) -> String {
    let mut out = String::with_capacity(pattern.len());
    let mut rest = pattern.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\\' => escape(&mut rest, &mut out),
            '[' => class(&mut rest, &mut out),
            '{' if !repetition(rest.clone()) => out.push_str("\\{"),
            c => out.push(c),
        }
    }
    out
}

fn escape(rest: &mut Peekable<Chars<'_>>, out: &mut String) {
    match rest.next() {
        Some('Q') => {
            while let Some(c) = rest.next() {
                if c == '\\' && rest.peek() == Some(&'E') {
                    rest.next();
                    break;
                }
                literal(c, out);
            }
        }
        Some(c) if c.is_ascii_punctuation() => literal(c, out),
        Some(c) if c.is_ascii_digit() => octal(c, rest, out),
        Some(c) => {
            out.push('\\');
            out.push(c);
        }
        None => out.push('\\'),
    }
}

/// `\123`; back references, which neither has, stay as they are and are refused.
fn octal(first: char, rest: &mut Peekable<Chars<'_>>, out: &mut String) {
    let mut digits = String::from(first);
    while let (true, Some(&c @ '0'..='7')) = (digits.len() < 3, rest.peek()) {
        digits.push(c);
        rest.next();
    }
    let octal = (first == '0' || digits.len() > 1).then(|| u32::from_str_radix(&digits, 8).ok()).flatten();
    match octal {
        Some(code) => push(out, format_args!("\\x{{{code:x}}}")),
        None => push(out, format_args!("\\{digits}")),
    }
}

/// Whether the text after a brace makes a repetition of it: `{2}`, `{2,}`, `{2,3}`.
fn repetition(rest: Peekable<Chars<'_>>) -> bool {
    let inside: String = rest.take_while(|&c| c != '}').collect();
    let number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    match inside.split_once(',') {
        Some((least, most)) => number(least) && (most.is_empty() || number(most)),
        None => number(&inside),
    }
}

/// A bracketed class, whose opening bracket has been read.
fn class(rest: &mut Peekable<Chars<'_>>, out: &mut String) {
    out.push('[');
    if rest.peek() == Some(&'^') {
        rest.next();
        out.push('^');
    }
    let mut first = true;
    // Whether what stands before can begin a range, and whether it has.
    let (mut begins, mut ranges) = (false, false);
    while let Some(c) = rest.next() {
        if c == '-' && begins && rest.peek() != Some(&']') {
            out.push('-');
            (begins, ranges) = (false, true);
            continue;
        }
        match c {
            ']' if !first => {
                out.push(']');
                return;
            }
            '[' if rest.peek() == Some(&':') => {
                // `[:alpha:]` up to its end, when it has one.
                let name: String = rest.clone().take_while(|&c| c != ']').collect();
                if name.len() > 1 && name.ends_with(':') {
                    push(out, format_args!("[{name}]"));
                    rest.nth(name.chars().count());
                } else {
                    out.push_str("\\[");
                }
            }
            '\\' => escape(rest, out),
            c => literal(c, out),
        }
        first = false;
        (begins, ranges) = (!ranges, false);
    }
}

fn literal(c: char, out: &mut String) {
    if c.is_ascii_punctuation()
        && !matches!(c, '<' | '>' | '_' | '"' | '\'' | '/' | ':' | ',' | ';' | '=' | '!' | '@' | '%' | '`')
    {
        out.push('\\');
    }
    out.push(c);
}

fn push(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = out.write_fmt(text);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn syntax_of_go() {
        let check = |pattern: &str, text: &str, want: bool| {
            let pattern = Pattern::new(pattern);
            assert_eq!(pattern.error(), None, "{}", pattern.text());
            assert_eq!(pattern.is_match(text), want, "{} on {text}", pattern.text());
        };
        check("^a{2}$", "aa", true);
        check("^a{b}$", "a{b}", true);
        check("^{", "{", true);
        check("^a{,2}$", "a{,2}", true);
        check("^[a&&b]+$", "a&b", true);
        check("^[[a]+$", "[a", true);
        check("^[]a]+$", "]a", true);
        check("^[^]a]+$", "b", true);
        check("^[^]a]+$", "]", false);
        check("^[[:alpha:]]+$", "abC", true);
        check("^[[:alpha:]-]+$", "a-", true);
        check(r"^\Qa.b\E$", "a.b", true);
        check(r"^\Qa.b\E$", "axb", false);
        check(r"^\<\/\-\_$", "</-_", true);
        check(r"^[\w.\-~]+$", "a_.-~", true);
        check(r"^\d+$", "٣", false);
        check("^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", "a-b", true);
        check(r"^(\d{1,3}\.){3}\d{1,3}$", "10.0.0.1", true);
        check("^[--/]$", ".", true);
        check(r"^\101$", "A", true);
        check("(?i)^abc$", "aBC", true);
        assert!(Pattern::new("(").error().is_some());
        assert!(Pattern::new("(?=a)").error().is_some());
    }
}
