//! Reads text into trees.
//!
//! The grammar is in the parser crate; this module builds values from its events and applies the limits.

use std::collections::BTreeMap;

use saphyr_parser::{Event, Parser, ScalarStyle};
use serde_json::Value;

use crate::cause;
use crate::error::{Error, Step};
use crate::limits::{DEEP, MAX_COPIES, MAX_DEPTH, MAX_DOCUMENT, MAX_DOCUMENTS, MAX_PATH, MAX_TEXT, MAX_WEIGHT};
use crate::mapping::Mapping;
use crate::node::{Data, Node, Span};
use crate::part::Part;
use crate::scalar;

/// The documents of a text as trees, including empty documents. An error concerns only its own document, but for a limit on
/// the whole text, which ends the reading.
pub fn documents(text: &str) -> Vec<Result<Node, Error>> {
    if text.len() > MAX_TEXT {
        let message = format!("the text has {} bytes; at most {MAX_TEXT} are read", text.len());
        return vec![Err(Error::syntax(Span::START, message))];
    }
    let mut reader = Reader::default();
    if let Ended::ByMistake = reader.read(Part::whole(text)) {
        // The parser may have read over the start of the next document, so each is read by itself.
        reader = Reader::default();
        for document in Part::whole(text).documents() {
            if reader.read(document) == Ended::ByLimit {
                break;
            }
        }
    }
    reader.documents
}

/// How the reading of a part ended.
#[derive(PartialEq, Eq)]
enum Ended {
    /// At its end.
    Well,
    /// By a syntax error.
    ByMistake,
    /// By a limit on the whole text.
    ByLimit,
}

/// The documents of a text as plain values; otherwise like [`documents`].
pub fn values(text: &str) -> Vec<Result<Value, Error>> {
    documents(text).into_iter().map(|document| document.map(Node::into_value)).collect()
}

/// An error of the parser in a document, which it noticed at `at`.
fn grammar(document: Part<'_>, at: Span, info: &str) -> Error {
    // The parser has its own limit for lists and mappings in brackets.
    if info == "recursion limit exceeded" {
        return Error::syntax(at.below(document.lines), too_deep());
    }
    let (span, message) = cause::explain(document.text, at, info);
    Error::syntax(span.below(document.lines), message)
}

const EXPANDS: &str = "the text expands to more than is read; are there aliases of aliases?";
const TOO_MANY: &str = "the text has more values than are read at once; split it into several files";

fn too_deep() -> String {
    format!("nested deeper than {MAX_DEPTH} levels")
}

#[derive(Default)]
struct Reader {
    documents: Vec<Result<Node, Error>>,
    /// The start of the current document, in characters from the start of the text.
    start: usize,
    /// The lists and mappings that are open here, the innermost last.
    open: Vec<Frame>,
    /// The anchors of the current document.
    anchors: BTreeMap<usize, Anchored>,
    /// The highest number of an anchor in this document, and in the documents before it. The parser numbers anchors
    /// through the whole text, and knows their names in later documents too.
    last_anchor: usize,
    earlier_anchors: usize,
    root: Option<Node>,
    /// The first error in the current document. The rest of the document is skipped.
    error: Option<Error>,
    /// The weight of the text so far, as [`MAX_WEIGHT`] counts it.
    weight: usize,
    /// The weight of the copies for aliases, as [`MAX_COPIES`] counts it.
    copies: usize,
}

/// A list or mapping that is being read.
struct Frame {
    anchor: usize,
    start: Span,
    /// The weight of the text up to its start.
    weight: usize,
    /// The bytes of the keys on the way to it.
    path: usize,
    items: Items,
}

impl Frame {
    /// The bytes of the keys on the way to the next value in it.
    fn path(&self) -> usize {
        let key = match &self.items {
            Items::Sequence(_) => None,
            Items::Mapping(mapping) => mapping.key(),
        };
        self.path + key.map_or(0, str::len)
    }
}

enum Items {
    Sequence(Vec<Node>),
    Mapping(Mapping),
}

