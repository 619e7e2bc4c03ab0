//! The parser: from tokens to a syntax tree, by the grammar of `cel-go`, with its limits on size and nesting.

use std::cell::Cell;

use super::Dialect;
use super::ast::{Element, Id, Literal, MapEntry, MessageField, NodeKind, Tree};
use super::draft::{Draft, MOST_NESTING, Parsed, position};
use super::lex::{self, Lexeme, Token};
use super::macros;
use crate::error::{CompileError, Problem, Problems, Stage};
use crate::names;

/// The most characters of an expression, as upstream.
const MOST_CHARACTERS: usize = 100_000;

/// The first tokens of an operand, and the tokens that may stand in place of one where it may be missing. In the order and
/// with the names of upstream's messages.
const OPERAND: &[&str] = &[
    "'['",
    "']'",
    "'{'",
    "'}'",
    "'('",
    "')'",
    "'.'",
    "','",
    "'-'",
    "'!'",
    "'?'",
    "'true'",
    "'false'",
    "'null'",
    "NUM_FLOAT",
    "NUM_INT",
    "NUM_UINT",
    "STRING",
    "BYTES",
    "IDENTIFIER",
];
const NAME: &str = "{IDENTIFIER, ESC_IDENTIFIER}";
const FIRST_FIELD: &str = "{'}', ',', '?', IDENTIFIER, ESC_IDENTIFIER}";
/// The tokens of [`OPERAND`] that do not begin an operand.
const IN_PLACE: &[&str] = &["']'", "'}'", "')'", "','", "'?'"];

/// The binary operators with their precedence, the lowest first, and their functions.
const OPERATORS: &[(&str, u8, &str)] = &[
    ("||", 0, "_||_"),
    ("&&", 1, "_&&_"),
    ("<", RELATION, "_<_"),
    ("<=", RELATION, "_<=_"),
    (">=", RELATION, "_>=_"),
    (">", RELATION, "_>_"),
    ("==", RELATION, "_==_"),
    ("!=", RELATION, "_!=_"),
    ("in", RELATION, "@in"),
    ("+", 3, "_+_"),
    ("-", 3, "_-_"),
    ("*", 4, "_*_"),
    ("/", 4, "_/_"),
    ("%", 4, "_%_"),
];
/// From this precedence on, a chain of operators becomes a nested tree; below, a balanced one.
const RELATION: u8 = 2;

/// Reads one expression.
pub(crate) fn parse(source: &str, dialect: Dialect) -> Result<(Tree, Id), CompileError> {
    let mut parser = Parser::new(source, dialect);
    match parser.whole() {
        Ok(root) if parser.problems.is_empty() => return Ok((parser.draft.tree, root)),
        Ok(_) => {}
        Err(problem) => parser.problems.push(*problem),
    }
    Err(parser.problems.into_error())
}

struct Parser<'s> {
    draft: Draft<'s>,
    dialect: Dialect,
    nesting: u16,
    /// The tokens that may follow the expressions that are being parsed, the innermost last. The whole expression ends with
    /// the text.
    closers: Vec<&'static [&'static str]>,
    /// The tokens that may stand in place of the operand that begins at this offset.
    in_place: (usize, &'static [&'static str]),
    /// The offset of the operand after a `!`. Upstream reports any wrong token there as extraneous.
    signed: Option<usize>,
    token: Lexeme,
    next: Lexeme,
    problems: Problems,
}

impl<'s> Parser<'s> {
    fn new(source: &'s str, dialect: Dialect) -> Self {
        let nothing = Lexeme { token: Token::End, start: 0, end: 0 };
        let mut parser = Self {
            draft: Draft::new(source),
            dialect,
            nesting: 0,
            closers: Vec::new(),
            in_place: (0, &[]),
            signed: None,
            token: nothing,
            next: nothing,
            problems: Problems::default(),
        };
        if source.chars().nth(MOST_CHARACTERS).is_none() {
            parser.advance();
            parser.advance();
        }
        parser
    }

    fn whole(&mut self) -> Parsed<Id> {
        if let Some(rest) = self.draft.source.chars().count().checked_sub(MOST_CHARACTERS).filter(|&rest| rest > 0) {
            let size = MOST_CHARACTERS + rest;
            let message = format!("expression code point size exceeds limit: size: {size}, limit {MOST_CHARACTERS}");
            return Err(Problem::new(Stage::Syntax, self.draft.source, None, message).into());
        }
        let root = self.expression()?;
        if self.token.token != Token::End {
            let kind = if self.next.token == Token::End { "extraneous" } else { "mismatched" };
            let message = format!("Syntax error: {kind} input '{}' expecting <EOF>", self.shown());
            return Err(self.draft.problem(self.token.start, message));
        }
        Ok(root)
    }

