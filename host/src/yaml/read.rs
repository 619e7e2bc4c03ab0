//! The reader: text → values.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use saphyr_parser::{Event, Marker, Parser, ScalarStyle, StrInput, Tag};
use serde_json::{Map, Value};

use super::scalar;

/// Deepest nesting, below what JSON readers accept (128).
const MAX_DEPTH: usize = 100;

/// Most nodes that a text may expand to, where 64 bytes of a scalar count as one more.
const MAX_WEIGHT: usize = 1_000_000;

const UNMERGEABLE: &str = "`<<` merges a mapping or a list of mappings";

/// Where and why a document cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaw {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for Flaw {}

/// The documents of a text, empty ones included. A mistake in the grammar ends the text, any other only the
/// document that it is in.
pub fn documents(text: &str) -> Vec<Result<Value, Flaw>> {
    let mut reader = Reader { events: Parser::new_from_str(text), anchors: BTreeMap::new(), weight: 0, ended: false };
    let mut documents = Vec::new();
    while let Some(document) = reader.document() {
        documents.push(document);
    }
    documents
}

struct Reader<'a> {
    events: Parser<'a, StrInput<'a>>,
    anchors: BTreeMap<usize, Anchored>,
    weight: usize,
    /// Whether nothing more can be read.
    ended: bool,
}

#[derive(Clone)]
struct Anchored {
    value: Value,
    weight: usize,
    depth: usize,
}

impl<'a> Reader<'a> {
    /// The next document. None after the last.
    fn document(&mut self) -> Option<Result<Value, Flaw>> {
        loop {
            match self.next() {
                Ok((Event::DocumentStart(_), _)) => break,
                Ok(_) if !self.ended => {}
                Ok(_) => return None,
                Err(flaw) => return Some(Err(flaw)),
            }
        }
        self.anchors.clear();
        let document = self.next().and_then(|(event, at)| self.node(event, at, 0));
        while !self.ended && !matches!(self.next(), Ok((Event::DocumentEnd, _))) {}
        Some(document)
    }

    /// The next event; at the end of the text the one that says so, again and again.
    fn next(&mut self) -> Result<(Event<'a>, Marker), Flaw> {
        match self.events.next().filter(|_| !self.ended) {
            Some(Ok((event, span))) => Ok((event, span.start)),
            Some(Err(error)) => {
                self.ended = true;
                Err(flaw(*error.marker(), grammar(error.info())))
            }
            None => {
                self.ended = true;
                Ok((Event::StreamEnd, Marker::default()))
            }
        }
    }

    /// The node that starts with `event`, `depth` levels down.
    fn node(&mut self, event: Event<'a>, at: Marker, depth: usize) -> Result<Value, Flaw> {
        let before = self.weight;
        self.charge(1, at)?;
        let (anchor, value) = match event {
            Event::Scalar(text, style, anchor, tag) => {
                self.charge(text.len() / 64, at)?;
                let plain = style == ScalarStyle::Plain;
                let beyond = || flaw(at, format!("`{text}` is no number that JSON can hold"));
                (anchor, scalar_value(&text, plain, tag.as_deref()).ok_or_else(beyond)?)
            }
            Event::SequenceStart(anchor, _) => (anchor, Value::Array(self.sequence(nested(depth, 1, at)?)?)),
            Event::MappingStart(anchor, _) => (anchor, Value::Object(self.mapping(nested(depth, 1, at)?)?)),
            Event::Alias(anchor) => {
                let known = self.anchors.get(&anchor).cloned();
                let known = known.ok_or_else(|| flaw(at, "the alias stands inside what it refers to"))?;
                nested(depth, known.depth, at)?;
                self.charge(known.weight, at)?;
                (0, known.value)
            }
            _ => (0, Value::Null),
        };
        if anchor != 0 {
            let (weight, depth) = (self.weight - before, levels(&value));
            self.anchors.insert(anchor, Anchored { value: value.clone(), weight, depth });
        }
        Ok(value)
    }

    fn sequence(&mut self, depth: usize) -> Result<Vec<Value>, Flaw> {
        let mut items = Vec::new();
        loop {
            match self.next()? {
                (Event::SequenceEnd | Event::StreamEnd, _) => return Ok(items),
                (event, at) => items.push(self.node(event, at, depth)?),
            }
        }
    }

    fn mapping(&mut self, depth: usize) -> Result<Map<String, Value>, Flaw> {
        let (mut map, mut merged, mut seen) = (Map::new(), Vec::new(), BTreeSet::new());
        loop {
            let (event, at) = self.next()?;
            if matches!(event, Event::MappingEnd | Event::StreamEnd) {
                break;
            }
            let merges = matches!(&event, Event::Scalar(key, ScalarStyle::Plain, _, None) if key == "<<");
            let key = self.node(event, at, depth)?;
            let key = key_text(key).ok_or_else(|| flaw(at, "a key is text, a number or a boolean"))?;
            let (event, value_at) = self.next()?;
            let value = self.node(event, value_at, depth)?;
            if !seen.insert(key.clone()) {
                return Err(flaw(at, format!("duplicate key `{key}`")));
            }
            match value {
                Value::Object(more) if merges => merged.extend(more),
                Value::Array(items) if merges => {
                    let maps = items.into_iter().map(into_map).collect::<Option<Vec<_>>>();
                    merged.extend(maps.ok_or_else(|| flaw(value_at, UNMERGEABLE))?.into_iter().flatten());
                }
                _ if merges => return Err(flaw(value_at, UNMERGEABLE)),
                value => drop(map.insert(key, value)),
            }
        }
        // What a mapping says itself counts, then what comes first.
        for (key, value) in merged {
            map.entry(key).or_insert(value);
        }
        Ok(map)
    }

