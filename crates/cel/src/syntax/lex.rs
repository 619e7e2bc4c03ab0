//! The lexer: splits text into tokens, by the lexical grammar of CEL.

/// A kind of token. Operators and brackets are symbols, with their text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    End,
    Ident,
    /// `` `like-this` ``: a token only because the error message names it.
    Escaped,
    Int,
    Uint,
    Float,
    String,
    Bytes,
    True,
    False,
    Null,
    Symbol(&'static str),
}

/// A token and its range of bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lexeme {
    pub(crate) token: Token,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// All symbols, longer ones first.
const SYMBOLS: &[&str] = &[
    "==", "!=", "<=", ">=", "&&", "||", "<", ">", "[", "]", "{", "}", "(", ")", ".", ",", "-", "!", "?", ":", "+", "*",
    "/", "%",
];

const KEYWORDS: &[(&str, Token)] =
    &[("true", Token::True), ("false", Token::False), ("null", Token::Null), ("in", Token::Symbol("in"))];

/// The token at or after `from`. The error is the range of bytes that are not a token; as upstream, it includes the first
/// character that does not continue a token.
pub(crate) fn next(text: &str, from: usize) -> Result<Lexeme, (usize, usize)> {
    let start = from + skipped(&text[from..]);
    let rest = &text[start..];
    let lexeme = |token, length| Ok(Lexeme { token, start, end: start + length });
    let Some(first) = rest.bytes().next() else { return lexeme(Token::End, 0) };
    let second = rest.as_bytes().get(1).copied();
    if first.is_ascii_digit() || (first == b'.' && second.is_some_and(|byte| byte.is_ascii_digit())) {
        let (token, length) = number(rest);
        return lexeme(token, length);
    }
    let refused = |length: usize| {
        let next = rest[length..].chars().next().map_or(0, char::len_utf8);
        Err((start, start + length + next))
    };
    match quoted(rest) {
        Some(Ok((token, length))) => return lexeme(token, length),
        // Otherwise the letters before the quote are a name.
        Some(Err(length)) if !first.is_ascii_alphabetic() => return refused(length),
        _ => {}
    }
    if first.is_ascii_alphabetic() || first == b'_' {
        let length = count(rest, |byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let word = &rest[..length];
        let token = KEYWORDS.iter().find(|row| row.0 == word).map_or(Token::Ident, |row| row.1);
        return lexeme(token, length);
    }
    if first == b'`' {
        let length = count(&rest[1..], |byte| byte.is_ascii_alphanumeric() || b"_.-/ ".contains(&byte));
        if length > 0 && rest.as_bytes().get(length + 1) == Some(&b'`') {
            return lexeme(Token::Escaped, length + 2);
        }
        return refused(length + 1);
    }
    match SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
        Some(symbol) => lexeme(Token::Symbol(symbol), symbol.len()),
        None => refused(usize::from(b"=&|".contains(&first))),
    }
}

/// The number of bytes of white space and comments at the beginning of `text`.
fn skipped(text: &str) -> usize {
    let mut from = 0;
    loop {
        from += count(&text[from..], |byte| b" \t\r\n\x0c".contains(&byte));
        if !text[from..].starts_with("//") {
            return from;
        }
        from += count(&text[from..], |byte| byte != b'\n');
    }
}

fn number(text: &str) -> (Token, usize) {
    let digits = |from: usize| count(&text[from..], |byte| byte.is_ascii_digit());
    let unsigned = |length: usize| match text.as_bytes().get(length) {
        Some(b'u' | b'U') => (Token::Uint, length + 1),
        _ => (Token::Int, length),
    };
    if let Some(hex) = text.strip_prefix("0x") {
        let length = count(hex, |byte| byte.is_ascii_hexdigit());
        if length > 0 {
            return unsigned(2 + length);
        }
    }
    let whole = digits(0);
    let mut length = whole;
    if text[length..].starts_with('.') && digits(length + 1) > 0 {
        length += 1 + digits(length + 1);
    }
    if text[length..].starts_with(['e', 'E']) {
        let sign = usize::from(text[length + 1..].starts_with(['+', '-']));
        let exponent = digits(length + 1 + sign);
        if exponent > 0 {
            length += 1 + sign + exponent;
        }
    }
    if length == whole { unsigned(length) } else { (Token::Float, length) }
}

/// The token and length of a string or bytes literal. The error is the length of one without an end; `None` if there is no
/// literal.
fn quoted(text: &str) -> Option<Result<(Token, usize), usize>> {
    let bytes = text.as_bytes();
    let is = |index: usize, letters: &[u8]| bytes.get(index).is_some_and(|byte| letters.contains(byte));
    let mut open = 0;
    let token = if is(0, b"bB") && (is(1, b"'\"") || (is(1, b"rR") && is(2, b"'\""))) {
        open += 1;
        Token::Bytes
    } else {
        Token::String
    };
    let raw = is(open, b"rR");
    open += usize::from(raw);
    let quote = *bytes.get(open).filter(|byte| b"'\"".contains(byte))?;
    let triple = bytes.get(open + 1) == Some(&quote) && bytes.get(open + 2) == Some(&quote);
    let marks = if triple { 3 } else { 1 };
    let mut at = open + marks;
    while let Some(&byte) = bytes.get(at) {
        if byte == quote && (!triple || (bytes.get(at + 1) == Some(&quote) && bytes.get(at + 2) == Some(&quote))) {
            return Some(Ok((token, at + marks)));
        }
        match byte {
            b'\n' | b'\r' if !triple => break,
            b'\\' if !raw => match escape(bytes.get(at + 1..)?) {
                Ok(length) => at += 1 + length,
                Err(length) => {
                    at += 1 + length;
                    break;
                }
            },
            _ => at += 1,
        }
    }
    // Without the closing three quotes, the first two of the opening ones are an empty literal.
    Some(if triple { Ok((token, open + 2)) } else { Err(at) })
}

