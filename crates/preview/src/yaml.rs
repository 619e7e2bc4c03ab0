//! YAML text → trees whose every node knows where it stands.
//!
//! The grammar is the parser crate's; this module builds values from its events and bounds what a text may
//! cost. A mistake inside a document spoils that document alone; one in the grammar ends the text.

mod mapping;
mod scalar;

use std::collections::BTreeMap;

use saphyr_parser::{Event, Parser, ScalarStyle, Tag};
use serde_json::Value;

use super::source::{Data, Node, Span};
use contract::types::Code;
use mapping::Mapping;
use toolbox::path;

/// Most bytes in one text. Schemas and lists of observed objects are the large ones.
const MAX_TEXT: usize = 32 << 20;

/// Most characters in one document: what an API server accepts in one request.
const MAX_DOCUMENT: usize = 3 << 20;

/// Most documents in one text.
const MAX_DOCUMENTS: usize = 10_000;

/// Deepest nesting, below what JSON readers accept (128).
const MAX_DEPTH: usize = 100;

/// Most nodes that a text may expand to, where 64 bytes of a scalar count as one more.
const MAX_WEIGHT: usize = 1_000_000;

/// One document of a text. Its index counts every document, empty ones too.
pub(super) struct Document {
    pub(super) root: Result<Node, Flaw>,
}

/// Why a document is unusable.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Flaw {
    pub(super) span: Span,
    pub(super) path: String,
    pub(super) code: Code,
    pub(super) message: String,
}

/// Reads every document of a text.
pub(super) fn read(text: &str) -> Vec<Document> {
    if text.len() > MAX_TEXT {
        let message = format!("the text has {} bytes; at most {MAX_TEXT} are read", text.len());
        return vec![Document { root: Err(Flaw::new(Span::default(), Code::Syntax, message)) }];
    }
    let mut reader = Reader::default();
    for next in Parser::new_from_str(text) {
        let taken = match next {
            Ok((event, span)) => reader.take(event, Span::from(span), span.start.index()),
            Err(error) => Err(Flaw::new(Span::from(*error.marker()), Code::Syntax, grammar(error.info()))),
        };
        if let Err(flaw) = taken {
            reader.finish(Err(flaw));
            break;
        }
    }
    reader.documents
}