    fn charge(&mut self, weight: usize, at: Marker) -> Result<(), Flaw> {
        self.weight = self.weight.saturating_add(weight);
        if self.weight > MAX_WEIGHT {
            self.ended = true;
            return Err(flaw(at, "the text expands to more than is read; are there aliases of aliases?"));
        }
        Ok(())
    }
}

/// What the parser says, as one of our messages.
fn grammar(info: &str) -> String {
    match info {
        // The parser's own limit, on lists and mappings in brackets.
        "recursion limit exceeded" => too_deep(),
        _ => format!("not well-formed YAML: {}", info.trim_end_matches('.').replace('\n', " ")),
    }
}

fn too_deep() -> String {
    format!("nested deeper than {MAX_DEPTH} levels")
}

/// The level after `more` others.
fn nested(depth: usize, more: usize, at: Marker) -> Result<usize, Flaw> {
    match depth + more {
        depth @ ..=MAX_DEPTH => Ok(depth),
        _ => Err(flaw(at, too_deep())),
    }
}

/// How many lists and mappings lie within one another.
fn levels(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(levels).max().unwrap_or(0),
        Value::Object(map) => 1 + map.values().map(levels).max().unwrap_or(0),
        _ => 0,
    }
}

fn scalar_value(text: &str, plain: bool, tag: Option<&Tag>) -> Option<Value> {
    let resolves = match tag {
        None => plain,
        Some(tag) => tag.is_yaml_core_schema() && matches!(tag.suffix.as_str(), "bool" | "int" | "float" | "null"),
    };
    if resolves { scalar::resolve(text) } else { Some(Value::from(text)) }
}

/// The text that a mapping's key stands for: numbers and booleans are spelled out, as sigs.k8s.io/yaml does.
fn key_text(key: Value) -> Option<String> {
    match key {
        Value::String(text) => Some(text),
        Value::Bool(_) | Value::Number(_) => Some(key.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

fn into_map(value: Value) -> Option<Map<String, Value>> {
    match value {
        Value::Object(map) => Some(map),
        _ => None,
    }
}

fn flaw(at: Marker, message: impl Into<String>) -> Flaw {
    Flaw { line: at.line(), column: at.col() + 1, message: message.into() }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Reads `text`; a document is its value, or its flaw as text.
    #[track_caller]
    fn check(text: &str, expected: &[Value]) {
        let read: Vec<_> = documents(text)
            .into_iter()
            .map(|document| document.unwrap_or_else(|flaw| Value::from(flaw.to_string())))
            .collect();
        assert_eq!(read, expected, "{text:.200}");
    }

    #[test]
    fn texts() {
        check("", &[]);
        check("# nothing\n", &[]);
        check(
            "---\n---\na: [yes, 'yes', 0x10, !!str 1, !!int '4']\n",
            &[json!(null), json!({ "a": [true, "yes", 16, "1", 4] })],
        );
        check("{\"a\": {\"b\": [1.5, null]}}", &[json!({ "a": { "b": [1.5, null] } })]);
        check("8080: a\ntrue: b\n", &[json!({ "8080": "a", "true": "b" })]);
        check(
            "a: &x {k: 1, m: 1}\nb: {<<: *x, k: 2}\nc: *x\n",
            &[json!({ "a": { "k": 1, "m": 1 }, "b": { "k": 2, "m": 1 }, "c": { "k": 1, "m": 1 } })],
        );
        check("b: {<<: [{k: 1}, {k: 2, m: 2}]}\n", &[json!({ "b": { "k": 1, "m": 2 } })]);
    }

    #[test]
    fn flaws() {
        check("a: 1\na: 2\n---\nb: 1\n", &[json!("line 2, column 1: duplicate key `a`"), json!({ "b": 1 })]);
        check("? [a]\n: b\n", &[json!("line 1, column 3: a key is text, a number or a boolean")]);
        check("b: {<<: [1]}\n", &[json!("line 1, column 9: `<<` merges a mapping or a list of mappings")]);
        check("a: .inf\n", &[json!("line 1, column 4: `.inf` is no number that JSON can hold")]);
        check(
            "a: &x\n  b: *x\n---\n1\n",
            &[json!("line 2, column 6: the alias stands inside what it refers to"), json!(1)],
        );
        let broken = documents("a: 1\n---\nb: [\n");
        assert!(broken.len() == 2 && broken[0].is_ok() && broken[1].is_err(), "{broken:?}");
    }

    #[test]
    fn bounds() {
        let message =
            |text: &str| documents(text).pop().and_then(Result::err).map(|flaw| flaw.message).unwrap_or_default();
        let deep = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        assert_eq!(message(&deep(100)), "");
        assert_eq!(message(&deep(101)), "nested deeper than 100 levels");
        assert_eq!(message(&deep(10_000)), "nested deeper than 100 levels");
        assert_eq!(message(&"- ".repeat(10_000)), "nested deeper than 100 levels");
        assert_eq!(message(&format!("a: &x {}\nb: [*x]", deep(99))), "nested deeper than 100 levels");
        let bomb = (1..12).fold("a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned(), |text, level| {
            text + &format!("a{level}: &a{level} [{}]\n", vec![format!("*a{}", level - 1); 9].join(", "))
        });
        assert_eq!(message(&bomb), "the text expands to more than is read; are there aliases of aliases?");
    }
}
