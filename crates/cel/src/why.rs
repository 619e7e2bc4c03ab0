//! Why an expression does not hold: the term that decides, with its operands.
//!
//! The expression is cut at its operators, and every part is compiled and evaluated for itself. So an explanation is never
//! about a part with another result than it says. That takes time: only people ask for it.

use crate::environment::Environment;
use crate::fuel::{Limits, WORK};
use crate::program::Program;
use crate::syntax::lex::{self, Token};
use crate::value::Value;

/// The most parts that are evaluated for one explanation.
const MOST_PARTS: usize = 48;
/// The most cost of one of them.
const MOST_COST: u64 = 100_000;
/// The most elements of a list that are tried.
const MOST_ELEMENTS: usize = 16;
/// The longest text, operand and value, in bytes.
const MOST_TEXT: usize = 200;
const MOST_OPERAND: usize = 80;
const MOST_VALUE: usize = 50;

/// Operators, what holds when they do not, and what they are with their sides exchanged.
const RELATIONS: &[(&str, &str, &str)] = &[
    ("==", "!=", "=="),
    ("!=", "==", "!="),
    ("<", ">=", ">"),
    ("<=", ">", ">="),
    (">", "<=", "<"),
    (">=", "<", "<="),
    ("in", "not in", ""),
];

/// Why an expression does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Why {
    /// The term that decides: an expression in the same environment.
    pub term: String,
    /// What it is: true for a term that is negated. `None` when its evaluation fails.
    pub outcome: Option<bool>,
    /// The term and its operands in one line of at most 200 bytes, such as `device.capacity["gpu.example.com"].memory: 80Gi < 141Gi`.
    pub text: String,
}