impl Flaw {
    fn new(span: Span, code: Code, message: impl Into<String>) -> Self {
        Self { span, path: String::new(), code, message: message.into() }
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

#[derive(Default)]
struct Reader {
    documents: Vec<Document>,
    /// Where the current document starts, in characters.
    start: usize,
    open: Vec<Frame>,
    anchors: BTreeMap<usize, Anchored>,
    root: Option<Node>,
    /// The first mistake in the current document. What follows it is passed over.
    flaw: Option<Flaw>,
    weight: usize,
}

/// A collection whose end has not come yet.
struct Frame {
    anchor: usize,
    start: Span,
    /// Weight of the text before it.
    weight: usize,
    items: Items,
}

enum Items {
    Sequence(Vec<Node>),
    Mapping(Mapping),
}

#[derive(Clone)]
struct Anchored {
    node: Node,
    weight: usize,
    depth: usize,
}

/// What a mistake spoils.
enum Spoils {
    /// The document it is in.
    Document(Flaw),
    /// The rest of the text.
    Text(Flaw),
}

impl Spoils {
    fn document(span: Span, code: Code, message: impl Into<String>) -> Self {
        Self::Document(Flaw::new(span, code, message))
    }
}

impl Reader {
    /// Takes the next event, which starts after `index` characters.
    ///
    /// # Errors
    /// What ends the reading of the text.
    fn take(&mut self, event: Event<'_>, at: Span, index: usize) -> Result<(), Flaw> {
        if let Event::DocumentStart(_) = event {
            self.start = index;
            if self.documents.len() == MAX_DOCUMENTS {
                return Err(Flaw::new(at, Code::Syntax, format!("the text has more than {MAX_DOCUMENTS} documents")));
            }
        }
        if index - self.start > MAX_DOCUMENT {
            let message =
                format!("the document has more than {MAX_DOCUMENT} characters, the most an API server accepts");
            return Err(Flaw::new(at, Code::Syntax, message));
        }
        if event == Event::DocumentEnd {
            let root = self.root.take().unwrap_or(Node { data: Data::Scalar(Value::Null), span: at });
            let flaw = self.flaw.take();
            self.finish(flaw.map_or(Ok(root), Err));
            return Ok(());
        }
        if self.flaw.is_some() {
            return Ok(());
        }
        match self.grow(event, at) {
            Ok(()) => Ok(()),
            Err(Spoils::Text(flaw)) => Err(flaw),
            Err(Spoils::Document(flaw)) => {
                // A path of so many steps helps nobody.
                let path = if self.open.len() < MAX_DEPTH { self.path() } else { String::new() };
                self.flaw = Some(Flaw { path, ..flaw });
                Ok(())
            }
        }
    }

    fn finish(&mut self, root: Result<Node, Flaw>) {
        self.documents.push(Document { root });
        self.open.clear();
        self.anchors.clear();
        self.root = None;
    }

    fn grow(&mut self, event: Event<'_>, at: Span) -> Result<(), Spoils> {
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                let plain = style == ScalarStyle::Plain;
                self.scalar(&text, plain, anchor, tag.as_deref(), at)
            }
            Event::SequenceStart(anchor, _) => self.enter(anchor, at, Items::Sequence(Vec::new())),
            Event::MappingStart(anchor, _) => self.enter(anchor, at, Items::Mapping(Mapping::default())),
            Event::SequenceEnd | Event::MappingEnd => self.leave(at),
            Event::Alias(anchor) => self.alias(anchor, at),
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentStart(_) | Event::DocumentEnd => {
                Ok(())
            }
        }
    }

    fn scalar(&mut self, text: &str, plain: bool, anchor: usize, tag: Option<&Tag>, at: Span) -> Result<(), Spoils> {
        let weight = 1 + text.len() / 64;
        self.charge(weight, at)?;
        if plain && tag.is_none() && text == "<<" && self.expects_key() {
            return self.merge_key(at);
        }
        let value = scalar::value(text, plain, tag).map_err(|message| Spoils::document(at, Code::Invalid, message))?;
        self.put(Anchored { node: Node { data: Data::Scalar(value), span: at }, weight, depth: 0 }, anchor)
    }

    fn enter(&mut self, anchor: usize, start: Span, items: Items) -> Result<(), Spoils> {
        let weight = self.weight;
        self.charge(1, start)?;
        if self.expects_key() {
            return Err(Spoils::document(
                start,
                Code::Invalid,
                "a key is text, a number or a boolean, not a list or a mapping",
            ));
        }
        if self.open.len() == MAX_DEPTH {
            return Err(Spoils::document(start, Code::Syntax, too_deep()));
        }
        self.open.push(Frame { anchor, start, weight, items });
        Ok(())
    }

    fn leave(&mut self, at: Span) -> Result<(), Spoils> {
        let Some(frame) = self.open.pop() else { return Ok(()) };
        let data = match frame.items {
            Items::Sequence(items) => Data::Sequence(items),
            Items::Mapping(mapping) => Data::Mapping(mapping.finish()),
        };
        let node = Node { data, span: Span { end: at.end, ..frame.start } };
        let depth = if frame.anchor == 0 { 0 } else { node.depth() };
        self.put(Anchored { node, weight: self.weight - frame.weight, depth }, frame.anchor)
    }