/// A node with an anchor, for aliases.
struct Anchored {
    node: Node,
    weight: usize,
    depth: usize,
}

impl Reader {
    /// Reads documents up to the first syntax error.
    fn read(&mut self, part: Part<'_>) -> Ended {
        (self.start, self.error) = (0, None);
        (self.last_anchor, self.earlier_anchors) = (0, 0); // the parser of this part counts from the start
        for next in Parser::new_from_str(part.text) {
            let (error, ended) = match next {
                Ok((event, span)) => match self.take(event, Span::from(span).below(part.lines), span.start.index()) {
                    Ok(()) => continue,
                    Err(error) => (error, Ended::ByLimit),
                },
                Err(error) => (grammar(part, Span::from(*error.marker()), error.info()), Ended::ByMistake),
            };
            self.finish(Err(error));
            return if self.documents.len() > MAX_DOCUMENTS { Ended::ByLimit } else { ended };
        }
        Ended::Well
    }

    /// Processes the next event, which starts after `index` characters.
    ///
    /// # Errors
    /// Errors that end the reading of the text.
    fn take(&mut self, event: Event<'_>, at: Span, index: usize) -> Result<(), Error> {
        if let Event::DocumentStart(_) = event {
            self.start = index;
            if self.documents.len() == MAX_DOCUMENTS {
                return Err(Error::syntax(at, format!("the text has more than {MAX_DOCUMENTS} documents")));
            }
        }
        if index - self.start > MAX_DOCUMENT {
            let message =
                format!("the document has more than {MAX_DOCUMENT} characters, the most an API server accepts");
            return Err(Error::syntax(at, message));
        }
        if event == Event::DocumentEnd {
            let root = self.root.take().unwrap_or(Node { data: Data::Scalar(Value::Null), span: at });
            let error = self.error.take();
            self.finish(error.map_or(Ok(root), Err));
            return Ok(());
        }
        if let Event::Scalar(_, _, anchor, _) | Event::SequenceStart(anchor, _) | Event::MappingStart(anchor, _) =
            &event
        {
            self.last_anchor = self.last_anchor.max(*anchor);
        }
        if self.error.is_some() {
            return Ok(());
        }
        let weight = self.weigh(&event);
        self.weight = self.weight.saturating_add(weight);
        if let Event::Alias(_) = event {
            self.copies = self.copies.saturating_add(weight);
        }
        if self.weight > MAX_WEIGHT || self.copies > MAX_COPIES {
            return Err(Error::syntax(at, if self.copies > 0 { EXPANDS } else { TOO_MANY }));
        }
        if let Err(error) = self.grow(event, at, weight) {
            // Such a long path would not help anybody.
            let path = if self.open.len() < MAX_DEPTH { self.path() } else { Vec::new() };
            self.error = Some(Error { path, ..error });
        }
        Ok(())
    }

    fn finish(&mut self, document: Result<Node, Error>) {
        self.documents.push(document);
        self.open.clear();
        self.anchors.clear();
        self.earlier_anchors = self.last_anchor;
        self.root = None;
    }

    /// The weight that an event adds to the text.
    fn weigh(&self, event: &Event<'_>) -> usize {
        match event {
            Event::Scalar(text, ..) => self.own_weight() + text.len() / 64,
            Event::SequenceStart(..) | Event::MappingStart(..) => self.own_weight(),
            Event::Alias(anchor) => self.anchors.get(anchor).map_or(0, |anchored| anchored.weight),
            _ => 0,
        }
    }

    /// The weight of a node at the current place, without its content.
    fn own_weight(&self) -> usize {
        1 + self.open.len() / DEEP
    }

