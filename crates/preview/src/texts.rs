//! Reads the texts of a request: documents with positions, and diagnostics.

use std::cmp::Ordering;
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use serde_json::Value;
use yaml::{Category, Node, Span, Step};

use super::fields::{get, text};
use super::source::locate;
use contract::preview::{Diagnostic, Gravity, Location, Role, Source};
use contract::types::{Code, KindRef, Problem};
use quantity::order::sorted_by_key;
use toolbox::path;
use toolbox::validation::{self, MAX_PROBLEMS};

/// A document of a text, or an object in a `List`, as `kubectl get` prints several.
pub(super) struct Document {
    pub(super) role: Role,
    pub(super) object: Arc<Value>,
    /// The whole document, or the list that the object is in.
    root: Rc<Node>,
    /// The path of the object in `root`. Empty when it is the document.
    within: String,
    /// The path of the object in the document. Empty when it is the document.
    path: String,
    text: u32,
    index: u32,
}

impl Document {
    /// The source of the document.
    pub(super) fn source<'s>(&self, sources: &'s [Source]) -> Option<&'s Source> {
        usize::try_from(self.text).ok().and_then(|text| sources.get(text))
    }

    /// The position of the document.
    pub(super) fn location(&self) -> Location {
        self.locate("", Code::Required)
    }

    /// The position of a problem in the object.
    pub(super) fn locate(&self, path: &str, code: Code) -> Location {
        location(self.text, self.index, locate(&self.root, &path::join(&self.within, path), code))
    }

    /// A diagnostic for a problem in the object.
    pub(super) fn diagnose(&self, gravity: Gravity, problem: Problem) -> Diagnostic {
        let location = Some(self.locate(&problem.path, problem.code));
        let problem = Problem { path: path::join(&self.path, &problem.path), ..problem };
        Diagnostic { gravity, problem, location }
    }

    /// Whether both are of the same document.
    pub(super) fn is_beside(&self, other: &Self) -> bool {
        (self.text, self.index) == (other.text, other.index)
    }
}

/// The objects in a `List`, or in a JSON array as `render` prints it; the document itself when it is neither.
fn objects(role: Role, root: Node, text: u32, index: u32) -> Box<dyn Iterator<Item = Document>> {
    let mut object = root.to_value();
    let is_list = object["apiVersion"] == "v1" && object["kind"] == "List";
    let are_objects = |items: &&mut Value| items.as_array().is_some_and(|items| items.iter().all(is_object));
    let (list, items) = match object.get_mut("items").filter(|_| is_list) {
        Some(items) => ("items", Some(items.take())),
        None => ("", Some(&mut object).filter(are_objects).map(Value::take)),
    };
    let Some(Value::Array(items)) = items else {
        let (object, root, path) = (Arc::new(object), Rc::new(root), String::new());
        return Box::new(std::iter::once(Document { role, object, root, within: path.clone(), path, text, index }));
    };
    // Objects are looked for in the list, and not in the document, which may have many other keys.
    let root = Rc::new(if is_list { root.into_entry(list).unwrap_or(Node::NULL) } else { root });
    Box::new(items.into_iter().enumerate().map(move |(number, object)| Document {
        role,
        object: Arc::new(object),
        root: Rc::clone(&root),
        within: path::index("", number),
        path: path::index(list, number),
        text,
        index,
    }))
}

/// Whether this states what it is.
fn is_object(value: &Value) -> bool {
    value["apiVersion"].is_string() && value["kind"].is_string()
}

/// Reads the sources. Documents with mistakes become diagnostics. Empty documents are skipped, and of a `List` its objects
/// are read.
pub(super) fn read(sources: &[Source], diagnostics: &mut Vec<Diagnostic>) -> Vec<Document> {
    let mut documents = Vec::new();
    for (text, source) in (0..).zip(sources) {
        for (index, document) in (0..).zip(yaml::documents(&source.text)) {
            let root = match document {
                Ok(root) => root,
                Err(error) => {
                    diagnostics.push(unreadable(text, index, error));
                    continue;
                }
            };
            let mut found = Listed::default();
            for document in objects(source.role, root, text, index) {
                let wrong = check(&document);
                if wrong.is_empty() && !document.object.is_null() {
                    documents.push(document);
                    continue;
                }
                wrong.into_iter().for_each(|problem| found.add(&document, Gravity::Error, problem));
            }
            diagnostics.extend(found.finish());
        }
    }
    documents
}