    /// `a ? b : c`, or an expression of higher precedence.
    fn expression(&mut self) -> Parsed<Id> {
        self.nesting += 1;
        if self.nesting > MOST_NESTING {
            return Err(self.too_deep());
        }
        let mut result = self.climb(0)?;
        if self.is("?") {
            let at = self.advance().start;
            self.closers.push(&[":"]);
            let truthy = self.climb(0)?;
            self.closers.pop();
            self.expect(":")?;
            let falsy = self.expression()?;
            result = self.draft.operator(at, "_?_:_", vec![result, truthy, falsy])?;
        }
        self.nesting -= 1;
        Ok(result)
    }

    /// Operands with operators whose precedence is at least `least`.
    fn climb(&mut self, least: u8) -> Parsed<Id> {
        let mut left = self.unary()?;
        let mut length = 0;
        while let Token::Symbol(symbol) = self.token.token
            && let Some(&(_, level, function)) = OPERATORS.iter().find(|row| row.0 == symbol)
            && level >= least
        {
            if level < RELATION {
                left = self.logic(symbol, level, function, left)?;
                continue;
            }
            length += 1;
            if self.nesting + length > MOST_NESTING {
                return Err(self.draft.too_high());
            }
            let at = self.advance().start;
            let right = self.climb(level + 1)?;
            left = self.draft.operator(at, function, vec![left, right])?;
        }
        Ok(left)
    }

    /// A chain of `&&` or `||`. As upstream, it becomes a balanced tree, so a chain can be long.
    #[inline(never)]
    fn logic(&mut self, symbol: &str, level: u8, function: &str, first: Id) -> Parsed<Id> {
        let (mut terms, mut places) = (vec![first], Vec::new());
        while self.is(symbol) {
            places.push(self.advance().start);
            terms.push(self.climb(level + 1)?);
        }
        self.balanced(function, &terms, &places)
    }

    #[inline(never)]
    fn balanced(&mut self, function: &str, terms: &[Id], places: &[usize]) -> Parsed<Id> {
        let [only] = terms else {
            let middle = places.len() / 2;
            let left = self.balanced(function, &terms[..=middle], &places[..middle])?;
            let right = self.balanced(function, &terms[middle + 1..], &places[middle + 1..])?;
            let node = NodeKind::Call { function: function.to_owned(), target: None, arguments: vec![left, right] };
            let height = self.draft.height(left).max(self.draft.height(right));
            return self.draft.node(places[middle], node, height);
        };
        Ok(*only)
    }

    fn unary(&mut self) -> Parsed<Id> {
        let (symbol, function) = match self.token.token {
            Token::Symbol("!") => ("!", "!_"),
            // A single minus before a number is a part of the number.
            Token::Symbol("-") if !matches!(self.next.token, Token::Int | Token::Float) => ("-", "-_"),
            _ => return self.member(),
        };
        let at = self.token.start;
        let (mut count, mut last) = (0usize, at);
        while self.is(symbol) && (symbol == "!" || count > 0 || !matches!(self.next.token, Token::Int | Token::Float)) {
            last = self.advance().start;
            count += 1;
        }
        match symbol {
            "!" => self.signed = Some(self.token.start),
            // Upstream reports another error after a minus, which could also begin a number.
            _ if !self.begins_item() => return Err(self.no_name(last)),
            _ => {}
        }
        let operand = self.member()?;
        if count.is_multiple_of(2) {
            return Ok(operand);
        }
        let height = self.draft.height(operand);
        self.draft.node(
            at,
            NodeKind::Call { function: function.to_owned(), target: None, arguments: vec![operand] },
            height,
        )
    }