/// Why an expression does not hold. `None` when it does.
pub(crate) fn explain(environment: &Environment, bindings: &[(&str, Value<'static>)], source: &str) -> Option<Why> {
    let tokens = tokens(source)?;
    let mut explainer = Explainer { environment, bindings, left: MOST_PARTS };
    let seen = explainer.see(&tokens)?;
    if seen.outcome == Some(true) {
        return None;
    }
    if let (None, None) = (&seen.outcome, &seen.error) {
        let text = format!("{}: {} is no boolean", shortened(&spelled(&tokens), MOST_OPERAND), seen.text);
        return Some(Why { term: spelled(&tokens), outcome: None, text: shortened(&text, MOST_TEXT) });
    }
    let mut why = explainer.explain(&tokens, &seen);
    why.text = shortened(&why.text, MOST_TEXT);
    Some(why)
}

/// A message in one line of at most 200 bytes.
pub(crate) fn line(message: &str) -> String {
    shortened(message, MOST_TEXT)
}

/// A part of the text.
#[derive(Clone, Debug)]
struct Piece {
    token: Token,
    text: String,
    /// Whether there is white space before it.
    apart: bool,
}

/// What came of evaluating a part.
struct Seen {
    /// The boolean, if it is one.
    outcome: Option<bool>,
    error: Option<String>,
    int: Option<i64>,
    text: String,
    double: bool,
    /// How to spell each element of a list, or key of a map, from the text of the part. `None` for other values.
    elements: Option<Vec<String>>,
}

struct Explainer<'e> {
    environment: &'e Environment,
    bindings: &'e [(&'e str, Value<'static>)],
    left: usize,
}

impl Explainer<'_> {
    /// Evaluates a part. `None` when it is no expression of its own, or too many were evaluated.
    fn see(&mut self, part: &[Piece]) -> Option<Seen> {
        self.left = self.left.checked_sub(1)?;
        let text = spelled(part);
        let program = Program::compile(self.environment, &text).ok()?;
        let bindings: Vec<_> = self.bindings.iter().map(|(name, value)| (*name, value.clone())).collect();
        let run = program.run_within(&bindings, Limits { cost: MOST_COST, work: WORK / 10 });
        Some(match run.outcome {
            Err(error) => {
                let error = Some(one_line(&error.message));
                Seen { outcome: None, error, int: None, text: String::new(), double: false, elements: None }
            }
            Ok(value) => Seen {
                outcome: value.as_bool(),
                error: None,
                int: if let Value::Int(int) = value { Some(int) } else { None },
                text: shown(&value, 0),
                double: matches!(value, Value::Double(_)),
                elements: elements(&text, &value),
            },
        })
    }

    /// Explains a part that was evaluated.
    fn explain(&mut self, part: &[Piece], seen: &Seen) -> Why {
        let part = without_parentheses(part);
        self.deciding(part, seen).unwrap_or_else(|| leaf(part, seen))
    }

    /// The explanation of the part of a part that decides.
    fn deciding(&mut self, part: &[Piece], seen: &Seen) -> Option<Why> {
        if let Some((condition, truthy, falsy)) = choice(part) {
            let chosen = self.see(condition)?;
            return match chosen.outcome {
                Some(true) => self.same(truthy, seen),
                Some(false) => self.same(falsy, seen),
                None => self.same(condition, seen),
            };
        }
        for (operator, decides) in [("||", true), ("&&", false)] {
            let sides = split(part, operator);
            if sides.len() > 1 {
                // Where no side decides alone, all of them do: then there is no term to show when it is true.
                if seen.outcome == Some(true) && !decides {
                    return None;
                }
                for side in &sides {
                    if let Some(mut why) = self.same(side, seen) {
                        if decides && seen.outcome == Some(false) {
                            why.text =
                                format!("{} (and no other of {} alternatives)", shortened(&why.text, 150), sides.len());
                        }
                        return Some(why);
                    }
                }
                return None;
            }
        }
        if let Some((left, operator, right)) = relation(part) {
            return self.compared(part, seen, (left, operator, right));
        }
        if part.first().is_some_and(|piece| piece.text == "!") {
            let inner = self.see(part.get(1..)?)?;
            let flipped = inner.outcome.map(|value| !value) == seen.outcome;
            return flipped.then(|| self.explain(&part[1..], &inner));
        }
        let (receiver, name, arguments) = called(part)?;
        match (receiver, name, arguments.as_slice()) {
            (None, "has", [field]) => {
                let is = if seen.outcome? { "present" } else { "absent" };
                let text = format!("{} is {is}", shortened(&spelled(field), MOST_OPERAND));
                Some(Why { term: spelled(part), outcome: seen.outcome, text })
            }
            (Some(receiver), "all" | "exists", [[variable], body]) if variable.token == Token::Ident => {
                self.over_elements((receiver, name, &variable.text, body), part, seen)
            }
            (Some(receiver), "isGreaterThan" | "isLessThan", [other]) => {
                let operator = if name == "isLessThan" { "<" } else { ">" };
                self.compared(part, seen, (receiver, operator, other))
            }
            (Some(receiver), ..) => {
                let value = self.see(receiver)?;
                if value.error.is_some() {
                    return self.same(receiver, seen);
                }
                let arguments: Vec<_> = arguments.iter().map(|it| spelled(it)).collect();
                let call = shortened(&format!("{name}({})", arguments.join(", ")), MOST_VALUE);
                let operand = shortened(&spelled(receiver), MOST_OPERAND);
                let text = format!("{operand}: {}, {call} is {}", value.text, seen.outcome?);
                Some(Why { term: spelled(part), outcome: seen.outcome, text })
            }
            _ => None,
        }
    }

    /// Explains a part of a part, if both have the same result.
    fn same(&mut self, part: &[Piece], seen: &Seen) -> Option<Why> {
        let found = self.see(part)?;
        let alike = found.outcome == seen.outcome && found.error.is_some() == seen.error.is_some();
        alike.then(|| self.explain(part, &found))
    }

    fn compared(
        &mut self,
        part: &[Piece],
        seen: &Seen,
        (left, operator, right): (&[Piece], &str, &[Piece]),
    ) -> Option<Why> {
        let (on_left, on_right) = (self.see(left)?, self.see(right)?);
        for (side, found) in [(left, &on_left), (right, &on_right)] {
            if found.error.is_some() {
                return seen.error.is_some().then(|| leaf(side, found));
            }
        }
        let outcome = seen.outcome?;
        if let (Some((Some(amount), "compareTo", other)), Some(order)) = (called(left), on_left.int)
            && let [other] = other.as_slice()
            && is_constant(right)
        {
            let (first, second) = (self.see(amount)?, self.see(other)?);
            let sign = ["<", "==", ">"][usize::try_from(order.signum() + 1).ok()?];
            let text = format!("{}: {} {sign} {}", shortened(&spelled(amount), MOST_OPERAND), first.text, second.text);
            return Some(Why { term: spelled(part), outcome: Some(outcome), text });
        }
        let (operator, negated, mirrored) = RELATIONS.iter().find(|row| row.0 == operator)?;
        let turned = is_constant(left) && !is_constant(right) && !mirrored.is_empty();
        let row =
            if turned { RELATIONS.iter().find(|row| row.0 == *mirrored)? } else { &(*operator, *negated, *mirrored) };
        let (label, value, other, source) =
            if turned { (right, &on_right, &on_left, left) } else { (left, &on_left, &on_right, right) };
        // Of numbers that are none, neither of two opposites holds.
        let holds = match outcome {
            true => row.0.to_owned(),
            false if on_left.double || on_right.double => format!("not {}", row.0),
            false => row.1.to_owned(),
        };
        let label = shortened(&spelled(without_parentheses(label)), MOST_OPERAND);
        let of = if is_constant(source)
            || source.first().is_some_and(|it| it.text == "[" || it.text == "quantity" || it.text == "semver")
        {
            String::new()
        } else {
            format!(" ({})", shortened(&spelled(source), MOST_VALUE))
        };
        let text = format!("{label}: {} {holds} {}{of}", value.text, other.text);
        Some(Why { term: spelled(part), outcome: Some(outcome), text })
    }

    fn over_elements(
        &mut self,
        (range, name, variable, body): (&[Piece], &str, &str, &[Piece]),
        part: &[Piece],
        seen: &Seen,
    ) -> Option<Why> {
        let found = self.see(range)?;
        if found.error.is_some() {
            return self.same(range, seen);
        }
        let elements = found.elements?;
        // One element decides: that with which the loop ends, or the first that fails.
        if seen.outcome.is_none_or(|outcome| outcome == (name == "exists")) {
            for element in elements.iter().take(MOST_ELEMENTS) {
                if let Some(why) = self.same(&substituted(body, variable, element)?, seen) {
                    return Some(why);
                }
            }
            return None;
        }
        let all = if name == "all" { "holds for all" } else { "holds for none" };
        let text = format!(
            "{}: {} {all} of {} elements",
            shortened(&spelled(range), MOST_OPERAND),
            shortened(&spelled(body), MOST_OPERAND),
            elements.len()
        );
        Some(Why { term: spelled(part), outcome: seen.outcome, text })
    }
}