/// Reads one document of a text that is not among the sources. `text` is the index of the text for diagnostics.
pub(super) fn read_one(text: u32, content: &str, index: u32) -> Result<Node, Box<Diagnostic>> {
    let found = usize::try_from(index).ok().and_then(|at| yaml::documents(content).into_iter().nth(at));
    match found {
        Some(document) => document.map_err(|error| Box::new(unreadable(text, index, error))),
        None => {
            let message = match index {
                0 => "empty; give a document".to_owned(),
                _ => format!("the text has no document {index}"),
            };
            let problem = Problem::new("", Code::NotFound, message);
            let location = Some(location(text, index, Span::START));
            Err(Box::new(Diagnostic { gravity: Gravity::Error, problem, location }))
        }
    }
}

/// The first diagnostics of a document, and how many more there are.
#[derive(Default)]
pub(super) struct Listed {
    first: Vec<Diagnostic>,
    /// What stands in place of the last of them when there are more.
    last: Option<Diagnostic>,
    more: usize,
    more_errors: bool,
}

impl Listed {
    pub(super) fn add(&mut self, document: &Document, gravity: Gravity, problem: Problem) {
        // An object has one more than the limit when there is a problem that says how many more.
        if self.first.len() > MAX_PROBLEMS {
            self.more += 1;
            self.more_errors |= gravity == Gravity::Error;
            return;
        }
        if self.first.len() == MAX_PROBLEMS {
            self.last = Some(document.diagnose(gravity, validation::more(&problem, 1)));
        }
        self.first.push(document.diagnose(gravity, problem));
    }

    pub(super) fn finish(mut self) -> Vec<Diagnostic> {
        if self.more > 0
            && let (Some(next), Some(mut last)) = (self.first.pop(), self.last)
        {
            last.problem.message = validation::more(&next.problem, 1 + self.more).message;
            last.gravity = if self.more_errors { Gravity::Error } else { next.gravity };
            self.first.push(last);
        }
        self.first
    }
}

/// The most diagnostics of a text.
const MAX_IN_TEXT: usize = 10_000;

/// Sorts diagnostics in the order of the texts. Those without a location come last, and those with the same location keep
/// their order. Of a text with very many, the first are listed, and how many more there are.
pub(super) fn in_order(diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let diagnostics = sorted_by_key(diagnostics, |diagnostic| {
        diagnostic.location.map_or((u32::MAX, 0, 0, 0), |at| (at.text, at.document, at.line, at.column))
    });
    let text = |diagnostic: &Diagnostic| diagnostic.location.map(|at| at.text);
    let lengths: Vec<_> = diagnostics.chunk_by(|one, other| text(one) == text(other)).map(<[_]>::len).collect();
    let (mut listed, mut rest) = (Vec::new(), diagnostics.into_iter());
    for length in lengths {
        let mut of_text = rest.by_ref().take(length);
        listed.extend(of_text.by_ref().take(MAX_IN_TEXT));
        let Some(next) = of_text.next() else { continue };
        let errors = of_text.filter(|diagnostic| diagnostic.gravity == Gravity::Error).count();
        let gravity = if errors > 0 { Gravity::Error } else { next.gravity };
        let problem = validation::more(&next.problem, length - MAX_IN_TEXT);
        listed.push(Diagnostic { gravity, problem, location: next.location });
    }
    listed
}

/// A span of a text as a location of the contract.
pub(super) fn location(text: u32, document: u32, span: Span) -> Location {
    Location {
        text,
        document,
        line: span.start.line,
        column: span.start.column,
        end_line: span.end.line,
        end_column: span.end.column,
    }
}