    fn member(&mut self) -> Parsed<Id> {
        let mut plain = matches!(self.token.token, Token::Ident | Token::Symbol("."));
        let mut operand = self.primary()?;
        plain &= matches!(self.draft.tree.kind(operand), NodeKind::Ident(_));
        loop {
            let at = self.token.start;
            match self.token.token {
                Token::Symbol(".") => {
                    self.advance();
                    let optional = self.accept("?");
                    let name = if optional { self.name(NAME)? } else { self.name_behind(at)? };
                    if !optional && self.is("(") {
                        let at = self.advance().start;
                        let arguments = self.arguments()?;
                        operand = macros::expand(&mut self.draft, self.dialect, at, &name, Some(operand), arguments)?;
                        plain = false;
                    } else if optional {
                        let field = self.draft.node(self.token.start, NodeKind::Literal(Literal::String(name)), 0)?;
                        operand = self.draft.operator(at, "_?._", vec![operand, field])?;
                        plain = false;
                    } else {
                        let height = self.draft.height(operand) + 1;
                        operand =
                            self.draft.node(at, NodeKind::Select { operand, field: name, test: false }, height)?;
                    }
                }
                Token::Symbol("[") => {
                    self.advance();
                    self.in_place = (self.token.start, &["'?'"]);
                    let optional = self.accept("?");
                    let index = self.within(&["]"])?;
                    self.expect("]")?;
                    let function = if optional { "_[?_]" } else { "_[_]" };
                    operand = self.draft.operator(at, function, vec![operand, index])?;
                    plain = false;
                }
                Token::Symbol("{") if plain => {
                    let name = self.draft.tree.qualified_name(operand).unwrap_or_default();
                    self.advance();
                    let fields = self.fields()?;
                    operand = self.draft.node(at, NodeKind::Message { name, fields }, 0)?;
                    plain = false;
                }
                _ => return Ok(operand),
            }
        }
    }

    fn primary(&mut self) -> Parsed<Id> {
        let Lexeme { token, start: at, .. } = self.token;
        match token {
            Token::Symbol("(") => {
                self.advance();
                let inner = self.within(&[")"])?;
                self.expect(")")?;
                Ok(inner)
            }
            Token::Symbol("[") => {
                self.advance();
                let elements = self.elements()?;
                let height = elements.iter().map(|element| self.draft.height(element.value)).max().unwrap_or(0);
                self.draft.node(at, NodeKind::List(elements), height)
            }
            Token::Symbol("{") => {
                self.advance();
                let entries = self.entries()?;
                let height = |entry: &MapEntry| self.draft.height(entry.key).max(self.draft.height(entry.value));
                let height = entries.iter().map(height).max().unwrap_or(0);
                self.draft.node(at, NodeKind::Map(entries), height)
            }
            Token::Symbol(".") | Token::Ident => self.ident(),
            _ => self.literal(),
        }
    }

    #[inline(never)]
    fn ident(&mut self) -> Parsed<Id> {
        let begin = self.token.start;
        let dot = self.accept(".");
        let at = self.token.start;
        if self.token.token != Token::Ident {
            return Err(self.no_name(begin));
        }
        let lexeme = self.advance();
        let name = self.text(lexeme);
        // A reserved word may be the name of a message.
        if names::KEPT.contains(&name) && !self.is("{") {
            return Err(self.draft.problem(begin, format!("reserved identifier: {name}")));
        }
        let name = if dot { format!(".{name}") } else { name.to_owned() };
        if self.is("(") {
            let at = self.advance().start;
            let arguments = self.arguments()?;
            return macros::expand(&mut self.draft, self.dialect, at, &name, None, arguments);
        }
        self.draft.node(at, NodeKind::Ident(name), 0)
    }

    #[inline(never)]
    fn literal(&mut self) -> Parsed<Id> {
        let at = self.token.start;
        let minus = if self.is("-") && matches!(self.next.token, Token::Int | Token::Float) {
            self.advance();
            "-"
        } else {
            ""
        };
        let text = self.text(self.token);
        let value = match self.token.token {
            Token::True => Literal::Bool(true),
            Token::False => Literal::Bool(false),
            Token::Null => Literal::Null,
            Token::Int => {
                let (radix, digits) = text.strip_prefix("0x").map_or((10, text), |digits| (16, digits));
                let parsed = i64::from_str_radix(&format!("{minus}{digits}"), radix);
                Literal::Int(parsed.map_err(|_| self.draft.problem(at, "invalid int literal"))?)
            }
            Token::Uint => {
                let digits = text.trim_end_matches(['u', 'U']);
                let (radix, digits) = digits.strip_prefix("0x").map_or((10, digits), |digits| (16, digits));
                let parsed = u64::from_str_radix(digits, radix);
                Literal::Uint(parsed.map_err(|_| self.draft.problem(at, "invalid uint literal"))?)
            }
            Token::Float => {
                let parsed = format!("{minus}{text}").parse().ok().filter(|double: &f64| double.is_finite());
                Literal::Double(parsed.ok_or_else(|| self.draft.problem(at, "invalid double literal"))?)
            }
            Token::String => {
                Literal::String(lex::text_of(text).ok_or_else(|| self.draft.problem(at, "invalid unicode code point"))?)
            }
            Token::Bytes => {
                Literal::Bytes(lex::bytes_of(text).ok_or_else(|| self.draft.problem(at, "unable to unescape string"))?)
            }
            _ => {
                let in_place = if self.in_place.0 == at { self.in_place.1 } else { &[] };
                let begins = OPERAND.iter().filter(|it| !IN_PLACE.contains(it) || in_place.contains(it));
                let begins: Vec<&str> = begins.copied().collect();
                return Err(self.unexpected(&format!("{{{}}}", begins.join(", "))));
            }
        };
        self.advance();
        self.draft.node(at, NodeKind::Literal(value), 0)
    }

