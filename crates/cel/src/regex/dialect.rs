//! Translates patterns of RE2 to patterns of `regex-automata`.
//!
//! Most patterns mean the same in both. Some are valid in only one of them, and classes like `\d` are ASCII in RE2. So a
//! pattern is parsed here as Go's `regexp/syntax` does, and written again with each literal as its code point.

use std::fmt::Write as _;
use std::iter::Peekable;
use std::str::Chars;

/// The deepest nesting of groups.
pub(crate) const MOST_DEPTH: u32 = 250;
/// The most repetitions, where nested repetitions are multiplied.
const MOST_REPEATS: u32 = 1000;

/// The one-letter classes as ranges.
const PERL: &[(char, &str)] = &[('d', "0-9"), ('s', "\\t\\n\\x0c\\r\\x20"), ('w', "0-9A-Za-z_")];

const POSIX: &[&str] = &[
    "alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space", "upper", "word",
    "xdigit",
];

const MISSING_PARENTHESIS: &str = "missing closing )";

/// The pattern for `regex-automata`.
///
/// # Errors
/// The message for a malformed pattern, in the words of Go.
pub(crate) fn translate(pattern: &str) -> Result<String, String> {
    let mut translator = Translator { rest: pattern.chars().peekable(), text: String::new(), names: Vec::new() };
    translator.alternation(0).map_err(|error| match error.as_str() {
        MISSING_PARENTHESIS => format!("{error}: `{pattern}`"),
        _ => error,
    })?;
    match translator.rest.next() {
        None => Ok(translator.text),
        Some(_) => Err(format!("unexpected ): `{pattern}`")),
    }
}

struct Translator<'p> {
    rest: Peekable<Chars<'p>>,
    text: String,
    names: Vec<String>,
}

/// The largest product of nested repetitions in a part of a pattern.
type Repeats = u32;