/// The length of an escape after its backslash. The error is the length of its valid part.
fn escape(rest: &[u8]) -> Result<usize, usize> {
    let fits = |count: usize, test: fn(&u8) -> bool| {
        let length = 1 + rest.iter().skip(1).take(count).take_while(|byte| test(byte)).count();
        if length == count + 1 { Ok(length) } else { Err(length) }
    };
    match rest.first() {
        Some(b'a' | b'b' | b'f' | b'n' | b'r' | b't' | b'v' | b'"' | b'\'' | b'\\' | b'?' | b'`') => Ok(1),
        Some(b'0'..=b'3') => fits(2, |byte| (b'0'..=b'7').contains(byte)),
        Some(b'x' | b'X') => fits(2, u8::is_ascii_hexdigit),
        Some(b'u') => fits(4, u8::is_ascii_hexdigit),
        Some(b'U') => fits(8, u8::is_ascii_hexdigit),
        _ => Err(0),
    }
}

fn count(text: &str, test: impl Fn(u8) -> bool) -> usize {
    text.bytes().take_while(|&byte| test(byte)).count()
}

/// The value of a string literal; `None` when an escape is not a valid character.
pub(crate) fn text_of(literal: &str) -> Option<String> {
    let (raw, body) = body_of(literal);
    if raw || !body.contains('\\') {
        return Some(newlines(body));
    }
    let mut text = String::with_capacity(body.len());
    unescape(&newlines(body), |piece| {
        text.push(match piece {
            LiteralPart::Char(char) => char,
            LiteralPart::Code(code) => char::from_u32(code)?,
            LiteralPart::Byte(byte) => char::from(byte),
        });
        Some(())
    })?;
    Some(text)
}

/// The value of a bytes literal; `None` when it has an escape that is only for strings.
pub(crate) fn bytes_of(literal: &str) -> Option<Vec<u8>> {
    let (raw, body) = body_of(literal.get(1..)?);
    if raw || !body.contains('\\') {
        return Some(newlines(body).into_bytes());
    }
    let mut bytes = Vec::with_capacity(body.len());
    unescape(&newlines(body), |piece| {
        match piece {
            LiteralPart::Char(char) => bytes.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes()),
            LiteralPart::Code(_) => return None,
            LiteralPart::Byte(byte) => bytes.push(byte),
        }
        Some(())
    })?;
    Some(bytes)
}

enum LiteralPart {
    Char(char),
    /// `\uXXXX` and `\UXXXXXXXX`.
    Code(u32),
    /// `\xXX` and `\NNN`.
    Byte(u8),
}

fn unescape(body: &str, mut emit: impl FnMut(LiteralPart) -> Option<()>) -> Option<()> {
    let mut rest = body;
    while let Some(first) = rest.chars().next() {
        rest = &rest[first.len_utf8()..];
        if first != '\\' {
            emit(LiteralPart::Char(first))?;
            continue;
        }
        let letter = rest.bytes().next()?;
        let code = |from: usize, to: usize, radix| u32::from_str_radix(rest.get(from..to)?, radix).ok();
        let (piece, length) = match letter {
            b'a' => (LiteralPart::Char('\x07'), 1),
            b'b' => (LiteralPart::Char('\x08'), 1),
            b'f' => (LiteralPart::Char('\x0c'), 1),
            b'n' => (LiteralPart::Char('\n'), 1),
            b'r' => (LiteralPart::Char('\r'), 1),
            b't' => (LiteralPart::Char('\t'), 1),
            b'v' => (LiteralPart::Char('\x0b'), 1),
            b'x' | b'X' => (LiteralPart::Byte(u8::try_from(code(1, 3, 16)?).ok()?), 3),
            b'u' => (LiteralPart::Code(code(1, 5, 16)?), 5),
            b'U' => (LiteralPart::Code(code(1, 9, 16)?), 9),
            b'0'..=b'3' => (LiteralPart::Byte(u8::try_from(code(0, 3, 8)?).ok()?), 3),
            other => (LiteralPart::Char(char::from(other)), 1),
        };
        emit(piece)?;
        rest = rest.get(length..)?;
    }
    Some(())
}

/// Whether a literal is raw, and the text between its quotes.
fn body_of(literal: &str) -> (bool, &str) {
    let quoted = literal.trim_start_matches(['r', 'R']);
    let marks = if quoted.len() >= 6 && (quoted.starts_with("'''") || quoted.starts_with("\"\"\"")) { 3 } else { 1 };
    (quoted.len() < literal.len(), quoted.get(marks..quoted.len().saturating_sub(marks)).unwrap_or_default())
}

fn newlines(body: &str) -> String {
    if body.contains('\r') { body.replace("\r\n", "\n").replace('\r', "\n") } else { body.to_owned() }
}
