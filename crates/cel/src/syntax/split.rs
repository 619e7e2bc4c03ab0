//! Splits the text of an expression at its outermost operators.
//!
//! The texts of expressions that parse are split right. Parts of other texts are only texts.

use super::lex::{self, Lexeme, Token};

/// An expression by its outermost operator. The parts are texts of expressions.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Outermost<'t> {
    /// `a ? b : c`.
    Choice([&'t str; 3]),
    /// `a || b || …`.
    Or(Vec<&'t str>),
    /// `a && b && …`.
    And(Vec<&'t str>),
    /// `!a`.
    Not(&'t str),
    /// `a == b`, with any relation.
    Relation { left: &'t str, operator: &'static str, right: &'t str },
    /// `a.f(b, …)` or `f(b, …)`.
    Call { target: Option<&'t str>, name: &'t str, arguments: Vec<&'t str> },
    /// Anything else.
    Term,
}

const RELATIONS: &[&str] = &["==", "!=", "<", "<=", ">", ">=", "in"];

/// The tokens of a text. What cannot be read is left out.
fn tokens(text: &str) -> Vec<Lexeme> {
    let mut tokens = Vec::new();
    let mut from = 0;
    while let Ok(lexeme) = lex::next(text, from) {
        if matches!(lexeme.token, Token::End) {
            break;
        }
        from = lexeme.end;
        tokens.push(lexeme);
    }
    tokens
}

/// The text on one line, without comments.
pub(crate) fn plain(text: &str) -> String {
    let mut plain = String::new();
    let mut end = None;
    for lexeme in tokens(text) {
        if end.is_some_and(|end| end < lexeme.start) {
            plain.push(' ');
        }
        let token = text.get(lexeme.start..lexeme.end).unwrap_or_default();
        plain.extend(token.chars().map(|char| if char.is_control() { ' ' } else { char }));
        end = Some(lexeme.end);
    }
    plain
}

/// Whether the text is a literal, or one in `quantity(…)` or `semver(…)`: its value says as much.
pub(crate) fn is_constant(text: &str) -> bool {
    let text = strip(text);
    let is_literal = |lexeme: &Lexeme| !matches!(lexeme.token, Token::Ident | Token::Escaped | Token::Symbol(_));
    if let Outermost::Call { target: None, name: "quantity" | "semver", arguments } = shape(text) {
        return arguments.iter().all(|argument| tokens(argument).iter().all(is_literal));
    }
    let signs = |lexeme: &Lexeme| matches!(lexeme.token, Token::Symbol("-" | "[" | "]" | ","));
    tokens(text).iter().all(|lexeme| is_literal(lexeme) || signs(lexeme))
}

/// The shape of an expression.
pub(crate) fn shape(text: &str) -> Outermost<'_> {
    let text = strip(text);
    let tokens = tokens(text);
    // The symbols outside of all brackets.
    let mut outer = Vec::new();
    let mut depth = 0usize;
    for (index, lexeme) in tokens.iter().enumerate() {
        let Token::Symbol(symbol) = lexeme.token else { continue };
        match symbol {
            "(" | "[" | "{" => {
                depth += 1;
            }
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            // `a.?b` is a selection.
            "?" if index > 0 && tokens.get(index - 1).is_some_and(|it| matches!(it.token, Token::Symbol("."))) => {}
            _ if depth == 0 => outer.push((index, symbol, *lexeme)),
            _ => {}
        }
    }
    let at = |wanted: &str| -> Vec<Lexeme> {
        outer.iter().filter(|(_, symbol, _)| *symbol == wanted).map(|(.., lexeme)| *lexeme).collect()
    };
    if let Some(question) = at("?").first() {
        return choice(text, *question, &outer).unwrap_or(Outermost::Term);
    }
    let (or, and) = (at("||"), at("&&"));
    if !or.is_empty() {
        return Outermost::Or(cut(text, &or));
    }
    if !and.is_empty() {
        return Outermost::And(cut(text, &and));
    }
    // Of `a == b == c` the last one is outermost.
    if let Some((_, symbol, place)) = outer.iter().rev().find(|(_, symbol, _)| RELATIONS.contains(symbol)) {
        return match cut(text, std::slice::from_ref(place)).as_slice() {
            &[left, right] => Outermost::Relation { left, operator: symbol, right },
            _ => Outermost::Term,
        };
    }
    let is_arithmetic = |(index, symbol, _): &(usize, &str, Lexeme)| {
        matches!(*symbol, "+" | "-" | "*" | "/" | "%") || (*symbol == "!" && *index > 0)
    };
    if outer.iter().any(is_arithmetic) {
        return Outermost::Term;
    }
    if let Some((0, "!", bang)) = outer.first() {
        return text.get(bang.end..).map_or(Outermost::Term, Outermost::Not);
    }
    call(text, &tokens).unwrap_or(Outermost::Term)
}

/// The text without brackets around it.
fn strip(text: &str) -> &str {
    let mut text = text;
    loop {
        let tokens = tokens(text);
        let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else { return text };
        let is_wrapped = matches!(first.token, Token::Symbol("(")) && opening(&tokens, tokens.len() - 1) == Some(0);
        let inner = text.get(first.end..last.start).filter(|_| is_wrapped);
        let Some(inner) = inner else { return text };
        text = inner;
    }
}

/// The bracket that the one at `closing` closes.
fn opening(tokens: &[Lexeme], closing: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (index, lexeme) in tokens.iter().enumerate().take(closing + 1).rev() {
        match lexeme.token {
            Token::Symbol(")" | "]" | "}") => depth += 1,
            Token::Symbol("(" | "[" | "{") => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(index);
                }
            }
            _ if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

/// The parts between these places.
fn cut<'t>(text: &'t str, places: &[Lexeme]) -> Vec<&'t str> {
    let mut from = 0;
    let mut parts = Vec::new();
    for place in places {
        parts.extend(text.get(from..place.start));
        from = place.end;
    }
    parts.extend(text.get(from..));
    parts
}

fn choice<'t>(text: &'t str, question: Lexeme, outer: &[(usize, &str, Lexeme)]) -> Option<Outermost<'t>> {
    // Choices in a branch have a colon each.
    let mut open = 0usize;
    for (_, symbol, lexeme) in outer.iter().filter(|(.., lexeme)| lexeme.start >= question.start) {
        match *symbol {
            "?" => open += 1,
            ":" if open == 1 => {
                let parts = cut(text, &[question, *lexeme]);
                return <[&str; 3]>::try_from(parts).ok().map(Outermost::Choice);
            }
            ":" => open = open.checked_sub(1)?,
            _ => {}
        }
    }
    None
}

fn call<'t>(text: &'t str, tokens: &[Lexeme]) -> Option<Outermost<'t>> {
    let last = tokens.len().checked_sub(1)?;
    tokens.get(last).filter(|lexeme| matches!(lexeme.token, Token::Symbol(")")))?;
    let open = opening(tokens, last)?;
    let named = tokens.get(open.checked_sub(1)?).filter(|lexeme| matches!(lexeme.token, Token::Ident))?;
    let target = match open.checked_sub(2).and_then(|index| tokens.get(index)) {
        None => None,
        Some(dot) if matches!(dot.token, Token::Symbol(".")) && open > 2 => Some(text.get(..dot.start)?),
        Some(_) => return None,
    };
    let mut commas = Vec::new();
    let mut depth = 0usize;
    for lexeme in tokens.get(open + 1..last)? {
        match lexeme.token {
            Token::Symbol("(" | "[" | "{") => depth += 1,
            Token::Symbol(")" | "]" | "}") => depth = depth.checked_sub(1)?,
            Token::Symbol(",") if depth == 0 => {
                let offset = tokens.get(open)?.end;
                commas.push(Lexeme { start: lexeme.start - offset, end: lexeme.end - offset, ..*lexeme });
            }
            _ => {}
        }
    }
    let arguments = cut(text.get(tokens.get(open)?.end..tokens.get(last)?.start)?, &commas);
    Some(Outermost::Call { target, name: text.get(named.start..named.end)?, arguments })
}