    /// Adds an event to the tree. The event has added `weight` to the text.
    fn grow(&mut self, event: Event<'_>, at: Span, weight: usize) -> Result<(), Error> {
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                let (plain, tag) = (style == ScalarStyle::Plain, tag.as_deref());
                let number_of_key = self.mapping_before_key().and_then(|_| scalar::number_of_key(&text, plain, tag));
                let value = match number_of_key {
                    Some(key) => key,
                    None => scalar::value(&text, plain, tag).map_err(|message| Error::invalid(at, message))?,
                };
                let node = Node { data: Data::Scalar(value), span: at };
                self.remember(anchor, &node, weight);
                match self.mapping_before_key() {
                    Some(mapping) if scalar::is_merge_key(&text, plain, tag) => mapping.merge_key(at),
                    _ => self.put(node),
                }
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

    fn enter(&mut self, anchor: usize, start: Span, items: Items) -> Result<(), Error> {
        if self.mapping_before_key().is_some() {
            return Err(Error::invalid(start, "a key is text, a number or a boolean, not a list or a mapping"));
        }
        if self.open.len() == MAX_DEPTH {
            return Err(Error::syntax(start, too_deep()));
        }
        let path = self.open.last().map_or(0, Frame::path);
        if path > MAX_PATH {
            return Err(Error::syntax(start, format!("the keys on the way to it have more than {MAX_PATH} bytes")));
        }
        self.open.push(Frame { anchor, start, weight: self.weight, path, items });
        Ok(())
    }

    fn leave(&mut self, at: Span) -> Result<(), Error> {
        let Some(frame) = self.open.pop() else { return Ok(()) };
        let data = match frame.items {
            Items::Sequence(items) => Data::Sequence(items),
            Items::Mapping(mapping) => Data::Mapping(mapping.finish()),
        };
        let node = Node { data, span: Span { end: at.end, ..frame.start } };
        self.remember(frame.anchor, &node, 1 + self.weight - frame.weight);
        self.put(node)
    }

    fn alias(&mut self, anchor: usize, at: Span) -> Result<(), Error> {
        let Some(Anchored { node, depth, .. }) = self.anchors.get(&anchor) else {
            let message = if anchor <= self.earlier_anchors {
                "not well-formed YAML: while parsing node, found unknown anchor"
            } else {
                "the alias stands inside what it refers to"
            };
            return Err(Error::syntax(at, message));
        };
        if self.open.len() + depth > MAX_DEPTH {
            return Err(Error::syntax(at, too_deep()));
        }
        let is_mapping = matches!(node.data, Data::Mapping(_));
        let node = Node { span: at, ..node.clone() };
        match self.open.last_mut().map(|frame| &mut frame.items) {
            Some(Items::Mapping(mapping)) if mapping.merges() && !is_mapping => Err(mapping.unmergeable(at)),
            _ => self.put(node),
        }
    }

    /// Keeps a finished node for later aliases.
    fn remember(&mut self, anchor: usize, node: &Node, weight: usize) {
        if anchor != 0 {
            self.copies = self.copies.saturating_add(weight);
            self.anchors.insert(anchor, Anchored { node: node.clone(), weight, depth: node.depth() });
        }
    }

    /// Adds a finished node to the list or mapping that it is in.
    fn put(&mut self, node: Node) -> Result<(), Error> {
        match self.open.last_mut().map(|frame| &mut frame.items) {
            None => self.root = Some(node),
            Some(Items::Sequence(items)) => items.push(node),
            Some(Items::Mapping(mapping)) => mapping.take(node)?,
        }
        Ok(())
    }

    /// The mapping that is being read, if the next node is one of its keys.
    fn mapping_before_key(&mut self) -> Option<&mut Mapping> {
        match self.open.last_mut().map(|frame| &mut frame.items) {
            Some(Items::Mapping(mapping)) if mapping.expects_key() => Some(mapping),
            _ => None,
        }
    }

    /// The path to the value that is being read.
    fn path(&self) -> Vec<Step> {
        let steps = self.open.iter().filter_map(|frame| match &frame.items {
            Items::Sequence(items) => Some(Step::Index(items.len())),
            Items::Mapping(mapping) => mapping.key().map(|key| Step::Key(key.to_owned())),
        });
        steps.collect()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::error::Category;

    /// Reads `text` in both ways. A document is expected as its value, or as `line:column category path: message` of its error.
    #[track_caller]
    fn check(text: &str, expected: &[Value]) {
        let shown = |document: Result<Node, Error>| match document {
            Ok(root) => root.to_value(),
            Err(Error { span, path, category, message }) => {
                let path = path.iter().map(|step| match step {
                    Step::Key(key) => format!("/{key}"),
                    Step::Index(index) => format!("/{index}"),
                });
                let path = path.collect::<String>();
                json!(format!("!{}:{} {category:?} {path}: {message}", span.start.line, span.start.column))
            }
        };
        assert_eq!(documents(text).into_iter().map(shown).collect::<Vec<_>>(), expected, "{text}");
        let plain: Vec<_> = values(text).into_iter().map(Result::ok).collect();
        let trees: Vec<_> = documents(text).iter().map(|it| it.as_ref().ok().map(Node::to_value)).collect();
        assert_eq!(plain, trees, "{text}");
    }

    #[test]
    fn texts() {
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
        check("8080: a\ntrue: b\n1.5: c\n'': d\n", &[json!({ "8080": "a", "true": "b", "1.5": "c", "": "d" })]);
        check(".Inf: a\n-.INF: b\n.nan: c\n", &[json!({ ".inf": "a", "-.inf": "b", ".nan": "c" })]);
        check("y: a\n0x10: b\n", &[json!({ "true": "a", "16": "b" })]);
        check("? [a]\n: b\n", &[json!("!1:3 Invalid : a key is text, a number or a boolean, not a list or a mapping")]);
        check("~: a\n", &[json!("!1:1 Invalid : a key is text, a number or a boolean")]);
        check("a: &x {}\n*x : b\n", &[json!("!2:1 Invalid : a key is text, a number or a boolean")]);
    }

    #[test]
    fn duplicates() {
        let duplicate = |place: &str, key: &str, line: u32| {
            json!(format!("!{place}: duplicate key `{key}`, which stands on line {line} already"))
        };
        check("a:\n  b: 1\n  b: 2\n", &[duplicate("3:3 Duplicate /a/b", "b", 2)]);
        check("a: [{}, {b: 1, b: 2}]\n", &[duplicate("1:16 Duplicate /a/1/b", "b", 1)]);
        check("a: 1\na: 2\n---\nb: 1\n", &[duplicate("2:1 Duplicate /a", "a", 1), json!({ "b": 1 })]);
        check("1: a\n'1': b\n", &[duplicate("2:1 Duplicate /1", "1", 1)]);
        check("&k a: 1\n*k : 2\n", &[duplicate("2:1 Duplicate /a", "a", 1)]);
        check("a: {<<: {}, <<: {}}\n", &[duplicate("1:13 Duplicate /a/<<", "<<", 1)]);
    }

    #[test]
    fn aliases() {
        check("a: &x {k: 1}\nb: *x\n", &[json!({ "a": { "k": 1 }, "b": { "k": 1 } })]);
        check("a: &x 1\nb: &x 2\nc: *x\n", &[json!({ "a": 1, "b": 2, "c": 2 })]);
        check("a: &x\n  b: *x\n", &[json!("!2:6 Syntax /a/b: the alias stands inside what it refers to")]);
        // The toolchain splits a text into documents before it reads them, so an anchor is known in its document only.
        let unknown = json!("!3:4 Syntax /b: not well-formed YAML: while parsing node, found unknown anchor");
        check("a: &x 1\n---\nb: *x\n---\nc: 1\n", &[json!({ "a": 1 }), unknown.clone(), json!({ "c": 1 })]);
        check("a: &x 1\n---\nb: *x\nc: &x 2\nd: *x\n", &[json!({ "a": 1 }), unknown]);
        check("a: &x 1\n---\na: &x 2\nb: *x\n", &[json!({ "a": 1 }), json!({ "a": 2, "b": 2 })]);
        check(
            "a: [*x, &x 1]\n",
            &[json!("!1:5 Syntax : not well-formed YAML: while parsing node, found unknown anchor")],
        );
    }

    #[test]
    fn merges() {
        check(
            "a: &x {k: 1, m: 1}\nb: {<<: *x, k: 2}\n",
            &[json!({ "a": { "k": 1, "m": 1 }, "b": { "k": 2, "m": 1 } })],
        );
        check("b: {k: 2, <<: {k: 1, m: 1}}\n", &[json!({ "b": { "k": 1, "m": 1 } })]);
        check("b: {k: 2, <<: [{k: 1}, {k: 3}]}\n", &[json!({ "b": { "k": 1 } })]);
        check("b: {<<: {<<: {k: 1}, k: 2}, m: 3}\n", &[json!({ "b": { "k": 2, "m": 3 } })]);
        check("b: {<<: [{k: 1}, {k: 2, m: 2}]}\n", &[json!({ "b": { "k": 1, "m": 2 } })]);
        check("b: {!!merge <<: {k: 1}}\n", &[json!({ "b": { "k": 1 } })]);
        check("b: {!!merge '<<': {k: 1}}\n", &[json!({ "b": { "k": 1 } })]);
        check("b: {&x <<: {k: 1}, m: *x}\n", &[json!({ "b": { "k": 1, "m": "<<" } })]);
        check("b: {<<: 1}\n", &[json!("!1:9 Invalid /b: `<<` merges a mapping or a list of mappings")]);
        // The toolchain takes a list of mappings only where it stands.
        let list = json!("!2:9 Invalid /b: `<<` merges a mapping or a list of mappings");
        check("a: &x [{k: 1}]\nb: {<<: *x}\n", &[list]);
        check("a: &x {k: 1}\nb: {<<: [*x]}\n", &[json!({ "a": { "k": 1 }, "b": { "k": 1 } })]);
        check("b: {<<: [1]}\n", &[json!("!1:9 Invalid /b: `<<` merges a mapping or a list of mappings")]);
        // Here `<<` is only text.
        check("'<<': 1\n", &[json!({ "<<": 1 })]);
        check("!!str <<: 1\n", &[json!({ "<<": 1 })]);
        check("a: <<\nb: [<<]\n", &[json!({ "a": "<<", "b": ["<<"] })]);
    }

    #[test]
    fn tags() {
        check("a: !!str 1\nb: !!int '4'\nc: !Ref x\n", &[json!({ "a": "1", "b": 4, "c": "x" })]);
        check("a: !!float 1\nb: !!null ''\nc: !!bool y\n", &[json!({ "a": 1, "b": null, "c": true })]);
        check("a: !!foo 1\nb: !!str .inf\nc: ! 4\n", &[json!({ "a": "1", "b": ".inf", "c": "4" })]);
        check("a: !!map [b]\n", &[json!({ "a": ["b"] })]);
        check("a: !!int x\n", &[json!("!1:4 Invalid /a: `x` is no `!!int`")]);
        check("a: !!bool 1\n", &[json!("!1:4 Invalid /a: `1` is no `!!bool`")]);
        check("a: !!binary aGk=\n", &[json!("!1:4 Invalid /a: tag `!!binary` has no meaning in a Kubernetes object")]);
        check(
            "a: .inf\n",
            &[json!("!1:4 Invalid /a: `.inf` is no number that JSON can hold; quote it if it is meant as text")],
        );
    }

    /// The error of the last document.
    fn last_error(text: &str) -> Option<Error> {
        documents(text).pop().and_then(Result::err)
    }

    #[test]
    fn grammar() {
        let check = |text: &str, line: u32| {
            let error = last_error(text).map(|error| (error.category, error.span.start.line));
            assert_eq!(error, Some((Category::Syntax, line)), "{text}");
        };
        check("a: [1,\n", 1);
        check("a: b: c\n", 1);
        check("a: *nothing\n", 1);
        check("a: 1\na: 2\nb: [\n", 3); // a syntax error wins over other errors
        assert_eq!(documents("a: 1\n---\nb: [\n").len(), 2, "earlier documents remain");
        let syntax = |place: &str, words: &str| json!(format!("!{place} Syntax : not well-formed YAML: {words}"));
        let wrong = [json!({ "a": 1 }), syntax("3:4", "`[` is not closed"), json!({ "c": 3 })];
        self::check("a: 1\n---\nb: [\n---\nc: 3\n", &wrong);
        self::check("a: 1\n---\nb: [1, 2\n--- # more\nc: 3\n", &wrong);
        let quote = syntax("1:4", "the quote that opens here is not closed");
        self::check("a: \"1\n---\nb: 2\n", &[quote, json!({ "b": 2 })]);
        let colon = |place| syntax(place, "a text with a colon needs quotes");
        self::check("a: b: c\n---\na: b: c\n---\nd: 4\n", &[colon("1:4"), colon("3:4"), json!({ "d": 4 })]);
        let duplicate = json!("!4:1 Duplicate /a: duplicate key `a`, which stands on line 3 already");
        self::check("a: b: c\n---\na: 1\na: 2\n", &[colon("1:4"), duplicate]);
        let unknown = json!("!4:4 Syntax : not well-formed YAML: while parsing node, found unknown anchor");
        self::check("a: &x 1\nb: c: d\n---\nb: *x\n", &[colon("2:4"), unknown]);
        let error = last_error("a: [\n").map(|error| error.to_string()).unwrap_or_default();
        assert!(error.starts_with("line 1, column 4: not well-formed YAML: "), "{error}");
    }

    #[test]
    fn bounds() {
        let message = |text: &str| last_error(text).map(|error| error.message).unwrap_or_default();
        let bomb = (1..12).fold("a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned(), |text, level| {
            text + &format!("a{level}: &a{level} [{}]\n", vec![format!("*a{}", level - 1); 9].join(", "))
        });
        assert_eq!(message(&bomb), "the text expands to more than is read; are there aliases of aliases?");
        let ones = |anchors: usize| {
            let open: String = (0..anchors).map(|at| format!("&a{at} [")).collect();
            format!("a: {open}{}{}", "1,".repeat(20_000), "]".repeat(anchors))
        };
        assert_eq!(message(&ones(2)), "");
        assert_eq!(message(&ones(3)), "the text expands to more than is read; are there aliases of aliases?");
        let deep = |levels: usize| format!("{}{}{}", "[".repeat(levels), "1,".repeat(400_000), "]".repeat(levels));
        assert_eq!(message(&deep(62)), "");
        assert_eq!(message(&deep(64)), "the text has more values than are read at once; split it into several files");
        let long = |key: usize| format!("? {}\n: b: [1]", "a".repeat(key));
        assert_eq!(message(&long(16_000)), "");
        assert_eq!(message(&long(17_000)), "the keys on the way to it have more than 16384 bytes");
        let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        assert_eq!(message(&nested(100)), "");
        for levels in [101, 1_000, 10_000] {
            assert_eq!(message(&nested(levels)), "nested deeper than 100 levels", "{levels}");
            assert_eq!(message(&format!("a: {}", nested(levels))), "nested deeper than 100 levels", "{levels}");
            assert_eq!(message(&"- ".repeat(levels)), "nested deeper than 100 levels", "{levels}");
        }
        assert_eq!(message(&format!("a: &x {}\nb: [*x]", nested(98))), "");
        assert_eq!(message(&format!("a: &x {}\nb: [[*x]]", nested(98))), "nested deeper than 100 levels");
        assert!(
            message(&format!("a: {}\nb: 1", "x".repeat(10 << 20)))
                .starts_with("the document has more than 3145728 characters")
        );
        assert!(message(&"x".repeat(33 << 20)).starts_with("the text has 34603008 bytes"));
        assert_eq!(message(&"---\n".repeat(10_002)), "the text has more than 10000 documents");
    }
}