    /// The arguments of a call, after its parenthesis. A trailing comma is not allowed.
    #[inline(never)]
    fn arguments(&mut self) -> Parsed<Vec<Id>> {
        let mut arguments = Vec::new();
        self.in_place = (self.token.start, &["')'"]);
        if self.accept(")") {
            return Ok(arguments);
        }
        loop {
            arguments.push(self.within(&[")", ","])?);
            if !self.accept(",") {
                self.expect(")")?;
                return Ok(arguments);
            }
        }
    }

    #[inline(never)]
    fn elements(&mut self) -> Parsed<Vec<Element>> {
        self.in_place = (self.token.start, &["']'", "','", "'?'"]);
        self.separated("]", |parser| {
            let optional = parser.accept("?");
            Ok(Element { value: parser.within(&["]", ","])?, optional })
        })
    }

    #[inline(never)]
    fn entries(&mut self) -> Parsed<Vec<MapEntry>> {
        self.in_place = (self.token.start, &["'}'", "','", "'?'"]);
        self.separated("}", |parser| {
            let optional = parser.accept("?");
            let key = parser.within(&[":"])?;
            parser.expect(":")?;
            Ok(MapEntry { key, value: parser.within(&["}", ","])?, optional })
        })
    }

    #[inline(never)]
    fn fields(&mut self) -> Parsed<Vec<MessageField>> {
        let first = Cell::new(true);
        self.separated("}", |parser| {
            let optional = parser.accept("?");
            let name = parser.name(if first.replace(false) { FIRST_FIELD } else { NAME })?;
            let at = position(parser.token.start);
            parser.expect(":")?;
            Ok(MessageField { at, name, value: parser.within(&["}", ","])?, optional })
        })
    }

    /// Items up to a closing bracket. A trailing comma is allowed, also without items.
    fn separated<T>(&mut self, close: &str, item: impl Fn(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut items = Vec::new();
        while !self.is(close) {
            if items.is_empty() && self.is(",") {
                self.advance();
                break;
            }
            items.push(item(self)?);
            if self.accept(",") {
                // As upstream, a token after a comma that does not begin an item is expected to be the closing bracket.
                if !self.begins_item() {
                    break;
                }
            } else {
                if self.is(close) {
                    break;
                }
                return Err(self.unexpected(&format!("{{'{close}', ','}}")));
            }
        }
        self.expect(close)?;
        Ok(items)
    }

    /// An expression that is followed by one of these tokens.
    fn within(&mut self, closers: &'static [&'static str]) -> Parsed<Id> {
        self.closers.push(closers);
        let inner = self.expression()?;
        self.closers.pop();
        Ok(inner)
    }

    /// A name after a dot at `begin`.
    fn name_behind(&mut self, begin: usize) -> Parsed<String> {
        match self.token.token {
            Token::Ident | Token::Escaped => self.name(NAME),
            _ => Err(self.no_name(begin)),
        }
    }

    /// A name. The error names `expected`.
    #[inline(never)]
    fn name(&mut self, expected: &str) -> Parsed<String> {
        match self.token.token {
            Token::Ident => {
                let lexeme = self.advance();
                Ok(self.text(lexeme).to_owned())
            }
            Token::Escaped => Err(self.draft.problem(self.token.start, "unsupported syntax: '`'")),
            _ => Err(self.unexpected(expected)),
        }
    }