    fn alias(&mut self, anchor: usize, at: Span) -> Result<(), Spoils> {
        let Some(Anchored { weight, depth, .. }) = self.anchors.get(&anchor) else {
            return Err(Spoils::document(at, Code::Syntax, "the alias stands inside what it refers to"));
        };
        let (weight, depth) = (*weight, *depth);
        self.charge(weight, at)?;
        if self.open.len() + depth > MAX_DEPTH {
            return Err(Spoils::document(at, Code::Syntax, too_deep()));
        }
        let Some(Anchored { node, .. }) = self.anchors.get(&anchor).cloned() else { return Ok(()) };
        self.put(Anchored { node: Node { span: at, ..node }, weight, depth }, 0)
    }

    /// Puts a finished node where it belongs.
    fn put(&mut self, finished: Anchored, anchor: usize) -> Result<(), Spoils> {
        if anchor != 0 {
            self.anchors.insert(anchor, finished.clone());
        }
        let node = finished.node;
        match self.open.last_mut().map(|frame| &mut frame.items) {
            None => self.root = Some(node),
            Some(Items::Sequence(items)) => items.push(node),
            Some(Items::Mapping(mapping)) => mapping.take(node).map_err(Spoils::Document)?,
        }
        Ok(())
    }

    fn merge_key(&mut self, at: Span) -> Result<(), Spoils> {
        match self.open.last_mut().map(|frame| &mut frame.items) {
            Some(Items::Mapping(mapping)) => mapping.merge_key(at).map_err(Spoils::Document),
            _ => Ok(()),
        }
    }

    fn expects_key(&self) -> bool {
        matches!(self.open.last(), Some(Frame { items: Items::Mapping(mapping), .. }) if mapping.expects_key())
    }

    fn charge(&mut self, weight: usize, at: Span) -> Result<(), Spoils> {
        self.weight = self.weight.saturating_add(weight);
        if self.weight > MAX_WEIGHT {
            let message = "the text expands to more than is read; are there aliases of aliases?";
            return Err(Spoils::Text(Flaw::new(at, Code::Syntax, message)));
        }
        Ok(())
    }

