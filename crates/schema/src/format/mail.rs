//! Mail addresses, as Go's `mail.ParseAddress` accepts them: `name@host`, or a phrase and `<name@host>`, with comments in
//! parentheses; also a group of exactly one address.

use std::net::IpAddr;

/// Whether the text is one address and nothing else.
pub(super) fn is_address(text: &str) -> bool {
    let mut parser = Parser { rest: text };
    parser.address(true) == Some(1) && parser.skip_comments().is_some() && parser.rest.is_empty()
}

struct Parser<'a> {
    rest: &'a str,
}

impl<'a> Parser<'a> {
    /// Reads an address, or a group. Returns the number of addresses.
    fn address(&mut self, groups: bool) -> Option<usize> {
        self.skip_space();
        if self.rest.is_empty() {
            return None;
        }
        let start = self.rest;
        if self.spec().is_some() {
            self.skip_space();
            if self.rest.starts_with('(') {
                self.rest = &self.rest[1..];
                self.comment()?;
            }
            return Some(1);
        }
        self.rest = start;
        if !self.rest.starts_with('<') {
            self.phrase()?;
        }
        self.skip_space();
        if groups && self.eat(':') {
            return self.group();
        }
        (self.eat('<') && self.spec().is_some() && self.eat('>')).then_some(1)
    }

    fn group(&mut self) -> Option<usize> {
        self.skip_space();
        let mut count = 0;
        if self.eat(';') {
            self.skip_comments()?;
            return Some(count);
        }
        loop {
            count += self.address(false)?;
            self.skip_comments()?;
            if self.eat(';') {
                self.skip_comments()?;
                return Some(count);
            }
            if !self.eat(',') {
                return None;
            }
        }
    }

    /// Reads `local@domain`.
    fn spec(&mut self) -> Option<()> {
        self.skip_space();
        if self.rest.starts_with('"') {
            self.quoted().filter(|text| !text.is_empty())?;
        } else {
            self.atom(false)?;
        }
        if !self.eat('@') {
            return None;
        }
        self.skip_space();
        if !self.rest.starts_with('[') {
            return self.atom(false).map(|_| ());
        }
        let (literal, rest) = self.rest[1..].split_once(']')?;
        self.rest = rest;
        literal.parse::<IpAddr>().ok().map(|_| ())
    }

    /// Reads the words before an address, at least one.
    fn phrase(&mut self) -> Option<()> {
        let mut words = 0;
        loop {
            if words > 0 {
                self.skip_comments()?;
            }
            self.skip_space();
            let word = match self.rest.chars().next() {
                None => break,
                Some('"') => self.quoted().map(|_| ()),
                Some(_) => self.atom(true).map(|_| ()),
            };
            if word.is_none() {
                break;
            }
            words += 1;
        }
        // A phrase may be empty at the end of the text, but not before something that is not a word.
        (words > 0 || self.rest.is_empty()).then_some(())
    }

    fn quoted(&mut self) -> Option<String> {
        let mut text = String::new();
        let mut chars = self.rest.char_indices().skip(1);
        while let Some((index, c)) = chars.next() {
            match c {
                '"' => {
                    self.rest = &self.rest[index + 1..];
                    return Some(text);
                }
                '\\' => text.push(chars.next().map(|(_, c)| c).filter(|&c| is_visible(c) || is_space(c))?),
                c if is_visible(c) || is_space(c) => text.push(c),
                _ => return None,
            }
        }
        None
    }

    /// Reads an atom with dots. With `loose`, dots may be anywhere in it.
    fn atom(&mut self, loose: bool) -> Option<&'a str> {
        let end = self.rest.find(|c| !is_atom(c)).unwrap_or(self.rest.len());
        let (atom, rest) = self.rest.split_at(end);
        let dots = atom.starts_with('.') || atom.ends_with('.') || atom.contains("..");
        if atom.is_empty() {
            return None;
        }
        self.rest = rest;
        (loose || !dots).then_some(atom)
    }

    /// Skips spaces and comments; `None` when a comment is not closed.
    fn skip_comments(&mut self) -> Option<()> {
        self.skip_space();
        while self.eat('(') {
            self.comment()?;
            self.skip_space();
        }
        Some(())
    }

    /// Reads the rest of a comment after its opening parenthesis.
    fn comment(&mut self) -> Option<()> {
        let mut depth = 1;
        let mut chars = self.rest.char_indices();
        while let Some((index, c)) = chars.next() {
            match c {
                '\\' => {
                    chars.next();
                }
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                self.rest = &self.rest[index + 1..];
                return Some(());
            }
        }
        None
    }

    fn eat(&mut self, c: char) -> bool {
        let rest = self.rest.strip_prefix(c);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn skip_space(&mut self) {
        self.rest = self.rest.trim_start_matches(is_space);
    }
}

fn is_space(c: char) -> bool {
    c == ' ' || c == '\t'
}

fn is_visible(c: char) -> bool {
    ('!'..='~').contains(&c) || !c.is_ascii()
}

fn is_atom(c: char) -> bool {
    is_visible(c) && !matches!(c, '(' | ')' | '<' | '>' | '[' | ']' | ':' | ';' | '@' | '\\' | ',' | '"')
}