impl Translator<'_> {
    /// Translates up to the end or a closing parenthesis.
    fn alternation(&mut self, depth: u32) -> Result<Repeats, String> {
        if depth > MOST_DEPTH {
            return Err("expression nests too deeply".to_owned());
        }
        let mut most = 1;
        // The part before a repetition operator, and whether it ends with such an operator itself.
        let mut atom: Option<Repeats> = None;
        let mut repeated = false;
        while let Some(&next) = self.rest.peek() {
            let repeats = match next {
                ')' => break,
                '|' => {
                    self.rest.next();
                    self.text.push('|');
                    (atom, repeated) = (None, false);
                    continue;
                }
                '*' | '+' | '?' => {
                    self.rest.next();
                    self.repeat(atom, repeated, &next.to_string())?;
                    repeated = true;
                    continue;
                }
                '{' => match self.counts() {
                    Some((least, most_counts, text)) => {
                        let times = most_counts.unwrap_or(least);
                        if least > MOST_REPEATS || times > MOST_REPEATS || most_counts.is_some_and(|most| most < least)
                        {
                            return Err(format!("invalid repeat count: `{text}`"));
                        }
                        self.repeat(atom, repeated, &text)?;
                        let product = atom.unwrap_or(1).saturating_mul(times.max(1));
                        if product > MOST_REPEATS {
                            return Err(format!("invalid repeat count: `{text}`"));
                        }
                        (atom, repeated) = (Some(product), true);
                        most = most.max(product);
                        continue;
                    }
                    None => {
                        self.rest.next();
                        self.literal('{');
                        1
                    }
                },
                '(' => {
                    self.rest.next();
                    match self.group(depth)? {
                        Some(repeats) => repeats,
                        // Flags cannot be repeated.
                        None => {
                            (atom, repeated) = (None, false);
                            continue;
                        }
                    }
                }
                '[' => {
                    self.rest.next();
                    self.class()?;
                    1
                }
                '.' | '^' | '$' => {
                    self.rest.next();
                    self.text.push(next);
                    1
                }
                '\\' => {
                    self.rest.next();
                    if !self.escape()? {
                        continue;
                    }
                    1
                }
                literal => {
                    self.rest.next();
                    self.literal(literal);
                    1
                }
            };
            most = most.max(repeats);
            (atom, repeated) = (Some(repeats), false);
        }
        Ok(most)
    }

    fn repeat(&mut self, atom: Option<Repeats>, repeated: bool, operator: &str) -> Result<(), String> {
        if atom.is_none() && !repeated {
            return Err(format!("missing argument to repetition operator: `{operator}`"));
        }
        if repeated {
            return Err(format!("invalid nested repetition operator: `{operator}`"));
        }
        self.text.push_str(operator);
        if self.rest.next_if_eq(&'?').is_some() {
            self.text.push('?');
        }
        Ok(())
    }

    /// Reads the numbers of `{n}`, `{n,}` or `{n,m}`. `None`, and nothing is read, if the brace is just a character.
    fn counts(&mut self) -> Option<(u32, Option<u32>, String)> {
        let mut ahead = self.rest.clone();
        let mut text = String::from(ahead.next()?);
        let number = |ahead: &mut Peekable<Chars<'_>>, text: &mut String| {
            let mut digits = String::new();
            while let Some(digit) = ahead.next_if(char::is_ascii_digit) {
                digits.push(digit);
            }
            text.push_str(&digits);
            let plain = digits.len() < 2 || !digits.starts_with('0');
            (!digits.is_empty() && plain).then(|| digits.parse().unwrap_or(u32::MAX))
        };
        let least = number(&mut ahead, &mut text)?;
        let mut most = Some(least);
        if ahead.next_if_eq(&',').is_some() {
            text.push(',');
            most = None;
            if ahead.peek() != Some(&'}') {
                most = Some(number(&mut ahead, &mut text)?);
            }
        }
        ahead.next_if_eq(&'}')?;
        text.push('}');
        self.rest = ahead;
        Some((least, most, text))
    }

    /// Translates a group, after its parenthesis. `None` for flags that apply up to the end of the enclosing group.
    fn group(&mut self, depth: u32) -> Result<Option<Repeats>, String> {
        self.text.push_str("(?");
        let mut named = false;
        if self.rest.next_if_eq(&'?').is_some() {
            named = self.name()?;
            if !named && !self.flags()? {
                return Ok(None);
            }
        } else {
            self.text.push(':');
        }
        if named {
            self.text.push(':');
        }
        let repeats = self.alternation(depth + 1)?;
        if self.rest.next() != Some(')') {
            return Err(MISSING_PARENTHESIS.to_owned());
        }
        self.text.push(')');
        Ok(Some(repeats))
    }

    /// Reads the name of a group, if it has one. It is not translated, since nothing uses it.
    fn name(&mut self) -> Result<bool, String> {
        let mut ahead = self.rest.clone();
        ahead.next_if_eq(&'P');
        if ahead.next_if_eq(&'<').is_none() {
            return Ok(false);
        }
        let mut name = String::new();
        while let Some(letter) = ahead.next_if(|next| next.is_ascii_alphanumeric() || *next == '_') {
            name.push(letter);
        }
        if name.is_empty() || ahead.next() != Some('>') || self.names.contains(&name) {
            return Err("invalid named capture".to_owned());
        }
        self.names.push(name);
        self.rest = ahead;
        Ok(true)
    }

    /// Translates flags. Returns whether a group follows.
    fn flags(&mut self) -> Result<bool, String> {
        let (mut negative, mut any) = (false, false);
        loop {
            let flag = self.rest.next().ok_or("missing argument to (?")?;
            match flag {
                'i' | 'm' | 's' | 'U' => any = true,
                '-' if !negative => (negative, any) = (true, false),
                ')' | ':' if !negative || any => {
                    self.text.push(flag);
                    // `(?)` has no effect in Go, and is an error in `regex-automata`.
                    if flag == ')' && self.text.ends_with("(?)") {
                        self.text.truncate(self.text.len() - 3);
                    }
                    return Ok(flag == ':');
                }
                _ => return Err("invalid or unsupported Perl syntax".to_owned()),
            }
            self.text.push(flag);
        }
    }

    /// Translates an escape outside of a class. Returns whether it can be repeated.
    fn escape(&mut self) -> Result<bool, String> {
        let next = *self.rest.peek().ok_or("trailing backslash at end of expression")?;
        match next {
            'A' | 'z' => {
                self.rest.next();
                write!(self.text, "\\{next}").map_err(|error| error.to_string())?;
            }
            'b' | 'B' => {
                self.rest.next();
                write!(self.text, "(?-u:\\{next})").map_err(|error| error.to_string())?;
            }
            'Q' => {
                self.rest.next();
                return Ok(self.quoted());
            }
            _ => {
                if let Some(class) = self.class_escape()? {
                    self.text.push_str(&class);
                } else {
                    let literal = self.char_escape()?;
                    self.literal(literal);
                }
            }
        }
        Ok(true)
    }

    /// Translates `\Q…\E`. Returns whether it is not empty.
    fn quoted(&mut self) -> bool {
        let mut any = false;
        while let Some(next) = self.rest.next() {
            if next == '\\' && self.rest.next_if_eq(&'E').is_some() {
                break;
            }
            self.literal(next);
            any = true;
        }
        any
    }

    /// Translates a class, after its bracket.
    fn class(&mut self) -> Result<(), String> {
        self.text.push('[');
        if self.rest.next_if_eq(&'^').is_some() {
            self.text.push('^');
        }
        let mut first = true;
        loop {
            let next = *self.rest.peek().ok_or("missing closing ]")?;
            if next == ']' && !first {
                self.rest.next();
                self.text.push(']');
                return Ok(());
            }
            first = false;
            if next == '[' && self.posix()? {
                continue;
            }
            if next == '\\' {
                let mut ahead = self.rest.clone();
                ahead.next();
                std::mem::swap(&mut ahead, &mut self.rest);
                if let Some(class) = self.class_escape()? {
                    self.text.push_str(&class);
                    continue;
                }
                self.rest = ahead;
            }
            let low = self.class_char()?;
            let mut high = low;
            let mut ahead = self.rest.clone();
            if ahead.next() == Some('-') && ahead.peek().is_some_and(|after| *after != ']') {
                self.rest = ahead;
                high = self.class_char()?;
                if high < low {
                    return Err("invalid character class range".to_owned());
                }
            }
            self.literal(low);
            if high > low {
                self.text.push('-');
                self.literal(high);
            }
        }
    }

    fn class_char(&mut self) -> Result<char, String> {
        match self.rest.next().ok_or("missing closing ]")? {
            '\\' => self.char_escape(),
            literal => Ok(literal),
        }
    }

    /// Translates a class like `[:alpha:]`, if it is next.
    fn posix(&mut self) -> Result<bool, String> {
        let text: String = self.rest.clone().take(16).collect();
        let Some(end) = text.strip_prefix("[:").and_then(|inner| inner.find(":]")) else { return Ok(false) };
        let class = &text[..end + 4];
        let name = &text[2..end + 2];
        if !POSIX.contains(&name.strip_prefix('^').unwrap_or(name)) {
            return Err(format!("invalid character class range: `{class}`"));
        }
        self.text.push_str(class);
        for _ in 0..class.len() {
            self.rest.next();
        }
        Ok(true)
    }

    /// Reads a class like `\d` or `\pL`, after the backslash, as a class of its own. `None` if something else is next.
    fn class_escape(&mut self) -> Result<Option<String>, String> {
        let Some(&next) = self.rest.peek() else { return Ok(None) };
        if let Some((_, ranges)) = PERL.iter().find(|row| row.0 == next.to_ascii_lowercase()) {
            self.rest.next();
            let negation = if next.is_ascii_uppercase() { "^" } else { "" };
            return Ok(Some(format!("[{negation}{ranges}]")));
        }
        if next != 'p' && next != 'P' {
            return Ok(None);
        }
        self.rest.next();
        let mut negative = next == 'P';
        let invalid = |name: &str| format!("invalid character class range: `\\{next}{{{name}}}`");
        let name = match self.rest.next() {
            Some('{') => {
                let mut name = String::new();
                loop {
                    match self.rest.next() {
                        Some('}') => break name,
                        Some(letter) => name.push(letter),
                        None => return Err(invalid(&name)),
                    }
                }
            }
            Some(letter) => letter.to_string(),
            None => return Err(invalid("")),
        };
        let mut name = name.as_str();
        if let Some(rest) = name.strip_prefix('^') {
            (name, negative) = (rest, !negative);
        }
        let word = name.starts_with(|first: char| first.is_ascii_uppercase())
            && name.chars().all(|letter| letter.is_ascii_alphabetic() || letter == '_');
        if !word {
            return Err(invalid(name));
        }
        let kind = if name.len() <= 2 || name == "Any" { name.to_owned() } else { format!("Script={name}") };
        Ok(Some(format!("\\{}{{{kind}}}", if negative { 'P' } else { 'p' })))
    }

    /// Reads an escape for one character, after the backslash.
    fn char_escape(&mut self) -> Result<char, String> {
        let next = self.rest.next().ok_or("trailing backslash at end of expression")?;
        let invalid = || format!("invalid escape sequence: `\\{next}`");
        let code = match next {
            'a' => 0x07,
            'f' => 0x0c,
            'n' => 0x0a,
            'r' => 0x0d,
            't' => 0x09,
            'v' => 0x0b,
            '0'..='7' => {
                let octal = |next: &char| ('0'..='7').contains(next);
                if next != '0' && !self.rest.peek().is_some_and(octal) {
                    return Err(invalid());
                }
                let mut code = next.to_digit(8).unwrap_or(0);
                for _ in 0..2 {
                    let Some(digit) = self.rest.next_if(octal).and_then(|digit| digit.to_digit(8)) else { break };
                    code = code * 8 + digit;
                }
                code
            }
            'x' => {
                let mut digits = String::new();
                if self.rest.next_if_eq(&'{').is_some() {
                    loop {
                        match self.rest.next() {
                            Some('}') => break,
                            Some(digit) if digits.len() < 8 => digits.push(digit),
                            _ => return Err(invalid()),
                        }
                    }
                } else {
                    digits.extend(self.rest.next());
                    digits.extend(self.rest.next());
                    if digits.len() != 2 {
                        return Err(invalid());
                    }
                }
                if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
                    return Err(invalid());
                }
                u32::from_str_radix(&digits, 16).map_err(|_| invalid())?
            }
            punctuation if punctuation.is_ascii() && !punctuation.is_ascii_alphanumeric() => punctuation.into(),
            _ => return Err(invalid()),
        };
        char::from_u32(code).ok_or_else(invalid)
    }

    fn literal(&mut self, literal: char) {
        if literal.is_ascii_alphanumeric() {
            self.text.push(literal);
        } else {
            // Writing to a string cannot fail.
            let _ = write!(self.text, "\\x{{{:x}}}", u32::from(literal));
        }
    }
}