    fn no_name(&self, begin: usize) -> Box<Problem> {
        let adjacent = self.token.start == begin + 1;
        if adjacent && matches!(self.token.token, Token::True | Token::False | Token::Null) {
            let message = format!("Syntax error: mismatched input '{}' expecting IDENTIFIER", self.shown());
            return self.draft.problem(self.token.start, message);
        }
        let text = escaped(&self.draft.source[begin..self.token.end]);
        self.draft.problem(self.token.start, format!("Syntax error: no viable alternative at input '{text}'"))
    }

    /// The error of upstream for too deep nesting.
    #[inline(never)]
    fn too_deep(&self) -> Box<Problem> {
        let message = format!("expression recursion limit exceeded: {MOST_NESTING}");
        Problem::new(Stage::Syntax, self.draft.source, None, message).into()
    }

    /// The error for an unexpected token. It is extraneous if the token after it is expected.
    #[inline(never)]
    fn unexpected(&self, expected: &str) -> Box<Problem> {
        let unwanted = self.is_extraneous(expected) || self.signed == Some(self.token.start);
        let kind = if unwanted { "extraneous" } else { "mismatched" };
        self.draft
            .problem(self.token.start, format!("Syntax error: {kind} input '{}' expecting {expected}", self.shown()))
    }

    /// Whether the next token is expected at the place of this one.
    fn is_extraneous(&self, expected: &str) -> bool {
        match self.next.token {
            _ if self.token.token == Token::End => false,
            Token::Symbol(symbol) => expected.contains(&format!("'{symbol}'")),
            Token::End | Token::Escaped => false,
            Token::Ident => expected.contains("IDENTIFIER"),
            // All other tokens begin an operand.
            _ => expected.contains("STRING"),
        }
    }

    /// Whether the token could follow `symbol` here.
    fn follows(&self, symbol: &str) -> bool {
        match self.token.token {
            Token::End => symbol != ":" && self.closers.is_empty(),
            Token::Escaped => false,
            Token::Symbol(next) if symbol != ":" => {
                matches!(next, "?" | "." | "[")
                    || OPERATORS.iter().any(|row| row.0 == next)
                    || self.closers.last().is_some_and(|closers| closers.contains(&next))
            }
            _ => symbol == ":" && self.begins_item(),
        }
    }

    /// Whether the token begins an operand or an optional item.
    fn begins_item(&self) -> bool {
        match self.token.token {
            Token::End | Token::Escaped => false,
            Token::Symbol(symbol) => matches!(symbol, "[" | "{" | "(" | "." | "-" | "!" | "?"),
            _ => true,
        }
    }

    fn shown(&self) -> String {
        if self.token.token == Token::End { "<EOF>".to_owned() } else { escaped(self.text(self.token)) }
    }

    fn expect(&mut self, symbol: &str) -> Parsed<()> {
        if self.accept(symbol) {
            return Ok(());
        }
        let expected = format!("'{symbol}'");
        if !self.is_extraneous(&expected) && self.follows(symbol) {
            let message = format!("Syntax error: missing '{symbol}' at '{}'", self.shown());
            return Err(self.draft.problem(self.token.start, message));
        }
        Err(self.unexpected(&expected))
    }

    fn accept(&mut self, symbol: &str) -> bool {
        let found = self.is(symbol);
        if found {
            self.advance();
        }
        found
    }

    fn is(&self, symbol: &str) -> bool {
        matches!(self.token.token, Token::Symbol(found) if found == symbol)
    }

    fn text(&self, lexeme: Lexeme) -> &'s str {
        &self.draft.source[lexeme.start..lexeme.end]
    }

    /// Advances by one token and returns the one that was current. Characters that are not part of a token are reported and
    /// skipped.
    #[inline(never)]
    fn advance(&mut self) -> Lexeme {
        let passed = self.token;
        self.token = self.next;
        let mut from = self.next.end;
        self.next = loop {
            match lex::next(self.draft.source, from) {
                Ok(lexeme) => break lexeme,
                Err((start, end)) => {
                    let text = &self.draft.source[start..end];
                    let message = format!("Syntax error: token recognition error at: '{text}'");
                    self.problems.push(*self.draft.problem(start, message));
                    from = end;
                }
            }
        };
        passed
    }
}

/// A text as upstream shows it in messages.
fn escaped(text: &str) -> String {
    text.replace('\n', "\\n").replace('\r', "\\r").replace('\t', "\\t")
}