fn leaf(part: &[Piece], seen: &Seen) -> Why {
    let term = spelled(part);
    let operand = shortened(&term, MOST_OPERAND);
    let text = match &seen.error {
        Some(error) => format!("{operand}: {error}"),
        None => format!("{operand}: {}", seen.text),
    };
    Why { term, outcome: seen.outcome, text }
}

/// The tokens of a text. `None` when it is no expression.
fn tokens(source: &str) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    let mut from = 0;
    loop {
        let lexeme = lex::next(source, from).ok()?;
        if lexeme.token == Token::End {
            return Some(pieces);
        }
        let text = source.get(lexeme.start..lexeme.end)?.to_owned();
        pieces.push(Piece { token: lexeme.token, text, apart: lexeme.start > from });
        from = lexeme.end;
    }
}

fn spelled(part: &[Piece]) -> String {
    let mut text = String::new();
    for piece in part {
        if piece.apart && !text.is_empty() {
            text.push(' ');
        }
        text.push_str(&piece.text);
    }
    text
}

/// The positions of tokens that are in no brackets.
fn outside(part: &[Piece]) -> impl Iterator<Item = (usize, &Piece)> {
    let mut depth = 0_usize;
    part.iter().enumerate().filter(move |(_, piece)| match piece.token {
        Token::Symbol("(" | "[" | "{") => {
            depth += 1;
            depth == 1
        }
        Token::Symbol(")" | "]" | "}") => {
            depth = depth.saturating_sub(1);
            depth == 0
        }
        _ => depth == 0,
    })
}

fn is_symbol(piece: &Piece, symbol: &str) -> bool {
    matches!(piece.token, Token::Symbol(text) if text == symbol)
}

fn without_parentheses(mut part: &[Piece]) -> &[Piece] {
    loop {
        let last = part.len().saturating_sub(1);
        let closes = outside(part).nth(1).is_some_and(|(at, piece)| at == last && is_symbol(piece, ")"));
        if !closes || !part.first().is_some_and(|piece| is_symbol(piece, "(")) {
            return part;
        }
        part = part.get(1..last).unwrap_or_default();
    }
}

fn split<'p>(part: &'p [Piece], operator: &str) -> Vec<&'p [Piece]> {
    let mut sides = Vec::new();
    let mut from = 0;
    for (at, _) in outside(part).filter(|(_, piece)| is_symbol(piece, operator)) {
        sides.push(part.get(from..at).unwrap_or_default());
        from = at + 1;
    }
    sides.push(part.get(from..).unwrap_or_default());
    sides
}

/// `condition ? truthy : falsy`.
fn choice(part: &[Piece]) -> Option<(&[Piece], &[Piece], &[Piece])> {
    let mut question = None;
    let mut open = 0_usize;
    for (at, piece) in outside(part) {
        let optional = at > 0 && part.get(at - 1).is_some_and(|before| is_symbol(before, "."));
        if is_symbol(piece, "?") && !optional {
            question = question.or(Some(at));
            open += 1;
        } else if is_symbol(piece, ":") {
            open = open.checked_sub(1)?;
            if open == 0 {
                let question = question?;
                return Some((part.get(..question)?, part.get(question + 1..at)?, part.get(at + 1..)?));
            }
        }
    }
    None
}

/// The last comparison: chains of them begin on the left.
fn relation(part: &[Piece]) -> Option<(&[Piece], &'static str, &[Piece])> {
    let symbol = |piece: &Piece| RELATIONS.iter().map(|row| row.0).find(|symbol| is_symbol(piece, symbol));
    let (at, symbol) = outside(part).filter_map(|(at, piece)| Some((at, symbol(piece)?))).last()?;
    Some((part.get(..at)?, symbol, part.get(at + 1..)?))
}