    /// The field path of what is being read.
    fn path(&self) -> String {
        self.open.iter().fold(String::new(), |path, frame| match &frame.items {
            Items::Sequence(items) => path::index(&path, items.len()),
            Items::Mapping(mapping) => mapping.key().map_or(path.clone(), |key| path::key(&path, key)),
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Reads `text`; a document is its value, or `line:column path: message` of its flaw.
    #[track_caller]
    fn check(text: &str, documents: &[Value]) {
        let read: Vec<_> = read(text)
            .into_iter()
            .map(|document| match document.root {
                Ok(root) => root.to_value(),
                Err(Flaw { span, path, message, .. }) => {
                    json!(format!("!{}:{} {path}: {message}", span.start.line, span.start.column))
                }
            })
            .collect();
        assert_eq!(read, documents, "{text}");
    }

    #[test]
    fn documents() {
        check("", &[]);
        check("# nothing\n", &[]);
        check("a: 1\n---\nb: [yes, 'yes', 0x10]\n", &[json!({ "a": 1 }), json!({ "b": [true, "yes", 16] })]);
        check("---\n---\na: 1\n", &[json!(null), json!({ "a": 1 })]);
        check("{\"a\": {\"b\": [1.5, null]}}", &[json!({ "a": { "b": [1.5, null] } })]);
        check("\u{feff}a: 1\n", &[json!({ "a": 1 })]);
        check("a: |\n  one\n  two\nb: >-\n  one\n  two\n", &[json!({ "a": "one\ntwo\n", "b": "one two" })]);
    }

    #[test]
    fn keys() {
        check("8080: a\ntrue: b\n1.5: c\n", &[json!({ "8080": "a", "true": "b", "1.5": "c" })]);
        check("? [a]\n: b\n", &[json!("!1:3 : a key is text, a number or a boolean, not a list or a mapping")]);
        check("~: a\n", &[json!("!1:1 : a key is text, a number or a boolean")]);
        check("a:\n  b: 1\n  b: 2\n", &[json!("!3:3 a.b: duplicate key `b`, which stands on line 2 already")]);
        check(
            "a: 1\na: 2\n---\nb: 1\n",
            &[json!("!2:1 a: duplicate key `a`, which stands on line 1 already"), json!({ "b": 1 })],
        );
        check("1: a\n'1': b\n", &[json!("!2:1 1: duplicate key `1`, which stands on line 1 already")]);
    }

    #[test]
    fn aliases() {
        check("a: &x {k: 1}\nb: *x\n", &[json!({ "a": { "k": 1 }, "b": { "k": 1 } })]);
        check(
            "a: &x {k: 1, m: 1}\nb: {<<: *x, k: 2}\n",
            &[json!({ "a": { "k": 1, "m": 1 }, "b": { "k": 2, "m": 1 } })],
        );
        check("b: {<<: [{k: 1}, {k: 2, m: 2}]}\n", &[json!({ "b": { "k": 1, "m": 2 } })]);
        check("b: {<<: 1}\n", &[json!("!1:9 b: `<<` merges a mapping or a list of mappings")]);
        check("'<<': 1\n", &[json!({ "<<": 1 })]);
        check("a: &x\n  b: *x\n", &[json!("!2:6 a.b: the alias stands inside what it refers to")]);
        check("&k a: 1\n*k : 2\n", &[json!("!2:1 a: duplicate key `a`, which stands on line 1 already")]);
    }

    #[test]
    fn tags() {
        check("a: !!str 1\nb: !!int '4'\nc: !Ref x\n", &[json!({ "a": "1", "b": 4, "c": "x" })]);
        check("a: !!int x\n", &[json!("!1:4 a: `x` is no `!!int`")]);
        check("a: !!binary aGk=\n", &[json!("!1:4 a: tag `!!binary` has no meaning in a Kubernetes object")]);
        check("a: .inf\n", &[json!("!1:4 a: `.inf` is no number that JSON can hold; quote it if it is meant as text")]);
    }

    #[test]
    fn grammar() {
        let flaw = |text: &str| {
            read(text).pop().and_then(|document| document.root.err()).map(|flaw| (flaw.code, flaw.span.start.line))
        };
        assert_eq!(flaw("a: [1,\n"), Some((Code::Syntax, 2)));
        assert_eq!(flaw("a: b: c\n"), Some((Code::Syntax, 1)));
        assert_eq!(flaw("a: *nothing\n"), Some((Code::Syntax, 1)));
        assert_eq!(read("a: 1\n---\nb: [\n").len(), 2, "what comes before stays");
    }

    #[test]
    fn bounds() {
        let message = |text: &str| {
            read(text).pop().and_then(|document| document.root.err()).map(|flaw| flaw.message).unwrap_or_default()
        };
        let bomb = (1..12).fold("a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned(), |text, level| {
            let inner = format!("*a{}, ", level - 1).repeat(9);
            text + &format!("a{level}: &a{level} [{}]\n", inner.trim_end_matches(", "))
        });
        assert_eq!(message(&bomb), "the text expands to more than is read; are there aliases of aliases?");
        for levels in [101, 1_000, 10_000] {
            let deep = format!("a: {}{}", "[".repeat(levels), "]".repeat(levels));
            assert_eq!(message(&deep), "nested deeper than 100 levels", "{levels}");
            assert_eq!(message(&"- ".repeat(levels)), "nested deeper than 100 levels", "{levels}");
        }
        assert_eq!(message(&format!("a: &x {}{}\nb: [*x]", "[".repeat(98), "]".repeat(98))), "");
        assert_eq!(
            message(&format!("a: &x {}{}\nb: [[*x]]", "[".repeat(98), "]".repeat(98))),
            "nested deeper than 100 levels"
        );
        assert!(
            message(&format!("a: {}\nb: 1", "x".repeat(10 << 20)))
                .starts_with("the document has more than 3145728 characters")
        );
        assert!(message(&"x".repeat(33 << 20)).starts_with("the text has 34603008 bytes"));
        assert_eq!(message(&"---\n".repeat(10_002)), "the text has more than 10000 documents");
    }
}