/// The diagnostic for a document that cannot be parsed.
fn unreadable(text: u32, document: u32, error: yaml::Error) -> Diagnostic {
    let path = error.path.iter().fold(String::new(), |path, step| match step {
        Step::Key(key) => path::key(&path, key),
        Step::Index(index) => path::index(&path, *index),
    });
    let code = match error.category {
        Category::Syntax => Code::Syntax,
        Category::Invalid => Code::Invalid,
        Category::Duplicate => Code::Duplicate,
    };
    let problem = Problem::new(path, code, error.message);
    Diagnostic { gravity: Gravity::Error, problem, location: Some(location(text, document, error.span)) }
}

/// Mistakes in a document that do not depend on its kind.
fn check(document: &Document) -> Vec<Problem> {
    let found = match &*document.object {
        Value::Object(_) if document.role == Role::Schema => return Vec::new(),
        Value::Object(_) => return unnamed(document),
        Value::Null => return Vec::new(),
        Value::Array(_) => "a list",
        Value::String(_) => "text",
        Value::Number(_) => "a number",
        Value::Bool(_) => "a boolean",
    };
    let message = format!("a document is a mapping with `apiVersion`, `kind` and `metadata`, not {found}");
    vec![Problem::new("", Code::TypeInvalid, message)]
}

/// Mistakes in the API version and kind of a document.
fn unnamed(document: &Document) -> Vec<Problem> {
    let rows = [
        ("apiVersion", "a group and version like `inference.devopstoolkit.ai/v1alpha1`"),
        ("kind", "a kind like `LLMInference`"),
    ];
    let wrong = rows.iter().filter_map(|&(key, wanted)| {
        let (code, message) = match get(&document.object, &[key]) {
            None | Some(Value::Null) => (Code::Required, format!("missing; give {wanted}")),
            Some(Value::String(text)) if text.is_empty() => (Code::Required, format!("empty; give {wanted}")),
            Some(Value::String(_)) => return None,
            Some(other) => (Code::TypeInvalid, format!("{} has the wrong type; give {wanted}", shown(other))),
        };
        Some(Problem::new(key, code, message))
    });
    wrong.collect()
}

/// A value as messages show it: in one line, and truncated when it is long.
fn shown(value: &Value) -> String {
    match value {
        Value::Object(_) => "an object".to_owned(),
        Value::Array(_) => "a list".to_owned(),
        other => cut(&other.to_string()),
    }
}

/// How many characters of a text a message repeats.
const LONGEST: usize = 64;

fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("`{}…`", &text[..end]),
        None => format!("`{text}`"),
    }
}

/// The identity of an object in a cluster. It does not depend on the version of its kind.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Identity {
    pub(super) group: String,
    pub(super) kind: String,
    pub(super) namespace: String,
    pub(super) name: String,
}

impl Identity {
    /// The identity of `object`.
    pub(super) fn of(object: &Value) -> Self {
        let [namespace, name] = ["namespace", "name"].map(|key| text(object, &["metadata", key]).to_owned());
        Self::new(&KindRef::of(object), namespace, name)
    }

    /// The order of objects of a kind: by `namespace/name`.
    pub(super) fn order(&self, other: &Self) -> Ordering {
        let spelled = |it: &Self| format!("{}/{}", it.namespace, it.name);
        if self.namespace == other.namespace { self.name.cmp(&other.name) } else { spelled(self).cmp(&spelled(other)) }
    }

    /// What tells it from others of its kind, in the order of identities.
    pub(super) fn place(&self) -> (&str, &str) {
        (&self.namespace, &self.name)
    }

    /// The identity of the object of `kind` with this name. The namespace is empty for cluster-scoped kinds.
    pub(super) fn new(kind: &KindRef, namespace: String, name: String) -> Self {
        Self { group: kind.group().to_owned(), kind: kind.kind.clone(), namespace, name }
    }

    /// The identities of all objects of `kind`.
    pub(super) fn all(kind: &KindRef) -> Range<Self> {
        let first = Self::new(kind, String::new(), String::new());
        // No text is between one and the same with this character.
        let next = Self { kind: format!("{}\0", kind.kind), ..first.clone() };
        first..next
    }
}