/// A call at the end of a part: its receiver, name and arguments. `None` when the part is more than that.
fn called(part: &[Piece]) -> Option<(Option<&[Piece]>, &str, Vec<&[Piece]>)> {
    let last = part.len().checked_sub(1)?;
    let arithmetic = |(at, piece): (usize, &Piece)| {
        ["+", "*", "/", "%", "?", ":"].iter().any(|it| is_symbol(piece, it))
            || is_symbol(piece, "-")
            || (at == 0 && is_symbol(piece, "!"))
    };
    if !is_symbol(part.get(last)?, ")") || outside(part).any(arithmetic) {
        return None;
    }
    let open = outside(part).filter(|(_, piece)| is_symbol(piece, "(")).last()?.0;
    let name = part.get(open.checked_sub(1)?).filter(|piece| piece.token == Token::Ident)?;
    let inside = part.get(open + 1..last)?;
    let arguments = if inside.is_empty() { Vec::new() } else { split(inside, ",") };
    let receiver = match open.checked_sub(2).and_then(|at| part.get(at)) {
        None => None,
        Some(dot) if is_symbol(dot, ".") => Some(part.get(..open - 2)?).filter(|it| !it.is_empty()),
        Some(_) => return None,
    };
    Some((receiver, &name.text, arguments))
}

fn is_constant(part: &[Piece]) -> bool {
    let literal = |piece: &Piece| !matches!(piece.token, Token::Ident | Token::Escaped | Token::Symbol(_) | Token::End);
    match part {
        [one] => literal(one),
        [minus, one] => is_symbol(minus, "-") && literal(one),
        _ => false,
    }
}

/// The part with an expression in place of a variable. `None` when the part declares the variable again.
fn substituted(part: &[Piece], variable: &str, with: &str) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    for (at, piece) in part.iter().enumerate() {
        let after = |symbol| at > 0 && part.get(at - 1).is_some_and(|before| is_symbol(before, symbol));
        if piece.token != Token::Ident || piece.text != variable || after(".") || after("?") {
            pieces.push(piece.clone());
            continue;
        }
        if after("(") && part.get(at + 1).is_some_and(|next| is_symbol(next, ",")) {
            return None;
        }
        let mut replaced = tokens(with)?;
        if let Some(first) = replaced.first_mut() {
            first.apart = piece.apart;
        }
        pieces.extend(replaced);
    }
    Some(pieces)
}

fn elements(text: &str, value: &Value<'_>) -> Option<Vec<String>> {
    match value {
        Value::List(list) => Some((0..list.len()).map(|index| format!("({text})[{index}]")).collect()),
        Value::Map(map) => map.keys().map(|key| literal(&key.value())).collect(),
        _ => None,
    }
}

fn literal(value: &Value<'_>) -> Option<String> {
    match value {
        Value::Bool(value) => Some(value.to_string()),
        Value::Int(value) => Some(value.to_string()),
        Value::Uint(value) => Some(format!("{value}u")),
        Value::String(text) => quoted(text),
        _ => None,
    }
}

/// A text literal. `None` for texts with characters that would need escapes.
fn quoted(text: &str) -> Option<String> {
    text.chars().all(|it| !it.is_control() && it != '"' && it != '\\').then(|| format!("\"{text}\""))
}

/// A value for people.
fn shown(value: &Value<'_>, depth: usize) -> String {
    const MOST: usize = 5;
    let text = match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Uint(value) => format!("{value}u"),
        Value::Double(value) => format!("{value:?}"),
        Value::String(text) => format!("\"{}\"", one_line(text)),
        Value::Quantity(amount) => amount.shared.to_string(),
        Value::Version(version) => version.to_string(),
        Value::List(list) if depth < 2 => {
            let some = (0..list.len().min(MOST)).filter_map(|index| list.get(index)?.ok());
            let some: Vec<_> = some.map(|value| shown(&value, depth + 1)).collect();
            let more = if list.len() > MOST { ", …" } else { "" };
            format!("[{}{more}]", some.join(", "))
        }
        Value::Map(map) => format!("a map of {}", map.len()),
        other => format!("a value of type {}", other.ty()),
    };
    shortened(&text, MOST_VALUE)
}

fn one_line(text: &str) -> String {
    text.chars().map(|it| if it.is_control() { ' ' } else { it }).collect()
}

/// The text, or its beginning.
fn shortened(text: &str, most: usize) -> String {
    let text = one_line(text);
    if text.len() <= most {
        return text;
    }
    let mut end = most.saturating_sub('…'.len_utf8());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    format!("{}…", &text[..end])
}
